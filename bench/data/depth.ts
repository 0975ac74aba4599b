import { depthTable } from '../../src/engines/depth/table.ts';
import { COST_SIZES_USD, COSTS } from '../../src/history/depth/cost-codec.ts';
import { type BookCurve, curveOf } from '../../src/market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../src/market/freeze.ts';
import type { Table } from '../../src/market/tables/table.ts';
import type { Depth } from '../../src/venues/observations.ts';
import { seededRandom } from '../../test/rest/random.ts';

type Book = Pick<Depth, 'bids' | 'asks'>;

const LEVELS = 50;
const MAX_PERIOD_MS = 60_000;

/** The books of contracts by key, each side with 50 levels; a tenth of them hold less than the largest sizes. */
export function madeBooks(contracts: readonly string[]): ReadonlyMap<string, Book> {
  const random = seededRandom(4);
  return new Map(
    contracts.map((contract) => {
      const mid = 1 + random.below(1_000_000) / 1e3;
      const levelUsd = random.chance(0.1) ? 500 : 10_000;
      const side = (sign: 1 | -1) => {
        let price = mid;
        return Array.from({ length: LEVELS }, (): [number, number] => {
          price *= 1 + (sign * (1 + random.below(100))) / 1e6;
          return [price, (levelUsd * (1 + random.below(100) / 50)) / price];
        });
      };
      return [contract, { bids: side(-1), asks: side(1) }];
    }),
  );
}

/** The depth table of these books; the last day had them all the time. */
export function depthOfBooks(books: ReadonlyMap<string, Book>, asOfMs: number): Table {
  const curves = new Map(
    [...books].flatMap(([contract, book]) => {
      const curve = curveOf(book);
      return curve ? [[contract, { curve, atMs: asOfMs - MAX_PERIOD_MS, periodMs: MAX_PERIOD_MS }]] : [];
    }),
  );
  const contracts = [...books.keys()].map((key) => contractOf(key, asOfMs));
  const market: FrozenMarket = { asOfMs, contracts, curves, states: [], identities: new Map() };
  return depthTable(market, new Map(), ({ key }) => {
    const curve = curves.get(key)?.curve;
    const costsPct = curve && costsOf(curve);
    return costsPct && { medianPct: costsPct, worstPct: costsPct };
  });
}

function contractOf(key: string, asOfMs: number): FrozenContract {
  const [exchange = '', venueSymbol = ''] = key.split('/');
  const coin = venueSymbol.replace(/USDT$/, '');
  return {
    ...{ key, exchange, venueSymbol, coin, symbol: `${coin}-USDT`, multiplier: 1, quote: 'USDT' },
    ...{ isInverse: false, assetClass: 'crypto', isPriceOutlier: false, ratePct: 0.01, rateAtMs: asOfMs },
    ...{ intervalHours: 8, nextFundingAtMs: null, volume24hUsdt: 1e6, takerFeePct: 0.05, maxLeverage: null },
    ...{ markPrice: null, indexPrice: null, openInterestUsdt: null, session: null },
  };
}

function costsOf({ asks, bids }: BookCurve): Float64Array {
  const costsPct = new Float64Array(COSTS);
  for (const [i, sizeUsd] of COST_SIZES_USD.entries()) {
    costsPct[i] = asks.costPct(sizeUsd);
    costsPct[COST_SIZES_USD.length + i] = bids.costPct(sizeUsd);
  }
  return costsPct;
}
