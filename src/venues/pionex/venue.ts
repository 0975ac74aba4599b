import { depthCall, historyCall, joinedPoll, pollsUnder } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { isLive } from '../observations.ts';
import { type EachPoll, FIGURE_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
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

const PREFIX = '/api/v1/market';
const PERPETUALS = { query: { type: 'PERP' } };
const SUPPORT = 'https://support.pionex.com/hc/en-us/articles';
const FEES = `${SUPPORT}/51746121935641-Pionex-VIP-Tier-System-Upgrade`;
const poll = pollsUnder(PREFIX);

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
      send({ path: `${PREFIX}/fundingRates`, query: { symbol, limit: 2 } }),
      send({ path: `${PREFIX}/indexes`, query: { symbol } }),
    ]);
    return parseInterval(rates.payload, index.payload, contract, rates.receivedAtMs);
  },
};

export const pionex: Venue = {
  slug: 'pionex',
  facts: {
    exchange: 'Pionex',
    name: 'Pionex',
    kind: 'cex',
    takerFeePct: sourced(0.05, '2026-09-22', FEES),
    maxLeverage: sourced(100, '2026-11-15', 'https://emroozi.com/1995.html'),
    hasNoClasses: true,
    counts: {
      openInterest: oneSide(
        'odd in 5 of 8 recorded rows',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/pionex',
      ),
      volume: oneSide(
        'odd in a recorded row (532,811), and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/pionex',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: 'https://www.pionex.com/docs/api-docs/futures-api/common',
    fundingUrl: `${SUPPORT}/45028729414041-Funding-Fee`,
    notes: [
      'Tokenised shares end in X: AAPLX is joined with AAPL while prices agree.',
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
    pollsUnder('/api/v1/common')(
      'symbols',
      { gives: ['contracts'], everySeconds: 300, parse: parseSymbols },
      { ...PERPETUALS, weight: 5 },
    ),
    joinedPoll({
      name: 'indexes',
      gives: ['rate', 'next settlement', ...FIGURE_TOPICS],
      everySeconds: 15,
      requests: {
        indexes: { path: `${PREFIX}/indexes` },
        interest: { path: `${PREFIX}/openInterests`, ...PERPETUALS },
      },
      parse: parseIndexes,
    }),
    poll('bookTickers', { gives: TOP_TOPICS, everySeconds: 5, parse: parseBookTickers }, PERPETUALS),
    poll('tickers', { gives: ['volume'], everySeconds: 60, parse: parseTickers }, PERPETUALS),
    intervals,
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol: symbol }, { toMs: endTime }) => {
    const query = { symbol, endTime, limit: HISTORY_PAGE_ROWS };
    return { path: `${PREFIX}/fundingRates`, query };
  }, parseFundingRates),
  depth: depthCall(({ venueSymbol: symbol }) => {
    const query = { symbol, limit: DEPTH_LEVELS };
    return { path: `${PREFIX}/depth`, query };
  }, parseDepth),
};
