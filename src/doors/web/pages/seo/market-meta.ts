import { cardPath, type PageMeta } from '../../layout/head.ts';
import { addressOf, type PageContext } from '../page-context.ts';
import { datasetData, siteData } from './structured-data.ts';

/** What search engines are get to know of a page. */
interface DescribedPage {
  path: string;
  isIndexed?: boolean;
  files?: Readonly<Record<string, unknown>>;
}

/** Query parameters that name what a page is about. Those of other pages only filter or sort. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  '/arbitrage/pair': ['coin', 'long_exchange', 'short_exchange', 'long_symbol', 'short_symbol'],
  '/depth/:coin/:exchange': ['symbol'],
  '/funding/:coin/:exchange': ['symbol'],
  '/spreads/backtest/pair': ['coin', 'exchange_a', 'exchange_b'],
};

/** Whether the page needs a query: it is then found by links only. */
export function needsQuery({ path }: DescribedPage): boolean {
  return NAMING[path] !== undefined;
}

/** The meta data of a page of market data at one address. */
export function marketMeta(
  page: DescribedPage,
  { title, description, asOf }: { title: string; description: string; asOf?: string },
  context: PageContext,
): PageMeta {
  const { baseUrl } = context.entrance;
  const { path, isIndexed = true } = page;
  const sent = new Map([...context.sent].filter(([name]) => NAMING[path]?.includes(name)));
  const canonical = addressOf(path, { ...context, sent });
  const facts = { baseUrl, canonical, title, description };
  return {
    baseUrl,
    canonical,
    card: cardPath(path),
    isIndexed,
    structured: !isIndexed
      ? []
      : path === '/'
        ? siteData(baseUrl, description)
        : datasetData(facts, page.files?.['.csv'] !== undefined, asOf),
  };
}
