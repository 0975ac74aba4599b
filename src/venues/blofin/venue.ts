import { depthCall, historyCall, joinedPoll, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { rowsForWindow } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseDepth,
  parseFigures,
  parseFundingHistory,
  parseFundingRates,
  parseInstruments,
  parseTickers,
} from './parse.ts';
import { DEPTH_LEVELS, DOCS, HISTORY_PAGE_ROWS } from './wire.ts';

const HOST = 'https://openapi.blofin.com';
const PREFIX = '/api/v1/market';
const poll = pollsUnder(PREFIX);

export const blofin: Venue = {
  slug: 'blofin',
  facts: {
    exchange: 'BloFin',
    name: 'BloFin',
    kind: 'cex',
    listingFields: { preopen: 'future `listTime`', openingTime: '`listTime`', end: '`offTime`' },
    takerFeePct: sourced(0.06, '2026-09-25', 'https://www.npmjs.com/package/ccxt/v/4.5.84'),
    maxLeverage: sourced(150, '2026-09-13', `${HOST}${PREFIX}/instruments`),
    counts: {
      openInterest: unknownSides(
        'no source says; the venue prints whole contracts and trades tenths, so the parity of the 11 recorded values says nothing',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/blofin',
      ),
      volume: oneSide(
        'odd in 2 of 13 recorded rows (1,879,621.3 and 22,748.9 in lots of 0.1), and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/blofin',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: DOCS,
    fundingUrl: `${DOCS}#get-funding-rate`,
    notes: [
      'The venue refuses addresses in Canada and Hong Kong, and those of Cloudflare, with HTTP 403 (2026-09).',
    ],
    unknown: [
      'taker fee: only ccxt states it; the fee page was not read',
      'that offTime is the end of trading: it is empty on every contract that was seen',
      'whether contracts are listed before they open; a listTime in the future is read as not open yet',
      'whether the rate just charged is shown after a settlement',
      'the largest rate of a settlement over all contracts: each has its own cap, up to 5 % where seen',
      'open interest of inverse contracts: not in the list',
      'announcements: only pages',
    ],
  },
  hosts: { rest: HOST },
  // 500 calls a minute and 1,500 in five minutes, or the address is refused for five minutes or an hour.
  budgets: { rest: { capacity: 225, windowSeconds: 60 } },
  polls: [
    poll('instruments', { gives: ['contracts'], everySeconds: 300, parse: parseInstruments }),
    poll('funding-rate', { gives: FUNDING_TOPICS, everySeconds: 15, parse: parseFundingRates }),
    poll('tickers', { gives: [...TOP_TOPICS, 'volume'], everySeconds: 5, parse: parseTickers }),
    joinedPoll({
      name: 'mark-price',
      gives: FIGURE_TOPICS,
      everySeconds: 30,
      requests: { marks: { path: `${PREFIX}/mark-price` }, interest: { path: `${PREFIX}/open-interest` } },
      parse: parseFigures,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol }, window) => {
    const limit = rowsForWindow(window, HISTORY_PAGE_ROWS);
    const query = { instId: venueSymbol, after: window.toMs + 1, limit };
    return { path: `${PREFIX}/funding-rate-history`, query };
  }, parseFundingHistory),
  depth: depthCall(({ venueSymbol }) => {
    const query = { instId: venueSymbol, size: DEPTH_LEVELS };
    return { path: `${PREFIX}/books`, query };
  }, parseDepth),
};
