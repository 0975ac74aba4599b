import type { Clock } from '../../base/clock.ts';
import { tokenHash } from '../secrets.ts';

export interface AttemptRules {
  most: number;
  withinMs: number;
}

/** Counts attempts under a name, such as an IP or e-mail address, in a sliding window. */
export interface Attempts {
  /** Seconds until the next attempt is allowed; null if one is allowed now. */
  waitSeconds(name: string): number | null | Promise<number | null>;
  note(name: string): void | Promise<void>;
  /** Counts an attempt and returns null if it is allowed, otherwise the seconds to wait. */
  take(name: string): number | null | Promise<number | null>;
  /** Takes back the newest attempt under the name. */
  refund(name: string): void | Promise<void>;
  forget(name: string): void | Promise<void>;
}

/** Creates a limit. Processes share limits of the same name. */
export type LimitAttempts = (limit: string, rules: AttemptRules) => Attempts;

/** Some 10 MB. At most this many names are held; the one with the oldest last attempt is dropped. */
const MAX_NAMES = 50_000;

/**
 * Attempts counted by this process alone. A name can be long, and is often an e-mail address: only its hash is held, and
 * no longer than one of its attempts counts.
 */
export class AttemptLimit implements Attempts {
  readonly #rules: AttemptRules;
  readonly #clock: Clock;
  /** By the hash of the name, ordered by last attempt, oldest first. No list is empty. */
  readonly #times = new Map<string, number[]>();

  constructor(rules: AttemptRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** How many names are held. */
  get nameCount(): number {
    return this.#times.size;
  }

  waitSeconds(name: string): number | null {
    const times = this.#recent(tokenHash(name));
    const oldest = times[times.length - this.#rules.most];
    if (oldest === undefined) return null;
    return Math.max(1, Math.ceil((oldest + this.#rules.withinMs - this.#clock.nowMs()) / 1000));
  }

  note(name: string): void {
    const held = tokenHash(name);
    const times = [...this.#recent(held), this.#clock.nowMs()].slice(-this.#rules.most);
    this.#times.delete(held);
    this.#times.set(held, times);
    this.sweep();
  }

  take(name: string): number | null {
    const wait = this.waitSeconds(name);
    if (wait === null) this.note(name);
    return wait;
  }

  refund(name: string): void {
    const held = tokenHash(name);
    const times = this.#times.get(held);
    times?.pop();
    if (times?.length === 0) this.#times.delete(held);
  }

  forget(name: string): void {
    this.#times.delete(tokenHash(name));
  }

  /** Drops names whose attempts no longer count, and the oldest if there are too many. */
  sweep(): void {
    const horizonMs = this.#horizonMs();
    for (const [held, times] of this.#times) {
      if ((times.at(-1) ?? 0) > horizonMs && this.#times.size <= MAX_NAMES) return;
      this.#times.delete(held);
    }
  }

  #recent(held: string): number[] {
    const horizonMs = this.#horizonMs();
    return (this.#times.get(held) ?? []).filter((timeMs) => timeMs > horizonMs);
  }

  #horizonMs(): number {
    return this.#clock.nowMs() - this.#rules.withinMs;
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
