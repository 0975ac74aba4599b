import { depthCall, joinedPoll, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { rowsForIdPage } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseExchangeInfo,
  parseFundingHistory,
  parseFundingRates,
} from './parse.ts';
import { DEPTH_LEVELS, DOCS, HISTORY_PAGE_ROWS } from './wire.ts';

const FEES = 'https://www.toobit.com/fee';
const TICKERS = 'quote/v1/contract/ticker';
const PRICES = '/quote/v1';
const poll = pollsUnder('');

export const toobit: Venue = {
  slug: 'toobit',
  facts: {
    exchange: 'Toobit',
    name: 'Toobit',
    kind: 'cex',
    listingFields: { openingTime: '`launchTime`' },
    takerFeePct: sourced(0.06, '2026-09-22', FEES),
    maxLeverage: sourced(75, '2026-11-15', 'https://www.toobit.com/en-US/announcement/novice-init-3-865'),
    counts: {
      openInterest: unknownSides(
        'no source says; 12 of 12 recorded counts of live contracts are even, which is less than the 30 that decide',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/toobit',
      ),
      volume: oneSide(
        'odd in 9 of 12 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/toobit',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: DOCS,
    fundingUrl: DOCS,
    notes: [
      'Rates of many contracts equal the estimates of Binance to every digit (BTC and ETH on 2026-09-13), so they are no independent rates.',
      'For about 75 s after a settlement a row shows the past settlement and the rate charged. Such rows are skipped.',
    ],
    unknown: [
      'max leverage: computed per contract from the initial margins of its risk limits; 75 is the largest of a notice, not of all contracts',
      'whether contracts are listed before they open, and how a delisting is marked: closingStartTime is 0 on every contract',
      'the kind of a traditional asset: rwaType is STOCK on all, currencies have a category of their own, metals, fuels and indices are known by name, and the rest are stocks',
      'the largest rate of a settlement over all contracts: each has its own cap, most 2 %',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.toobit.com' },
  // The venue allows a weight of 3,000 a minute and address. Its firewall answers 403.
  budgets: { rest: { capacity: 2250, windowSeconds: 60 } },
  pauseAfterStatus: { 403: 60 },
  polls: [
    poll('api/v1/exchangeInfo', { gives: ['contracts'], everySeconds: 300, parse: parseExchangeInfo }),
    poll('api/v1/futures/fundingRate', { gives: FUNDING_TOPICS, everySeconds: 15, parse: parseFundingRates }),
    poll(`${TICKERS}/bookTicker`, { gives: TOP_TOPICS, everySeconds: 5, parse: parseBookTickers }),
    joinedPoll({
      name: `${TICKERS}/24hr`,
      gives: ['volume', ...FIGURE_TOPICS],
      everySeconds: 60,
      requests: {
        tickers: { path: `/${TICKERS}/24hr`, weight: 40 },
        marks: { path: `${PRICES}/markPrice`, weight: 10 },
        index: { path: `${PRICES}/index` },
      },
      parse: parseDayTickers,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const limit = rowsForIdPage(window, HISTORY_PAGE_ROWS);
    const query = { symbol: contract.venueSymbol, limit, fromId: window.cursor };
    const { payload } = await send({ path: '/api/v1/futures/historyFundingRate', query });
    return parseFundingHistory(payload, contract, window, limit);
  },
  depth: depthCall(
    (contract) => ({ path: `${PRICES}/depth`, query: { symbol: contract.venueSymbol, limit: DEPTH_LEVELS } }),
    parseDepth,
  ),
};
