import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { encodeDays, encodePrints } from '../../src/history/settlements/codec.ts';
import { daySums } from '../../src/history/settlements/days.ts';
import {
  BLOCK_DAYS,
  BLOCK_MINUTES,
  blockOf,
  firstIndexFrom,
  intervalsOf,
  type Prints,
} from '../../src/history/settlements/times.ts';
import { settlementBlockId } from '../../src/storage/blocks.ts';
import { VENUES } from '../../src/venues/registry.ts';

/** A synthetic history: every coin on 20 venues, two years of payments at intervals of 1 h, 4 h and 8 h. */
export const HISTORY_DAYS = 730;
export const END_MS = Date.UTC(2026, 10, 14);
export const VENUES_PER_COIN = 20;
/** The store drops prints after the end of a venue. */
const OPEN_VENUES = VENUES.filter(({ facts }) => !facts.endedAt);
const START_MS = END_MS - HISTORY_DAYS * DAY_MS;

export const coinName = (coin: number) => `COIN${coin}`;
/** Two of twenty venues settle hourly, four every four hours: about 5.7 prints a day on average. */
const intervalHoursOf = (venue: number) => (venue < 2 ? 1 : venue < 6 ? 4 : 8);
export const contractIdOf = (coin: number, venue: number) => 1 + coin * VENUES_PER_COIN + venue;

export function ratePctAt(contractId: number, timeMs: number): number {
  const hour = timeMs / HOUR_MS;
  return (((contractId * 7919 + hour * 104_729) % 30_011) - 10_000) / 1e6;
}

export function printsOf(coin: number, venue: number): Prints {
  const id = contractIdOf(coin, venue);
  const stepMs = intervalHoursOf(venue) * HOUR_MS;
  const prints: Prints = { minutes: [], ratesPct: [] };
  for (let timeMs = START_MS; timeMs < END_MS; timeMs += stepMs) {
    prints.minutes.push(timeMs / MINUTE_MS);
    prints.ratesPct.push(ratePctAt(id, timeMs));
  }
  return prints;
}

export function contractRow(coin: number, venue: number) {
  const exchange = OPEN_VENUES[venue]?.facts.exchange ?? '';
  return {
    id: contractIdOf(coin, venue),
    exchange,
    venue_symbol: `${coinName(coin)}-${venue}`,
    symbol: `${coinName(coin)}-USDT`,
    coin: coinName(coin),
    is_inverse: 0,
    listed_at_ms: null,
    walked_from_ms: START_MS,
    walked_to_ms: END_MS,
    held_since_ms: START_MS,
    last_print_ms: END_MS - intervalHoursOf(venue) * HOUR_MS,
    print_count: HISTORY_DAYS * (24 / intervalHoursOf(venue)),
    revision: 1,
  };
}

/** The history of a contract in the encoding of the store. */
export function packedBlocks(
  coin: number,
  venue: number,
): { id: number; days: Uint8Array; prints: Uint8Array }[] {
  const { minutes, ratesPct } = printsOf(coin, venue);
  const intervals = intervalsOf(minutes).minutes;
  const id = contractIdOf(coin, venue);
  const blocks = [];
  for (let block = blockOf(minutes[0] ?? 0); block <= blockOf(minutes.at(-1) ?? 0); block++) {
    const [first, end] = [block, block + 1].map((number) => firstIndexFrom(minutes, number * BLOCK_MINUTES));
    const own = { minutes: minutes.slice(first, end), ratesPct: ratesPct.slice(first, end) };
    const days = daySums(minutes, ratesPct, intervals, first ?? 0, end ?? 0);
    blocks.push({
      id: settlementBlockId(block, id),
      days: encodeDays(days, block * BLOCK_DAYS),
      prints: encodePrints(own, block * BLOCK_MINUTES),
    });
  }
  return blocks;
}
