import type { Caller } from '../accounts/keys/directory.ts';
import { Problem } from '../base/problems.ts';
import { everyMinutesOf, statesOf } from './plan-limits.ts';
import type { Question } from './question.ts';
import type { Rule, RuleState } from './rule.ts';
import type { RuleBook } from './rule-book.ts';
import type { ChangedRules, StoredRule } from './store/rules.ts';

export interface KnownRulesOptions {
  book: RuleBook;
  /** Null for an account that is suspended or deleted. */
  callerOf: (accountId: string) => Caller | null;
  /** Throws the problems of the list. */
  questionOf: (rule: StoredRule, caller: Caller) => Question;
}

interface KnownAccount {
  rules: Map<string, StoredRule>;
  /** What the questions of its rules depend on: the plan and the saved fees. */
  seenAs: string;
}

type CountedState = RuleState | 'refused';

/** Keeps the rule book in step with the rules in the database and with the plans of their accounts. */
export class KnownRules {
  readonly #options: KnownRulesOptions;
  readonly #accounts = new Map<string, KnownAccount>();
  readonly #accountOf = new Map<string, string>();
  readonly #states = new Map<string, CountedState>();
  revision = -1;

  constructor(options: KnownRulesOptions) {
    this.#options = options;
  }

  /** Applies changed and deleted rules. */
  apply({ revision, changed, ids }: ChangedRules): void {
    const touched = new Set<string>();
    for (const [ruleId, accountId] of this.#accountOf) {
      if (ids.has(ruleId)) continue;
      this.#accounts.get(accountId)?.rules.delete(ruleId);
      this.#forget(ruleId);
      touched.add(accountId);
    }
    for (const rule of changed) {
      const account = this.#accounts.get(rule.accountId) ?? { rules: new Map(), seenAs: '' };
      this.#accounts.set(rule.accountId, account);
      account.rules.set(rule.id, rule);
      this.#accountOf.set(rule.id, rule.accountId);
      touched.add(rule.accountId);
    }
    this.revision = revision;
    const changedIds = new Set(changed.map(({ id }) => id));
    for (const accountId of touched) this.#resolve(accountId, changedIds);
  }

  /** Looks for accounts whose plan, fees or suspension have changed. */
  checkAccounts(): void {
    for (const [accountId, account] of this.#accounts)
      if (this.#seenAs(accountId) !== account.seenAs) this.#resolve(accountId, new Set(account.rules.keys()));
  }

  counts(): Map<CountedState, number> {
    const counts = new Map<CountedState, number>([
      ['active', 0],
      ['paused', 0],
      ['over-limit', 0],
      ['refused', 0],
    ]);
    for (const state of this.#states.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }

  #seenAs(accountId: string): string {
    const caller = this.#options.callerOf(accountId);
    return caller ? `${caller.plan.name} ${caller.takerFees ?? ''}` : 'suspended';
  }

  #resolve(accountId: string, changed: ReadonlySet<string>): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    const caller = this.#options.callerOf(accountId);
    account.seenAs = this.#seenAs(accountId);
    const states = caller ? statesOf([...account.rules.values()], caller.plan) : null;
    for (const rule of account.rules.values()) {
      const state = states?.get(rule.id) ?? 'paused';
      const isSame = this.#states.get(rule.id) === state && !changed.has(rule.id);
      if (isSame) continue;
      this.#states.set(rule.id, state);
      if (caller && state === 'active') this.#put(rule, caller);
      else this.#options.book.remove(rule.id);
    }
    if (account.rules.size === 0) this.#accounts.delete(accountId);
  }

  #put(rule: StoredRule, caller: Caller): void {
    const { book, questionOf } = this.#options;
    try {
      const everyMinutes = everyMinutesOf(rule, caller.plan);
      const active: Rule = { ...rule, everyMinutes, state: 'active', problem: null };
      book.put(active, questionOf(rule, caller));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The owner sees the problem on the page of the rule.
      this.#states.set(rule.id, 'refused');
      book.remove(rule.id);
    }
  }

  #forget(ruleId: string): void {
    this.#options.book.remove(ruleId);
    this.#states.delete(ruleId);
    this.#accountOf.delete(ruleId);
  }
}
