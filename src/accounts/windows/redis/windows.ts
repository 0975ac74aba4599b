import { MINUTE_MS } from '../../../base/times.ts';
import { type Redis, type RedisScript, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { SharedDirectory } from '../../keys/shared-directory.ts';
import { accountIdOf } from '../../keys/slots.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import type { SlotMonth } from '../../usage/rows.ts';
import { stateOf } from '../memory.ts';
import {
  type MonthTake,
  type Receipt,
  refusal,
  type Take,
  type WindowOwner,
  type WindowStates,
  type Windows,
} from '../windows.ts';
import type { LocalShare, LocalShareOptions } from './local-share.ts';
import { type CountReply, parseCountReply, type WindowsReply } from './replies.ts';
import { COUNT, REFUND, RESTORE } from './scripts.ts';

export interface RedisWindowsOptions extends LocalShareOptions {
  redis: Redis;
  names: RedisNames;
  processId: string;
  directory: Pick<SharedDirectory, 'revision' | 'catchUpTo'>;
  share: LocalShare;
  /** The time for the scripts: negative for the clock of Redis. */
  scriptNowMs(): number;
  reportUnreadable: ReportUnreadable;
}

/** The name of the request in Redis is made of the process and the number. */
type RedisReceipt = Receipt & { readonly number: number };

/** Counted on the month only: a minute of an open stream. */
const NO_NUMBER = 0;

/** The windows of all processes, in Redis. While Redis is unavailable each process decides by its share. */
export class RedisWindows implements Windows {
  readonly #options: RedisWindowsOptions;
  /** The slots of which the database may know more of the month, as after requests that were passed without Redis. */
  #owed = new Set<string>();
  #number = NO_NUMBER;
  /** Whether Redis decides. */
  isShared = false;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
  }

  take(owner: WindowOwner): Promise<Take> {
    return this.#take(owner, ++this.#number);
  }

  async takeMonth(owner: WindowOwner): Promise<MonthTake> {
    const take = await this.#take(owner, NO_NUMBER);
    return take.allowed ? { allowed: true, spent: null } : take;
  }

  async read(owner: WindowOwner): Promise<WindowStates> {
    const startMs = this.#monthStartMs();
    const reply = await this.#count(owner, startMs, NO_NUMBER, false);
    return reply !== null && 'minuteUsed' in reply
      ? this.#states(owner, startMs, reply)
      : await this.#options.share.read(owner);
  }

  /** What is refunded without Redis is refunded in the database only: Redis then counts a request too many. */
  async refund(receipt: Receipt): Promise<WindowStates> {
    const { own, ledger, share } = this.#options;
    const { owner, atMs, monthStartMs, number } = receipt as RedisReceipt;
    if (receipt.refunded) return await this.read(owner);
    receipt.refunded = true;
    ledger.count(owner, monthStartMs, atMs, -1);
    own.remove(owner.slotId, number);
    if (!this.isShared) return await share.refund(owner, monthStartMs);
    const { names, scriptNowMs } = this.#options;
    const { slotId, plan } = owner;
    const startMs = this.#monthStartMs();
    const keys = [names.minute(slotId), names.month(slotId, monthStartMs), names.month(slotId, startMs)];
    const args = [scriptNowMs(), plan.requestsPerMinute, this.#nameOf(number)];
    const reply = await this.#run(REFUND, keys, args);
    return reply?.outcome === 'allowed' ? this.#states(owner, startMs, reply) : await this.read(owner);
  }

  /** Gives Redis the requests of this process's last minute; it counts those once that it has. */
  async restoreMinutes(): Promise<void> {
    const { own, clock } = this.#options;
    const slotIds = [...own.sweep(clock.monotonicMs()).keys()];
    const monthStartMs = this.#monthStartMs();
    await Promise.all(slotIds.map((slotId) => this.#restore({ slotId, monthStartMs, used: 0 })));
  }

  /** Raises the months of slots on which requests were passed without Redis to the database's totals. */
  async restoreMonths(): Promise<void> {
    const owed = this.#owed;
    this.#owed = new Set();
    const monthStartMs = this.#monthStartMs();
    try {
      const restoreMonth = async (slotId: string) => {
        const used = await this.#options.storedMonth(slotId, monthStartMs);
        await this.#restore({ slotId, monthStartMs, used });
      };
      await Promise.all([...owed].map(restoreMonth));
    } catch (error) {
      for (const slotId of owed) this.#owed.add(slotId);
      throw error;
    }
  }

  /** Raises the months of these slots, too, with their next totals. */
  compareMonths(slotIds: Iterable<string>): void {
    for (const slotId of slotIds) this.#owed.add(slotId);
  }

  /** A new total of the database. */
  onStored(total: SlotMonth): void {
    if (!this.isShared || !this.#owed.delete(total.slotId)) return;
    this.#restore(total).catch(() => this.#owed.add(total.slotId));
  }

  async #take(owner: WindowOwner, number: number): Promise<Take> {
    const { own, ledger, clock } = this.#options;
    const startMs = this.#monthStartMs();
    const reply = await this.#count(owner, startMs, number, true);
    if (reply === null) return await this.#takeLocally(owner, number);
    if (!('minuteUsed' in reply)) {
      if (reply.outcome === 'outdated')
        await this.#options.directory.catchUpTo(accountIdOf(owner.slotId), reply.revision);
      return { allowed: false, spent: reply.outcome };
    }
    const states = this.#states(owner, startMs, reply);
    if (reply.outcome !== 'allowed') return refusal(reply.outcome, states);
    const atMs = clock.nowMs();
    if (number !== NO_NUMBER) own.add(owner.slotId, number, clock.monotonicMs());
    ledger.count(owner, startMs, atMs, 1);
    return { allowed: true, states, receipt: receiptOf(owner, number, atMs, startMs) };
  }

  /** Under the same number: if Redis has counted the request before its reply was lost, it counts it once. */
  async #takeLocally(owner: WindowOwner, number: number): Promise<Take> {
    const { share, clock } = this.#options;
    const { spent, states, monthStartMs } = await share.take(owner, number);
    if (spent !== null) return refusal(spent, states);
    this.#owed.add(owner.slotId);
    return { allowed: true, states, receipt: receiptOf(owner, number, clock.nowMs(), monthStartMs) };
  }

  #monthStartMs(): number {
    const { month, clock } = this.#options;
    return month.at(clock.nowMs()).startMs;
  }

  /** Null if Redis did not decide. */
  async #count(owner: WindowOwner, startMs: number, number: number, isCounted: boolean) {
    const { names, directory, scriptNowMs, storedMonth, share } = this.#options;
    if (!this.isShared) return null;
    const { slotId, keyId, plan } = owner;
    const accountId = accountIdOf(slotId);
    const keys = [
      names.minute(slotId),
      names.month(slotId, startMs),
      names.revision(accountId),
      names.revoked(accountId, keyId),
    ];
    const call = (...total: (number | string)[]) => {
      const limits = [plan.requestsPerMinute, plan.requestsPerMonth];
      const what = [this.#nameOf(number), isCounted ? 1 : 0];
      return this.#run(COUNT, keys, [scriptNowMs(), directory.revision(), ...limits, ...what, ...total]);
    };
    const reply = await call('', '');
    if (reply?.outcome !== 'month-unknown') return reply;
    // Without the database's total the minute is still exact. Redis does not keep the other one.
    const total = await storedMonth(slotId, startMs).then(
      (stored) => [stored, 1],
      () => [share.reportedMonth(slotId, startMs), 0],
    );
    const again = await call(...total);
    return again?.outcome === 'month-unknown' ? null : again;
  }

  async #restore({ slotId, monthStartMs, used }: SlotMonth): Promise<void> {
    const { redis, own, names, clock, scriptNowMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const { numbers, times } = own.recent(slotId, nowMs);
    const requests = numbers.flatMap((number, place) => [
      nowMs - (times[place] ?? nowMs),
      this.#nameOf(number),
    ]);
    const keys = [names.minute(slotId), names.month(slotId, monthStartMs)];
    await redis.run(RESTORE, keys, [scriptNowMs(), used, ...requests].map(String));
  }

  /** Null if Redis is unavailable or its reply cannot be parsed: in both cases the script may have run. */
  async #run(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<CountReply | null> {
    const { redis, reportUnreadable } = this.#options;
    try {
      const reply = parseCountReply(await redis.run(script, keys, args.map(String)));
      if (reply === null) reportUnreadable('windows');
      return reply;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }

  #nameOf(number: number): string {
    return number === NO_NUMBER ? '' : `${this.#options.processId}:${number}`;
  }

  #states({ slotId, plan }: WindowOwner, startMs: number, reply: WindowsReply): WindowStates {
    const { share, clock, month } = this.#options;
    const { minuteUsed, oldestAgeMs, monthUsed } = reply;
    const nowMs = clock.nowMs();
    share.noteReported(slotId, startMs, monthUsed);
    return {
      minute: stateOf(plan.requestsPerMinute, minuteUsed, nowMs + MINUTE_MS - oldestAgeMs, nowMs),
      month: stateOf(plan.requestsPerMonth, monthUsed, month.endMs, nowMs),
    };
  }
}

function receiptOf(owner: WindowOwner, number: number, atMs: number, monthStartMs: number): RedisReceipt {
  return { owner, atMs, monthStartMs, refunded: false, number };
}
