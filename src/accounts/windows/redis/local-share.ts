import type { Clock } from '../../../base/clock.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import type { UsageLedger } from '../../usage/ledger.ts';
import type { SlotMonth } from '../../usage/rows.ts';
import { stateOf } from '../memory.ts';
import type { CurrentMonth } from '../months.ts';
import type { Refusal, WindowOwner, WindowStates } from '../windows.ts';
import type { OwnRequests } from './own-requests.ts';

export interface LocalShareOptions {
  own: OwnRequests;
  ledger: UsageLedger;
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  month: CurrentMonth;
  liveCount(): number;
  /** The database's total of a slot's month, with everything that this process has counted. */
  storedMonth(slotId: string, startMs: number): Promise<number>;
}

interface KnownMonth {
  startMs: number;
  used: number;
  /** The outage in which the database was read; a month that Redis has reported is older. */
  outage: number;
}

/**
 * Decides requests while Redis is unavailable. Each process passes an equal share of the minute, less what it passed itself in the
 * last minute, and at least one request. The month is judged by the database's total.
 */
export class LocalShare {
  readonly #options: LocalShareOptions;
  readonly #months = new Map<string, KnownMonth>();
  #outage = 1;

  constructor(options: LocalShareOptions) {
    this.#options = options;
  }

  /** From now on the database is read for each month again. */
  beginOutage(): void {
    this.#outage++;
  }

  /** A month as Redis has it, for the case that Redis and the database are both unavailable. */
  noteReported(slotId: string, startMs: number, used: number): void {
    this.#months.set(slotId, { startMs, used, outage: 0 });
  }

  /** The month as Redis last reported it, or as it was counted without Redis. */
  reportedMonth(slotId: string, startMs: number): number {
    const known = this.#months.get(slotId);
    return known?.startMs === startMs ? known.used : 0;
  }

  /** A new total of the database; it includes what other processes have counted. */
  noteStored({ slotId, monthStartMs, used }: SlotMonth): void {
    const known = this.#readMonth(slotId, monthStartMs);
    if (known) known.used = used + this.#options.ledger.pendingOf(slotId, monthStartMs);
  }

  /** Counts the request, with its number, unless the minute or the month is spent. Number 0 is counted on the month only. */
  async take(owner: WindowOwner, number: number) {
    const { own, ledger, clock } = this.#options;
    const { slotId, plan } = owner;
    const month = await this.#month(slotId);
    const nowMs = clock.monotonicMs();
    const isMinuteSpent = number !== 0 && own.recent(slotId, nowMs).times.length >= this.#share(owner);
    const isMonthSpent = month.used >= plan.requestsPerMonth;
    const spent: Refusal['spent'] | null = isMinuteSpent ? 'minute' : isMonthSpent ? 'month' : null;
    if (spent === null) {
      if (number !== 0) own.add(slotId, number, nowMs);
      month.used++;
      ledger.count(owner, month.startMs, clock.nowMs(), 1);
    }
    return { spent, states: this.#states(owner, month), monthStartMs: month.startMs };
  }

  /** The caller has changed the ledger and the requests of this process. */
  async refund(owner: WindowOwner, startMs: number): Promise<WindowStates> {
    const known = this.#months.get(owner.slotId);
    if (known?.startMs === startMs) known.used = Math.max(0, known.used - 1);
    return await this.read(owner);
  }

  async read(owner: WindowOwner): Promise<WindowStates> {
    return this.#states(owner, await this.#month(owner.slotId));
  }

  async #month(slotId: string): Promise<KnownMonth> {
    const { clock, storedMonth, ledger } = this.#options;
    const { startMs } = this.#options.month.at(clock.nowMs());
    const known = this.#readMonth(slotId, startMs);
    if (known) return known;
    const stored = await storedMonth(slotId, startMs).catch(() => null);
    // Of requests that read at the same time, the first one goes on before the others.
    const other = this.#readMonth(slotId, startMs);
    if (other) return other;
    const used =
      stored === null ? this.reportedMonth(slotId, startMs) : stored + ledger.pendingOf(slotId, startMs);
    const month = { startMs, used, outage: this.#outage };
    this.#months.set(slotId, month);
    return month;
  }

  /** The month, if the database was read for it in this outage. */
  #readMonth(slotId: string, startMs: number): KnownMonth | null {
    const known = this.#months.get(slotId);
    return known?.startMs === startMs && known.outage === this.#outage ? known : null;
  }

  /** At least one, so that a limit smaller than the number of processes refuses nobody. */
  #share({ plan }: WindowOwner): number {
    return Math.max(1, Math.floor(plan.requestsPerMinute / this.#options.liveCount()));
  }

  #states(owner: WindowOwner, { used }: KnownMonth): WindowStates {
    const { own, clock, month } = this.#options;
    const { requestsPerMinute, requestsPerMonth } = owner.plan;
    const [nowMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()];
    const { times } = own.recent(owner.slotId, monotonicMs);
    const share = this.#share(owner);
    const ageMs = monotonicMs - (times[Math.max(0, times.length - share)] ?? monotonicMs);
    const minute = stateOf(requestsPerMinute, times.length, nowMs + MINUTE_MS - ageMs, nowMs);
    return {
      minute: { ...minute, remaining: Math.max(0, share - times.length) },
      month: stateOf(requestsPerMonth, used, month.endMs, nowMs),
    };
  }
}
