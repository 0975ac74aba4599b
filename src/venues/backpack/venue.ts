import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import { NOT_GIVEN, oneSide } from '../counting/sides.ts';
import { type Contract, isLive } from '../observations.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { parseDepth, parseFundingRates, parseMarkets, parseMarkPrices, parseTickers } from './parse.ts';
import { bookTickerStream } from './stream.ts';
import { BOOK_LEVELS, FUNDING_PAGE_ROWS, INTERVAL_UNIT_MS, SPARE_FUNDING_ROWS } from './wire.ts';

function poll(name: string, spec: BulkReading): BulkPoll {
  return bulkPoll({ ...spec, name, request: { path: `/api/v1/${name}` } });
}

/** Rows needed to reach the start of a window that ends about now. */
function rowsFor(contract: Contract, window: { fromMs: number; toMs: number }): number {
  const intervalMs = (contract.intervalHours ?? 1) * INTERVAL_UNIT_MS;
  const rows = Math.ceil((window.toMs - window.fromMs) / intervalMs) + SPARE_FUNDING_ROWS;
  return Math.min(Math.max(rows, SPARE_FUNDING_ROWS), FUNDING_PAGE_ROWS);
}

export const backpack: Venue = {
  slug: 'backpack',
  facts: {
    exchange: 'Backpack',
    name: 'Backpack Exchange',
    kind: 'cex',
    listingFields: { preopen: 'future `createdAt`', openingTime: '`createdAt`' },
    takerFeePct: sourced(0.05, '2026-09-23', 'https://api.backpack.exchange/wapi/v1/feeTiers'),
    maxLeverage: sourced(75, '2026-09-23', 'https://api.backpack.exchange/api/v1/markets'),
    rateCap: sourced({ pct: 1.5, perHours: 1 }, '2026-09-23', 'https://api.backpack.exchange/api/v1/markets'),
    counts: {
      openInterest: NOT_GIVEN,
      volume: oneSide(
        'odd in 4 of 7 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/backpack',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.backpack.exchange/exchange/trading/trading-fees',
    specsUrl: 'https://support.backpack.exchange/exchange/trading/futures',
    fundingUrl: 'https://docs.backpack.exchange/#tag/Markets/operation/get_mark_prices',
    unknown: [
      'open interest: /openInterest has it in coins, without the price that would make it dollars; not read',
      'how old the list is: /markets may come from a cache for 300 s and, while it is renewed, for 600 s more, so an interval may be 15 minutes old',
      'whether limits without an account are those of an account, and whether fundingRates is a historical call',
      'whether bookTicker sends the present top on subscribing: documented is only that it sends changes; an unknown or closed market is silent, so a market that never speaks is reported and subscribed to again',
      'whether fundingRates gives more than 1,000 rows a page',
      'delisting times and announcements: no public feed found',
      'no reply of this venue was recorded: everything is from its documentation, public code and measurements of others',
    ],
  },
  hosts: { rest: 'https://api.backpack.exchange', ws: 'wss://ws.backpack.exchange' },
  // The venue allows 2,000 calls a minute, and 30 of those that return history.
  budgets: {
    rest: { capacity: 1500, windowSeconds: 60 },
    history: { capacity: 22, windowSeconds: 60 },
  },
  polls: [
    poll('markets', {
      gives: ['contracts', 'interval'],
      everySeconds: 240,
      parse: (payload, { receivedAtMs }) => parseMarkets(payload, receivedAtMs),
    }),
    poll('markPrices', {
      gives: ['rate', 'next settlement', 'mark price', 'index price'],
      everySeconds: 15,
      parse: parseMarkPrices,
    }),
    poll('tickers', { gives: ['volume'], everySeconds: 60, parse: parseTickers }),
  ],
  streams: [bookTickerStream],
  settlementDepthDays: null,
  // Pages are offsets from the newest row without a time filter, walked until a row is older than the window.
  settlements: async (contract, window, { send }) => {
    const offset = Number(window.cursor ?? 0);
    const limit = offset === 0 ? rowsFor(contract, window) : FUNDING_PAGE_ROWS;
    const reply = await send({
      path: '/api/v1/fundingRates',
      query: { symbol: contract.venueSymbol, limit, offset },
      budget: 'history',
    });
    const { settlements, rejected, rowCount, oldestMs } = parseFundingRates(
      reply.payload,
      window,
      reply.receivedAtMs,
      offset === 0 && isLive(contract),
    );
    const isLast = rowCount < limit || (oldestMs !== null && oldestMs <= window.fromMs);
    return { settlements, rejected, next: isLast ? null : { ...window, cursor: String(offset + limit) } };
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/api/v1/depth',
      query: { symbol: contract.venueSymbol, limit: BOOK_LEVELS },
    });
    return parseDepth(reply.payload, contract);
  },
};
