import { bulkPoll, depthCall, historyCall } from '../bulk-poll.ts';
import { isLive } from '../observations.ts';
import {
  type EachPoll,
  FIGURE_TOPICS,
  sourced,
  TOP_TOPICS,
  type Venue,
  type VenueRequest,
} from '../venue.ts';
import {
  parseBookTickers,
  parseDepth,
  parseFundingRates,
  parseIndexes,
  parseInterval,
  parseSymbols,
  parseTickers,
} from './parse.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

const get = (path: string, query: VenueRequest['query'] = {}, weight = 1): VenueRequest => ({
  path: `/api/v1/${path}`,
  query,
  weight,
});
const PERPETUALS = { type: 'PERP' };

/** Two calls a contract, because no call has intervals; between two rounds the steps of the next settlement show changes. */
const intervals: EachPoll = {
  kind: 'each',
  name: 'intervals',
  gives: ['interval'],
  everySeconds: 1800,
  weight: 2,
  call: 'GET /api/v1/market/fundingRates, GET /api/v1/market/indexes?symbol=…',
  applies: isLive,
  collect: async (contract, { send }) => {
    const symbol = contract.venueSymbol;
    const [rates, index] = await Promise.all([
      send(get('market/fundingRates', { symbol, limit: 2 })),
      send(get('market/indexes', { symbol })),
    ]);
    return parseInterval(rates.payload, index.payload, contract, rates.receivedAtMs);
  },
};

export const pionex: Venue = {
  slug: 'pionex',
  facts: {
    exchange: 'Pionex',
    name: 'Pionex',
    takerFeePct: sourced(
      0.05,
      '2026-09-22',
      'https://support.pionex.com/hc/en-us/articles/51746121935641-Pionex-VIP-Tier-System-Upgrade',
    ),
    maxLeverage: sourced(100, '2026-11-15', 'https://emroozi.com/1995.html'),
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.pionex.com/hc/en-us/articles/51746121935641-Pionex-VIP-Tier-System-Upgrade',
    specsUrl: 'https://www.pionex.com/docs/api-docs/futures-api/common',
    fundingUrl: 'https://support.pionex.com/hc/en-us/articles/45028729414041-Funding-Fee',
    notes: [
      'No call has the interval. It is read from the newest print and the next settlement of each contract, a round over all contracts in half an hour; a contract without prints has none yet',
      'The base is the one in the symbol, because `baseCurrency` is a code of Pionex’s own (0G is ZEROG, LIT is LIGHTER)',
      'Contracts that are priced in a coin (BTC_ETH_PERP, USDT_BTC_PERP; 45 of 606 on 2026-09-23) are left out',
    ],
    unknown: [
      'max leverage 100 is from a guide of others, and no call gives it per contract',
      'listing and delisting times: the list has none',
      'the weight of a call: the documentation says 5 for every call; a header showed 1, and 5 for the list of contracts (2026-09-23)',
      'which contracts are on shares: the list has no class; xStocks (a ticker and X) are known by name, any other counts as a coin',
      'what contracts that are priced in a coin settle in',
      'a cap of the rate: none is published; -1.24 % for 4 hours was seen',
      'how far back the settled history goes',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.pionex.com' },
  // The venue allows a weight of 10 a second and address over all endpoints.
  budgets: { ip: { capacity: 7, windowSeconds: 1 } },
  // A ban of 60 seconds, which each further request makes longer.
  pauseAfterStatus: { 429: 60 },
  polls: [
    bulkPoll({
      name: 'symbols',
      gives: ['contracts'],
      everySeconds: 300,
      request: get('common/symbols', PERPETUALS, 5),
      parse: parseSymbols,
    }),
    {
      kind: 'bulk',
      name: 'indexes',
      gives: ['rate', 'next settlement', ...FIGURE_TOPICS],
      everySeconds: 15,
      weight: 2,
      call: 'GET /api/v1/market/indexes, GET /api/v1/market/openInterests?type=PERP',
      collect: async ({ send, contracts }) => {
        const open = await send(get('market/openInterests', PERPETUALS));
        const { payload, receivedAtMs } = await send(get('market/indexes'));
        return parseIndexes(payload, open.payload, { receivedAtMs, contracts });
      },
    },
    bulkPoll({
      name: 'bookTickers',
      gives: TOP_TOPICS,
      everySeconds: 5,
      request: get('market/bookTickers', PERPETUALS),
      parse: parseBookTickers,
    }),
    bulkPoll({
      name: 'tickers',
      gives: ['volume'],
      everySeconds: 60,
      request: get('market/tickers', PERPETUALS),
      parse: parseTickers,
    }),
    intervals,
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol: symbol }, { toMs: endTime }) =>
      get('market/fundingRates', { symbol, endTime, limit: HISTORY_PAGE_ROWS }),
    parseFundingRates,
  ),
  depth: depthCall(
    ({ venueSymbol: symbol }) => get('market/depth', { symbol, limit: DEPTH_LEVELS }),
    parseDepth,
  ),
};
