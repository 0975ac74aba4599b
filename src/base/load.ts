import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What is stopped under overload, in this order. */
export const SHED_ORDER = ['backtest', 'backfill', 'samples', 'pages', 'api'] as const;
export type Shed = (typeof SHED_ORDER)[number];
/** What the side that collects does of it, and the side that serves. */
export const COLLECTOR_SHEDS: readonly Shed[] = ['backtest', 'backfill', 'samples'];
export const SERVING_SHEDS: readonly Shed[] = ['pages', 'api'];

/** How long an event waits on average, in milliseconds, from which each of them is stopped. */
const STOPPED_FROM_MS: Readonly<Record<Shed, number>> = {
  backtest: 250,
  backfill: 400,
  samples: 600,
  pages: 900,
  api: 1200,
};
/** A stage starts after its wait has lasted this long, and ends after the wait was well below it for the second time. */
const RAISED_AFTER_MS = 3_000;
const LOWERED_AFTER_MS = 10_000;
const LOWERED_SHARE = 0.6;
const TICK_MS = 50;
const WINDOW_MS = 10_000;
/** A process that starts reads stored data and compiles code; long waits are usual then. */
const START_GRACE_MS = 60_000;

export interface LoadMonitor {
  /** The number of stages that are stopped: 0 in ordinary operation. */
  readonly stage: number;
  sheds(what: Shed): boolean;
  /** For the operator; empty in ordinary operation. */
  faults(): string[];
  stop(): void;
}

export const NO_SHEDDING: LoadMonitor = { stage: 0, sheds: () => false, faults: () => [], stop: () => {} };

/**
 * Decides from the gaps between ticks of a timer. An event that arrives at a random time during a gap waits for half of
 * it, so the average wait is the sum of the squared gaps over twice their sum. It grows when this process gets too little
 * CPU, when it is stopped, and when it has more work than it can do.
 */
export class LoadStages {
  readonly #onChange: (stage: number, waitMs: number) => void;
  readonly #startedMs: number;
  #gaps: { endMs: number; gapMs: number }[] = [];
  #lastMs: number;
  #stage = 0;
  #aboveSinceMs: number | null = null;
  #belowSinceMs: number | null = null;

  constructor(nowMs: number, onChange: (stage: number, waitMs: number) => void) {
    this.#startedMs = nowMs;
    this.#lastMs = nowMs;
    this.#onChange = onChange;
  }

  get stage(): number {
    return this.#stage;
  }

  get waitMs(): number {
    let [squares, sum] = [0, 0];
    for (const { gapMs } of this.#gaps) {
      squares += gapMs * gapMs;
      sum += gapMs;
    }
    return sum === 0 ? 0 : squares / 2 / sum;
  }

  /** Call it with the monotonic time at every tick of the timer. */
  tick(nowMs: number): void {
    this.#gaps.push({ endMs: nowMs, gapMs: nowMs - this.#lastMs });
    this.#lastMs = nowMs;
    // The last gap counts even if it alone is longer than the window.
    while (this.#gaps.length > 1 && (this.#gaps[0]?.endMs ?? nowMs) < nowMs - WINDOW_MS) this.#gaps.shift();
    if (nowMs - this.#startedMs < START_GRACE_MS) return;
    const { waitMs } = this;
    const next = SHED_ORDER[this.#stage];
    const current = SHED_ORDER[this.#stage - 1];
    this.#aboveSinceMs = next && waitMs >= STOPPED_FROM_MS[next] ? (this.#aboveSinceMs ?? nowMs) : null;
    const isBelow = current !== undefined && waitMs < STOPPED_FROM_MS[current] * LOWERED_SHARE;
    this.#belowSinceMs = isBelow ? (this.#belowSinceMs ?? nowMs) : null;
    if (this.#aboveSinceMs !== null && nowMs - this.#aboveSinceMs >= RAISED_AFTER_MS) this.#move(1, waitMs);
    else if (this.#belowSinceMs !== null && nowMs - this.#belowSinceMs >= LOWERED_AFTER_MS)
      this.#move(-1, waitMs);
  }

  #move(by: 1 | -1, waitMs: number): void {
    this.#stage += by;
    this.#aboveSinceMs = null;
    this.#belowSinceMs = null;
    this.#onChange(this.#stage, waitMs);
  }
}

/** `here`: what this thread does of what can be stopped. */
export function monitorLoad(
  log: Log,
  metrics: Pick<Metrics, 'loadStage' | 'loopWait'>,
  here: readonly Shed[],
): LoadMonitor {
  const stoppedAt = (stage: number) => SHED_ORDER.slice(0, stage).filter((what) => here.includes(what));
  const stages = new LoadStages(performance.now(), (stage, waitMs) => {
    metrics.loadStage.set(stage);
    const stopped = stoppedAt(stage);
    log.warn(
      { stage, stopped, waitMs: Math.round(waitMs) },
      stage === 0
        ? 'the overload is over'
        : stopped.length === 0
          ? 'overloaded'
          : `overloaded: stopped ${stopped.join(', ')}`,
    );
  });
  const timer = setInterval(() => {
    stages.tick(performance.now());
    metrics.loopWait.set(stages.waitMs / 1000);
  }, TICK_MS);
  timer.unref();
  return {
    get stage() {
      return stages.stage;
    },
    sheds: (what) => stages.stage > SHED_ORDER.indexOf(what),
    faults: () => {
      const stopped = stoppedAt(stages.stage);
      return stopped.length === 0
        ? []
        : [`Overloaded: stopped ${stopped.join(', ')}; give this process more CPU`];
    },
    stop: () => clearInterval(timer),
  };
}
