import { PLANS } from '../../accounts/plans.ts';
import { ManualClock, systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import type { Poll, Topic } from '../../venues/venue.ts';
import type { Service } from '../../wiring/service.ts';
import { holdSimulator } from './simulator.ts';

const DELAY_MS = PLANS.demo.delaySeconds * SECOND_MS;
/** Fewer steps start faster; the delayed data of the first quarter of an hour then changes less often. */
const STEP_MS = 450 * SECOND_MS;
/** The first step is older than the delay by this much, so that Demo has data at once. */
const MARGIN_MS = 30 * SECOND_MS;
/** Calls per contract are made in every second step only: their values change little, and hold for ten minutes. */
const EACH_EVERY_SECONDS = 900;
/** What does not change in a quarter of an hour is collected in the first step only. */
const LASTING: readonly Topic[] = ['contracts', 'interval', 'notices'];
/** After the simulator's clock moves, its WebSocket messages take this long to arrive. */
const PUSH_SETTLES_MS = 120;

/** Whether the snapshots and the backtest of the last run still serve, live and delayed. */
export function hasRecentPast({ entrance }: Service): boolean {
  const { data, clock } = entrance;
  const nowMs = clock.nowMs();
  const sources = [data.funding, data.spreads, ...Object.values(data.backtest)];
  return sources.every((source) => {
    const newest = source.at(0, nowMs);
    return (
      newest !== null &&
      nowMs - newest.asOfMs < DELAY_MS &&
      source.at(PLANS.demo.delaySeconds, nowMs) !== null
    );
  });
}

/** Collects the time of the Demo plan's delay on a manual clock, so that the plan has data at once. */
export class DemoPast {
  readonly #service: Service;
  readonly #simUrl: string;
  readonly #nowMs = systemClock.nowMs();
  readonly #clock = new ManualClock(this.#nowMs - DELAY_MS - MARGIN_MS);
  readonly #collectors: readonly Collector[];
  #step = 0;

  constructor(service: Service, simUrl: string) {
    this.#service = service;
    this.#simUrl = simUrl;
    this.#collectors = service.context.venues.map(
      (venue) => new Collector({ ...service.collectorOptions(venue), clock: this.#clock, isPaced: false }),
    );
  }

  /** The first step, with the contracts of all venues. */
  async collectFirst(): Promise<void> {
    await this.#collect();
  }

  /** Publishes the first step, and collects and publishes the others. */
  async publishAll(): Promise<void> {
    await this.#publish();
    while (this.#clock.nowMs() < this.#nowMs) {
      await this.#collect();
      await this.#publish();
    }
    await this.stop();
    await holdSimulator(this.#simUrl, null);
  }

  /** Ends the streams of the venues. After a failed start they would keep the process alive. */
  async stop(): Promise<void> {
    await Promise.all(this.#collectors.map((collector) => collector.stop()));
  }

  async #collect(): Promise<void> {
    const step = this.#step++;
    const { signal } = new AbortController();
    await holdSimulator(this.#simUrl, this.#clock.nowMs());
    await Promise.all(
      this.#collectors.map((collector) => collector.collectOnce(signal, (poll) => isDue(poll, step))),
    );
    await systemClock.sleep(PUSH_SETTLES_MS);
  }

  async #publish(): Promise<void> {
    const { publisher, spreads, listings } = this.#service;
    const atMs = this.#clock.nowMs();
    await publisher.publish(atMs);
    await spreads.print(atMs);
    await listings.publish(atMs);
    this.#clock.advanceMs(STEP_MS);
  }
}

/** Whether a poll runs in this step of the past: all in the first one, later those whose period has passed. */
function isDue(poll: Poll, step: number): boolean {
  if (step > 0 && poll.gives.every((topic) => LASTING.includes(topic))) return false;
  const everySeconds =
    poll.kind === 'each' ? Math.max(poll.everySeconds, EACH_EVERY_SECONDS) : poll.everySeconds;
  const runsBy = (steps: number) => Math.floor((steps * STEP_MS) / (everySeconds * SECOND_MS));
  return step === 0 || runsBy(step) > runsBy(step - 1);
}
