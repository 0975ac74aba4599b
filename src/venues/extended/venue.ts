import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { bothSides, unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseFunding, parseMarkets, parseOrderbook } from './parse.ts';
import { bestOrders } from './stream.ts';

const FEE_PAGE = 'https://docs.extended.exchange/extended-resources/trading/trading-fees-and-rebates';

export const extended: Venue = {
  slug: 'extended',
  facts: {
    exchange: 'Extended',
    name: 'Extended',
    kind: 'dex',
    listingFields: { preopen: '`PRELISTED`', end: '`REDUCE_ONLY`, without a time' },
    takerFeePct: sourced(0.025, '2026-11-15', FEE_PAGE),
    maxLeverage: sourced(100, '2026-09-14', 'https://api.starknet.extended.exchange/api/v1/info/markets'),
    counts: {
      openInterest: unknownSides(
        'no source says; 8 of 10 recorded values are even in lots',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/extended',
      ),
      volume: bothSides(
        'DefiLlama halves it after a comparison with trades (pull requests 5457 and 8122), and counts are even in 12 of 12 recorded rows',
        '2026-09-13',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/dexs/extended/index.ts',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEE_PAGE,
    specsUrl: 'https://docs.extended.exchange/extended-resources/trading/margin-schedule',
    fundingUrl: 'https://docs.extended.exchange/extended-resources/trading/funding-payments',
    notes: [
      'The host is that of the Starknet deployment, where all markets trade; the older api.extended.exchange is not called.',
      'Every call and every socket needs a User-Agent: without one the venue answers 403.',
      'Rates have six decimals of a fraction, so a rate is known to 0.0001 percent an hour.',
    ],
    unknown: [
      'listing times: createdAt is when a market was created, up to days before it opens, and 2025-07-18 for all that moved to Starknet',
      'delisting times: REDUCE_ONLY announces an end without a time',
      'the largest rate of the venue: hourlyFundingRateCap is per market, 0.25 to 1 percent in the rows that were read',
      'the age of a book over REST: the reply has no time',
      'announcements: no feed found',
    ],
  },
  hosts: {
    rest: 'https://api.starknet.extended.exchange/api/v1',
    ws: 'wss://api.starknet.extended.exchange/stream.extended.exchange/v1',
  },
  // The venue allows 1,000 requests a minute and address.
  budgets: { rest: { capacity: 750, windowSeconds: 60 } },
  polls: [
    pollsUnder('/info')('markets', {
      gives: ['contracts', ...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS],
      everySeconds: 15,
      parse: parseMarkets,
    }),
  ],
  streams: [bestOrders],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol }, { fromMs, toMs }) => ({
      path: `/info/${encodeURIComponent(venueSymbol)}/funding`,
      query: { startTime: fromMs, endTime: toMs },
    }),
    parseFunding,
  ),
  depth: depthCall(
    ({ venueSymbol }) => ({ path: `/info/markets/${encodeURIComponent(venueSymbol)}/orderbook` }),
    parseOrderbook,
  ),
};
