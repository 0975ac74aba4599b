import { SECOND_MS } from '../../base/times.ts';
import { depthCall, historyCall, joinedPoll, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseFundingHistory, parseFutures, parseMarkets, parseOrderbook } from './parse.ts';
import { bookTicker } from './stream.ts';
import { DEPTH_LEVELS, DOCS, HISTORY_PAGE_ROWS } from './wire.ts';

const PREFIX = '/api/v4/public';
const CALLS = `${DOCS}/api-reference/market-data`;

export const whitebit: Venue = {
  slug: 'whitebit',
  facts: {
    exchange: 'WhiteBIT',
    name: 'WhiteBIT',
    kind: 'cex',
    listingFields: { end: '`delistedAt`' },
    takerFeePct: sourced(0.055, '2026-09-22', `${CALLS}/market-info`),
    maxLeverage: sourced(100, '2026-11-15', `${DOCS}/concepts/markets`),
    rateCap: sourced({ pct: 2, perHours: null }, '2026-09-22', `${CALLS}/available-futures-markets-list`),
    counts: {
      openInterest: unknownSides(
        'no source says; the documentation shows 6,000 for BTC',
        '2024-09',
        'https://docs.whitebit.com/public/http-v4/#available-futures-markets-list',
      ),
      volume: oneSide(
        'odd in the recorded row (196,965.591 in lots of 0.001), and two sides of whole trades are even',
        '2024-09',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://whitebit.com/trading-data/trading-fees',
    specsUrl: `${DOCS}/concepts/markets`,
    fundingUrl: `${DOCS}/products/futures/overview`,
    unknown: [
      'listing times: the list has none, and shows a contract only once it trades',
      'the unit of open_interest: no page names it; the 6,000 that the documentation shows for BTC can only be coins',
      'the index of a traditional asset: most of the time it is the last trade of the contract itself',
      'the kind of a traditional asset: the list marks it only as such, so metals and fuels are known by name and the rest are stocks',
      'age of /futures: its values move every 5 seconds, and a reply can be older than the one before it',
      'how far back funding-history reaches, and whether a page can have more than 100 rows',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://whitebit.com', ws: 'wss://wss.whitebit.com' },
  // The venue allows 2,000 requests in 10 seconds and address, but 600 of order books.
  budgets: {
    lists: { capacity: 1500, windowSeconds: 10 },
    orderbook: { capacity: 450, windowSeconds: 10 },
  },
  polls: [
    joinedPoll({
      name: 'markets',
      gives: ['contracts'],
      everySeconds: 300,
      requests: { markets: { path: `${PREFIX}/markets` }, futures: { path: `${PREFIX}/futures` } },
      parse: parseMarkets,
    }),
    pollsUnder(PREFIX)('futures', {
      gives: [...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS],
      everySeconds: 15,
      parse: parseFutures,
    }),
  ],
  streams: [bookTicker],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol }, { fromMs, toMs }) => {
    const [startDate, endDate] = [Math.ceil(fromMs / SECOND_MS), Math.floor(toMs / SECOND_MS)];
    const query = { startDate, endDate, limit: HISTORY_PAGE_ROWS };
    return { path: `${PREFIX}/funding-history/${venueSymbol}`, query };
  }, parseFundingHistory),
  depth: depthCall(({ venueSymbol }) => {
    const query = { limit: DEPTH_LEVELS };
    return { path: `${PREFIX}/orderbook/${venueSymbol}`, query, budget: 'orderbook' };
  }, parseOrderbook),
};
