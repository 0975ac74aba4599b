import { historyCall, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { isLive } from '../observations.ts';
import { rowsForWindow } from '../prints.ts';
import { type EachPoll, FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseDepth, parseFunding, parseSymbols, parseTickers } from './parse.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

const API = 'https://omni.apex.exchange/api/v3';
const DOCS = 'https://api-docs.omni.apex.exchange';
const CCXT = 'https://www.npmjs.com/package/ccxt';
const poll = pollsUnder('');

/** One call gives both the top and the book: 125 contracts in 25 seconds are 300 of the 315 calls a minute that books get. */
const books: EachPoll = {
  kind: 'each',
  name: 'depth',
  gives: [...TOP_TOPICS, 'books'],
  everySeconds: 25,
  weight: 1,
  call: 'GET /depth?symbol=…',
  applies: isLive,
  collect: async (contract, { send }) => {
    const query = { symbol: contract.venueSymbol, limit: DEPTH_LEVELS };
    return parseDepth((await send({ path: '/depth', query, budget: 'books' })).payload, contract);
  },
};

export const apex: Venue = {
  slug: 'apex',
  facts: {
    exchange: 'ApeX',
    name: 'ApeX Omni',
    kind: 'dex',
    listingFields: { preopen: '`isPrelaunch`', end: '`enableOpenPosition` off, without a time' },
    takerFeePct: sourced(0.05, '2026-09-25', CCXT),
    makerFeePct: sourced(0.02, '2026-09-25', CCXT),
    maxLeverage: sourced(100, '2026-09-13', `${API}/symbols`),
    counts: {
      openInterest: unknownSides(
        'no source says; 6 of 6 recorded values are even in order steps, which is less than the 30 that decide, and volumes are odd: the audit says on /accuracy if live values are never odd',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/apex',
      ),
      volume: oneSide(
        'odd in 1 of 3 recorded rows (1,568.03 in lots of 0.01), and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/apex',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl:
      'https://apex-pro.gitbook.io/apex-pro/apex-omni-live-now/trading-perpetual-contracts/trading-fees',
    specsUrl: DOCS,
    fundingUrl: DOCS,
    notes: [
      '`fundingRate` is read and not `predictedFundingRate`, which is the interest alone: 0.0000125 at all times. BTC showed −0.00001042 at 22:59:31 and settled −0.00001020 on 2026-09-13',
      'Sizes are base units: the list has no contract size, and the one that ccxt has is the smallest order',
      'Contracts on events (predictionContract) are left out',
      'No call has the best bid and ask of all contracts: books are read one by one, each every 25 seconds',
    ],
    unknown: [
      'the fees are those that ccxt has; the fee page was not read',
      'the interval: no field has it; prints are exactly an hour apart',
      'combinations of enableTrade, enableDisplay and enableOpenPosition that no source shows: off with one of the others on, or only the display off, is read as halted, and off and not shown as delisted',
      'listing and delisting times: pullOffTime and deliveryTime stand beside contracts that have ended only',
      'the largest rate: fundingMaxRate is per contract, and of how many hours is not documented',
      'how far back the settled history goes',
      'the age of a book and of a ticker: no field has a time',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: API },
  // The venue allows 600 calls a minute for each address. Books and history are background work, which never uses more than
  // 70 %; in one budget the history of years would take the calls of the books.
  budgets: { ip: { capacity: 150, windowSeconds: 60 }, books: { capacity: 450, windowSeconds: 60 } },
  polls: [
    poll('symbols', { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseSymbols }),
    poll('data/all-ticker-info', {
      gives: [...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS],
      everySeconds: 15,
      parse: parseTickers,
    }),
    books,
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(({ venueId }, window) => {
    const { fromMs, toMs } = window;
    const limit = rowsForWindow(window, HISTORY_PAGE_ROWS);
    const query = { symbol: venueId, limit, beginTimeInclusive: fromMs, endTimeExclusive: toMs + 1 };
    return { path: '/history-funding', query };
  }, parseFunding),
};
