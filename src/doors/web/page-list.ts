import { MARKET_PAGES } from './market-pages.ts';
import { type PageLink, TEXT_PAGES } from './text-pages.ts';

/** Stands for any coin in the addresses of example pages. */
const EXAMPLE_COIN = 'BTC';

/** The Markdown twin of every page, for agents. Pages come from the lists that serve them. */
export function markdownPages(): { market: PageLink[]; texts: PageLink[] } {
  return {
    market: MARKET_PAGES.flatMap(({ path, twinPath, label }) =>
      label === undefined
        ? []
        : [{ path: (twinPath ?? `${path}.md`).replaceAll(':coin', EXAMPLE_COIN), label }],
    ),
    texts: TEXT_PAGES.map(({ path, label }) => ({ path: `${path}.md`, label })),
  };
}
