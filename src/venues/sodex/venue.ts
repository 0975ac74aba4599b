import { depthCall, noSettlements, pollsUnder } from '../bulk-poll.ts';
import { bothSides, oneSide } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseBook, parseSymbols, parseTickers } from './parse.ts';
import { BOOK_LEVELS, WEIGHTS } from './wire.ts';

const DOCS = 'https://sodex.com/documentation';
const SYMBOLS = 'https://mainnet-gw.sodex.dev/api/v1/perps/markets/symbols';
const poll = pollsUnder('/markets');

export const sodex: Venue = {
  slug: 'sodex',
  facts: {
    exchange: 'SoDEX',
    name: 'SoDEX',
    kind: 'dex',
    takerFeePct: sourced(0.04, '2026-09-14', SYMBOLS),
    makerFeePct: sourced(0.012, '2026-09-14', SYMBOLS),
    maxLeverage: sourced(40, '2026-09-14', SYMBOLS),
    rateCap: sourced({ pct: 4, perHours: 1 }, '2026-09-14', SYMBOLS),
    noHistory:
      'SoDEX publishes no settled funding. Perpwire shows its running rates only: a running rate is no payment, so settled sums and realised figures of its contracts are empty.',
    counts: {
      openInterest: bothSides(
        'fills on their own moved it by exactly twice their size in 182 windows and by once in 1, as DefiLlama measured, and 7 of 7 recorded values are even',
        '2026-09-23',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/sodex-perps-oi.ts',
      ),
      volume: oneSide(
        'odd in 4 of 7 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/sodex',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: DOCS,
    specsUrl: `${DOCS}/trading-api/rest-v1`,
    fundingUrl: `${DOCS}/trading-mechanics/funding`,
    notes: [
      'Quoted and settled in vUSDC, the USDC of its own chain; read as USDC.',
      'The rate is for one hour: the formula of eight hours, divided by 8, and half of that on traditional assets (`fundingDiscount`), by which they are known.',
      'A halted contract keeps the ticker of its last day, with the next settlement of then; it is not read.',
    ],
    unknown: [
      'whether the last running rate before a settlement is what is charged',
      'of which time the rate of a contract with another interval than an hour would be: all 98 had an hour; another one is refused',
      'the path and the weight of an order book: no reply of it is on record',
      'listing and delisting times: the list has none',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: 'https://mainnet-gw.sodex.dev/api/v1/perps' },
  // 1,200 a minute for each address.
  budgets: { ip: { capacity: 900, windowSeconds: 60 } },
  polls: [
    poll(
      'symbols',
      { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseSymbols },
      { weight: WEIGHTS.list },
    ),
    poll(
      'tickers',
      {
        gives: [...FUNDING_TOPICS, ...TOP_TOPICS, 'volume', ...FIGURE_TOPICS],
        everySeconds: 5,
        parse: parseTickers,
      },
      { weight: WEIGHTS.list },
    ),
  ],
  streams: [],
  settlementDepthDays: 0,
  settlements: noSettlements,
  depth: depthCall(
    ({ venueSymbol }) => ({
      path: `/markets/${venueSymbol}/orderbook`,
      query: { limit: BOOK_LEVELS },
      weight: WEIGHTS.book,
    }),
    parseBook,
  ),
};
