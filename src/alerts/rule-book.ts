import type { AnyOperation, StreamedOperation } from '../operations/operation.ts';
import type { Question } from './question.ts';
import { RowIdentities } from './row-identities.ts';
import type { Condition, Rule } from './rule.ts';
import { watchKeyOf } from './watch.ts';

/** A rule that is evaluated. */
export interface ActiveRule {
  rule: Rule;
  watch: Watch;
  /** The snapshot of the last event of each row, by row id, for rules that limit them. */
  lastEventMs: Map<number, number>;
}

/** The state of one or more rules: the rows that match, or those whose figure is beyond the bound. */
export interface Watch {
  key: string;
  list: WatchedList;
  condition: Condition;
  rows: Set<number>;
  /** Rows that are in no snapshot at the moment, with the time of the first one without them. Not stored. */
  missingSinceMs: Map<number, number>;
  /** Its first snapshot is what later ones are compared with, and reports nothing. */
  isNew: boolean;
  rules: Set<ActiveRule>;
}

/** A question with all watches on its rows. */
export interface WatchedList {
  question: Question;
  identities: RowIdentities;
  watches: Map<string, Watch>;
}

/** What the database holds of watches and rules, by row key. */
export interface StoredState {
  watchRows: Map<string, string[]>;
  lastEvents: Map<string, { rowKey: string; atMs: number }[]>;
}

/** All rules that are evaluated, grouped so that equal questions are answered once. */
export class RuleBook {
  readonly #rules = new Map<string, ActiveRule>();
  readonly #lists = new Map<string, WatchedList>();
  readonly #identities = new Map<AnyOperation, RowIdentities>();
  readonly #stored: StoredState;
  /** Watches without rules, whose stored state is to be deleted. */
  #dropped = new Set<string>();

  constructor(stored: StoredState) {
    this.#stored = stored;
  }

  get ruleCount(): number {
    return this.#rules.size;
  }

  get lists(): Iterable<WatchedList> {
    return this.#lists.values();
  }

  /** The lists that have rules, by source. Those of one source have snapshots of the same times. */
  sources(): Map<string, WatchedList[]> {
    return Map.groupBy(this.#lists.values(), ({ question }) => question.source);
  }

  /** Adds a rule, or replaces it after a change. */
  put(rule: Rule, question: Question): void {
    const key = watchKeyOf(question.key, rule.condition);
    const before = this.#rules.get(rule.id);
    if (before?.watch.key === key) {
      before.rule = rule;
      return;
    }
    if (before) this.#unlink(before);
    const watch = this.#watchOf(key, question, rule.condition);
    const { identities } = watch.list;
    const lastEvents = this.#stored.lastEvents.get(rule.id) ?? [];
    this.#stored.lastEvents.delete(rule.id);
    const active: ActiveRule = {
      rule,
      watch,
      lastEventMs: new Map(lastEvents.map(({ rowKey, atMs }) => [identities.idOfKey(rowKey), atMs])),
    };
    watch.rules.add(active);
    this.#rules.set(rule.id, active);
  }

  remove(ruleId: string): void {
    const active = this.#rules.get(ruleId);
    if (active) this.#unlink(active);
  }

  ruleIds(): string[] {
    return [...this.#rules.keys()];
  }

  /** The watches whose state is no longer needed, also those that were stored and have no rule. */
  droppedWatches(): string[] {
    return [...this.#dropped, ...this.#stored.watchRows.keys()];
  }

  forgetDropped(): void {
    this.#dropped = new Set();
    this.#stored.watchRows.clear();
  }

  #watchOf(key: string, question: Question, condition: Condition): Watch {
    let list = this.#lists.get(question.key);
    if (!list) {
      list = { question, identities: this.#identitiesOf(question.operation), watches: new Map() };
      this.#lists.set(question.key, list);
    }
    let watch = list.watches.get(key);
    if (!watch) {
      const { identities } = list;
      const stored = this.#stored.watchRows.get(key);
      this.#stored.watchRows.delete(key);
      // A watch that was dropped and is needed again starts anew: what is stored of it is deleted with the next write.
      const rows = new Set((stored ?? []).map((rowKey) => identities.idOfKey(rowKey)));
      const isNew = stored === undefined;
      watch = { key, list, condition, rows, missingSinceMs: new Map(), isNew, rules: new Set() };
      list.watches.set(key, watch);
    }
    return watch;
  }

  #unlink(active: ActiveRule): void {
    const { watch, rule } = active;
    const { list } = watch;
    watch.rules.delete(active);
    this.#rules.delete(rule.id);
    if (watch.rules.size > 0) return;
    list.watches.delete(watch.key);
    if (!watch.isNew) this.#dropped.add(watch.key);
    if (list.watches.size === 0) this.#lists.delete(list.question.key);
  }

  #identitiesOf(operation: StreamedOperation): RowIdentities {
    let identities = this.#identities.get(operation);
    if (!identities) {
      identities = new RowIdentities(operation.rows);
      this.#identities.set(operation, identities);
    }
    return identities;
  }
}
