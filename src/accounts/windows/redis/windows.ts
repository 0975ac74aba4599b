import { MINUTE_MS } from '../../../base/times.ts';
import { type Redis, type RedisScript, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { stateOf } from '../memory.ts';
import { monthStartMs, nextMonthStartMs } from '../months.ts';
import type { UsageLedger } from '../usage-ledger.ts';
import type { Counted, MonthTake, Receipt, Take, WindowHolder, WindowStates, Windows } from '../windows.ts';
import type { CountedRequests } from './counted-requests.ts';
import type { LocalShare } from './local-share.ts';
import type { ModeSwitch } from './mode.ts';
import { parseTakeReply, parseWindowsReply, type TakeReply, type WindowsReply } from './replies.ts';
import * as scripts from './scripts.ts';

export interface RedisWindowsOptions {
  redis: Redis;
  names: RedisNames;
  modeSwitch: ModeSwitch;
  counted: CountedRequests;
  localShare: LocalShare;
  ledger: UsageLedger;
  processId: string;
  /** True for tests that move their clock; otherwise windows use the clock of Redis. */
  isClockMoved: boolean;
  /** The clock of Redis, as this process estimates it. */
  nowMs: () => number;
  /** The database's total of a slot's month, including all that this process has counted. Never rejects. */
  storedMonth(slotId: string, startMs: number): Promise<number>;
  reportUnreadable: ReportUnreadable;
  directory: { revision(): number; catchUpTo(revision: number): Promise<void> };
}

/** A switch of the mode or a month that Redis lacks makes an attempt fail; the next one then succeeds. */
const MAX_ATTEMPTS = 5;
/** A month's count is kept this long after its end, for late refunds. */
const MONTH_KEPT_MS = 2 * 24 * 60 * MINUTE_MS;
const UNDECIDED_RETRY_MS = 2_000;

interface RedisReceipt extends Receipt {
  readonly number: number;
}

/**
 * Windows that all processes share. One script call decides and counts, so any number of requests on any number of
 * processes passes exactly the limit. While Redis is unavailable each process has a share, see ModeSwitch.
 */
export class RedisWindows implements Windows {
  readonly #options: RedisWindowsOptions;
  #number = 0;
  #months: string[] = [];
  #monthsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
  }

  take(holder: WindowHolder): Promise<Take> {
    return this.#decide(holder, ++this.#number);
  }

  async #decide(holder: WindowHolder, number: number): Promise<Take> {
    const { modeSwitch, counted, localShare, nowMs } = this.#options;
    let isRepeated = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      const { mode } = modeSwitch;
      if (mode === 'switching') break;
      if (mode === 'local') {
        const atMs = nowMs();
        const decision = localShare.take(holder, atMs);
        if (decision.spent !== null && isRepeated) counted.slot(holder.slotId).removeIfCounted.push(number);
        return this.#counted(decision, holder, -number, atMs, monthStartMs(atMs));
      }
      const taken = await this.#takeShared(holder, number, isRepeated);
      if (taken !== null) return taken;
      isRepeated = true;
    }
    if (isRepeated) counted.slot(holder.slotId).removeIfCounted.push(number);
    return undecided(holder, nowMs());
  }

  /** Null if Redis did not decide, or its reply is lost or void. */
  async #takeShared(holder: WindowHolder, number: number, isRepeated: boolean): Promise<Take | null> {
    const { modeSwitch, directory } = this.#options;
    const { term } = modeSwitch;
    const reply = await this.#callTake(holder, this.#name(number), isRepeated);
    // Redis may have lost a count of an earlier term. The request is decided again under the same name.
    if (reply === null || modeSwitch.term !== term) return null;
    switch (reply.outcome) {
      case 'month-unknown':
        await this.#fill(holder.slotId, reply.monthStartMs, reply.generation);
        return null;
      case 'other-epoch':
        modeSwitch.leaveShared();
        return null;
      case 'revoked':
        return { allowed: false, spent: 'revoked' };
      case 'outdated':
        await directory.catchUpTo(reply.revision);
        return { allowed: false, spent: 'outdated' };
      default: {
        const states = this.#states(holder, reply);
        const spent =
          reply.outcome === 'allowed' ? null : reply.outcome === 'minute-spent' ? 'minute' : 'month';
        return this.#counted({ states, spent }, holder, number, reply.nowMs, reply.monthStartMs);
      }
    }
  }

  async takeMonth(holder: WindowHolder): Promise<MonthTake> {
    const { modeSwitch, directory, localShare, ledger, nowMs } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      const { mode } = modeSwitch;
      if (mode === 'switching') break;
      if (mode === 'local') {
        const atMs = nowMs();
        const { isSpent, states } = localShare.takeMonth(holder, atMs);
        if (isSpent) return monthSpent(states);
        ledger.count(holder, monthStartMs(atMs), atMs, 1);
        return { allowed: true, spent: null };
      }
      const reply = await this.#callTake(holder, '', false, scripts.TAKE_MONTH);
      if (reply === null) break;
      switch (reply.outcome) {
        case 'month-unknown':
          await this.#fill(holder.slotId, reply.monthStartMs, reply.generation);
          continue;
        case 'other-epoch':
          modeSwitch.leaveShared();
          continue;
        case 'revoked':
          return { allowed: false, spent: 'revoked' };
        case 'outdated':
          await directory.catchUpTo(reply.revision);
          return { allowed: false, spent: 'outdated' };
        default: {
          const states = this.#states(holder, reply);
          if (reply.outcome !== 'allowed') return monthSpent(states);
          ledger.count(holder, reply.monthStartMs, reply.nowMs, 1);
          return { allowed: true, spent: null };
        }
      }
    }
    return { allowed: true, spent: 'uncounted' };
  }

  async refund(receipt: Receipt): Promise<WindowStates> {
    const { modeSwitch, counted, localShare, ledger, names } = this.#options;
    const { holder, monthStartMs: startMs } = receipt;
    if (receipt.refunded) return await this.read(holder);
    receipt.refunded = true;
    ledger.count(holder, startMs, receipt.atMs, -1);
    const number = Math.abs((receipt as RedisReceipt).number);
    const isLocal = counted.remove(holder.slotId, -number);
    if (!isLocal) counted.remove(holder.slotId, number);
    const { term, mode } = modeSwitch;
    if (mode !== 'shared') {
      localShare.refund(holder.slotId, number, !isLocal);
      return await this.read(holder);
    }
    const keys = [names.minute(holder.slotId), names.month(holder.slotId)];
    const args = [this.#name(number), String(startMs), String(holder.plan.requestsPerMinute)];
    const reply = await this.#run(scripts.REFUND, keys, args, parseWindowsReply);
    if (reply !== null && modeSwitch.term === term) return this.#states(holder, reply);
    // Redis may have refunded it before the reply was lost; a second refund could give back too much.
    return await this.read(holder);
  }

  async read(holder: WindowHolder): Promise<WindowStates> {
    const { modeSwitch, localShare, nowMs } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      const { mode } = modeSwitch;
      if (mode === 'local') return localShare.read(holder, nowMs());
      if (mode === 'switching') break;
      const reply = await this.#callTake(holder, '', false);
      if (reply?.outcome === 'allowed') return this.#states(holder, reply);
      if (reply?.outcome === 'month-unknown')
        await this.#fill(holder.slotId, reply.monthStartMs, reply.generation);
      if (reply?.outcome === 'other-epoch') modeSwitch.leaveShared();
    }
    return undecided(holder, nowMs()).states;
  }

  async #callTake(
    holder: WindowHolder,
    name: string,
    isRepeated: boolean,
    script = scripts.TAKE,
  ): Promise<TakeReply | null> {
    const { modeSwitch, directory, names } = this.#options;
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const { slotId, keyId } = holder;
    const keys = [names.cluster, names.minute(slotId), names.month(slotId), names.revoked(keyId)];
    const args = [
      modeSwitch.epoch,
      String(directory.revision()),
      name,
      String(requestsPerMinute),
      String(requestsPerMonth),
      isRepeated ? '1' : '0',
    ];
    return await this.#run(script, keys, args, parseTakeReply);
  }

  /** Null if Redis is unavailable or its reply cannot be parsed: in both cases the script may have run. */
  async #run<Reply>(
    script: RedisScript,
    keys: string[],
    args: string[],
    parse: (reply: unknown) => Reply | null,
  ): Promise<Reply | null> {
    const { redis, reportUnreadable } = this.#options;
    try {
      const reply = parse(await redis.run(script, keys, [...this.#times(), ...args]));
      if (reply === null) reportUnreadable('windows');
      return reply;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }

  async #fill(slotId: string, startMs: number, generation: number): Promise<void> {
    const { redis, modeSwitch, storedMonth, names } = this.#options;
    const used = await storedMonth(slotId, startMs);
    const expiresMs = nextMonthStartMs(startMs) + MONTH_KEPT_MS;
    const args = [modeSwitch.epoch, generation, startMs, used, expiresMs].map(String);
    await redis.run(scripts.FILL, [names.cluster, names.month(slotId)], args).catch((error) => {
      if (!(error instanceof RedisUnavailableError)) throw error;
    });
  }

  #counted(
    { states, spent }: { states: WindowStates; spent: 'minute' | 'month' | null },
    holder: WindowHolder,
    number: number,
    atMs: number,
    startMs: number,
  ): Counted {
    if (spent !== null)
      return { allowed: false, spent, retryAfterSeconds: states[spent].resetSeconds, states };
    const { counted, ledger } = this.#options;
    counted.add(holder.slotId, number, atMs);
    ledger.count(holder, startMs, atMs, 1);
    const receipt: RedisReceipt = { holder, atMs, monthStartMs: startMs, refunded: false, number };
    return { allowed: true, states, receipt };
  }

  #states({ slotId, plan }: WindowHolder, reply: WindowsReply): WindowStates {
    const { nowMs, minuteUsed, oldestMs, monthUsed, monthStartMs: startMs, nextMonthStartMs: nextMs } = reply;
    this.#options.counted.slot(slotId).reportedMonth = { monthStartMs: startMs, used: monthUsed };
    return {
      minute: stateOf(plan.requestsPerMinute, minuteUsed, oldestMs + MINUTE_MS, nowMs),
      month: stateOf(plan.requestsPerMonth, monthUsed, nextMs, nowMs),
    };
  }

  #name(number: number): string {
    return `${this.#options.processId}:${number}`;
  }

  #times(): string[] {
    const { nowMs, isClockMoved } = this.#options;
    const currentMs = nowMs();
    if (currentMs >= this.#monthsUntilMs || this.#months.length === 0) {
      const startMs = monthStartMs(currentMs);
      const nextMs = nextMonthStartMs(currentMs);
      this.#months = [monthStartMs(startMs - 1), startMs, nextMs, nextMonthStartMs(nextMs)].map(String);
      this.#monthsUntilMs = nextMs;
    }
    return [isClockMoved ? String(currentMs) : '-1', ...this.#months];
  }
}

function monthSpent(states: WindowStates): MonthTake {
  return { allowed: false, spent: 'month', retryAfterSeconds: states.month.resetSeconds, states };
}

/** Refuses a request that could not be decided: how much is left is unknown. */
function undecided({ plan }: WindowHolder, nowMs: number): Extract<Counted, { allowed: false }> {
  const states = {
    minute: stateOf(plan.requestsPerMinute, plan.requestsPerMinute, nowMs + UNDECIDED_RETRY_MS, nowMs),
    month: { ...stateOf(plan.requestsPerMonth, 0, nextMonthStartMs(nowMs), nowMs) },
  };
  return { allowed: false, spent: 'minute', retryAfterSeconds: states.minute.resetSeconds, states };
}
