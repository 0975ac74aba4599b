import { PLANS } from '../accounts/plans.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { Problem } from '../base/problems.ts';
import { SECOND_MS } from '../base/times.ts';
import type { Fence } from '../storage/fences.ts';
import { applyEvaluation, emptyEvaluation, evaluateList } from './evaluate.ts';
import { KnownRules, type KnownRulesOptions } from './known-rules.ts';
import { type DueSnapshot, dueSnapshot, hasNewWatch, MAX_REPLAY_MS } from './next-snapshot.ts';
import { type AlertLimits, alertLimitsOf } from './plan-limits.ts';
import { RuleBook, type WatchedList } from './rule-book.ts';
import type { SavedEvents } from './store/outgoing.ts';
import type { RuleStore } from './store/rules.ts';
import type { StateStore } from './store/state.ts';

/** The right to evaluate: of several processes only one has it at a time. */
interface AlertsLease {
  /** The fencing number; null while this process may not evaluate. */
  number(): number | null;
}

interface EvaluatingOptions extends Omit<KnownRulesOptions, 'book'> {
  rules: RuleStore;
  states: StateStore;
  /** Null in a single process. */
  lease: AlertsLease | null;
  /** True while this process knows that it misses snapshots and fetches them; absent in a single process. */
  isFetchingSnapshots?: () => boolean;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** The name of the lock, and of its fencing number. */
export const ALERTS_JOB = 'alerts';
const ACCOUNTS_EVERY_MS = 5 * SECOND_MS;

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
  #last: Promise<number> = Promise.resolve(0);

  constructor(options: EvaluatingOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Runs do not overlap: each starts from the state that the one before has stored. */
  run(signal?: AbortSignal): Promise<number> {
    const run = this.#last.then(() => this.#runAll(signal));
    this.#last = run.catch(() => 0);
    return run;
  }

  /**
   * Evaluates the snapshots that are new, one after the other, also those that were published while nobody evaluated.
   * Returns the number of events that were stored.
   */
  async #runAll(signal?: AbortSignal): Promise<number> {
    let stored = 0;
    for (let hasMore = true; hasMore && !signal?.aborted; ) {
      hasMore = false;
      const open = await this.#opened();
      // Before they are complete, the snapshots before the newest would be taken for evaluated.
      if (!open || this.#options.isFetchingSnapshots?.()) break;
      await this.#refreshRules(open);
      for (const [source, lists] of open.book.sources()) {
        if (signal?.aborted) break;
        const doneMs = open.progress.get(source) ?? 0;
        const due = dueSnapshot(lists, doneMs, this.#options.clock.nowMs());
        if (!due) continue;
        if (doneMs > 0 && due.asOfMs - doneMs > MAX_REPLAY_MS)
          this.#options.log.warn(
            { source, doneMs, asOfMs: due.asOfMs },
            'alerts continue after a gap that is longer than what is evaluated again',
          );
        stored += await this.#evaluate(open, source, lists, due);
        if (!due.isNewest) hasMore = true;
      }
    }
    return stored;
  }

  /** Opens from the database when this process gets the right to evaluate, and forgets all when it loses it. */
  async #opened(): Promise<Open | null> {
    const { lease, states } = this.#options;
    const number = lease ? lease.number() : 0;
    if (number === null) {
      this.#open = null;
      return null;
    }
    const fence = lease ? { name: ALERTS_JOB, number } : null;
    if (this.#open && this.#open.fence?.number === fence?.number) return this.#open;
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
    if (isDue) metrics.alertsLeftOut.inc((await states.settle(open.fence, this.#limitsOf)).leftOut);
    const dropped = book.droppedWatches();
    if (dropped.length > 0) {
      await states.drop(dropped, open.fence);
      book.forgetDropped();
    }
    for (const [state, count] of known.counts()) metrics.alertRules.set({ state }, count);
  }

  async #evaluate(
    open: Open,
    source: string,
    lists: readonly WatchedList[],
    due: DueSnapshot,
  ): Promise<number> {
    const { states, clock, metrics, log } = this.#options;
    const { asOfMs } = due;
    const evaluation = emptyEvaluation();
    const startedMs = clock.monotonicMs();
    for (const list of lists) {
      if (due.isRepeated && !hasNewWatch(list)) continue;
      try {
        evaluateList(list, due, clock.nowMs(), evaluation);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.debug({ reason: error.detail, list: list.question.key }, 'could not evaluate alert rules');
      }
    }
    let saved: SavedEvents;
    try {
      saved = await states.save({ ...evaluation, source, asOfMs }, open.fence, this.#limitsOf);
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
    for (const { event } of saved.stored) metrics.alertEvents.inc({ list, kind: event.kind });
    metrics.alertsLeftOut.inc(saved.leftOut);
    return saved.stored.length;
  }

  /** A suspended account has the limits of the smallest plan. */
  readonly #limitsOf = (accountId: string): AlertLimits =>
    alertLimitsOf(this.#options.callerOf(accountId)?.plan ?? PLANS.demo);
}
