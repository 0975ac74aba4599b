import { HOUR_MS } from '../../base/times.ts';
import type { Batch } from '../observations.ts';
import type { BulkPoll, ParseContext, Venue, VenueRequest } from '../venue.ts';
import {
  parseAnnouncements,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseTickers,
} from './parse.ts';
import { parseInstruments } from './parse-contracts.ts';

const FUNDING_PAGE_ROWS = 400;
const DEPTH_LEVELS = 100;

function poll(
  request: Pick<VenueRequest, 'path' | 'query' | 'headers'> & { budget: string },
  gives: BulkPoll['gives'],
  everySeconds: number,
  parse: (payload: unknown, context: ParseContext) => Batch,
): BulkPoll {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    kind: 'bulk',
    name: request.path.slice(request.path.lastIndexOf('/') + 1),
    gives,
    everySeconds,
    weight: 1,
    call: `GET ${request.path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    collect: async ({ ask, contracts }) => {
      const reply = await ask(request);
      return parse(reply.payload, { receivedAtMs: reply.receivedAtMs, contracts });
    },
  };
}

export const okx: Venue = {
  slug: 'okx',
  facts: {
    exchange: 'OKX',
    name: 'OKX',
    takerFeePct: { value: 0.05, readOn: '2026-11-01', source: 'https://www.okx.com/fees' },
    maxLeverage: {
      value: 100,
      readOn: '2026-11-01',
      source: 'https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments',
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.okx.com/fees',
    specsUrl: 'https://www.okx.com/trade-market/info/swap',
    fundingUrl: 'https://www.okx.com/trade-market/funding/swap',
    unknown: [
      'the size of an announced contract, until five minutes before it opens',
      'prevFundingTime is in replies of 2026 but not in the documentation',
      'names like LISTING-SWAP-SLX-USDT for announced contracts: seen by one client for spot, taken to hold for perpetuals',
      'the turnover of a linear contract in quote units: coins of the last 24 hours times the last price stand for it',
      'which notices the feed leaves out: it depends on the country of the address that asks',
    ],
  },
  hosts: { rest: 'https://www.okx.com' },
  // In 2 seconds the venue allows 20 calls of instruments and of tickers, 10 of funding-rate and of its history,
  // 40 of books and 5 of announcements; some per contract too, which we do not use.
  budgets: {
    market: { capacity: 15, windowSeconds: 2 },
    funding: { capacity: 7, windowSeconds: 2 },
    history: { capacity: 7, windowSeconds: 2 },
    books: { capacity: 30, windowSeconds: 2 },
    support: { capacity: 3, windowSeconds: 2 },
  },
  polls: [
    poll(
      { path: '/api/v5/public/instruments', query: { instType: 'SWAP' }, budget: 'market' },
      ['contracts'],
      300,
      parseInstruments,
    ),
    poll(
      { path: '/api/v5/public/funding-rate', query: { instId: 'ANY' }, budget: 'funding' },
      ['rate', 'interval', 'next settlement'],
      15,
      parseFundingRates,
    ),
    poll(
      { path: '/api/v5/market/tickers', query: { instType: 'SWAP' }, budget: 'market' },
      ['bid and ask', 'sizes', 'volume'],
      5,
      parseTickers,
    ),
    // One page without a type reaches back days to weeks, and has the types that only some regions use.
    poll(
      {
        path: '/api/v5/support/announcements',
        headers: { 'accept-language': 'en-US' },
        budget: 'support',
      },
      ['notices'],
      120,
      parseAnnouncements,
    ),
  ],
  streams: [],
  settlementDepthDays: 90,
  settlements: async (contract, window, { ask }) => {
    // No contract settles more than once an hour, so a short window needs no full page.
    const hours = Math.ceil((window.toMs - window.fromMs) / HOUR_MS);
    const limit = Math.min(FUNDING_PAGE_ROWS, hours + 2);
    const reply = await ask({
      path: '/api/v5/public/funding-rate-history',
      // `after` means older than. What the venue does with both ends at once is not documented.
      query: { instId: contract.venueSymbol, after: window.toMs + 1, limit },
      budget: 'history',
    });
    return parseFundingHistory(reply.payload, contract, window, limit);
  },
  depth: async (contract, { ask }) => {
    const reply = await ask({
      path: '/api/v5/market/books',
      query: { instId: contract.venueSymbol, sz: DEPTH_LEVELS },
      budget: 'books',
    });
    return parseDepth(reply.payload, contract);
  },
};
