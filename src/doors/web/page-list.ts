import { twinPathOf } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';

/** Stands for any coin in the addresses of example pages. */
const EXAMPLE_COIN = 'BTC';

/** The Markdown of every page of market data, for agents. */
export function markdownPages(): { path: string; label: string }[] {
  return MARKET_PAGES.flatMap((page) =>
    page.label === undefined
      ? []
      : [{ path: twinPathOf(page).replaceAll(':coin', EXAMPLE_COIN), label: page.label }],
  );
}
