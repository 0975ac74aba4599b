import { json } from 'node:stream/consumers';
import { listOf, nullable, number } from '../../base/parsing.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { coinPrice, pricedContracts } from '../../engines/funding/coin-prices.ts';
import { PRICE_EVERY_MINUTES } from '../../history/prices/store.ts';
import { callSimulator } from '../../wiring/simulator-call.ts';
import type { CollectorParts } from './collector-parts.ts';
import { DEMO_HISTORY_DAYS } from './history.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;
const CHART_EVERY_MINUTES = (4 * HOUR_MS) / MINUTE_MS;
const CHART_DAYS = 32;

const parsePrices = listOf(listOf(nullable(number)));

/** The prices of the 24 hours before a time, from which changes are computed. */
export async function storeDayOfPrices(parts: CollectorParts, simUrl: string, atMs: number): Promise<void> {
  const to = Math.floor(atMs / MINUTE_MS);
  await storePrices(
    parts,
    simUrl,
    atMs,
    steps(to - DAY_MINUTES - 2 * PRICE_EVERY_MINUTES, to, PRICE_EVERY_MINUTES),
  );
}

/** The older prices, which charts show. */
export async function storeOlderPrices(parts: CollectorParts, simUrl: string, atMs: number): Promise<void> {
  const to = Math.floor(atMs / MINUTE_MS);
  const minutes = [
    ...steps(to - DEMO_HISTORY_DAYS * DAY_MINUTES, to, DAY_MINUTES),
    ...steps(to - CHART_DAYS * DAY_MINUTES, to, CHART_EVERY_MINUTES),
  ];
  await storePrices(parts, simUrl, atMs, [...new Set(minutes)]);
}

/** The multiples of a step in a range. */
function steps(from: number, to: number, step: number): number[] {
  const minutes: number[] = [];
  for (let minute = Math.ceil(from / step) * step; minute <= to; minute += step) minutes.push(minute);
  return minutes;
}

async function storePrices(
  { context, freezer, prices: { store } }: CollectorParts,
  simUrl: string,
  atMs: number,
  minutes: readonly number[],
): Promise<void> {
  const slugs = new Map(context.venues.map(({ slug, facts }) => [facts.exchange, slug]));
  const contracts = pricedContracts(freezer.freeze(atMs));
  const names = contracts.map(({ exchange, venueSymbol }) => [slugs.get(exchange), venueSymbol]);
  const body = JSON.stringify({ contracts: names, minutes });
  const reply = await json(await callSimulator(`${simUrl}/control/prices`, { body }));
  const prices = parsePrices(reply, 'prices of the simulator');
  for (const [i, minute] of minutes.entries()) {
    const known = contracts.flatMap((contract, place) => {
      const price = prices[place]?.[i] ?? null;
      return price === null ? [] : [coinPrice(contract, price)];
    });
    await store.save(minute, known, null);
  }
}
