import { ARBITRAGE_PAGE } from './arbitrage/arbitrage.ts';
import { ARBITRAGE_PAIR_PAGE } from './arbitrage/pair.ts';
import { COIN_PAGE } from './coin/coin.ts';
import { HISTORY_PAGE } from './coin/history/history.ts';
import { INTEREST_PAGE } from './coin/interest/interest.ts';
import { COINS_PARAMETERS, coinsPage } from './coins/coins.ts';
import { CONTRACT_PAGE } from './depth/contract.ts';
import { DEPTH_PARAMETERS, depthPage } from './depth/depth.ts';
import { FORECASTS_PAGE } from './forecasts/accuracy.ts';
import { FUNDING_PAGE } from './funding/funding.ts';
import { HOME_PAGE } from './home/home.ts';
import { LISTINGS_PARAMETERS, listingsPage } from './listings/listings.ts';
import { listMarketPage } from './lists/list-route.ts';
import { type AnyMarketPage, markdownPathOf } from './market-page.ts';
import { MORE_PAGE } from './more.ts';
import { REFERENCE_PAGE } from './reference/reference.ts';
import { RUNNING_PAGE } from './running/running.ts';
import { SEARCH_PAGE } from './search/page.ts';
import { BACKTEST_PARAMETERS, backtestPage } from './spreads/backtest.ts';
import { PAIR_PAGE } from './spreads/pair.ts';
import { SPREADS_PAGE } from './spreads/spreads.ts';
import type { TextPage } from './text-page.ts';
import { DOCS_PAGES } from './texts/docs.ts';
import { ERRORS_PAGE } from './texts/errors.ts';
import { PLANS_PAGE } from './texts/plans.ts';
import { ACCURACY_PAGE } from './venues/accuracy.ts';
import { EXCHANGES_PARAMETERS, exchangesPage } from './venues/catalogue.ts';
import { STATUS_PAGE } from './venues/status.ts';
import { VENUE_PAGE } from './venues/venue.ts';

/** Every page of market data, in the order of the menu. Each has a Markdown file. */
export const MARKET_PAGES: readonly AnyMarketPage[] = [
  HOME_PAGE,
  FUNDING_PAGE,
  COIN_PAGE,
  HISTORY_PAGE,
  INTEREST_PAGE,
  RUNNING_PAGE,
  ARBITRAGE_PAGE,
  ARBITRAGE_PAIR_PAGE,
  SPREADS_PAGE,
  listMarketPage('/spreads/backtest', 'Backtest', BACKTEST_PARAMETERS, backtestPage, '/spreads'),
  PAIR_PAGE,
  listMarketPage('/depth', 'Depth', DEPTH_PARAMETERS, depthPage),
  CONTRACT_PAGE,
  listMarketPage('/listings', 'Listings', LISTINGS_PARAMETERS, listingsPage),
  listMarketPage('/coins', 'Coins', COINS_PARAMETERS, coinsPage),
  listMarketPage('/exchanges', 'Venues', EXCHANGES_PARAMETERS, exchangesPage),
  VENUE_PAGE,
  STATUS_PAGE,
  ACCURACY_PAGE,
  FORECASTS_PAGE,
  SEARCH_PAGE,
  MORE_PAGE,
];

/** Every page without market data, in the order of the navigation. Each has a Markdown file. */
export const TEXT_PAGES: readonly TextPage[] = [...DOCS_PAGES, ERRORS_PAGE, REFERENCE_PAGE, PLANS_PAGE];

/** Stands for any coin in the addresses of example pages. */
const EXAMPLE_COIN = 'BTC';

/** The Markdown of every page of market data, for agents. */
export function markdownPages(): { path: string; label: string }[] {
  return MARKET_PAGES.flatMap((page) =>
    page.label === undefined
      ? []
      : [{ path: markdownPathOf(page).replaceAll(':coin', EXAMPLE_COIN), label: page.label }],
  );
}
