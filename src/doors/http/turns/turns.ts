import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECOND_MS } from '../../../base/times.ts';
import { noteMean, type Payer } from './payers.ts';
import { TimeBudget } from './time-budget.ts';

/** A request with its handler. */
export interface Work {
  readonly payer: Payer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers the request. */
  readonly start: () => void;
  /** Refuses it before any work is done. */
  readonly refuse: (retryAfterSeconds: number) => void;
}

interface TurnsOptions {
  /** Milliseconds of computing in a second for all visitors without an account together; 0 is no limit. */
  visitorsMsPerSecond: number;
  /** Monotonic time. */
  nowMs: () => number;
  /** How long this thread has worked, in milliseconds. */
  workedMs: () => number;
}

interface Waiting {
  readonly work: Work;
  readonly sinceMs: number;
}

/** With more of them the first would wait too long for the others. */
const MOST_TOGETHER = 32;
/** A call of a key whose last ones took longer than this is answered in turn, as a page is. */
const QUICK_MS = 2;
/** Of one payer: twenty people behind one address can open a page in the same moment. */
export const MOST_WAITING = 32;
export const MOST_WAITING_OF_ALL = 256;
/** Requests of one payer that were started and wait for the database, for example. */
const MOST_RUNNING = 8;
/** Turns in a row in which only connections are accepted. */
export const MOST_ACCEPTED = 256;
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** When to look again while nothing that waits may start. */
const LOOK_AGAIN_MS = 20;

