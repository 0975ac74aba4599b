import { bulkPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { type Batch, mergeBatches } from '../observations.ts';
import { rowsForWindow } from '../prints.ts';
import { BadReply } from '../reading.ts';
import { type BulkPoll, type SendRequest, sourced, type Venue } from '../venue.ts';
import { type Category, parseAnnouncements, parseDepth, parseFundingHistory, parseTickers } from './parse.ts';
import { parseInstruments } from './parse-contracts.ts';
import { PRE_MARKET_STATUS } from './wire.ts';

const LIST_PAGE_ROWS = 1000;
const MAX_LIST_PAGES = 20;
const FUNDING_PAGE_ROWS = 200;
const DEPTH_LEVELS = 100;
const NOTICE_TYPES = ['new_crypto', 'delistings'] as const;

/** All pages of one list. The last page carries a cursor too, so the page's length ends the walk. */
async function requestInstruments(send: SendRequest, category: Category, status?: string): Promise<Batch[]> {
  const pages: Batch[] = [];
  let cursor: string | undefined;
  while (pages.length < MAX_LIST_PAGES) {
    const reply = await send({
      path: '/v5/market/instruments-info',
      query: { category, status, limit: LIST_PAGE_ROWS, cursor },
    });
    const page = parseInstruments(reply.payload, category);
    pages.push(page.batch);
    if (page.rowCount < LIST_PAGE_ROWS || page.cursor === null) return pages;
    cursor = page.cursor;
  }
  throw new BadReply('the pages of instruments-info do not end');
}

/** USDT and USDC contracts are one category, coin-margined ones the other; both have the same calls. */
function pollsOf(category: Category): BulkPoll[] {
  return [
    {
      kind: 'bulk',
      name: `${category} instruments-info`,
      gives: ['contracts', 'interval'],
      everySeconds: 300,
      weight: 2,
      call: `GET /v5/market/instruments-info?category=${category} (open, then PreLaunch)`,
      collect: async ({ send }) =>
        mergeBatches([
          ...(await requestInstruments(send, category)),
          ...(await requestInstruments(send, category, PRE_MARKET_STATUS)),
        ]),
    },
    bulkPoll({
      name: `${category} tickers`,
      gives: [
        'rate',
        'interval',
        'next settlement',
        'bid and ask',
        'sizes',
        'volume',
        'mark price',
        'index price',
        'open interest',
      ],
      everySeconds: 5,
      request: { path: '/v5/market/tickers', query: { category } },
      parse: parseTickers,
    }),
  ];
}

/** A call without a type mostly returns campaigns, so listings and delistings are requested by type. */
const NOTICES: BulkPoll = {
  kind: 'bulk',
  name: 'announcements',
  gives: ['notices'],
  everySeconds: 120,
  weight: NOTICE_TYPES.length,
  call: `GET /v5/announcements/index?locale=en-US&type=${NOTICE_TYPES.join('|')}`,
  collect: async ({ send }) => {
    const batches: Batch[] = [];
    for (const type of NOTICE_TYPES) {
      const reply = await send({
        path: '/v5/announcements/index',
        query: { locale: 'en-US', type, limit: 20 },
      });
      batches.push(parseAnnouncements(reply.payload));
    }
    return mergeBatches(batches);
  },
};

const categoryOf = (contract: { isInverse: boolean }): Category =>
  contract.isInverse ? 'inverse' : 'linear';

export const bybit: Venue = {
  slug: 'bybit',
  facts: {
    exchange: 'Bybit',
    name: 'Bybit',
    kind: 'cex',
    listingFields: {
      preopen: '`PreLaunch`',
      openingTime: 'start of continuous trading, else `launchTime`',
      end: '`deliveryTime`',
    },
    takerFeePct: sourced(
      0.055,
      '2026-11-01',
      'https://www.bybit.com/en/help-center/article/Trading-Fee-Structure',
    ),
    makerFeePct: sourced(0.02, '2026-10-16', 'https://huggingface.co/datasets/loweef/crypto-futures-fees'),
    maxLeverage: sourced(150, '2026-11-15', 'https://bybit-exchange.github.io/docs/v5/market/instrument'),
    counts: {
      openInterest: oneSide(
        'singleOpenInterest is read, and half of openInterest where a row lacks it: 26631.431 beside 53262.861',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/bybit',
      ),
      volume: oneSide(
        'odd in 3 of 5 recorded rows (10,367,810.7 in lots of 0.1), and two sides of whole trades are even',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/bybit',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.bybit.com/en/help-center/article/Trading-Fee-Structure',
    specsUrl: 'https://www.bybit.com/en/announcement-info/transact-parameters/',
    fundingUrl: 'https://www.bybit.com/en/announcement-info/fund-rate/',
    notes: [
      '1000NEIROCTO is a thousand NEIRO.',
      'Contracts of the Innovation Zone (symbolType innovation, 124 on 2026-09-14) pay a taker fee of 0.11 %, pre-market ones 0.1 %; every figure that has a fee in it uses the contract’s own.',
      'Max leverage is that of BTCUSDT and ETHUSDT on 2026-09-11; the list gives it per contract, and /exchanges shows the largest.',
      'A delisting settles open positions at a fee of 0.05 %; no figure includes it.',
    ],
    unknown: [
      'the taker fee of 0.055 % is general knowledge',
      'how far back funding/history reaches is not documented',
      'whether the plain list also has contracts in status PendingOpen: one client says so, the documentation does not',
    ],
  },
  hosts: { rest: 'https://api.bybit.com' },
  // The venue allows 600 calls in 5 seconds from one address, over all paths.
  budgets: { ip: { capacity: 450, windowSeconds: 5 } },
  // "Access too frequent": the venue demands a pause of ten minutes.
  pauseAfterStatus: { 403: 600 },
  polls: [...pollsOf('linear'), ...pollsOf('inverse'), NOTICES],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const limit = rowsForWindow(window, FUNDING_PAGE_ROWS);
    const reply = await send({
      path: '/v5/market/funding/history',
      query: {
        category: categoryOf(contract),
        symbol: contract.venueSymbol,
        endTime: window.toMs,
        limit,
      },
    });
    return parseFundingHistory(reply.payload, contract, window, limit);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/v5/market/orderbook',
      query: { category: categoryOf(contract), symbol: contract.venueSymbol, limit: DEPTH_LEVELS },
    });
    return parseDepth(reply.payload, contract);
  },
};
