import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import {
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseFutures,
  parseInstruments,
} from './parse.ts';
import { bestOffers } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

const PREFIX = '/v3/public';
const OVERVIEW = 'https://support.woox.io/hc/en-us/articles/4718422102937--Futures-Overview';
const LIMIT = { capacity: 7, windowSeconds: 1 };
const poll = pollsUnder(PREFIX);

const TIERS = 'https://api.woox.io/holding-program/holdingsWooxPublic/allTierPerks';

export const woox: Venue = {
  slug: 'woox',
  facts: {
    exchange: 'WOOX',
    name: 'WOO X',
    kind: 'cex',
    listingFields: { preopen: '`TESTING`' },
    takerFeePct: sourced(0.03, '2026-09-23', TIERS),
    makerFeePct: sourced(0, '2026-09-23', TIERS),
    maxLeverage: sourced(50, '2026-11-01', OVERVIEW),
    hasNoClasses: true,
    counts: {
      openInterest: unknownSides(
        'no source says; one recorded value (221.3498) is even',
        '2026-08-14',
        'https://github.com/ccxt/ccxt',
      ),
      volume: unknownSides(
        'no source says, and no recorded row has a count in lots',
        '2026-08-14',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.woox.io/hc/en-us/articles/29498930698777--Trading-Fees',
    specsUrl: OVERVIEW,
    fundingUrl: 'https://support.woox.io/hc/en-us/articles/4719603299737',
    unknown: [
      'max leverage 50 is not confirmed, and no call gives it per contract',
      'listing and delisting times: the instrument list has none',
      'which perpetuals are on stocks: the instrument list has no such field; SNDK and EWT are known by their prices, any other share counts as a coin until its price contradicts the coin',
      'maintenance: systemInfo.status 1 or 2 is not read',
      'the age of a book over REST: its time is that of the last change, and the book of BTC was up to 46.6 s behind the stream',
      'the largest page of settled rates',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.woox.io', ws: 'wss://wss.woox.io' },
  // The venue allows 10 requests a second and address on each endpoint.
  budgets: { lists: LIMIT, history: LIMIT, orderbook: LIMIT },
  stampsEachRate: true,
  polls: [
    poll('instruments', { gives: ['contracts'], everySeconds: 300, parse: parseInstruments }),
    poll('fundingRate', { gives: FUNDING_TOPICS, everySeconds: 15, parse: parseFundingRates }),
    poll('futures', { gives: ['volume', ...FIGURE_TOPICS], everySeconds: 60, parse: parseFutures }),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol: symbol }, { fromMs, toMs }) => ({
      path: `${PREFIX}/fundingRateHistory`,
      query: { symbol, startTime: fromMs, endTime: toMs, size: HISTORY_PAGE_ROWS },
      budget: 'history',
    }),
    (payload, _contract, window) => parseFundingHistory(payload, window),
  ),
  depth: depthCall(
    ({ venueSymbol: symbol }) => ({
      path: `${PREFIX}/orderbook`,
      query: { symbol, maxLevel: DEPTH_LEVELS },
      budget: 'orderbook',
    }),
    parseDepth,
  ),
};
