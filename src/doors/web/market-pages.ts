import { listMarketPage } from './lists/list-route.ts';
import type { AnyMarketPage } from './market-page.ts';
import { ARBITRAGE_PAGE } from './pages/arbitrage/arbitrage.ts';
import { ARBITRAGE_PAIR_PAGE } from './pages/arbitrage/pair.ts';
import { COIN_PAGE } from './pages/coin/coin.ts';
import { HISTORY_PAGE } from './pages/coin/history.ts';
import { COINS_PARAMETERS, coinsPage } from './pages/coins/coins.ts';
import { FUNDING_PAGE } from './pages/funding/funding.ts';
import { HOME_PAGE } from './pages/home/home.ts';
import { LISTINGS_PARAMETERS, listingsPage } from './pages/listings/listings.ts';
import { MORE_PAGE } from './pages/more.ts';
import { BACKTEST_PARAMETERS, backtestPage } from './pages/spreads/backtest.ts';
import { PAIR_PAGE } from './pages/spreads/pair.ts';
import { SPREADS_PAGE } from './pages/spreads/spreads.ts';
import { ACCURACY_PAGE } from './pages/venues/accuracy.ts';
import { EXCHANGES_PARAMETERS, exchangesPage } from './pages/venues/catalogue.ts';
import { STATUS_PAGE } from './pages/venues/status.ts';
import { VENUE_PAGE } from './pages/venues/venue.ts';
import { SEARCH_PAGE } from './search/page.ts';

/** Every page of market data, in the order of the menu. Each has a Markdown twin. */
export const MARKET_PAGES: readonly AnyMarketPage[] = [
  HOME_PAGE,
  FUNDING_PAGE,
  COIN_PAGE,
  HISTORY_PAGE,
  ARBITRAGE_PAGE,
  ARBITRAGE_PAIR_PAGE,
  SPREADS_PAGE,
  listMarketPage('/spreads/backtest', 'Backtest', BACKTEST_PARAMETERS, backtestPage, '/spreads'),
  PAIR_PAGE,
  listMarketPage('/listings', 'Listings', LISTINGS_PARAMETERS, listingsPage),
  listMarketPage('/coins', 'Coins', COINS_PARAMETERS, coinsPage),
  listMarketPage('/exchanges', 'Venues', EXCHANGES_PARAMETERS, exchangesPage),
  VENUE_PAGE,
  STATUS_PAGE,
  ACCURACY_PAGE,
  SEARCH_PAGE,
  MORE_PAGE,
];
