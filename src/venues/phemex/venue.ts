import { bulkPoll } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { type Batch, mergeBatches } from '../observations.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { fundingSymbolOf, parseProducts } from './contracts.ts';
import {
  parseCoinMarginedTickers,
  parseFundingHistory,
  parseFundingRates,
  parseOrderBook,
  parseTickers,
} from './parse.ts';
import { bookTops } from './stream.ts';
import { FUNDING_PAGE_ROWS, HISTORY_PAGE_ROWS } from './wire.ts';

/** Market data counts against the address only, the other calls against a smaller limit too. */
const COUNTED: readonly string[] = ['address', 'public'];

const FUNDING_PATH = '/contract-biz/public/real-funding-rates';

const fundingPoll: BulkPoll = {
  kind: 'bulk',
  name: 'funding rates',
  gives: ['rate', 'interval', 'next settlement'],
  everySeconds: 15,
  weight: 1,
  call: `GET ${FUNDING_PATH}`,
  collect: async ({ send, contracts }) => {
    const batches: Batch[] = [];
    let seen = 0;
    for (let pageNum = 1; ; pageNum++) {
      const query = { pageNum, pageSize: FUNDING_PAGE_ROWS };
      const reply = await send({ path: FUNDING_PATH, query, budget: COUNTED });
      const page = parseFundingRates(reply.payload, { receivedAtMs: reply.receivedAtMs, contracts });
      batches.push(page.batch);
      seen += page.rowCount;
      if (page.rowCount === 0 || seen >= page.total) return mergeBatches(batches);
    }
  },
};

export const phemex: Venue = {
  slug: 'phemex',
  facts: {
    exchange: 'Phemex',
    name: 'Phemex',
    kind: 'cex',
    listingFields: { preopen: 'timeline', openingTime: 'timeline', end: 'timeline' },
    takerFeePct: sourced(0.06, '2026-11-01', 'https://phemex.com/fees-conditions'),
    maxLeverage: sourced(100, '2026-11-01', 'https://phemex.com/fees-conditions'),
    counts: {
      openInterest: unknownSides(
        'no source says; one recorded value (1,323.596) is even',
        '2024-09',
        'https://github.com/ccxt/ccxt',
      ),
      volume: unknownSides(
        'no source says; one recorded value (7,406.95) is even in lots of 0.001',
        '2024-09',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://phemex.com/fees-conditions',
    specsUrl: 'https://phemex-docs.github.io/#query-product-information-plus',
    fundingUrl: 'https://phemex.com/help-center/how-are-funding-rates-calculated',
    unknown: [
      'max leverage 100 is not confirmed, and no call that we make gives it per contract',
      'the unit of the listing and delisting times in the timeline of a product; milliseconds are assumed',
      'how many subscriptions a socket takes: 20 are documented, 101 have been seen to work, 50 are used, on 3 of the 5 sockets that are documented',
      'the class of PreMarket products other than OPENAI and ANTHROPIC; all are read as stocks',
      'the age of /md replies: some come from a CDN, without an Age header',
      'which of two spellings the tickers of coin-margined contracts use; both are read',
      'the time of a running rate',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.phemex.com', ws: 'wss://ws.phemex.com' },
  // 5,000 requests in five minutes and address; calls other than market data are counted to 300 a minute.
  budgets: {
    address: { capacity: 3750, windowSeconds: 300 },
    public: { capacity: 225, windowSeconds: 60 },
  },
  retryAfterHeader: 'x-ratelimit-retry-after-',
  // A wrong symbol is answered with HTTP 500.
  refusalCodes: ['6001'],
  polls: [
    bulkPoll({
      name: 'products',
      gives: ['contracts'],
      everySeconds: 300,
      request: { path: '/public/products-plus', budget: COUNTED },
      parse: (payload, { receivedAtMs }) => parseProducts(payload, receivedAtMs),
    }),
    fundingPoll,
    bulkPoll({
      name: 'tickers',
      gives: ['volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 60,
      request: { path: '/md/v3/ticker/24hr/all' },
      parse: parseTickers,
    }),
    bulkPoll({
      name: 'coin-margined tickers',
      gives: ['volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 60,
      request: { path: '/md/v1/ticker/24hr/all' },
      parse: parseCoinMarginedTickers,
    }),
  ],
  streams: [bookTops],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: '/api-data/public/data/funding-rate-history',
      query: {
        symbol: fundingSymbolOf(contract),
        start: window.fromMs,
        end: window.toMs,
        limit: HISTORY_PAGE_ROWS,
      },
      budget: COUNTED,
    });
    return parseFundingHistory(reply.payload, contract, window, HISTORY_PAGE_ROWS);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: contract.isInverse ? '/md/orderbook' : '/md/v2/orderbook',
      query: { symbol: contract.venueSymbol },
    });
    return parseOrderBook(reply.payload, contract);
  },
};
