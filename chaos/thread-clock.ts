import { BroadcastChannel } from 'node:worker_threads';
import type { ManualClock } from '../src/base/clock.ts';
import { untilIdle } from './idle.ts';

/** Joins the clocks of the two threads of a process. */
const CHANNEL = 'chaos clock';

/** Time passes, at once or so that sleepers wake one after the other; or the clock is set. */
type Change = 'move' | 'walk' | 'step';

type Question =
  /** Of a collector that starts. */
  { ask: 'time' } | { ask: Change; id: number; ms: number };
type Answer =
  | { tell: 'time'; nowMs: number }
  /** Moved, and idle again. */
  | { tell: 'done'; id: number; nextWakeMs: number | null };

/** The main thread's end: moves the clock of the collector's thread along with its own. */
export class ClockOfThreads {
  readonly #clock: ManualClock;
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #pending = new Map<number, () => void>();
  #isCollectorThere = false;
  #collectorWakesMs: number | null = null;
  #lastId = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#channel.onmessage = (event) => this.#hear((event as { data: Question | Answer }).data);
  }

  /** Moves to a time, the collector first, and waits until nothing is under way. */
  async move(toMs: number, change: 'move' | 'walk' = 'move'): Promise<void> {
    // Frames must not come from the future.
    this.#clock.showMs(toMs);
    await this.#order(change, toMs);
    if (change === 'walk') await wakeOneByOne(this.#clock, toMs);
    this.#clock.setMs(toMs);
    await untilIdle();
  }

  /** The same with a stop wherever something is due, so that what waits for a short time goes on. */
  async walk(toMs: number): Promise<void> {
    for (let nextMs = this.#nextWakeMs(); nextMs < toMs; nextMs = this.#nextWakeMs())
      await this.move(nextMs, 'walk');
    await this.move(toMs, 'walk');
  }

  async step(byMs: number): Promise<void> {
    await this.#order('step', byMs);
    this.#clock.step(byMs);
  }

  /** Called when the collector's thread has ended. */
  collectorEnded(): void {
    this.#isCollectorThere = false;
    this.#collectorWakesMs = null;
    for (const resolve of this.#pending.values()) resolve();
    this.#pending.clear();
  }

  #nextWakeMs(): number {
    return Math.min(this.#clock.nextWakeMs ?? Infinity, this.#collectorWakesMs ?? Infinity);
  }

  async #order(ask: Change, ms: number): Promise<void> {
    if (!this.#isCollectorThere) return;
    const id = ++this.#lastId;
    await new Promise<void>((resolve) => {
      this.#pending.set(id, resolve);
      this.#channel.postMessage({ ask, id, ms } satisfies Question);
    });
  }

  #hear(message: Question | Answer): void {
    if ('ask' in message) {
      this.#isCollectorThere = true;
      this.#channel.postMessage({ tell: 'time', nowMs: this.#clock.nowMs() } satisfies Answer);
    } else if (message.tell === 'done') {
      this.#collectorWakesMs = message.nextWakeMs;
      this.#pending.get(message.id)?.();
      this.#pending.delete(message.id);
    }
  }
}

/** The collector's end. `create` makes its clock when the time is known. */
export async function clockOfCollector(create: (nowMs: number) => ManualClock): Promise<ManualClock> {
  const channel = new BroadcastChannel(CHANNEL);
  const start = Promise.withResolvers<ManualClock>();
  let clock: ManualClock | null = null;
  const obey = async (question: Exclude<Question, { ask: 'time' }>) => {
    if (question.ask === 'step') clock?.step(question.ms);
    else {
      if (question.ask === 'walk') await wakeOneByOne(clock, question.ms);
      clock?.setMs(question.ms);
    }
    await untilIdle();
    const nextWakeMs = clock?.nextWakeMs ?? null;
    channel.postMessage({ tell: 'done', id: question.id, nextWakeMs } satisfies Answer);
  };
  channel.onmessage = (event) => {
    const message = (event as { data: Question | Answer }).data;
    if ('ask' in message && message.ask !== 'time') void obey(message);
    else if ('tell' in message && message.tell === 'time' && !clock) {
      clock = create(message.nowMs);
      start.resolve(clock);
    }
  };
  channel.postMessage({ ask: 'time' } satisfies Question);
  return await start.promise;
}

/** Whoever is woken has done its work before the next one is woken, so the order is the same in each run. */
async function wakeOneByOne(clock: ManualClock | null, toMs: number): Promise<void> {
  while (clock?.wakeNext(toMs)) await untilIdle();
}
