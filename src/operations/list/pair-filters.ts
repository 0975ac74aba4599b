import { LEG_CLOSED } from '../../market/session.ts';
import { inColumns, isFlag, noneOf, oneOf } from '../../query/filter-kinds.ts';
import { coins, exchanges } from '../../query/kinds.ts';

/** Filters of coins and pairs of venues. `legs` are the columns of the two venues. */
export const pairFilters = (legs: readonly [string, string]) => ({
  coin: oneOf('coin', coins, 'Tickers to keep, in any case; at most 20, separated by commas'),
  exchange: inColumns(legs, exchanges, 'Pairs with these venues, as /exchanges spells them; at most 20', {
    name: 'exchange_match',
    description: 'any: either leg is in the exchange list; all: both are; default any',
  }),
  exclude_exchange: noneOf(legs, exchanges, 'Drop pairs with any of these on either leg; at most 20'),
});

/** Of pairs at one time. */
export const legClosed = isFlag(LEG_CLOSED.name, 'false = no pairs with a closed market; true = only these');
