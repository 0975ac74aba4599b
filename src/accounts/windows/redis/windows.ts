import { MINUTE_MS } from '../../../base/times.ts';
import { type RedisScript, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import { stateOf } from '../memory.ts';
import { monthStartMs, nextMonthStartMs } from '../months.ts';
import type { Counted, MonthTake, Receipt, Take, WindowHolder, WindowStates } from '../windows.ts';
import { windowsName } from './layout.ts';
import { monthSpent, undecided } from './refusals.ts';
import { parseTakeReply, parseWindowsReply, type TakeReply, type WindowsReply } from './replies.ts';
import * as scripts from './scripts.ts';
import type { RedisWindowsOptions } from './windows-options.ts';

/** A switch of the mode or a month that Redis lacks makes an attempt fail; the next one then succeeds. */
const MAX_ATTEMPTS = 5;

export interface RedisReceipt extends Receipt {
  readonly number: number;
  readonly layoutVersion: number;
}

/**
 * Windows that all processes share, of the slots on one Redis server. One script call decides and counts, so any number of
 * requests on any number of processes passes exactly the limit. While Redis is unavailable each process has a share, see
 * ModeSwitch.
 */
export class RedisWindows {
  readonly #options: RedisWindowsOptions;
  #months: string[] = [];
  #monthsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
  }

  async decide(
    holder: WindowHolder,
    number: number,
    isRepeatedBefore: boolean,
    attemptsBefore: number,
  ): Promise<Take> {
    const { modeSwitch, counted, localShare, nowMs, layout, all, server } = this.#options;
    let isRepeated = isRepeatedBefore;
    for (let attempt = attemptsBefore; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      if (layout.serverOf(holder.slotId) !== server)
        return await all.decide(holder, number, isRepeated, attempt);
      const { mode } = modeSwitch;
      if (mode === 'switching') break;
      if (mode === 'local') {
        const atMs = nowMs();
        const local = this.#named(holder);
        const decision = localShare.take(local, atMs);
        if (decision.spent !== null && isRepeated) counted.slot(local.slotId).removeIfCounted.push(number);
        return this.#counted(decision, holder, -number, atMs, monthStartMs(atMs));
      }
      const taken = await this.#takeShared(holder, number, isRepeated);
      if (taken === 'unknown') break;
      if (taken !== null) return taken;
      isRepeated = true;
    }
    if (isRepeated) counted.slot(this.#named(holder).slotId).removeIfCounted.push(number);
    return undecided(holder, nowMs());
  }

  /** Null if Redis did not decide, or its reply is lost or void; `unknown` if what was counted elsewhere is unknown. */
  async #takeShared(
    holder: WindowHolder,
    number: number,
    isRepeated: boolean,
  ): Promise<Take | 'unknown' | null> {
    const { modeSwitch, directory, layout, fill } = this.#options;
    const { term } = modeSwitch;
    const { version } = layout;
    const reply = await this.#callTake(holder, this.#requestName(number), isRepeated);
    // Redis may have lost a count of an earlier term, or the slot may have moved. The request is decided again under the
    // same name.
    if (reply === null || modeSwitch.term !== term || layout.version !== version) return null;
    switch (reply.outcome) {
      case 'month-unknown':
        return (await fill(holder.slotId, reply)) ? null : 'unknown';
      case 'other-epoch':
        modeSwitch.leaveShared();
        return null;
      case 'other-layout':
        await this.#adopt(reply.version);
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
    const { modeSwitch, directory, localShare, ledger, nowMs, fill, layout, all, server } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      if (layout.serverOf(holder.slotId) !== server) return await all.takeMonth(holder);
      const { mode } = modeSwitch;
      if (mode === 'switching') break;
      if (mode === 'local') {
        const atMs = nowMs();
        const { isSpent, states } = localShare.takeMonth(this.#named(holder), atMs);
        if (isSpent) return monthSpent(states);
        ledger.count(holder, monthStartMs(atMs), atMs, 1);
        return { allowed: true, spent: null };
      }
      const reply = await this.#callTake(holder, '', false, scripts.TAKE_MONTH);
      if (reply === null) break;
      switch (reply.outcome) {
        case 'month-unknown':
          await fill(holder.slotId, reply);
          continue;
        case 'other-epoch':
          modeSwitch.leaveShared();
          continue;
        case 'other-layout':
          await this.#adopt(reply.version);
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

  /** The caller has marked the receipt and has changed the ledger. `isLocal`: the request was counted without Redis. */
  async refund(
    { holder, number, monthStartMs: startMs }: RedisReceipt,
    isLocal: boolean,
  ): Promise<WindowStates> {
    const { modeSwitch, localShare, names } = this.#options;
    const { term, mode } = modeSwitch;
    const { slotId } = this.#named(holder);
    if (mode !== 'shared') {
      localShare.refund(slotId, Math.abs(number), !isLocal);
      return await this.read(holder);
    }
    const keys = [names.minute(slotId), names.month(slotId)];
    const args = [
      this.#requestName(Math.abs(number)),
      String(startMs),
      String(holder.plan.requestsPerMinute),
    ];
    const reply = await this.#run(scripts.REFUND, keys, args, parseWindowsReply);
    if (reply !== null && modeSwitch.term === term) return this.#states(holder, reply);
    // Redis may have refunded it before the reply was lost; a second refund could give back too much.
    return await this.read(holder);
  }

  async read(holder: WindowHolder): Promise<WindowStates> {
    const { modeSwitch, localShare, nowMs, fill, layout, all, server } = this.#options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (modeSwitch.mode === 'switching') await modeSwitch.settled();
      if (layout.serverOf(holder.slotId) !== server) return await all.read(holder);
      const { mode } = modeSwitch;
      if (mode === 'local') return localShare.read(this.#named(holder), nowMs());
      if (mode === 'switching') break;
      const reply = await this.#callTake(holder, '', false);
      if (reply?.outcome === 'allowed') return this.#states(holder, reply);
      if (reply?.outcome === 'month-unknown' && !(await fill(holder.slotId, reply))) break;
      if (reply?.outcome === 'other-epoch') modeSwitch.leaveShared();
      if (reply?.outcome === 'other-layout') await this.#adopt(reply.version);
    }
    return undecided(holder, nowMs()).states;
  }

  async #callTake(
    holder: WindowHolder,
    name: string,
    isRepeated: boolean,
    script = scripts.TAKE,
  ): Promise<TakeReply | null> {
    const { modeSwitch, directory, names, layout } = this.#options;
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const slotId = windowsName(holder.slotId, layout.version);
    const keys = [names.cluster, names.minute(slotId), names.month(slotId), names.revoked(holder.keyId)];
    const args = [
      modeSwitch.epoch,
      String(directory.revision()),
      name,
      String(requestsPerMinute),
      String(requestsPerMonth),
      isRepeated ? '1' : '0',
      String(layout.version),
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

  /** Counts by the newest layout from now on. If the database cannot tell it, the request is refused in the end. */
  async #adopt(shownVersion: number): Promise<void> {
    const { layout } = this.#options;
    layout.onShown(shownVersion);
    await layout.refresh().catch(() => undefined);
  }

  /** The holder under the name by which its slot is counted now. */
  #named(holder: WindowHolder): WindowHolder {
    const { version } = this.#options.layout;
    return version === 0 ? holder : { ...holder, slotId: windowsName(holder.slotId, version) };
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
    const { counted, ledger, layout } = this.#options;
    const { version: layoutVersion } = layout;
    counted.add(this.#named(holder).slotId, number, atMs);
    ledger.count(holder, startMs, atMs, 1);
    const receipt: RedisReceipt = {
      holder,
      atMs,
      monthStartMs: startMs,
      refunded: false,
      number,
      layoutVersion,
    };
    return { allowed: true, states, receipt };
  }

  #states(holder: WindowHolder, reply: WindowsReply): WindowStates {
    const { nowMs, minuteUsed, oldestMs, monthUsed, monthStartMs: startMs, nextMonthStartMs: nextMs } = reply;
    const { plan } = holder;
    this.#options.counted.slot(this.#named(holder).slotId).reportedMonth = {
      monthStartMs: startMs,
      used: monthUsed,
    };
    return {
      minute: stateOf(plan.requestsPerMinute, minuteUsed, oldestMs + MINUTE_MS, nowMs),
      month: stateOf(plan.requestsPerMonth, monthUsed, nextMs, nowMs),
    };
  }

  #requestName(number: number): string {
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
