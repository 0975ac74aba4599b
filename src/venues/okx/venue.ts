import { bulkPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { rowsForWindow } from '../prints.ts';
import { sourced, type Venue } from '../venue.ts';
import {
  parseAnnouncements,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseIndexTickers,
  parseMarkPrices,
  parseOpenInterest,
  parseTickers,
} from './parse.ts';
import { parseInstruments } from './parse-contracts.ts';

const FUNDING_PAGE_ROWS = 400;
const DEPTH_LEVELS = 100;

/** The quotes of its contracts; the call takes one. */
const INDEX_QUOTES = ['USDT', 'USD', 'USDC'] as const;

export const okx: Venue = {
  slug: 'okx',
  facts: {
    exchange: 'OKX',
    name: 'OKX',
    kind: 'cex',
    listingFields: { preopen: '`preopen`', openingTime: '`listTime`', end: '`expTime`' },
    takerFeePct: sourced(0.05, '2026-11-01', 'https://www.okx.com/fees'),
    makerFeePct: sourced(0.02, '2026-10-16', 'https://huggingface.co/datasets/loweef/crypto-futures-fees'),
    maxLeverage: sourced(
      100,
      '2026-11-01',
      'https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments',
    ),
    counts: {
      openInterest: oneSide(
        'odd in 1 of 4 recorded rows (6,423,794.37 contracts in lots of 0.01)',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/okx',
      ),
      volume: oneSide(
        'odd in a recorded row (11,038,149.49 contracts in lots of 0.01), and two sides of whole trades are even',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/okx',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.okx.com/fees',
    specsUrl: 'https://www.okx.com/trade-market/info/swap',
    fundingUrl: 'https://www.okx.com/trade-market/funding/swap',
    notes: [
      'QNT is the share of Quantinuum (`instCategory` 3), not the coin Quant.',
      'OPENAI and ANTHROPIC are quoted at a tenth of all other venues (148.81 against 1,456 on 2026-09-15), so a table of names joins them with that factor, while the prices agree.',
      'Code 50011 in a reply with HTTP 200 pauses like a 429.',
    ],
    unknown: [
      'the size of an announced contract, until five minutes before it opens',
      'prevFundingTime is in replies of 2026 but not in the documentation',
      'names like LISTING-SWAP-SLX-USDT for announced contracts: seen by one client for spot, taken to hold for perpetuals',
      'the turnover of a linear contract in quote units: coins of the last 24 hours times the last price stand for it',
      'which notices the feed leaves out: it depends on the country of the caller’s address',
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
  tooManyCodes: { fields: ['code'], codes: ['50011'] },
  polls: [
    bulkPoll({
      name: 'instruments',
      gives: ['contracts'],
      everySeconds: 300,
      request: { path: '/api/v5/public/instruments', query: { instType: 'SWAP' }, budget: 'market' },
      parse: parseInstruments,
    }),
    bulkPoll({
      name: 'funding-rate',
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 15,
      request: { path: '/api/v5/public/funding-rate', query: { instId: 'ANY' }, budget: 'funding' },
      parse: parseFundingRates,
    }),
    bulkPoll({
      name: 'tickers',
      gives: ['bid and ask', 'sizes', 'volume'],
      everySeconds: 5,
      request: { path: '/api/v5/market/tickers', query: { instType: 'SWAP' }, budget: 'market' },
      parse: parseTickers,
    }),
    bulkPoll({
      name: 'mark-price',
      gives: ['mark price'],
      everySeconds: 15,
      request: { path: '/api/v5/public/mark-price', query: { instType: 'SWAP' }, budget: 'funding' },
      parse: parseMarkPrices,
    }),
    ...INDEX_QUOTES.map((quoteCcy) =>
      bulkPoll({
        name: `index-tickers ${quoteCcy}`,
        gives: ['index price'],
        everySeconds: 60,
        request: { path: '/api/v5/market/index-tickers', query: { quoteCcy }, budget: 'market' },
        parse: parseIndexTickers,
      }),
    ),
    bulkPoll({
      name: 'open-interest',
      gives: ['open interest'],
      everySeconds: 60,
      request: { path: '/api/v5/public/open-interest', query: { instType: 'SWAP' }, budget: 'market' },
      parse: parseOpenInterest,
    }),
    // One page without a type covers days to weeks, including types that only some regions use.
    bulkPoll({
      name: 'announcements',
      gives: ['notices'],
      everySeconds: 120,
      request: {
        path: '/api/v5/support/announcements',
        headers: { 'accept-language': 'en-US' },
        budget: 'support',
      },
      parse: parseAnnouncements,
    }),
  ],
  streams: [],
  settlementDepthDays: 90,
  settlements: async (contract, window, { send }) => {
    const limit = rowsForWindow(window, FUNDING_PAGE_ROWS);
    const reply = await send({
      path: '/api/v5/public/funding-rate-history',
      // `after` means older than. What the venue does with both ends at once is not documented.
      query: { instId: contract.venueSymbol, after: window.toMs + 1, limit },
      budget: 'history',
    });
    return parseFundingHistory(reply.payload, contract, window, limit);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/api/v5/market/books',
      query: { instId: contract.venueSymbol, sz: DEPTH_LEVELS },
      budget: 'books',
    });
    return parseDepth(reply.payload, contract);
  },
};
