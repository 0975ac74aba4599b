import { MINUTE_MS } from '../../../base/times.ts';
import { type Redis, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import { stateOf } from '../memory.ts';
import { monthStartMs, nextMonthStartMs } from '../months.ts';
import type { UsageLedger } from '../usage-ledger.ts';
import type { Counted, Receipt, Take, WindowHolder, WindowStates, Windows } from '../windows.ts';
import type { ApartWindows } from './apart.ts';
import type { OwnTakes } from './own-takes.ts';
import * as scripts from './scripts.ts';
import type { Standing } from './standing.ts';

export interface RedisWindowsOptions {
  redis: Redis;
  names: RedisNames;
  standing: Standing;
  own: OwnTakes;
  apart: ApartWindows;
  ledger: UsageLedger;
  processId: string;
  /** True for tests that move their clock; otherwise Redis's own time counts. */
  isClockMoved: boolean;
  /** Redis's time, as far as this process knows it. */
  nowMs: () => number;
  /** The month of a slot as the database has it, with all that this process has counted. Never fails. */
  storedMonth(slotId: string, startMs: number): Promise<number>;
  directory: { revision(): number; catchUpTo(revision: number): Promise<void> };
}

type StateReply = [
  code: number,
  now: number,
  used: number,
  oldest: number,
  month: number,
  start: number,
  next: number,
];

/** Fills and joins by other processes may get in between; each makes room for the next attempt. */
const MAX_ATTEMPTS = 5;
/** A month's count outlives it by this much, so that late refunds find it. */
const MONTH_KEPT_MS = 2 * 24 * 60 * MINUTE_MS;
const UNKNOWN_RETRY_MS = 2_000;

interface RedisReceipt extends Receipt {
  readonly number: number;
}

/**
 * Windows that all processes share. One script call decides and counts, so any number of requests on any number of
 * processes passes exactly the limit. While Redis is away each process has its share, see Standing.
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
    const { standing, own, apart, nowMs } = this.#options;
    let wasAsked = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (standing.mode === 'moving') await standing.settled();
      const { mode } = standing;
      if (mode === 'moving') break;
      if (mode === 'apart') {
        const atMs = nowMs();
        const room = apart.take(holder, atMs);
        if (room.spent !== null && wasAsked) own.slot(holder.slotId).vain.push(number);
        return this.#counted(room, holder, -number, atMs, monthStartMs(atMs));
      }
      const taken = await this.#takeShared(holder, number, wasAsked);
      if (taken !== null) return taken;
      wasAsked = true;
    }
    if (wasAsked) own.slot(holder.slotId).vain.push(number);
    return unknown(holder, nowMs());
  }

  /** Null when it could not be decided, and nothing is certain. */
  async #takeShared(holder: WindowHolder, number: number, isRepeated: boolean): Promise<Take | null> {
    const { standing, directory } = this.#options;
    const { term } = standing;
    const reply = await this.#ask(holder, this.#name(number), isRepeated);
    // An answer of an earlier term may be known to nobody any more. It is decided again under the same name.
    if (reply === null || standing.term !== term) return null;
    const [code, extra = 0, more = 0] = reply;
    if (code === scripts.UNFILLED) {
      await this.#fill(holder.slotId, extra, more);
      return null;
    }
    if (code === scripts.OTHER_EPOCH) {
      standing.leaveShared();
      return null;
    }
    if (code === scripts.REVOKED) return { allowed: false, spent: 'revoked' };
    if (code === scripts.OUTDATED) {
      await directory.catchUpTo(extra);
      return { allowed: false, spent: 'outdated' };
    }
    const states = this.#states(holder, reply as StateReply);
    const spent = code === scripts.ALLOWED ? null : code === scripts.MINUTE_SPENT ? 'minute' : 'month';
    const [, atMs, , , , startMs] = reply as StateReply;
    return this.#counted({ states, spent }, holder, number, atMs, startMs);
  }

  async refund(receipt: Receipt): Promise<WindowStates> {
    const { standing, own, apart, ledger, names } = this.#options;
    const { holder, monthStartMs: startMs } = receipt;
    if (receipt.refunded) return await this.read(holder);
    receipt.refunded = true;
    ledger.count(holder, startMs, receipt.atMs, -1);
    const number = Math.abs((receipt as RedisReceipt).number);
    const isApart = own.remove(holder.slotId, -number);
    if (!isApart) own.remove(holder.slotId, number);
    const { term, mode } = standing;
    if (mode !== 'shared') {
      apart.refund(holder.slotId, number, !isApart);
      return await this.read(holder);
    }
    const keys = [names.minute(holder.slotId), names.month(holder.slotId)];
    const args = [this.#name(number), String(startMs), String(holder.plan.requestsPerMinute)];
    const reply = await this.#run(scripts.REFUND, keys, args);
    if (reply !== null && standing.term === term) return this.#states(holder, reply as StateReply);
    // Perhaps it was given back, perhaps not: a second time would be once too often.
    return await this.read(holder);
  }

  async read(holder: WindowHolder): Promise<WindowStates> {
    const { standing, apart, nowMs } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (standing.mode === 'moving') await standing.settled();
      const { mode } = standing;
      if (mode === 'apart') return apart.read(holder, nowMs());
      if (mode === 'moving') break;
      const reply = await this.#ask(holder, '', false);
      if (reply === null) continue;
      if (reply[0] === scripts.ALLOWED) return this.#states(holder, reply as StateReply);
      if (reply[0] === scripts.UNFILLED) await this.#fill(holder.slotId, reply[1] ?? 0, reply[2] ?? 0);
      if (reply[0] === scripts.OTHER_EPOCH) standing.leaveShared();
    }
    return unknown(holder, nowMs()).states;
  }

  async #ask(holder: WindowHolder, name: string, isRepeated: boolean): Promise<number[] | null> {
    const { standing, directory, names } = this.#options;
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const { slotId, keyId } = holder;
    const keys = [names.cluster, names.minute(slotId), names.month(slotId), names.revoked(keyId)];
    return await this.#run(scripts.TAKE, keys, [
      standing.epoch,
      String(directory.revision()),
      name,
      String(requestsPerMinute),
      String(requestsPerMonth),
      isRepeated ? '1' : '0',
    ]);
  }

  async #run(script: typeof scripts.TAKE, keys: string[], args: string[]): Promise<number[] | null> {
    try {
      return (await this.#options.redis.run(script, keys, [...this.#times(), ...args])) as number[];
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }

  async #fill(slotId: string, startMs: number, generation: number): Promise<void> {
    const { redis, standing, storedMonth, names } = this.#options;
    const used = await storedMonth(slotId, startMs);
    const expiresMs = nextMonthStartMs(startMs) + MONTH_KEPT_MS;
    const args = [standing.epoch, generation, startMs, used, expiresMs].map(String);
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
    const { own, ledger } = this.#options;
    own.add(holder.slotId, number, atMs);
    ledger.count(holder, startMs, atMs, 1);
    const receipt: RedisReceipt = { holder, atMs, monthStartMs: startMs, refunded: false, number };
    return { allowed: true, states, receipt };
  }

  #states({ slotId, plan }: WindowHolder, reply: StateReply): WindowStates {
    const [, now, used, oldest, month, start, next] = reply;
    this.#options.own.slot(slotId).known = { monthStartMs: start, used: month };
    return {
      minute: stateOf(plan.requestsPerMinute, used, oldest + MINUTE_MS, now),
      month: stateOf(plan.requestsPerMonth, month, next, now),
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

/** While it is not certain how much is left, nothing is. */
function unknown({ plan }: WindowHolder, nowMs: number): Extract<Counted, { allowed: false }> {
  const states = {
    minute: stateOf(plan.requestsPerMinute, plan.requestsPerMinute, nowMs + UNKNOWN_RETRY_MS, nowMs),
    month: { ...stateOf(plan.requestsPerMonth, 0, nextMonthStartMs(nowMs), nowMs) },
  };
  return { allowed: false, spent: 'minute', retryAfterSeconds: states.minute.resetSeconds, states };
}
