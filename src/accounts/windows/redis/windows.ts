import { MINUTE_MS } from '../../../base/times.ts';
import { type Redis, type RedisScript, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { SharedDirectory } from '../../keys/shared-directory.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { stateOf } from '../memory.ts';
import { accountIdOf } from '../slots.ts';
import type { SlotMonth } from '../usage-rows.ts';
import type { MonthTake, Overtaken, Receipt, Take, WindowHolder, WindowStates, Windows } from '../windows.ts';
import type { LocalShare, LocalShareOptions } from './local-share.ts';
import { type CountReply, type OvertakenReply, parseCountReply, type WindowsReply } from './replies.ts';
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

interface RedisReceipt extends Receipt {
  readonly number: number;
  /** `unknown`: Redis was asked, and its reply was lost. */
  readonly inRedis: 'counted' | 'unknown' | 'not';
}

/** A refund that Redis has not confirmed. */
interface OpenRefund {
  receipt: RedisReceipt;
  isCertain: boolean;
}

/** What to count: a request on both windows, a minute of a stream on the month, or nothing. */
interface What {
  number: number;
  isCounted: boolean;
}

const NO_NUMBER = 0;

/** The windows of all processes, in Redis. While Redis is unavailable each process decides by its share. */
export class RedisWindows implements Windows {
  readonly #options: RedisWindowsOptions;
  /** The slots on which requests were passed without Redis: the database knows more of their month. */
  #owed = new Set<string>();
  #openRefunds: OpenRefund[] = [];
  #number = NO_NUMBER;
  /** Whether Redis decides. */
  isShared = false;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
  }

  async take(holder: WindowHolder): Promise<Take> {
    const { own, ledger, clock } = this.#options;
    const number = ++this.#number;
    const wasAsked = this.isShared;
    const startMs = this.#monthStartMs();
    const reply = await this.#count(holder, startMs, { number, isCounted: true });
    if (reply === null) return await this.#takeLocally(holder, number, wasAsked);
    if (!('minuteUsed' in reply)) return await this.#overtaken(holder, reply);
    const states = this.#states(holder, startMs, reply);
    if (reply.outcome !== 'allowed') return refusal(reply.outcome, states);
    const atMs = clock.nowMs();
    own.add(holder.slotId, number, clock.monotonicMs());
    ledger.count(holder, startMs, atMs, 1);
    return { allowed: true, states, receipt: receiptOf(holder, number, atMs, startMs, 'counted') };
  }

  async takeMonth(holder: WindowHolder): Promise<MonthTake> {
    const { ledger, clock, share } = this.#options;
    const startMs = this.#monthStartMs();
    const reply = await this.#count(holder, startMs, { number: NO_NUMBER, isCounted: true });
    if (reply === null) {
      const { spent, states } = await share.take(holder, NO_NUMBER);
      if (spent !== null) return monthSpent(states);
      this.#owed.add(holder.slotId);
      return { allowed: true, spent: null };
    }
    if (!('minuteUsed' in reply)) return await this.#overtaken(holder, reply);
    const states = this.#states(holder, startMs, reply);
    if (reply.outcome !== 'allowed') return monthSpent(states);
    ledger.count(holder, startMs, clock.nowMs(), 1);
    return { allowed: true, spent: null };
  }

  async read(holder: WindowHolder): Promise<WindowStates> {
    const startMs = this.#monthStartMs();
    const reply = await this.#count(holder, startMs, { number: NO_NUMBER, isCounted: false });
    return reply !== null && 'minuteUsed' in reply
      ? this.#states(holder, startMs, reply)
      : await this.#options.share.read(holder);
  }

  async refund(given: Receipt): Promise<WindowStates> {
    const { own, ledger, share } = this.#options;
    const receipt = given as RedisReceipt;
    const { holder, atMs, monthStartMs, number, inRedis } = receipt;
    if (receipt.refunded) return await this.read(holder);
    receipt.refunded = true;
    ledger.count(holder, monthStartMs, atMs, -1);
    own.remove(holder.slotId, number);
    if (this.isShared) {
      const reply = await this.#refundInRedis({ receipt, isCertain: true });
      if (reply?.outcome === 'allowed') return this.#states(holder, this.#monthStartMs(), reply);
      if (reply !== null) return await this.read(holder);
      // Redis may have refunded it before its reply was lost: then its name is gone.
      this.#openRefunds.push({ receipt, isCertain: false });
    } else if (inRedis !== 'not') this.#openRefunds.push({ receipt, isCertain: inRedis === 'counted' });
    return await share.refund(holder, monthStartMs);
  }

  /** Gives Redis the refunds and the requests of this process's last minute that it lacks. */
  async restore(): Promise<void> {
    const { own, clock } = this.#options;
    const refunds = this.#openRefunds;
    this.#openRefunds = [];
    for (const refund of refunds)
      if ((await this.#refundInRedis(refund)) === null) this.#openRefunds.push(refund);
    const slotIds = [...own.sweep(clock.monotonicMs()).keys()];
    const month = { monthStartMs: this.#monthStartMs(), used: 0 };
    await Promise.all(slotIds.map((slotId) => this.#restore({ slotId, ...month })));
  }

  /** Raises the months of slots on which requests were passed without Redis to the database's totals. */
  async restoreMonths(): Promise<void> {
    const owed = this.#owed;
    this.#owed = new Set();
    const startMs = this.#monthStartMs();
    try {
      const restoreMonth = async (slotId: string) => {
        const used = await this.#options.storedMonth(slotId, startMs);
        await this.#restore({ slotId, monthStartMs: startMs, used });
      };
      await Promise.all([...owed].map(restoreMonth));
    } catch (error) {
      for (const slotId of owed) this.#owed.add(slotId);
      throw error;
    }
  }

  /** A new total of the database. */
  onStored(total: SlotMonth): void {
    if (!this.isShared || !this.#owed.delete(total.slotId)) return;
    this.#restore(total).catch(() => this.#owed.add(total.slotId));
  }

  async #takeLocally(holder: WindowHolder, number: number, wasAsked: boolean): Promise<Take> {
    const { share, clock } = this.#options;
    const { spent, states, monthStartMs } = await share.take(holder, number);
    const receipt = receiptOf(holder, number, clock.nowMs(), monthStartMs, wasAsked ? 'unknown' : 'not');
    if (spent === null) {
      this.#owed.add(holder.slotId);
      return { allowed: true, states, receipt };
    }
    if (wasAsked) this.#openRefunds.push({ receipt, isCertain: false });
    return refusal(spent, states);
  }

  #monthStartMs(): number {
    const { month, clock } = this.#options;
    return month.advanceTo(clock.nowMs()).startMs;
  }

  async #overtaken({ slotId }: WindowHolder, reply: OvertakenReply): Promise<Overtaken> {
    if (reply.outcome === 'outdated')
      await this.#options.directory.catchUpTo(accountIdOf(slotId), reply.revision);
    return { allowed: false, spent: reply.outcome };
  }

  /** Null if Redis did not decide. */
  async #count(
    holder: WindowHolder,
    startMs: number,
    what: What,
  ): Promise<WindowsReply | OvertakenReply | null> {
    if (!this.isShared) return null;
    const reply = await this.#callCount(holder, startMs, what, []);
    if (reply?.outcome !== 'month-unknown') return reply;
    const { storedMonth, share } = this.#options;
    // Without the database's total the minute is still exact. Redis does not keep the other one.
    const total = await storedMonth(holder.slotId, startMs).then(
      (stored) => [stored, 1],
      () => [share.reportedMonth(holder.slotId, startMs), 0],
    );
    const again = await this.#callCount(holder, startMs, what, total);
    return again?.outcome === 'month-unknown' ? null : again;
  }

  async #callCount(holder: WindowHolder, startMs: number, what: What, total: readonly number[]) {
    const { names, directory, scriptNowMs } = this.#options;
    const { slotId, keyId, plan } = holder;
    const accountId = accountIdOf(slotId);
    const keys = [
      names.minute(slotId),
      names.month(slotId, startMs),
      names.revision(accountId),
      names.revoked(accountId, keyId),
    ];
    const limits = [plan.requestsPerMinute, plan.requestsPerMonth];
    const counted = [this.#nameOf(what.number), what.isCounted ? 1 : 0];
    const args = [scriptNowMs(), directory.revision(), ...limits, ...counted, total[0] ?? '', total[1] ?? ''];
    return await this.#run(COUNT, keys, args.map(String));
  }

  async #refundInRedis({ receipt, isCertain }: OpenRefund): Promise<CountReply | null> {
    const { names, scriptNowMs } = this.#options;
    const { holder, monthStartMs, number } = receipt;
    const { slotId, plan } = holder;
    const months = [monthStartMs, this.#monthStartMs()];
    const keys = [names.minute(slotId), ...months.map((startMs) => names.month(slotId, startMs))];
    const args = [scriptNowMs(), plan.requestsPerMinute, this.#nameOf(number), isCertain ? 1 : 0];
    return await this.#run(REFUND, keys, args.map(String));
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
    args: readonly string[],
  ): Promise<CountReply | null> {
    const { redis, reportUnreadable } = this.#options;
    try {
      const reply = parseCountReply(await redis.run(script, keys, args));
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

  #states({ slotId, plan }: WindowHolder, startMs: number, reply: WindowsReply): WindowStates {
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

function receiptOf(
  holder: WindowHolder,
  number: number,
  atMs: number,
  monthStartMs: number,
  inRedis: RedisReceipt['inRedis'],
): RedisReceipt {
  return { holder, atMs, monthStartMs, refunded: false, number, inRedis };
}

function refusal(spent: 'minute' | 'month', states: WindowStates): Take {
  return { allowed: false, spent, retryAfterSeconds: states[spent].resetSeconds, states };
}

function monthSpent(states: WindowStates): MonthTake {
  return { allowed: false, spent: 'month', retryAfterSeconds: states.month.resetSeconds, states };
}
