import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { type Batch, type Contract, mergeBatches } from '../observations.ts';
import { pageNumberOf } from '../prints.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import {
  type Part,
  parseAnnouncements,
  parseContracts,
  parseDepth,
  parseFundingRates,
  parseSettlements,
  parseTickers,
} from './parse.ts';
import { NOTICE_TYPES } from './wire.ts';

const MARKET = '/api/v2/mix/market';
const PRODUCT_TYPES: Record<Part, string> = {
  usdt: 'USDT-FUTURES',
  usdc: 'USDC-FUTURES',
  coin: 'COIN-FUTURES',
};
/** The largest page that the venue returns. */
const HISTORY_PAGE_ROWS = 100;

function productTypeOf(contract: Contract): string {
  return PRODUCT_TYPES[contract.isInverse ? 'coin' : contract.settle === 'USDC' ? 'usdc' : 'usdt'];
}

function pollsOf(part: Part): BulkPoll[] {
  const poll = (path: string, spec: BulkReading, productField = 'productType') =>
    bulkPoll({
      ...spec,
      name: `${part} ${path.slice(path.lastIndexOf('/') + 1)}`,
      request: { path, query: { [productField]: PRODUCT_TYPES[part] } },
    });
  const list: BulkReading = {
    gives: ['contracts'],
    everySeconds: 300,
    parse: (payload, { receivedAtMs }) => parseContracts(payload, part, receivedAtMs),
  };
  return [
    // Only the unified list separates stocks from metals; for coin-settled contracts it has other symbols (BTCUSD_CM).
    part === 'coin'
      ? poll(`${MARKET}/contracts`, list)
      : poll('/api/v3/market/instruments', list, 'category'),
    poll(`${MARKET}/current-fund-rate`, {
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 15,
      parse: parseFundingRates,
    }),
    poll(`${MARKET}/tickers`, {
      gives: ['bid and ask', 'sizes', 'volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 5,
      parse: parseTickers,
    }),
  ];
}

const NOTICES: BulkPoll = {
  kind: 'bulk',
  name: 'annoucements',
  gives: ['notices'],
  everySeconds: 120,
  weight: NOTICE_TYPES.length,
  call: 'GET /api/v2/public/annoucements',
  collect: async ({ send }) => {
    const batches: Batch[] = [];
    for (const annType of NOTICE_TYPES) {
      const reply = await send({
        path: '/api/v2/public/annoucements',
        query: { language: 'en_US', annType },
      });
      batches.push(parseAnnouncements(reply.payload));
    }
    return mergeBatches(batches);
  },
};

export const bitget: Venue = {
  slug: 'bitget',
  facts: {
    exchange: 'Bitget',
    name: 'Bitget',
    kind: 'cex',
    listingFields: {
      preopen: '`listed`',
      openingTime: '`launchTime`',
      end: '`offTime`, else `limitOpenTime`',
    },
    takerFeePct: sourced(0.06, '2026-11-01', 'https://www.bitget.com/fee'),
    makerFeePct: sourced(0.02, '2026-02-08', 'https://www.bitget.com/api-doc/uta/public/Instruments'),
    maxLeverage: sourced(150, '2026-11-01', 'https://www.bitget.com/docs/catalog'),
    counts: {
      openInterest: oneSide(
        'odd in 3 of 10 recorded rows',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/bitget',
      ),
      volume: oneSide(
        'odd in 5 of 11 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/bitget',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.bitget.com/fee',
    specsUrl: 'https://www.bitget.com/docs/catalog',
    fundingUrl: 'https://www.bitget.com/support/articles/12560603817108',
    notes: [
      'Coin-margined contracts: the v3 list has twenty, under other symbols (BTCUSD_CM). Rates, tickers and history are read by v2 calls, which know the classic nine, so only those are read.',
      'Eleven contracts of symbolType crypto were traditional assets by isRwa on 2026-09-14; their names decide the class.',
      'Shares pay cash dividends beside funding (cashDividend in the v3 funding call, 2026-09-13); no figure includes them.',
      'A wrong productType with a real symbol still gives a book, so the type is computed from the settlement currency.',
    ],
    unknown: [
      'unit and side of open interest of coin-margined contracts: read as coins of one side, as for the others; no source says',
      'how many pages back history-fund-rate goes',
      'which symbolType words the list uses for companies before their listing: by isRwa such a contract counts as a stock',
      'that the bar on opening positions (limitOpenTime, limit_open) always means a delisting',
      'what a v2 call answers for the eleven coin-settled contracts that only the v3 list has',
    ],
  },
  hosts: { rest: 'https://api.bitget.com' },
  // 20 a second for each path and address. History and depth are background work, which never uses more than 70 %.
  budgets: {
    market: { capacity: 15, windowSeconds: 1 },
    history: { capacity: 20, windowSeconds: 1 },
    depth: { capacity: 20, windowSeconds: 1 },
  },
  polls: [...pollsOf('usdt'), ...pollsOf('usdc'), ...pollsOf('coin'), NOTICES],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: `${MARKET}/history-fund-rate`,
      query: {
        symbol: contract.venueSymbol,
        productType: productTypeOf(contract),
        pageSize: HISTORY_PAGE_ROWS,
        pageNo: pageNumberOf(window),
      },
      budget: 'history',
    });
    return parseSettlements(reply.payload, window, HISTORY_PAGE_ROWS);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: `${MARKET}/merge-depth`,
      query: { symbol: contract.venueSymbol, productType: productTypeOf(contract), limit: 'max' },
      budget: 'depth',
    });
    return parseDepth(reply.payload, contract);
  },
};
