import { inColumns, noneOf, oneOf } from '../../query/filter-kinds.ts';
import { coins, exchanges } from '../../query/kinds.ts';

const LEGS = ['exchange_a', 'exchange_b'];

/** Filters of coins and pairs of venues, shared by the live spreads and their backtest. */
export const pairFilters = {
  coin: oneOf('coin', coins, 'Tickers to keep, in any case; at most 20, separated by commas'),
  exchange: inColumns(
    LEGS,
    exchanges,
    'Pairs with these venues, spelled as /exchanges returns them; at most 20',
    {
      name: 'exchange_match',
      description: 'any: either leg is in the exchange list; all: both are; default any',
    },
  ),
  exclude_exchange: noneOf(LEGS, exchanges, 'Drop pairs with any of these on either leg; at most 20'),
};
