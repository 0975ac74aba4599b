import { PLANS } from '../../accounts/plans.ts';
import { ManualClock, systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import { BACKTEST_TABLES } from '../../engines/backtest/rows.ts';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import { LEGS_TABLE } from '../../engines/spreads/legs.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import type { FrameArchive } from '../../market/frame-store.ts';
import { KEEP_MS } from '../../market/timeline.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import type { Poll, Topic } from '../../venues/venue.ts';
import type { CollectorParts } from './collector-parts.ts';
import { holdSimulator } from './simulator.ts';

const DELAY_MS = PLANS.demo.delaySeconds * SECOND_MS;
/** The first step is older than the delay by this much, so that Demo has data at once. */
const MARGIN_MS = 30 * SECOND_MS;
/** Two steps, the second half a minute old: more would start later. The delayed data then changes with the live one. */
const STEP_MS = DELAY_MS;
/** Calls per contract are made in every second step only: their values change little, and hold for ten minutes. */
const EACH_EVERY_SECONDS = 900;
/** What does not change in a quarter of an hour is collected in the first step only. */
const LASTING: readonly Topic[] = ['contracts', 'interval', 'notices'];
/** After the simulator's clock moves, its WebSocket messages take this long to arrive. */
const PUSH_SETTLES_MS = 120;

const SERIES = [
  FUNDING_TABLE.name,
  LEGS_TABLE.name,
  ...SIZES_USD.map((sizeUsd) => BACKTEST_TABLES[sizeUsd].name),
];

/** Whether the stored snapshots and backtest of the last run still serve, live and delayed. */
export async function hasRecentPast(
  archive: Pick<FrameArchive, 'timesAfter'>,
  nowMs: number,
): Promise<boolean> {
  const stored = await archive.timesAfter(new Map(SERIES.map((series) => [series, nowMs - KEEP_MS])));
  return SERIES.every((series) => {
    const times = (stored.get(series) ?? []).filter((asOfMs) => asOfMs <= nowMs);
    const [oldestMs, newestMs] = [times[0], times.at(-1)];
    return (
      oldestMs !== undefined &&
      newestMs !== undefined &&
      nowMs - newestMs < DELAY_MS &&
      nowMs - oldestMs >= DELAY_MS
    );
  });
}

/** Collects the time of the Demo plan's delay on a manual clock, so that the plan has data at once. */
export class DemoPast {
  readonly #parts: CollectorParts;
  readonly #simUrl: string;
  readonly #stopping: AbortSignal;
  readonly #nowMs = systemClock.nowMs();
  readonly #clock = new ManualClock(this.#nowMs - DELAY_MS - MARGIN_MS);
  readonly #collectors: readonly Collector[];
  #step = 0;

  constructor(parts: CollectorParts, simUrl: string, stopping: AbortSignal) {
    this.#parts = parts;
    this.#simUrl = simUrl;
    this.#stopping = stopping;
    this.#collectors = parts.context.venues.map(
      (venue) => new Collector({ ...parts.collectorOptions(venue), clock: this.#clock, isPaced: false }),
    );
  }

  /** The time of the step that is collected or published next. */
  get atMs(): number {
    return this.#clock.nowMs();
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
    await holdSimulator(this.#simUrl, this.#clock.nowMs());
    await Promise.all(
      this.#collectors.map((collector) => collector.collectOnce(this.#stopping, (poll) => isDue(poll, step))),
    );
    this.#stopping.throwIfAborted();
    await systemClock.sleep(PUSH_SETTLES_MS);
  }

  async #publish(): Promise<void> {
    const { publisher, spreads, listings } = this.#parts;
    const atMs = this.#clock.nowMs();
    await publisher.publish(atMs);
    await spreads.publish(atMs);
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
