import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseBestOffers,
  parseBook,
  parseFunding,
  parseInstruments,
  parseStatistics,
  parseTickers,
} from './parse.ts';
import { DEPTH_LEVELS } from './wire.ts';

const DOCS = 'https://docs.polymarket.com/perps';
const API = 'https://api.perpetuals.polymarket.com/v1/info';
const FUNDING_PAGE = `${DOCS}/learn-about-trading/funding`;
const poll = pollsUnder('');

export const polymarket: Venue = {
  slug: 'polymarket',
  facts: {
    exchange: 'Polymarket',
    name: 'Polymarket Perps',
    kind: 'dex',
    takerFeePct: sourced(0.04, '2026-09-30', `${API}/fees`),
    makerFeePct: sourced(0.0125, '2026-09-30', `${API}/fees`),
    maxLeverage: sourced(20, '2026-09-13', `${API}/instruments`),
    rateCap: sourced({ pct: 4, perHours: 1 }, '2026-09-13', FUNDING_PAGE),
    counts: {
      openInterest: unknownSides(
        'no source says; 3 of 3 recorded values are even, too few to decide',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/polymarket',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; no source says',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/polymarket',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: `${DOCS}/overview`,
    fundingUrl: FUNDING_PAGE,
    notes: [
      'Perpetuals only: the prediction markets of the same company have another API and are not read',
      '`volume` is read as dollars, although its description says contracts: hourly candles times their prices add up to it (2026-09-13)',
      'KPEPE and KSHIB are a thousand coins each; PONS, CASHCAT and USELESS are coins, although the venue files them as equity',
      'The rate rolls until the hour: the last one before it was within 0.3 % of the print in 3 of 3 cases on 2026-09-13',
    ],
    unknown: [
      'listing and delisting times, and a status: ui_live_time is advice for display; an ended market is one that has left the list',
      'whether bbo without a number answers with all contracts: the documentation makes it optional, and the reply on record has one row',
      'the limit of calls: no number is published; about 30 in ten seconds passed on 2026-09-30, 10 of the tightest path',
      'whether the fees of the schedule, whose one entry is of equity, are those of every category',
      'the leverage of contracts that were not read: 20 was the highest of ten',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: API },
  // No limit is published. A mixed load of 30 calls in ten seconds passed, and 10 of the tightest path.
  budgets: { ip: { capacity: 22, windowSeconds: 10 }, slow: { capacity: 7, windowSeconds: 10 } },
  polls: [
    poll('instruments', { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseInstruments }),
    poll('tickers', {
      gives: ['rate', 'next settlement', ...FIGURE_TOPICS],
      everySeconds: 15,
      parse: parseTickers,
    }),
    poll('bbo', { gives: TOP_TOPICS, everySeconds: 5, parse: parseBestOffers }),
    poll('statistics', { gives: ['volume'], everySeconds: 60, parse: parseStatistics }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(({ venueId }, { fromMs, toMs }) => {
    const query = { instrument_id: venueId, start_timestamp: fromMs, end_timestamp: toMs };
    return { path: '/funding', query, budget: ['ip', 'slow'] };
  }, parseFunding),
  depth: depthCall(
    ({ venueId }) => ({
      path: '/book',
      query: { instrument_id: venueId, depth: DEPTH_LEVELS },
      budget: ['ip', 'slow'],
    }),
    parseBook,
  ),
};
