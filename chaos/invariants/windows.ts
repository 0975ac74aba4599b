import { isoTime, MINUTE_MS } from '../../src/base/times.ts';

/** Requests of one slot that were answered, by true time. */
export class PassedRequests {
  readonly #limits: { perMinute: number; perMonth: number };
  #minute: number[] = [];
  #inMonth = 0;
  /** Requests that the documentation lets a killed process forget. */
  #forgivenInMonth = 0;
  #sinceStored = 0;
  /** Until then the minute limit may pass twice: Redis was lost, or came back. */
  #doubleUntilMs = Number.NEGATIVE_INFINITY;

  constructor(limits: { perMinute: number; perMonth: number }) {
    this.#limits = limits;
  }

  /** Counts an answered request and returns what it violates. */
  note(atMs: number): string[] {
    this.#minute = this.#minute.filter((passedMs) => passedMs > atMs - MINUTE_MS);
    this.#minute.push(atMs);
    this.#inMonth++;
    this.#sinceStored++;
    const violations: string[] = [];
    const { perMinute, perMonth } = this.#limits;
    if (this.#minute.length > (atMs < this.#doubleUntilMs ? 2 : 1) * perMinute)
      violations.push(
        `window exceeded: ${this.#minute.length} of ${perMinute} in the minute to ${isoTime(atMs)}`,
      );
    if (this.#inMonth - this.#forgivenInMonth > perMonth)
      violations.push(`window exceeded: ${this.#inMonth} of ${perMonth} in the month`);
    return violations;
  }

  /** More than a second has passed: what was counted is stored. */
  stored(): void {
    this.#sinceStored = 0;
  }

  newMonth(): void {
    this.#inMonth = 0;
    this.#forgivenInMonth = 0;
  }

  /** Redis was lost, has returned or was emptied: in that minute twice the limit may pass, also beyond the month. */
  redisLost(atMs: number): void {
    this.#doubleUntilMs = atMs + MINUTE_MS;
    this.#forgivenInMonth += 2 * this.#limits.perMinute;
  }

  /** The process that counted was killed: the month may lack its last second, and the minute is lost without Redis. */
  killed({ losesMinute }: { losesMinute: boolean }): void {
    this.#forgivenInMonth += this.#sinceStored;
    this.#sinceStored = 0;
    if (losesMinute) this.forgetMinute();
  }

  /** The clock that the windows follow was set. */
  forgetMinute(): void {
    this.#minute = [];
  }
}
