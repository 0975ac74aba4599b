import { type RedisScript, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import { monthStartMs } from '../months.ts';
import type { MonthTake, Take, TakeListener, WindowHolder, WindowStates } from '../windows.ts';
import type { NamesOfHolder } from './calls/holder-names.ts';
import { awaited } from './calls/listeners.ts';
import { type RedisReceipt, receiptOf, statesOf } from './calls/receipts.ts';
import { NO_NUMBER, SharedTakes } from './calls/shared-takes.ts';
import { monthSpent, undecided } from './refusals.ts';
import { parseTakeReply, parseWindowsReply, type WindowsReply } from './replies.ts';
import * as scripts from './scripts.ts';
import type { RedisWindowsOptions } from './windows-options.ts';

/** A switch of the mode or a month that Redis lacks makes an attempt fail; the next one then succeeds. */
const MAX_ATTEMPTS = 5;

/**
 * Windows that all processes share, of the slots on one Redis server. One script call decides and counts the requests of
 * one turn of the event loop, so any number of requests on any number of processes passes exactly the limit. While Redis
 * is unavailable each process has a share, see ModeSwitch.
 */
export class RedisWindows {
  readonly #options: RedisWindowsOptions;
  readonly #takes: SharedTakes;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
    this.#takes = new SharedTakes(options);
  }

  /** `number` is that of an earlier attempt, or 0. `isRepeated`: that attempt may have counted it. */
  decide(
    holder: WindowHolder,
    known: NamesOfHolder,
    number: number,
    isRepeated: boolean,
    attempt: number,
    listener: TakeListener,
  ): void {
    if (this.#options.modeSwitch.mode === 'shared' && attempt < MAX_ATTEMPTS)
      this.#takes.decide(holder, known, number, isRepeated, attempt, listener);
    else
      this.#decideLater(holder, number, isRepeated, attempt).then(
        (take) => listener.onTake(take),
        (error: unknown) => listener.onError(error),
      );
  }

  async #decideLater(
    holder: WindowHolder,
    number: number,
    isRepeated: boolean,
    attempt: number,
  ): Promise<Take> {
    const { modeSwitch, counted, localShare, clock, names, all, server } = this.#options;
    if (attempt >= MAX_ATTEMPTS) return this.#takes.giveUp(holder, number, isRepeated);
    if (modeSwitch.mode === 'switching') await modeSwitch.settled();
    const known = names.of(holder);
    if (known.server !== server)
      return await awaited((listener) => all.decide(holder, number, isRepeated, attempt, listener));
    const { mode } = modeSwitch;
    if (mode === 'switching') return this.#takes.giveUp(holder, number, isRepeated);
    if (mode === 'shared')
      return await awaited((listener) =>
        this.#takes.decide(holder, known, number, isRepeated, attempt, listener),
      );
    const atMs = clock.nowMs();
    const { layoutVersion } = known;
    const local = this.#named(holder);
    const { spent, states } = localShare.take(local, clock.earliestMs());
    const ownNumber = number === NO_NUMBER ? all.reserveNumbers(1) : number;
    if (spent === null) {
      const startMs = monthStartMs(atMs);
      counted.add(local.slotId, -ownNumber, clock.latestMs());
      this.#options.ledger.count(holder, startMs, atMs, 1);
      return { allowed: true, states, receipt: receiptOf(holder, -ownNumber, layoutVersion, atMs, startMs) };
    }
    if (isRepeated) counted.slot(local.slotId).removeIfCounted.push(ownNumber);
    return { allowed: false, spent, retryAfterSeconds: states[spent].resetSeconds, states };
  }

  async takeMonth(holder: WindowHolder): Promise<MonthTake> {
    const { modeSwitch, directory, localShare, ledger, clock, fill, names, all, server, layout } =
      this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      if (names.of(holder).server !== server) return await all.takeMonth(holder);
      const { mode } = modeSwitch;
      if (mode === 'switching') break;
      if (mode === 'local') {
        const atMs = clock.nowMs();
        const { isSpent, states } = localShare.takeMonth(this.#named(holder), clock.earliestMs());
        if (isSpent) return monthSpent(states);
        ledger.count(holder, monthStartMs(atMs), atMs, 1);
        return { allowed: true, spent: null };
      }
      const reply = await this.#callTakeMonth(holder);
      if (reply === null) break;
      switch (reply.outcome) {
        case 'month-unknown':
          await fill(holder.slotId, reply);
          continue;
        case 'other-epoch':
          modeSwitch.leaveShared();
          continue;
        case 'other-layout':
          await layout.adopt(reply.version);
          continue;
        case 'revoked':
          return { allowed: false, spent: 'revoked' };
        case 'outdated':
          await directory.catchUpTo(reply.revision);
          return { allowed: false, spent: 'outdated' };
        default: {
          const states = this.#noted(holder, reply);
          if (reply.outcome !== 'allowed') return monthSpent(states);
          ledger.count(holder, reply.monthStartMs, reply.nowMs, 1);
          return { allowed: true, spent: null };
        }
      }
    }
    return { allowed: true, spent: 'uncounted' };
  }

  /** The caller has marked the receipt and has changed the ledger. `isLocal`: the request was counted without Redis. */
  async refund(
    { holder, number, monthStartMs: startMs }: RedisReceipt,
    isLocal: boolean,
  ): Promise<WindowStates> {
    const { modeSwitch, localShare, names, processId } = this.#options;
    const { term, mode } = modeSwitch;
    const { windows, minute, month } = names.of(holder);
    if (mode !== 'shared') {
      localShare.refund(windows, Math.abs(number), !isLocal);
      return await this.read(holder);
    }
    const args = [`${processId}:${Math.abs(number)}`, String(startMs), String(holder.plan.requestsPerMinute)];
    const reply = await this.#run(scripts.REFUND, [minute, month], args, parseWindowsReply);
    if (reply !== null && modeSwitch.term === term) return this.#noted(holder, reply);
    // Redis may have refunded it before the reply was lost; a second refund could give back too much.
    return await this.read(holder);
  }

  async read(holder: WindowHolder): Promise<WindowStates> {
    const { modeSwitch, localShare, clock, fill, names, all, server, layout } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      if (names.of(holder).server !== server) return await all.read(holder);
      const { mode } = modeSwitch;
      if (mode === 'local') return localShare.read(this.#named(holder), clock.earliestMs());
      if (mode === 'switching') break;
      const reply = await this.#takes.read(holder);
      if (reply.outcome === 'allowed') return this.#noted(holder, reply);
      if (reply.outcome === 'month-unknown' && !(await fill(holder.slotId, reply))) break;
      if (reply.outcome === 'other-epoch') modeSwitch.leaveShared();
      if (reply.outcome === 'other-layout') await layout.adopt(reply.version);
    }
    return undecided(holder, clock.nowMs()).states;
  }

  #callTakeMonth(holder: WindowHolder) {
    const { modeSwitch, directory, redisNames, names, layout } = this.#options;
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const { minute, month, revoked } = names.of(holder);
    const numbers = [directory.revision(), layout.version, requestsPerMinute, requestsPerMonth].map(String);
    const keys = [redisNames.cluster, minute, month, revoked];
    return this.#run(scripts.TAKE_MONTH, keys, [modeSwitch.epoch, ...numbers], parseTakeReply);
  }

  /** Null if Redis is unavailable or its reply cannot be parsed: in both cases the script may have run. */
  async #run<Reply>(
    script: RedisScript,
    keys: string[],
    args: string[],
    parse: (reply: unknown) => Reply | null,
  ): Promise<Reply | null> {
    const { redis, times, reportUnreadable } = this.#options;
    try {
      const reply = parse(await redis.run(script, keys, [...times.texts(), ...args]));
      if (reply === null) reportUnreadable('windows');
      return reply;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }

  /** The holder under the name by which its slot is counted now. */
  #named(holder: WindowHolder): WindowHolder {
    const slotId = this.#options.names.of(holder).windows;
    return slotId === holder.slotId ? holder : { ...holder, slotId };
  }

  /** The states of both windows; notes the month for the case that Redis becomes unavailable. */
  #noted(holder: WindowHolder, reply: WindowsReply): WindowStates {
    const { counted, names } = this.#options;
    const { monthStartMs: startMs, monthUsed: used } = reply;
    counted.slot(names.of(holder).windows).reportedMonth = { monthStartMs: startMs, used };
    return statesOf(holder, reply, 0);
  }
}
