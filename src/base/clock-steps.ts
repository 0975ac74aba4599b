import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { startRepeatingTask } from './repeating-task.ts';
import { isoTime, SECOND_MS } from './times.ts';

/** The machine's clock was set: its time differs from the time that has passed. */
interface ClockStep {
  /** Positive: forward. */
  byMs: number;
  /** The time after the step. */
  nowMs: number;
  /**
   * When the clock is set back to before an earlier step forward: the time that this earlier step led to. Everything that
   * was dated from then on, and is in the future now, has a wrong time. Null: it is unknown which of the times was wrong.
   */
  wrongFromMs: number | null;
}

export interface ClockWatch {
  /** Looks for a step now. Call it before time is used to date something. */
  check(): void;
  /** Listeners run in the order of registration, before `check` returns. Returns a function that removes the listener. */
  onStep(listener: (step: ClockStep) => void): () => void;
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = SECOND_MS;
/** NTP corrects smaller differences gradually; they are harmless. */
const LEAST_STEP_MS = 2 * SECOND_MS;

/** Compares the time of day with the monotonic clock. */
export function watchClock(clock: Clock, log: Log, metrics: Pick<Metrics, 'clockSteps'>): ClockWatch {
  const listeners = new Set<(step: ClockStep) => void>();
  let offsetMs = clock.nowMs() - clock.monotonicMs();
  let steppedToMs: number | null = null;

  const check = () => {
    const nowMs = clock.nowMs();
    const byMs = nowMs - clock.monotonicMs() - offsetMs;
    // Small differences accumulate, because the rates of the two clocks differ.
    offsetMs += byMs;
    if (Math.abs(byMs) < LEAST_STEP_MS) return;
    const wrongFromMs = byMs < 0 && steppedToMs !== null && nowMs < steppedToMs ? steppedToMs : null;
    if (byMs > 0) steppedToMs = nowMs;
    else if (wrongFromMs !== null) steppedToMs = null;
    const direction = byMs > 0 ? 'forward' : 'back';
    metrics.clockSteps.inc({ direction });
    log.warn(
      { direction, seconds: Math.abs(byMs) / SECOND_MS, now: isoTime(nowMs) },
      'the clock of the machine was set',
    );
    for (const listener of listeners) listener({ byMs, nowMs, wrongFromMs });
  };
  const task = startRepeatingTask({
    name: 'check the clock',
    everyMs: CHECK_EVERY_MS,
    firstDelayMs: CHECK_EVERY_MS,
    clock,
    log,
    run: async () => {
      check();
      return undefined;
    },
  });
  return {
    check,
    onStep: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: task.stop,
  };
}
