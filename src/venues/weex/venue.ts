import { CallError } from '../../base/http/http-client.ts';
import { parseBookTickers, parseDepth } from '../binance/parse.ts';
import { depthCall, pollsUnder } from '../bulk-poll.ts';
import { NOT_GIVEN, unknownSides } from '../counting/sides.ts';
import { FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseDayTickers,
  parseExchangeInfo,
  parseFundingRates,
  parsePremiumIndex,
  windowStartMs,
} from './parse.ts';
import { DEPTH_LEVELS, HISTORY_DEPTH_DAYS, HISTORY_PAGE_ROWS, TAKER_FEE_PCT } from './wire.ts';

const PREFIX = '/capi/v3/market';
const LIST = `https://api-contract.weex.com${PREFIX}/exchangeInfo`;
const FEES = 'https://www.weex.com/support/rate';
const poll = pollsUnder(PREFIX);

export const weex: Venue = {
  slug: 'weex',
  facts: {
    exchange: 'WEEX',
    name: 'WEEX',
    kind: 'cex',
    takerFeePct: sourced(TAKER_FEE_PCT, '2026-09-22', FEES),
    maxLeverage: sourced(400, '2026-09-23', LIST),
    counts: {
      openInterest: NOT_GIVEN,
      volume: unknownSides(
        'no source says; one recorded count (623,160.426) is even',
        '2026-04-07',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: 'https://www.weex.com/api-doc/contract/Market_API/GetContractInfo',
    fundingUrl: 'https://www.weex.com/help/articles/4410862743449',
    notes: [
      'Open interest is null: it is given per contract only, and its unit is not known (BTCUSDT read as coins was 10.8 billion dollars on 2026-09-14, more than at Binance).',
      'Shares whose ticker a coin has too end in STOCK (CATSTOCK is Caterpillar), and TON is GRAM. Three quarters of the contracts refuse orders over the API (756 of 995 on 2026-09-23). They are listed all the same.',
    ],
    unknown: [
      'status, listing and delisting times: the contract list has none, and a delisted contract leaves it',
      'whether the rate just charged is shown after a settlement, and for how long',
      'the largest rate of a settlement: the caps of the contracts are not published',
      'settled prints of more than 365 days ago: such a call is refused',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api-contract.weex.com' },
  // The venue allows a weight of 500 in 10 seconds and address, and then refuses the address for 10 seconds.
  budgets: { rest: { capacity: 375, windowSeconds: 10 } },
  polls: [
    poll('exchangeInfo', { gives: ['contracts'], everySeconds: 300, parse: parseExchangeInfo }),
    poll('premiumIndex', { gives: FUNDING_TOPICS, everySeconds: 15, parse: parsePremiumIndex }),
    poll(
      'ticker/24hr',
      { gives: ['volume', 'mark price', 'index price'], everySeconds: 30, parse: parseDayTickers },
      { weight: 40 },
    ),
    poll('ticker/bookTicker', { gives: TOP_TOPICS, everySeconds: 5, parse: parseBookTickers }),
  ],
  streams: [],
  settlementDepthDays: HISTORY_DEPTH_DAYS,
  settlements: async ({ venueSymbol: symbol }, window, { send }) => {
    const request = { path: `${PREFIX}/fundingRate`, weight: 5 };
    const query = { symbol, startTime: windowStartMs(window), endTime: window.toMs };
    try {
      const reply = await send({ ...request, query: { ...query, limit: HISTORY_PAGE_ROWS } });
      return parseFundingRates(reply.payload, window);
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 400) throw error;
      // A window that starts too long ago and an unknown contract are both refused; this call only for the latter.
      await send({ ...request, query: { symbol, limit: 1 } });
      return { settlements: [], rejected: [], next: null };
    }
  },
  depth: depthCall(
    (contract) => ({
      path: `${PREFIX}/depth`,
      query: { symbol: contract.venueSymbol, limit: DEPTH_LEVELS },
    }),
    parseDepth,
  ),
};
