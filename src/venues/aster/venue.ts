import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseFundingRates,
  parsePremiumIndex,
} from '../binance/parse.ts';
import { bulkPoll, depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { NOT_GIVEN, unknownSides } from '../counting/sides.ts';
import { sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseExchangeInfo, parseFundingInfo, parseNotices } from './parse.ts';

const PREFIX = '/fapi/v3';
const NOTICES_PATH = '/bapi/composite/v1/public/composite/ae/announcement/search';
const FUNDING_PAGE_ROWS = 1000;

const FEES = 'https://docs.asterdex.com/product/asterex-pro/pro-fees';
const LEVERAGE = 'https://www.asterdex.com/en/futures/trading-rules/leverage-and-margin';
const poll = pollsUnder(PREFIX);

export const aster: Venue = {
  slug: 'aster',
  facts: {
    exchange: 'Aster',
    name: 'Aster',
    kind: 'dex',
    listingFields: { preopen: '`PENDING_TRADING`', openingTime: '`onboardDate`', end: '`deliveryDate`' },
    takerFeePct: sourced(0.04, '2026-11-01', FEES),
    maxLeverage: sourced(100, '2026-11-01', LEVERAGE),
    counts: {
      openInterest: NOT_GIVEN,
      volume: unknownSides(
        'no source says; 4 of 4 recorded counts are even, too few to decide',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/aster',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: LEVERAGE,
    fundingUrl: 'https://docs.asterdex.com/product/asterex-pro/funding-rate',
    unknown: [
      'open interest: the venue gives it for one contract a call only',
      'taker fee: unconfirmed, the venue publishes the perpetual fee table as a picture; its page on stock perpetuals says 0.04 % for the first tier, ccxt has the 0.035 % that followed from its notice of 2025-05-14, others print 0.05',
      'the weight that the venue counts (x-mbx-used-weight-1m) is not read; our own count keeps below three quarters of the limit',
      'asset class of a row with symbolType 1 and an unknown tag: no coin, read as a stock',
      'max leverage per contract: the brackets need a signed call',
      'that deliveryDate moves when a delisting is scheduled is taken over from Binance, not documented',
      'limits of the notices address',
    ],
  },
  hosts: { rest: 'https://fapi.asterdex.com', web: 'https://www.asterdex.com' },
  // 403 is the answer of the firewall to too many requests.
  pauseAfterStatus: { 403: 300 },
  // The venue allows a weight of 2,400 a minute and address; for the web address nothing is documented.
  budgets: {
    rest: { capacity: 1800, windowSeconds: 60 },
    web: { capacity: 4, windowSeconds: 60 },
  },
  polls: [
    poll('exchangeInfo', { gives: ['contracts'], everySeconds: 300, parse: parseExchangeInfo }),
    poll('fundingInfo', { gives: ['interval'], everySeconds: 240, parse: parseFundingInfo }),
    poll('premiumIndex', {
      gives: ['rate', 'next settlement', 'mark price', 'index price'],
      everySeconds: 15,
      parse: parsePremiumIndex,
    }),
    poll('ticker/24hr', { gives: ['volume'], everySeconds: 60, parse: parseDayTickers }, { weight: 40 }),
    poll('ticker/bookTicker', { gives: TOP_TOPICS, everySeconds: 5, parse: parseBookTickers }, { weight: 2 }),
    bulkPoll({
      name: 'notices',
      gives: ['notices'],
      everySeconds: 120,
      request: {
        host: 'web',
        budget: 'web',
        method: 'POST',
        path: NOTICES_PATH,
        body: { page: 1, size: 50 },
      },
      parse: parseNotices,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol: symbol }, { fromMs, toMs }) => ({
      path: `${PREFIX}/fundingRate`,
      query: { symbol, startTime: fromMs, endTime: toMs, limit: FUNDING_PAGE_ROWS },
    }),
    (payload, _contract, window) => parseFundingRates(payload, window, FUNDING_PAGE_ROWS),
  ),
  depth: depthCall(
    ({ venueSymbol: symbol }) => ({ path: `${PREFIX}/depth`, query: { symbol, limit: 100 }, weight: 5 }),
    parseDepth,
  ),
};
