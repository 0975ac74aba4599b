import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { pageNumberOf } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseHistory, parseInstruments, parseOrderBook, parseRates, parseTickers } from './parse.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

const FEES = 'https://www.orangex.com/agreement/fee-rates';
const FUNDING_PAGE = 'https://www.orangex.com/agreement/funding-rates';
const PERPETUALS = { query: { currency: 'PERPETUAL' } };
const poll = pollsUnder('');

export const orangex: Venue = {
  slug: 'orangex',
  facts: {
    exchange: 'OrangeX',
    name: 'OrangeX',
    kind: 'cex',
    listingFields: { preopen: 'future `creation_timestamp`', openingTime: '`creation_timestamp`' },
    takerFeePct: sourced(0.06, '2026-09-23', FEES),
    makerFeePct: sourced(0.02, '2026-09-23', FEES),
    maxLeverage: sourced(200, '2026-09-23', 'https://api.orangex.com/api/v1/public/get_instruments'),
    rateCap: sourced({ pct: 0.75, perHours: null }, '2026-09-23', FUNDING_PAGE),
    hasNoClasses: true,
    counts: {
      openInterest: unknownSides(
        'no source says; one recorded value (1,086,554) is even',
        '2026-09-23',
        'https://github.com/nemanull/arbitrage-observatory',
      ),
      volume: oneSide(
        'odd in the recorded row (2,931,979), and two sides of whole trades are even',
        '2026-06-30',
        'https://github.com/nemanull/arbitrage-observatory',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: 'https://www.orangex.com/agreement',
    fundingUrl: FUNDING_PAGE,
    notes: [
      'In the list `quote_currency` is the coin and `base_currency` is USDT',
      'The rates have 191 rows of contracts that are gone, one of them with a current time: only listed contracts are read',
      'The mark price was the last trade in 78 % of rows on 2026-09-23, so that of a quiet contract stands still',
    ],
    unknown: [
      'how long the calls last that the documentation lacks: tickers of all contracts, get_all_capital_rate, and the history of the site',
      'how much history there is: 272 prints of a contract that settles every eight hours, about 90 days, on 2026-09-23',
      'whether a page of the history may have more than the 12 rows that the site requests',
      'whether time and rate of a settled print are texts or numbers: the call is undocumented, and only a public probe of it (arbitrage-observatory, 2026-09-23) has the names of the fields',
      'whether the tickers of all contracts have turnover and open interest: both were seen in a frame of the socket',
      'whether its rates are its own: they were not compared with those of Binance',
      'the limit of calls: none is published, and 3 a second met none',
      'the asset class: no call has one; 13 shares are known by name, and BB, QNT, ON and CL may be shares, goods or coins',
      'what is in the index, and how the mark price is made',
      'delisting times, and what is_active says of a contract that ends',
      'announcements: only the help centre',
    ],
  },
  hosts: { rest: 'https://api.orangex.com/api/v1/public', site: 'https://www.orangex.com/api/v2/public' },
  // No limit is published; 3 calls a second met none.
  budgets: { rest: { capacity: 4, windowSeconds: 2 }, site: { capacity: 2, windowSeconds: 2 } },
  polls: [
    poll('get_instruments', { gives: ['contracts'], everySeconds: 300, parse: parseInstruments }, PERPETUALS),
    poll('get_all_capital_rate', { gives: FUNDING_TOPICS, everySeconds: 15, parse: parseRates }),
    poll(
      'tickers',
      { gives: [...TOP_TOPICS, 'volume', ...FIGURE_TOPICS], everySeconds: 5, parse: parseTickers },
      PERPETUALS,
    ),
  ],
  streams: [],
  settlementDepthDays: 90,
  settlements: historyCall(({ venueId }, window) => {
    const body = {
      currentPage: pageNumberOf(window),
      pageSize: HISTORY_PAGE_ROWS,
      params: { instrId: Number(venueId) },
    };
    return { host: 'site', method: 'POST', path: '/get_funding_rate_history', body, budget: 'site' };
  }, parseHistory),
  depth: depthCall(
    ({ venueSymbol }) => ({
      path: '/get_order_book',
      query: { instrument_name: venueSymbol, depth: DEPTH_LEVELS },
    }),
    parseOrderBook,
  ),
};
