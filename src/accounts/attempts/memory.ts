import type { Clock } from '../../base/clock.ts';
import type { MaybeLater } from '../../base/maybe-later.ts';

export interface AttemptRules {
  most: number;
  withinMs: number;
}

/** Counts attempts under a name, such as an IP or e-mail address, in a sliding window. */
export interface Attempts {
  /** Seconds until the next attempt is allowed; null if one is allowed now. */
  waitSeconds(name: string): MaybeLater<number | null>;
  note(name: string): MaybeLater<void>;
  /** Counts an attempt and returns null if it is allowed, otherwise the seconds to wait. */
  take(name: string): MaybeLater<number | null>;
  /** Takes back the newest attempt under the name. */
  refund(name: string): MaybeLater<void>;
  forget(name: string): MaybeLater<void>;
}

/** Creates a limit. Processes share limits of the same name. */
export type LimitAttempts = (limit: string, rules: AttemptRules) => Attempts;

/** At most this many names are kept; the one with the oldest last attempt is dropped. */
const MAX_NAMES = 50_000;

/** Attempts counted by this process alone. */
export class AttemptLimit implements Attempts {
  readonly #rules: AttemptRules;
  readonly #clock: Clock;
  /** Ordered by last attempt, oldest first. */
  readonly #times = new Map<string, number[]>();

  constructor(rules: AttemptRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  waitSeconds(name: string): number | null {
    const times = this.#recent(name);
    const oldest = times[times.length - this.#rules.most];
    if (oldest === undefined) return null;
    return Math.max(1, Math.ceil((oldest + this.#rules.withinMs - this.#clock.nowMs()) / 1000));
  }

  note(name: string): void {
    const times = [...this.#recent(name), this.#clock.nowMs()].slice(-this.#rules.most);
    this.#times.delete(name);
    this.#times.set(name, times);
    const oldest = this.#times.size > MAX_NAMES ? this.#times.keys().next().value : undefined;
    if (oldest !== undefined) this.#times.delete(oldest);
  }

  take(name: string): number | null {
    const wait = this.waitSeconds(name);
    if (wait === null) this.note(name);
    return wait;
  }

  refund(name: string): void {
    this.#times.get(name)?.pop();
  }

  forget(name: string): void {
    this.#times.delete(name);
  }

  #recent(name: string): number[] {
    const horizonMs = this.#clock.nowMs() - this.#rules.withinMs;
    return (this.#times.get(name) ?? []).filter((timeMs) => timeMs > horizonMs);
  }
}

/**
 * Counts an attempt under every limit. If one of them refuses, the others are refunded; returns the seconds to wait, or
 * null if the attempt is allowed.
 */
export async function takeAll(limits: readonly (readonly [Attempts, string])[]): Promise<number | null> {
  for (const [index, [limit, name]] of limits.entries()) {
    const wait = await limit.take(name);
    if (wait === null) continue;
    await refundAll(limits.slice(0, index));
    return wait;
  }
  return null;
}

export async function refundAll(limits: readonly (readonly [Attempts, string])[]): Promise<void> {
  for (const [limit, name] of limits) await limit.refund(name);
}
