import { listMarketPage } from './list-route.ts';
import type { AnyMarketPage } from './market-page.ts';
import { ACCURACY_PAGE } from './pages/accuracy.ts';
import { ARBITRAGE_PAGE } from './pages/arbitrage.ts';
import { ARBITRAGE_PAIR_PAGE } from './pages/arbitrage-pair.ts';
import { backtestPage } from './pages/backtest.ts';
import { BACKTEST_PAIR_PAGE } from './pages/backtest-pair.ts';
import { COINS_PAGE, exchangesPage } from './pages/catalogue.ts';
import { COIN_PAGE } from './pages/coin.ts';
import { FUNDING_PAGE } from './pages/funding.ts';
import { HEAT_MAP_PAGE } from './pages/heat-map.ts';
import { HISTORY_PAGE } from './pages/history.ts';
import { HOME_PAGE } from './pages/home.ts';
import { listingsPage } from './pages/listings.ts';
import { SPREADS_PAGE } from './pages/spreads.ts';
import { STATUS_PAGE } from './pages/status.ts';
import { VENUE_PAGE } from './pages/venue.ts';

/** Every page of market data, in the order of the menu. Each has a Markdown twin. */
export const MARKET_PAGES: readonly AnyMarketPage[] = [
  HOME_PAGE,
  listMarketPage('/funding', 'Funding', () => FUNDING_PAGE),
  HEAT_MAP_PAGE,
  COIN_PAGE,
  HISTORY_PAGE,
  listMarketPage('/arbitrage', 'Arbitrage', () => ARBITRAGE_PAGE),
  ARBITRAGE_PAIR_PAGE,
  listMarketPage('/spreads', 'Spreads', () => SPREADS_PAGE),
  listMarketPage('/spreads/backtest', 'Backtest', backtestPage),
  BACKTEST_PAIR_PAGE,
  listMarketPage('/listings', 'Listings', listingsPage),
  listMarketPage('/coins', 'Coins', () => COINS_PAGE),
  listMarketPage('/exchanges', 'Exchanges', exchangesPage),
  VENUE_PAGE,
  STATUS_PAGE,
  ACCURACY_PAGE,
];