/**
 * Decides which request is answered next. In one turn of the event loop all calls with a key are answered and then at most
 * one other request, which may be a page: so a call waits behind one page at most. Of the others, accounts come before
 * visitors, and first comes who has most of its budget left. What a request took is taken from the budget of its payer. Who
 * has nothing left is refused.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #visitors: TimeBudget;
  #calls: Work[] = [];
  readonly #waiting = new Map<Payer, Waiting[]>();
  #waitingCount = 0;
  /** Started since the last look at the time. */
  #started: Work[] = [];
  /** Started before it, and not answered yet. */
  readonly #running = new Set<Work>();
  #workedMs: number;
  #isScheduled = false;
  #timer: NodeJS.Timeout | null = null;
  /** A connection has come since the last turn. */
  #hasAccepted = false;
  #acceptedTurns = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#visitors = new TimeBudget(options.visitorsMsPerSecond, options.nowMs());
    this.#workedMs = options.workedMs();
  }

  /** `isCall`: it is for programs and carries a valid key. */
  add(work: Work, isCall: boolean): void {
    const { payer } = work;
    const nowMs = this.#options.nowMs();
    const isInTurn = !isCall || payer.meanMs > QUICK_MS;
    if (payer.budget.leftMs(nowMs) <= 0 || (isInTurn && !this.#makeRoom(payer, nowMs))) {
      work.refuse(payer.budget.waitSeconds(nowMs));
      return;
    }
    if (isInTurn) {
      const own = this.#waiting.get(payer) ?? [];
      own.push({ work, sinceMs: nowMs });
      this.#waiting.set(payer, own);
      this.#waitingCount++;
    } else if (this.#calls.push(work) === MOST_TOGETHER) this.#answerCalls();
    this.#schedule();
  }

  /**
   * Node accepts one connection in a turn. A call on a new connection must not wait for a page for each of the connections before
   * it, so pages wait until all are accepted.
   */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** Work that no request waits for, such as the next page of a stream. */
  charge(payer: Payer, ms: number): void {
    const nowMs = this.#options.nowMs();
    payer.budget.spend(ms, nowMs);
    if (!payer.isAccount) this.#visitors.spend(ms, nowMs);
  }

  hasTime(payer: Payer): boolean {
    const nowMs = this.#options.nowMs();
    return payer.budget.leftMs(nowMs) > 0 && (payer.isAccount || this.#visitors.leftMs(nowMs) > 0);
  }

  /** Whether one more request of the payer can wait. Of too many, the last one of who has most of them is refused. */
  #makeRoom(payer: Payer, nowMs: number): boolean {
    if (!payer.budget.isLimited) return true;
    const countOf = (one: Payer) => this.#waiting.get(one)?.length ?? 0;
    if (countOf(payer) >= MOST_WAITING) return false;
    if (this.#waitingCount < MOST_WAITING_OF_ALL) return true;
    let most = payer;
    for (const other of this.#waiting.keys()) if (countOf(other) > countOf(most)) most = other;
    if (most === payer) return false;
    this.#take(most, -1)?.work.refuse(most.budget.waitSeconds(nowMs));
    return true;
  }

  #comesBefore(one: Payer, other: Payer, nowMs: number): boolean {
    if (one.isAccount !== other.isAccount) return one.isAccount;
    return one.budget.leftMs(nowMs) > other.budget.leftMs(nowMs);
  }

  /** Takes the first (0) or last (-1) request of a payer. The payer then is behind its equals. */
  #take(payer: Payer, at: 0 | -1): Waiting | undefined {
    const own = this.#waiting.get(payer) ?? [];
    const [taken] = own.splice(at, 1);
    this.#waiting.delete(payer);
    if (own.length > 0) this.#waiting.set(payer, own);
    if (taken) this.#waitingCount--;
    return taken;
  }

  /**
   * These three run one after the other, each followed by what its promises do, so the time of the work of each is known.
   * What they schedule runs in the next turn, after requests that have arrived meanwhile were read.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#settle();
      this.#answerCalls();
    });
    setImmediate(() => {
      this.#settle();
      this.#startNext();
    });
    setImmediate(() => {
      const isBusy = this.#started.length > 0 || this.#acceptedTurns > 0;
      this.#settle();
      this.#isScheduled = false;
      if (this.#calls.length > 0 || (isBusy && this.#waitingCount > 0)) this.#schedule();
      else if (this.#waitingCount > 0) this.#lookAgain();
    });
  }

  #lookAgain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#schedule();
    }, LOOK_AGAIN_MS).unref();
  }

  #answerCalls(): void {
    const calls = this.#calls;
    this.#calls = [];
    let next = 0;
    try {
      while (next < calls.length) this.#start(calls[next++] as Work);
    } finally {
      // Only after an error that a handler did not catch.
      for (const work of calls.slice(next)) this.add(work, true);
    }
  }

  #startNext(): void {
    if (this.#hasAccepted && this.#acceptedTurns < MOST_ACCEPTED) {
      this.#hasAccepted = false;
      this.#acceptedTurns++;
      return;
    }
    this.#acceptedTurns = 0;
    // Of clients that have gone there may be thousands; they must not take a turn each.
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      if (hasGone(next.work)) continue;
      this.#start(next.work);
      return;
    }
  }

  #takeNext(): Waiting | null {
    const nowMs = this.#options.nowMs();
    const areVisitorsAllowed = this.#visitors.leftMs(nowMs) > 0;
    let first: Payer | null = null;
    for (const [payer, own] of [...this.#waiting]) {
      this.#refuseLate(payer, own, nowMs);
      const { budget, isAccount, running } = payer;
      const mayStart =
        this.#waiting.has(payer) &&
        (isAccount || areVisitorsAllowed) &&
        !(budget.isLimited && running >= MOST_RUNNING);
      if (mayStart && (first === null || this.#comesBefore(payer, first, nowMs))) first = payer;
    }
    return (first && this.#take(first, 0)) ?? null;
  }

  /** Refuses what has waited too long, and all of a payer that has used its budget meanwhile. */
  #refuseLate(payer: Payer, own: readonly Waiting[], nowMs: number): void {
    if (!payer.budget.isLimited) return;
    const isSpent = payer.budget.leftMs(nowMs) <= 0;
    for (const { work, sinceMs } of [...own])
      if (isSpent || nowMs - sinceMs > LONGEST_WAIT_MS) {
        this.#take(payer, 0);
        work.refuse(payer.budget.waitSeconds(nowMs));
      }
  }

  #start(work: Work): void {
    if (hasGone(work)) return;
    this.#started.push(work);
    work.start();
  }

  /**
   * Charges the time since the last look: to what was started since then; otherwise to what is still running, because
   * answers go on when the database has replied, or a body has arrived.
   */
  #settle(): void {
    const workedMs = this.#options.workedMs();
    const spentMs = workedMs - this.#workedMs;
    this.#workedMs = workedMs;
    const started = this.#started;
    this.#started = [];
    for (const { payer } of started) {
      this.charge(payer, spentMs / started.length);
      noteMean(payer, spentMs / started.length);
    }
    if (started.length === 0)
      for (const { payer } of this.#running) this.charge(payer, spentMs / this.#running.size);
    for (const work of this.#running) if (isAnswered(work)) this.#end(work);
    for (const work of started) if (!isAnswered(work)) this.#follow(work);
  }

  #follow(work: Work): void {
    this.#running.add(work);
    work.payer.running++;
    work.response.once('close', () => {
      this.#settle();
      if (this.#running.has(work)) this.#end(work);
      if (this.#waitingCount > 0) this.#schedule();
    });
  }

  #end(work: Work): void {
    this.#running.delete(work);
    work.payer.running--;
  }
}

/** Nobody reads the answer, and the address of the client is no longer known. */
function hasGone({ request }: Work): boolean {
  return request.socket.destroyed;
}

/** A stream never ends, but its answer has started. */
function isAnswered({ response }: Work): boolean {
  return response.headersSent || response.writableEnded || response.destroyed;
}
