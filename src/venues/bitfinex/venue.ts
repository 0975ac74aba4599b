import { HOUR_MS } from '../../base/times.ts';
import { bulkPoll, depthCall } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseBook, parseHistory, parseInfo, parseStatus, parseTickers } from './parse.ts';
import { DOCS, INTERVAL_HOURS } from './wire.ts';

const HOST = 'https://api-pub.bitfinex.com/v2';
const INFO = '/conf/pub:info:pair:futures';
const FEES = 'https://www.bitfinex.com/fees/';
const FUNDING = 'https://www.bitfinex.com/legal/derivative/funding/';
const PERIOD_MS = INTERVAL_HOURS * HOUR_MS;

export const bitfinex: Venue = {
  slug: 'bitfinex',
  facts: {
    exchange: 'Bitfinex',
    name: 'Bitfinex',
    kind: 'cex',
    takerFeePct: sourced(0, '2026-09-22', FEES),
    makerFeePct: sourced(0, '2026-09-22', FEES),
    maxLeverage: sourced(100, '2026-09-23', `${HOST}${INFO}`),
    rateCap: sourced({ pct: 2.5, perHours: null }, '2026-09-22', FUNDING),
    hasNoClasses: true,
    counts: {
      openInterest: unknownSides(
        'no source says, and no recorded row has a count in lots',
        '2023-08-04',
        'https://github.com/ccxt/ccxt',
      ),
      volume: unknownSides(
        'no source says, and no recorded row has a count in lots',
        '2023-08-04',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: 'https://www.bitfinex.com/legal/derivative/product/',
    fundingUrl: FUNDING,
    notes: [
      'The rate of a settlement is fixed eight hours before it, when the period before has ended. What accrues now is charged at the settlement after the next one.',
      'Mark price and index price are the same figure: the venue has one composite index and no mark of its own. The spot price beside it was up to 85 % off on 2026-09-23.',
      `The sizes in the tickers are those of the 25 best orders together (${DOCS}/rest-public-ticker), so tops have none: on 2026-09-23 that of BTC said 14.3 BTC where the best bid had 0.03.`,
      'Settled prints are read from the status of each minute, one call per settlement, so the history of a contract fills slowly.',
    ],
    unknown: [
      'the largest rate of three stock indices: theirs is empty; 2.5 % is that of SOL, most contracts have 0.25 %',
      'max leverage 100: from the initial margin of the contracts on record; no page states it',
      'asset class: the list has none; what is no coin is known by name',
      'listing and delisting times: the list has no status, and a delisted contract leaves it',
      'how far back the status of each minute goes',
      'announcements: no feed found',
    ],
  },
  hosts: { rest: HOST },
  // Calls a minute: 90 for the status, 90 for its history, 30 for tickers, 240 for books.
  budgets: {
    status: { capacity: 67, windowSeconds: 60 },
    history: { capacity: 67, windowSeconds: 60 },
    tickers: { capacity: 22, windowSeconds: 60 },
    books: { capacity: 180, windowSeconds: 60 },
  },
  // The address is refused for a minute, with an object where good replies are lists.
  pauseAfterStatus: { 429: 60 },
  tooManyCodes: { fields: ['error'], codes: ['ERR_RATE_LIMIT'] },
  polls: [
    bulkPoll({
      name: 'contracts',
      gives: ['contracts', 'interval'],
      everySeconds: 300,
      request: { path: INFO },
      parse: parseInfo,
    }),
    bulkPoll({
      name: 'status/deriv',
      gives: [...FUNDING_TOPICS, ...FIGURE_TOPICS],
      everySeconds: 15,
      // An address that is always the same is answered from a cache that is up to five seconds old.
      request: { path: '/status/deriv', query: { keys: 'ALL' }, timestampParameter: '_' },
      parse: parseStatus,
    }),
    bulkPoll({
      name: 'tickers',
      gives: ['bid and ask', 'volume'],
      everySeconds: 5,
      request: { path: '/tickers', query: { symbols: 'ALL' }, budget: 'tickers' },
      parse: parseTickers,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const settledAtMs = window.toMs - (window.toMs % PERIOD_MS);
    if (settledAtMs < window.fromMs) return { settlements: [], rejected: [], next: null };
    const query = { end: settledAtMs - 1, limit: 1, sort: -1 };
    const path = `/status/deriv/${contract.venueSymbol}/hist`;
    const { payload } = await send({ path, query, budget: 'history' });
    return parseHistory(payload, contract, window);
  },
  depth: depthCall(({ venueSymbol }) => {
    return { path: `/book/${venueSymbol}/P0`, query: { len: 250 }, budget: 'books' };
  }, parseBook),
};
