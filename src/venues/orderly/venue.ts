import { historyCall, pollsUnder } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { FIGURE_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseFundingHistory, parseFundingRates, parseFutures, parseInfo } from './parse.ts';
import { bestOffers } from './stream.ts';
import { HISTORY_PAGE_ROWS } from './wire.ts';

const poll = pollsUnder('/v1/public');
const DOCS = 'https://orderly.network/docs';
const FEES = `${DOCS}/introduction/trade-on-orderly/trading-basics/trading-fees`;

export const orderly: Venue = {
  slug: 'orderly',
  facts: {
    exchange: 'Orderly',
    name: 'Orderly Network',
    kind: 'dex',
    listingFields: { openingTime: '`created_time`' },
    takerFeePct: sourced(0.03, '2026-11-15', FEES),
    maxLeverage: sourced(100, '2026-09-14', 'https://api.orderly.org/v1/public/info'),
    counts: {
      openInterest: oneSide(
        'odd in 4 of 8 recorded rows',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/orderly',
      ),
      volume: oneSide(
        'odd in 4 of 7 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/orderly',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: `${DOCS}/build-on-omnichain/restful-api/public/get-available-symbols`,
    fundingUrl: `${DOCS}/build-on-omnichain/restful-api/public/get-predicted-funding-rates-for-all-markets`,
    notes: [
      'Some hundred front ends (WOOFi Pro and others) trade on one shared book: they are one venue. A trader pays the fee of the front end, at least the base fee of 0.03 %',
      'Both rates are for one `funding_period` of the contract (4 or 8 hours), although the documentation calls them rates of 8 hours (2026-09-14: the resting rate is 0.00005 where the period is 4 hours)',
      'Books are requested over the WebSocket, a round over all contracts in 40 s: the call over HTTP needs a key',
    ],
    unknown: [
      'status words other than ACTIVE, and contracts before their opening',
      'the end of a contract: the list has none',
      'whether `created_time` is the opening or some time before it',
      'the asset class: the list has none; a contract with a margin for closed markets is no coin, and some commodities are known by name',
      'the largest cap of the rate: `cap_funding` is given per contract and was at most 2 % in the rows that were seen',
      'whether a push of `bbos` has all contracts or those that changed',
      'a limit of requests on the WebSocket',
      'how far back the settled history goes',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: 'https://api.orderly.org', ws: 'wss://ws-evm.orderly.org' },
  // The venue allows 10 requests a second and address on each endpoint.
  budgets: { lists: { capacity: 7, windowSeconds: 1 }, history: { capacity: 7, windowSeconds: 1 } },
  stampsEachRate: true,
  polls: [
    poll('info', { gives: ['contracts', 'interval'], everySeconds: 240, parse: parseInfo }),
    poll('funding_rates', { gives: ['rate', 'next settlement'], everySeconds: 15, parse: parseFundingRates }),
    poll('futures', { gives: ['volume', ...FIGURE_TOPICS], everySeconds: 30, parse: parseFutures }),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol: symbol }, { fromMs, toMs }) => ({
      path: '/v1/public/funding_rate_history',
      query: { symbol, start_t: fromMs, end_t: toMs, page: 1, size: HISTORY_PAGE_ROWS },
      budget: 'history',
    }),
    parseFundingHistory,
  ),
};
