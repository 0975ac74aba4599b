import { DAY_MS, MINUTE_MS } from '../../../../../base/times.ts';
import type { PricePoint } from '../../../../../history/prices/store.ts';
import { chartCaption, lineChart } from '../../../markup/charts/line-chart.ts';
import { type Html, html } from '../../../markup/html.ts';
import { rangeText } from '../../funding/days-range.ts';
import type { PageContext } from '../../page-context.ts';
import type { LoadedHistory } from './history-rows.ts';

const HEIGHT_PX = 150;
const SIGNIFICANT_DIGITS = 6;

/** The stored prices of the days up to a time. */
export async function loadPrices(
  { entrance }: PageContext,
  coin: string,
  days: number,
  asOf: string,
): Promise<PricePoint[]> {
  const toMinute = Math.floor(Date.parse(asOf) / MINUTE_MS);
  return await entrance.data.prices.series(coin, toMinute - (days * DAY_MS) / MINUTE_MS, toMinute);
}

/** The price of the coin over the time of the chart above it; null if no price of that time is stored. */
export function priceChart(loaded: LoadedHistory, extent: readonly number[], isDaily: boolean): Html | null {
  const { coin, query, prices, meta } = loaded;
  const [fromMs, toMs] = [Math.min(...extent), Math.max(...extent)];
  const points = prices
    .map(({ minute, price }) => [minute * MINUTE_MS, price] as const)
    .filter(([atMs]) => atMs >= fromMs && atMs <= toMs && (!isDaily || atMs % DAY_MS === 0));
  // Both charts cover the same time.
  const gap = (atMs: number) => (points.some(([known]) => known === atMs) ? [] : [[atMs, null] as const]);
  const [last, newest] = [prices.at(-1), points.at(-1)?.[1]];
  if (!last || newest === undefined) return null;
  const source = html`mark price of the most traded contract (now ${last.exchange}), in its quote currency`;
  return lineChart({
    id: 'history-price',
    label: `Price of ${coin} over ${query.days} days`,
    unit: '',
    decimals: Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(newest))),
    heightPx: HEIGHT_PX,
    isFromZero: false,
    isPrice: true,
    isDaily,
    series: [{ name: 'Price', tone: 's0', dash: 0, points: [...gap(fromMs), ...points, ...gap(toMs)] }],
    caption: html`${chartCaption(coin, 'price, $', rangeText(query.days), meta.as_of)} · ${source}`,
  });
}
