import { VENUES } from '../../../venues/registry.ts';
import { type BacktestRule, usualRule } from '../rule.ts';

/** What the results depend on besides the samples. */
export interface BacktestBasis {
  rule: BacktestRule;
  takerFeesPct: Readonly<Record<string, number>>;
}

/** Includes the fees of all venues, watched or not, so that samples of a venue stay usable when it is switched off. */
export function backtestBasis(windowDays: number): BacktestBasis {
  return {
    rule: usualRule(windowDays),
    takerFeesPct: Object.fromEntries(VENUES.map(({ facts }) => [facts.exchange, facts.takerFeePct.value])),
  };
}
