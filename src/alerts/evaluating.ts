import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { Problem } from '../base/problems.ts';
import { SECOND_MS } from '../base/times.ts';
import { claimFence, type Fence } from '../storage/fences.ts';
import type { Storage } from '../storage/storage.ts';
import { applyEvaluation, emptyEvaluation, evaluateList } from './evaluate.ts';
import { KnownRules, type KnownRulesOptions } from './known-rules.ts';
import { RuleBook, type WatchedList } from './rule-book.ts';
import type { RuleStore } from './store/rules.ts';
import type { StateStore } from './store/state.ts';

/** The right to evaluate: of several processes only one has it at a time. */
export interface AlertsLease {
  /** The fencing number; null while this process may not evaluate. */
  number(): number | null;
}

export interface EvaluatingOptions extends Omit<KnownRulesOptions, 'book'> {
  storage: Storage;
  rules: RuleStore;
  states: StateStore;
  /** Null in a single process. */
  lease: AlertsLease | null;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export const ALERTS_LEASE = 'alerts';
/** Other work of this process, such as requests, waits at most this long for an evaluation. */
const SLICE_MS = 4;
const ACCOUNTS_EVERY_MS = 5 * SECOND_MS;
/** A stored time further ahead than this was written by a clock that was wrong. */
const MAX_AHEAD_MS = 60 * SECOND_MS;

interface Open {
  fence: Fence | null;
  book: RuleBook;
  known: KnownRules;
  /** The newest snapshot that was evaluated, by source. */
  progress: Map<string, number>;
  accountsDueMs: number;
}

/** Evaluates all rules on every new snapshot, while this process has the right to. */
export class Evaluating {
  readonly #options: EvaluatingOptions;
  #open: Open | null = null;
  #sliceStartMs = 0;

  constructor(options: EvaluatingOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Evaluates the snapshots that are new. Returns the number of events that were stored. */
  async run(signal?: AbortSignal): Promise<number> {
    const open = await this.#opened();
    if (!open) return 0;
    await this.#refreshRules(open);
    let stored = 0;
    for (const [source, question] of open.book.sources()) {
      if (signal?.aborted) break;
      const nowMs = this.#options.clock.nowMs();
      const asOfMs = question.newestAsOfMs(nowMs);
      const doneMs = open.progress.get(source) ?? 0;
      const isWrong = doneMs > nowMs + MAX_AHEAD_MS;
      if (asOfMs === null || (asOfMs <= doneMs && !isWrong)) {
        // A rule that is new on a list that stands still, such as a quiet calendar, needs its first comparison too.
        if (asOfMs === null || asOfMs !== doneMs || !hasNewWatch(open.book.listsOf(source))) continue;
      }
      stored += await this.#evaluate(open, source, asOfMs);
    }
    return stored;
  }

  /** Opens from the database when this process gets the right to evaluate, and forgets all when it loses it. */
  async #opened(): Promise<Open | null> {
    const { lease, storage, states } = this.#options;
    const number = lease ? lease.number() : 0;
    if (number === null) {
      this.#open = null;
      return null;
    }
    const fence = lease ? { name: ALERTS_LEASE, number } : null;
    if (this.#open && this.#open.fence?.number === fence?.number) return this.#open;
    if (fence) await claimFence(storage, fence);
    const { progress, ...stored } = await states.load();
    const book = new RuleBook(stored);
    const known = new KnownRules({ ...this.#options, book });
    this.#open = { fence, book, known, progress, accountsDueMs: 0 };
    return this.#open;
  }

  async #refreshRules(open: Open): Promise<void> {
    const { rules, clock, metrics, states } = this.#options;
    const { known, book } = open;
    const changes = await rules.changesSince(known.revision);
    const nowMs = clock.monotonicMs();
    const isDue = nowMs >= open.accountsDueMs;
    if (!changes && !isDue) return;
    if (changes) known.apply(changes);
    if (isDue) known.checkAccounts();
    open.accountsDueMs = nowMs + ACCOUNTS_EVERY_MS;
    const dropped = book.droppedWatches();
    if (dropped.length > 0) {
      await states.drop(dropped, open.fence);
      book.forgetDropped();
    }
    for (const [state, count] of known.counts()) metrics.alertRules.set({ state }, count);
  }

  async #evaluate(open: Open, source: string, asOfMs: number): Promise<number> {
    const { states, clock, metrics, log } = this.#options;
    const lists = open.book.listsOf(source);
    const evaluation = emptyEvaluation();
    const startedMs = clock.monotonicMs();
    this.#sliceStartMs = startedMs;
    for (const list of lists) {
      try {
        evaluateList(list, asOfMs, clock.nowMs(), evaluation);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.debug({ reason: error.detail, list: list.question.key }, 'could not evaluate alert rules');
      }
      await this.#makeRoom();
    }
    try {
      await states.save({ ...evaluation, source, asOfMs }, open.fence);
    } catch (error) {
      // Whether it was stored is unknown if the connection broke, so the next run reads the state again.
      this.#open = null;
      throw error;
    }
    applyEvaluation(evaluation);
    open.progress.set(source, asOfMs);
    const [first] = lists;
    const list = first?.question.operation.id ?? '';
    metrics.alertEvaluationSeconds.observe({ list }, (clock.monotonicMs() - startedMs) / SECOND_MS);
    const lagMs = clock.nowMs() - asOfMs - (first?.question.delaySeconds ?? 0) * SECOND_MS;
    metrics.alertLagSeconds.observe(Math.max(0, lagMs) / SECOND_MS);
    for (const { event } of evaluation.events) metrics.alertEvents.inc({ list, kind: event.kind });
    return evaluation.events.length;
  }

  /** Lets requests and other work run between the lists. */
  async #makeRoom(): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#sliceStartMs < SLICE_MS) return;
    await setImmediate();
    this.#sliceStartMs = clock.monotonicMs();
  }
}

function hasNewWatch(lists: readonly WatchedList[]): boolean {
  return lists.some(({ watches }) => [...watches.values()].some(({ isNew }) => isNew));
}
