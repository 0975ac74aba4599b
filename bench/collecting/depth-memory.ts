import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { KnownBook } from '../../src/engines/depth/known-book.ts';
import { DEPTH_TABLE, depthTable } from '../../src/engines/depth/table.ts';
import { COST_SIZES_USD, COSTS, encodeCosts } from '../../src/history/depth/cost-codec.ts';
import type { CostFigures } from '../../src/history/depth/figures.ts';
import { COSTS_EVERY_MINUTES } from '../../src/history/depth/store.ts';
import type { FrozenContract } from '../../src/market/freeze.ts';
import { decodeTable, encodeTable } from '../../src/market/tables/table-codec.ts';
import type { Depth } from '../../src/venues/observations.ts';

/** Prints what depth holds in memory and stores in a day, with made books. Started with --expose-gc. */
const CONTRACTS = Number(process.argv[2] ?? 9000);
const VENUES = 33;
const LEVELS = 100;
const MB = 1e6;

export interface DepthMemory {
  /** Books, curves and the figures of the last day. */
  collectorMb: number;
  tablesMb: number;
  storedMbPerDay: number;
}

let seed = 1;
function random(): number {
  seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

function liveMb(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

/** Books from deep to thin, with a tick from 0.1 to 10 basis points. */
function madeBook(venueSymbol: string): Depth {
  const [price, tick, worth] = [10 ** (6 * random() - 2), 10 ** (2 * random() - 5), 10 ** (2 + 3 * random())];
  const side = (sign: 1 | -1): Depth['bids'] =>
    Array.from({ length: LEVELS }, (_, i) => {
      const at = price * (1 + sign * tick * (i + 0.5 + 0.4 * random()));
      return [at, (worth * (0.3 + random())) / at];
    });
  return { venueSymbol, bids: side(-1), asks: side(1), venueTimeMs: null };
}

const contracts = Array.from({ length: CONTRACTS }, (_, i) => {
  const [exchange, venueSymbol] = [`Venue${i % VENUES}`, `COIN${i}USDT`];
  return {
    ...{
      key: `${exchange}/${venueSymbol}`,
      exchange,
      venueSymbol,
      symbol: `COIN${i}-USDT`,
      coin: `COIN${i}`,
    },
    ...{ quote: 'USDT', isInverse: false, multiplier: 1, assetClass: 'crypto', volume24hUsdt: 1e6 },
  } as FrozenContract;
});
const beforeMb = liveMb();
const books = new Map(
  contracts.map(({ key, venueSymbol }) => [key, KnownBook.received(madeBook(venueSymbol), 1, false)]),
);
const curves = new Map(
  [...books].flatMap(([key, { curve, atMs }]) =>
    curve ? [[key, { curve, atMs, periodMs: MINUTE_MS }]] : [],
  ),
);
const days = new Map(
  contracts.map(({ key }): [string, CostFigures] => [
    key,
    { medianPct: new Float64Array(COSTS).fill(0.1), worstPct: new Float64Array(COSTS).fill(0.2) },
  ]),
);
const collectorMb = liveMb() - beforeMb;

const market = { asOfMs: 2, states: [], identities: new Map(), contracts, curves };
const frame = encodeTable(depthTable(market, new Map(), ({ key }) => days.get(key)));
const first = decodeTable(frame, DEPTH_TABLE);
const firstMb = liveMb();
const second = decodeTable(frame, DEPTH_TABLE);
// Readers have the table of now and, on Demo, that of 15 minutes ago.
const tablesMb = 2 * (liveMb() - firstMb);

let storedBytes = 0;
for (const ofVenue of Map.groupBy(contracts, ({ exchange }) => exchange).values())
  storedBytes += encodeCosts(
    ofVenue.map(({ key }, id) => {
      const { asks, bids } = books.get(key)?.curve ?? {};
      const costs = [asks, bids].flatMap((side) =>
        COST_SIZES_USD.map((size) => side?.costPct(size) ?? Number.NaN),
      );
      return { id, costsPct: Float64Array.from(costs) };
    }),
  ).length;
const timesPerDay = DAY_MS / MINUTE_MS / COSTS_EVERY_MINUTES;
const measured: DepthMemory = { collectorMb, tablesMb, storedMbPerDay: (storedBytes * timesPerDay) / MB };
if (first?.rowCount !== books.size || second?.rowCount !== books.size)
  throw new Error('a table is not whole');
console.log(JSON.stringify(measured));
