import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { bothSides } from '../counting/sides.ts';
import { rowsForIdPage } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseBook, parseFundingHistory, parseInfo, parsePrices } from './parse.ts';
import { bestOffers } from './stream.ts';
import { CREDITS, HISTORY_PAGE_ROWS } from './wire.ts';

const COST = { weight: CREDITS.info };

export const pacifica: Venue = {
  slug: 'pacifica',
  facts: {
    exchange: 'Pacifica',
    name: 'Pacifica',
    kind: 'dex',
    listingFields: { openingTime: '`created_at`' },
    takerFeePct: sourced(0.04, '2026-09-25', 'https://www.npmjs.com/package/ccxt'),
    maxLeverage: sourced(50, '2026-09-14', 'https://api.pacifica.fi/api/v1/info'),
    hasNoClasses: true,
    counts: {
      openInterest: bothSides(
        'DefiLlama halves it (“double-sided (long+short), same engine convention as the doubled klines”), and 9 of 10 recorded values are even in lots',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/pacifica-oi.ts',
      ),
      volume: bothSides(
        'DefiLlama halves it (pull requests 5921 and 7925: “they include taker + maker”), and turnovers are even in lot steps in 10 of 10 recorded rows',
        '2026-05-28',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/dexs/pacifica/index.ts',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://docs.pacifica.fi/trading-on-pacifica/trading-fees',
    specsUrl: 'https://docs.pacifica.fi/trading-on-pacifica/contract-specifications',
    fundingUrl: 'https://docs.pacifica.fi/trading-on-pacifica/funding-rates',
    notes: [
      'The rate is fixed for the whole hour before its settlement: `funding` was what settled in 5 of 5 cases on 2026-09-14, although the documentation calls it the rate of the past hour.',
      'Open interest is read in base units, as the web app does; the documentation says dollars.',
    ],
    unknown: [
      'the taker fee is the one that ccxt has; the fee page was not read',
      'delisting: the list has no status, so an ended market is one that has left the list',
      'whether created_at is when a market opened or only when it was created',
      'asset class: the calls have none; the equities and commodities of the web app on 2026-09-14 are known by name',
      'the limit of calls: 100 credits a minute are documented, 1,000 were granted on 2026-09-14 (header ratelimit-policy); the price of a book is not known',
      'the largest rate',
      'announcements: no feed found',
    ],
  },
  hosts: { rest: 'https://api.pacifica.fi/api/v1', ws: 'wss://ws.pacifica.fi' },
  budgets: { credits: { capacity: 750, windowSeconds: 60 } },
  polls: [
    pollsUnder('')('info', { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseInfo }, COST),
    pollsUnder('/info')(
      'prices',
      { gives: [...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS], everySeconds: 15, parse: parsePrices },
      COST,
    ),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol: symbol }, window) => {
    const query = { symbol, limit: rowsForIdPage(window, HISTORY_PAGE_ROWS), cursor: window.cursor };
    return { path: '/funding_rate/history', query, weight: CREDITS.history };
  }, parseFundingHistory),
  depth: depthCall(
    ({ venueSymbol: symbol }) => ({ path: '/book', query: { symbol, agg_level: 1 }, ...COST }),
    parseBook,
  ),
};
