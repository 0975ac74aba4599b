import { SECOND_MS } from '../../base/times.ts';
import { depthCall, pollsUnder } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { pageStartMs, parseBook, parseFundingCandles, parseProducts, parseTickers } from './parse.ts';
import { DEPTH_LEVELS, DOCS, PERPETUAL, TAKER_FEE_PCT } from './wire.ts';

const HOST = 'https://api.india.delta.exchange/v2';
const PERPETUALS = { query: { contract_types: PERPETUAL } };
const poll = pollsUnder('');

export const deltaindia: Venue = {
  slug: 'deltaindia',
  facts: {
    exchange: 'DeltaIndia',
    name: 'Delta Exchange India',
    kind: 'cex',
    listingFields: { preopen: '`upcoming`', openingTime: '`launch_time`' },
    takerFeePct: sourced(TAKER_FEE_PCT, '2026-09-23', `${HOST}/products`),
    maxLeverage: sourced(100, '2026-11-18', 'https://www.delta.exchange/faqs/'),
    hasNoClasses: true,
    counts: {
      openInterest: oneSide(
        'odd in the recorded row of the global host (469,919 contracts)',
        '2023-07-12',
        'https://github.com/ccxt/ccxt',
      ),
      volume: oneSide(
        'odd in the recorded row of the global host (1,226,303 contracts), and two sides of whole trades are even',
        '2023-07-12',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: DOCS,
    fundingUrl: DOCS,
    notes: [
      'The venue serves residents of India. The exchange of the same name for other countries (api.delta.exchange) has six perpetuals and is another order book.',
      'Settled prints come from the hourly series FUNDING:{symbol}, which has a new value at each settlement: that value is taken for the rate charged there (arbitrage-observatory compared it with the premium of the hours before, 2026-09-23).',
    ],
    unknown: [
      'that the running rate is a percent of the interval, and how old the figures are: measured on the exchange for other countries, not on this host',
      'the minute after a settlement: the estimate is renewed once a minute, so whether the charged rate still shows in the first minute has not been measured',
      'settled prints: whether the value of the series from a settlement on was charged at it, or will be at the next one, has not been seen in an account',
      'settled prints of a contract whose interval has changed: the series names no settlements, so they are read on the grid of the present interval; before 2025-09-08 12:00 UTC funding was exchanged each minute, as measured on the exchange for other countries, so there are none',
      'limits of calls: not read; calls are made at three quarters of the pace of ccxt',
      'max leverage 100 is what the exchange states for all countries; a contract has that of its initial margin',
      'the taker fee was read from the contracts; the fee page was not',
      'asset class: the list has none; metals, fuels, indices and currency pairs are known by name',
      'the largest rate: each contract has an annual cap, which is not read',
      'announcements: no feed found',
    ],
  },
  hosts: { rest: HOST },
  budgets: { rest: { capacity: 150, windowSeconds: 60 } },
  polls: [
    poll(
      'products',
      { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseProducts },
      PERPETUALS,
    ),
    poll(
      'tickers',
      {
        gives: [...FUNDING_TOPICS, ...TOP_TOPICS, 'volume', ...FIGURE_TOPICS],
        everySeconds: 5,
        parse: parseTickers,
      },
      // An address that is always the same is answered from a cache that is up to two seconds old.
      { ...PERPETUALS, timestampParameter: '_' },
    ),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const start = Math.ceil(pageStartMs(window) / SECOND_MS);
    const end = Math.floor(window.toMs / SECOND_MS);
    if (start > end) return { settlements: [], rejected: [], next: null };
    const query = { resolution: '1h', symbol: `FUNDING:${contract.venueSymbol}`, start, end };
    return parseFundingCandles((await send({ path: '/history/candles', query })).payload, contract, window);
  },
  depth: depthCall(({ venueSymbol }) => {
    return { path: `/l2orderbook/${venueSymbol}`, query: { depth: DEPTH_LEVELS } };
  }, parseBook),
};
