import type { Plan } from '../accounts/plans.ts';
import type { RuleState } from './rule.ts';
import type { StoredRule } from './store/rules.ts';

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
