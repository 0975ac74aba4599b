import { twinPathOf } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { TEXT_PAGES } from './text-pages.ts';

export interface PageLink {
  path: string;
  label: string;
}

/** Stands for any coin in the addresses of example pages. */
const EXAMPLE_COIN = 'BTC';

/** The Markdown twin of every page, for agents. Pages come from the lists that serve them. */
export function markdownPages(): { market: PageLink[]; texts: PageLink[] } {
  return {
    market: MARKET_PAGES.flatMap((page) =>
      page.label === undefined
        ? []
        : [{ path: twinPathOf(page).replaceAll(':coin', EXAMPLE_COIN), label: page.label }],
    ),
    texts: TEXT_PAGES.map(({ path, title }) => ({ path: `${path}.md`, label: title })),
  };
}
