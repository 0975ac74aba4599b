import { listMarketPage } from './list-route.ts';
import type { AnyMarketPage } from './market-page.ts';
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

/** Every page of market data. Each has a Markdown twin. */
export const MARKET_PAGES: readonly AnyMarketPage[] = [
  HOME_PAGE,
  listMarketPage('/funding', 'funding', () => FUNDING_PAGE),
  HEAT_MAP_PAGE,
  COIN_PAGE,
  HISTORY_PAGE,
  listMarketPage('/spreads', 'spreads', () => SPREADS_PAGE),
  listMarketPage('/spreads/backtest', 'backtest', backtestPage),
  BACKTEST_PAIR_PAGE,
  listMarketPage('/listings', 'listings', listingsPage),
  listMarketPage('/coins', 'coins', () => COINS_PAGE),
  listMarketPage('/exchanges', 'exchanges', exchangesPage),
  STATUS_PAGE,
];
