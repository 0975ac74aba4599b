import { choice, coins, exchanges } from '../query/kinds.ts';

/** Which pairs of venues and which coins: the same words for the live spreads and for their backtest. */
export const pairParameters = {
  coin: coins('coin', 'Tickers to keep, in any case; at most 20, separated by commas'),
  exchange: exchanges('exchange', 'Pairs with these venues, spelled as /exchanges returns them; at most 20'),
  exchange_match: choice(
    'exchange_match',
    ['any', 'all'],
    'any: either leg is in the exchange list; all: both are; default any',
  ),
  exclude_exchange: exchanges('exclude_exchange', 'Drop pairs with any of these on either leg; at most 20'),
};
