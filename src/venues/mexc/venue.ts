import { bulkPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { pageNumberOf } from '../prints.ts';
import { sourced, type Venue } from '../venue.ts';
import {
  parseAnnouncements,
  parseContracts,
  parseDepth,
  parseFundingRates,
  parseSettlements,
  parseTickers,
} from './parse.ts';
import { bookStream } from './stream.ts';

const CONTRACT = '/api/v1/contract';
/** The largest page that clients of the venue use; what it does with a larger one is not documented. */
const HISTORY_PAGE_ROWS = 100;

export const mexc: Venue = {
  slug: 'mexc',
  facts: {
    exchange: 'MEXC',
    name: 'MEXC',
    kind: 'cex',
    listingFields: { preopen: 'future `openingTime`', openingTime: '`openingTime`', end: 'status only' },
    takerFeePct: sourced(
      0.08,
      '2026-11-01',
      'https://www.mexc.com/announcements/article/updates-to-api-futures-trading-fees-jun-1-2026-17827791535742',
    ),
    maxLeverage: sourced(
      500,
      '2026-11-01',
      'https://www.mexc.com/api-docs/futures/market-endpoints/get-contract-info',
    ),
    counts: {
      openInterest: oneSide(
        'odd in 2 of 3 recorded rows (417,583,841 and 26,704,023 contracts)',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/mexc',
      ),
      volume: oneSide(
        'odd in a recorded row (105,078,167 contracts), and two sides of whole trades are even',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/mexc',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.mexc.com/fee',
    specsUrl: 'https://www.mexc.com/api-docs/futures/market-endpoints/get-contract-info',
    fundingUrl: 'https://www.mexc.com/futures/information/funding_list/BTC_USDT',
    notes: [
      'History is requested in pages of 100, the largest size that clients use; more was never tried.',
      'One contract settles every 24 hours and one every 2 (2026-09-15).',
      '41 contracts cannot be traded by API (apiAllowed false, 2026-09-15); their rows are published like all others.',
      'The REST book can be a second old or go back in time; depth samples read it.',
    ],
    unknown: [
      'the taker fee is that of API orders; orders on the web and in the app pay a rate per contract, 0 to 0.10 %, 0.02 % on most',
      'scheduled delisting times: a contract leaves the list when it ends',
      'listing times of older contracts: openingTime is 0',
      'whether a contract that is not open yet is listed as state 0 or 4: a later opening time decides',
      'how far back funding_rate/history goes: the documentation shows 1,619 prints of BTC_USDT, about 540 days',
      'how many subscriptions and connections the WebSocket allows: 150 on one have been seen to work',
      'the category and the text of announcements',
    ],
  },
  hosts: { rest: 'https://api.mexc.com', stream: 'wss://contract.mexc.com' },
  // In two seconds and for each path: 10 for lists, tickers and books, 20 for funding, 5 for announcements.
  // History and depth are background work, which never uses more than 70 %.
  budgets: {
    market: { capacity: 7, windowSeconds: 2 },
    history: { capacity: 20, windowSeconds: 2 },
    depth: { capacity: 10, windowSeconds: 2 },
    announcements: { capacity: 3, windowSeconds: 2 },
  },
  tooManyCodes: { fields: ['code'], codes: ['510'] },
  polls: [
    bulkPoll({
      name: 'detail',
      gives: ['contracts'],
      everySeconds: 300,
      request: { path: `${CONTRACT}/detail` },
      parse: (payload, { receivedAtMs }) => parseContracts(payload, receivedAtMs),
    }),
    bulkPoll({
      name: 'funding_rate',
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 15,
      request: { path: `${CONTRACT}/funding_rate` },
      parse: parseFundingRates,
    }),
    bulkPoll({
      name: 'ticker',
      gives: ['volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 60,
      request: { path: `${CONTRACT}/ticker` },
      parse: parseTickers,
    }),
    bulkPoll({
      name: 'announcements',
      gives: ['notices'],
      everySeconds: 120,
      request: {
        path: '/api/v3/announcements',
        query: { language: 'en-US', page: 1, limit: 50 },
        budget: 'announcements',
      },
      parse: parseAnnouncements,
    }),
  ],
  streams: [bookStream],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: `${CONTRACT}/funding_rate/history`,
      query: {
        symbol: contract.venueSymbol,
        page_num: pageNumberOf(window),
        page_size: HISTORY_PAGE_ROWS,
      },
      budget: 'history',
    });
    return parseSettlements(reply.payload, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: `${CONTRACT}/depth/${contract.venueSymbol}`,
      query: { limit: 100 },
      budget: 'depth',
    });
    return parseDepth(reply.payload, contract);
  },
};
