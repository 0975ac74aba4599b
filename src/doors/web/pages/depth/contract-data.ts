import type { PageContext } from '../page-context.ts';
import { type Book, loadBook, loadWeek, type Week } from './books.ts';
import { sizeIn } from './size.ts';

/** All that the page shows. */
export interface LoadedContract {
  coin: string;
  exchange: string;
  symbol: string;
  sizeUsd: number;
  /** Null if there is none of the last hour. */
  book: Book | null;
  week: Week;
}

export async function loadContract(context: PageContext): Promise<LoadedContract> {
  const { named, sent } = context;
  const sizeUsd = sizeIn(context, 'size_usd');
  const name = {
    coin: (named.coin ?? '').toUpperCase(),
    exchange: named.exchange ?? '',
    symbol: sent.get('symbol')?.[0] ?? null,
  };
  // It refuses what is no coin, no venue or no contract.
  const week = await loadWeek(context, name, sizeUsd);
  const book = await loadBook(context, { ...name, symbol: week.symbol }, sizeUsd);
  return { ...name, symbol: week.symbol, sizeUsd, book, week };
}
