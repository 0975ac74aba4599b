import { bulkPoll } from '../bulk-poll.ts';
import { bothSides, oneSide } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseContracts, parseDepth, parseTickers } from './parse.ts';
import { parseAnnouncements, parseFundingRates } from './parse-history.ts';

const FEE_URL = 'https://www.kucoin.com/support/48142946141635';
const SPECS_URL = 'https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols';
const NOTICES_PER_PAGE = 50;

export const kucoin: Venue = {
  slug: 'kucoin',
  facts: {
    exchange: 'KuCoin',
    name: 'KuCoin',
    kind: 'cex',
    listingFields: { preopen: '`Init`', openingTime: '`firstOpenDate`', end: '`expireDate`' },
    takerFeePct: sourced(0.06, '2026-11-01', FEE_URL),
    maxLeverage: sourced(125, '2026-11-01', SPECS_URL),
    rateCap: sourced(
      { pct: 4.65, perHours: null },
      '2026-09-22',
      'https://api-futures.kucoin.com/api/v1/contracts/active',
    ),
    counts: {
      openInterest: oneSide(
        'odd in 2 of 6 recorded rows (15,548,057 and 240,301 lots)',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/kucoin',
      ),
      volume: bothSides(
        'lots are even in 18 of 18 rows recorded in 2026, and were odd in rows of 2021 to 2025: it counts both sides since',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/kucoin',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEE_URL,
    specsUrl: SPECS_URL,
    fundingUrl: 'https://www.kucoin.com/support/26686295987353',
    notes: [
      'QNTX is the share of Quantinuum, QNT the coin Quant.',
      'A partial book weighs 5: documented for all sizes, measured on 2026-09-22.',
      'TRUSTUSDTM settled every 4 hours at 23:00, 03:00 and so on (2026-09-22).',
      'Three pre-market contracts (marketStage PRE_MARKET) have a fixed rate and are their own index.',
      'The list seems to come from two backends a minute apart: a rate may go forth and back.',
    ],
    unknown: [
      'how far back settled prints reach: reports range from a month to everything',
      'the page size of settled prints: at most 100 rows have been seen, no document states it',
      'whether a scheduled delisting sets expireDate on a perpetual',
      'whether contracts that are not open yet are in the list of active contracts',
      'for about a minute after a settlement the running rate is still the old estimate or the rate just charged',
    ],
  },
  hosts: { rest: 'https://api-futures.kucoin.com', notices: 'https://api.kucoin.com' },
  // The venue allows a weight of 2,000 in 30 seconds per address over all public calls.
  budgets: { public: { capacity: 1500, windowSeconds: 30 } },
  // There is no Retry-After; the allowance is reset with the next window.
  pauseAfterStatus: { 429: 30 },
  // Up to 20 s the old estimate, then the charged rate for about a minute.
  chargedRateShownSeconds: 80,
  polls: [
    bulkPoll({
      name: 'contracts',
      gives: [
        'contracts',
        'rate',
        'interval',
        'next settlement',
        'volume',
        'mark price',
        'index price',
        'open interest',
      ],
      everySeconds: 15,
      request: { path: '/api/v1/contracts/active', weight: 3 },
      parse: (payload, { receivedAtMs }) => parseContracts(payload, receivedAtMs),
    }),
    bulkPoll({
      name: 'tickers',
      gives: ['bid and ask', 'sizes'],
      everySeconds: 5,
      request: { path: '/api/v1/allTickers', weight: 5 },
      parse: parseTickers,
    }),
    // Every notice has this type in addition to its own, so one page has listings and delistings.
    bulkPoll({
      name: 'notices',
      gives: ['notices'],
      everySeconds: 120,
      request: {
        host: 'notices',
        path: '/api/v3/announcements',
        query: {
          annType: 'latest-announcements',
          lang: 'en_US',
          currentPage: 1,
          pageSize: NOTICES_PER_PAGE,
        },
        weight: 20,
      },
      parse: parseAnnouncements,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const { payload } = await send({
      path: '/api/v1/contract/funding-rates',
      query: { symbol: contract.venueSymbol, from: window.fromMs, to: window.toMs },
      weight: 5,
    });
    return parseFundingRates(payload, window);
  },
  depth: async (contract, { send }) => {
    const { payload } = await send({
      path: '/api/v1/level2/depth100',
      query: { symbol: contract.venueSymbol },
      weight: 5,
    });
    return parseDepth(payload, contract);
  },
};
