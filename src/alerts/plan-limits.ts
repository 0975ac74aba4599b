import type { Plan, PlanName } from '../accounts/plans.ts';
import { Problem } from '../base/problems.ts';
import type { RuleInput, RuleState } from './rule.ts';
import type { StoredRule } from './store/rules.ts';

/** What a plan allows beside its number of rules. */
export interface AlertLimits {
  /** Messages of all rules together; an event that is sent to three endpoints is three messages. */
  messagesPerHour: number;
  /** Messages that may wait for an attempt or a digest; of more, the oldest are dropped. */
  waitingMessages: number;
  /** The least pause between alerts of a rule for the same row. */
  leastEveryMinutes: number;
}

const LIMITS: Readonly<Record<PlanName, AlertLimits>> = {
  demo: { messagesPerHour: 60, waitingMessages: 500, leastEveryMinutes: 15 },
  developer: { messagesPerHour: 600, waitingMessages: 2_000, leastEveryMinutes: 5 },
  pro: { messagesPerHour: 3_000, waitingMessages: 10_000, leastEveryMinutes: 1 },
  business: { messagesPerHour: 10_000, waitingMessages: 50_000, leastEveryMinutes: 0 },
};

export function alertLimitsOf({ name }: Pick<Plan, 'name'>): AlertLimits {
  return LIMITS[name];
}

/** The pause that the rule has: at least that of the plan, also if it was made with a shorter one on a larger plan. */
export function everyMinutesOf({ everyMinutes }: Pick<RuleInput, 'everyMinutes'>, plan: Plan): number {
  return Math.max(everyMinutes, alertLimitsOf(plan).leastEveryMinutes);
}

/** Throws a Problem that names the least pause of the plan. */
export function checkEveryMinutes({ everyMinutes }: Pick<RuleInput, 'everyMinutes'>, plan: Plan): void {
  const { leastEveryMinutes } = alertLimitsOf(plan);
  if (everyMinutes >= leastEveryMinutes) return;
  throw new Problem(
    'plan-limit',
    `"everyMinutes" must be at least ${leastEveryMinutes} on the ${plan.title} plan; use a longer pause, or choose a larger plan.`,
  );
}

/** The states of all rules of an account. After a change to a smaller plan the oldest rules stay active. */
export function statesOf(
  rules: readonly StoredRule[],
  { alertCount }: Pick<Plan, 'alertCount'>,
): Map<string, RuleState> {
  const states = new Map<string, RuleState>();
  let active = 0;
  for (const { id, isPaused } of [...rules].sort(byAge)) {
    if (isPaused) states.set(id, 'paused');
    else states.set(id, ++active <= alertCount ? 'active' : 'over-limit');
  }
  return states;
}

function byAge(a: StoredRule, b: StoredRule): number {
  return a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);
}
