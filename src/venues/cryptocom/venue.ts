import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { isLive } from '../observations.ts';
import { rowsForWindow } from '../prints.ts';
import { type EachPoll, sourced, type Venue } from '../venue.ts';
import { parseBook, parseHistory, parseIndex, parseInstruments, parseTickers } from './parse.ts';
import { tickersAndFunding } from './stream.ts';
import { DEPTH_LEVELS, DOCS, HISTORY_PAGE_ROWS } from './wire.ts';

const HOST = 'https://api.crypto.com/exchange/v1';
const VALUATIONS = '/public/get-valuations';
const HELP = 'https://help.crypto.com/en/articles';
const FEES = 'https://crypto.com/exchange/document/fees-limits';
const poll = pollsUnder('/public');

/** One call a contract, because no call has all. `count` above 1 would return points that are up to tens of seconds old. */
const indexPrices: EachPoll = {
  kind: 'each',
  name: 'index prices',
  gives: ['index price'],
  everySeconds: 120,
  weight: 1,
  call: `GET ${VALUATIONS}?valuation_type=index_price`,
  applies: isLive,
  collect: async (contract, { send, contracts }) => {
    const query = { instrument_name: contract.venueSymbol, valuation_type: 'index_price', count: 1 };
    const { payload, receivedAtMs } = await send({ path: VALUATIONS, query });
    return parseIndex(payload, contract, { receivedAtMs, contracts });
  },
};

export const cryptocom: Venue = {
  slug: 'cryptocom',
  facts: {
    exchange: 'CryptoCom',
    name: 'Crypto.com Exchange',
    kind: 'cex',
    takerFeePct: sourced(0.04, '2026-09-22', FEES),
    makerFeePct: sourced(0.02, '2026-09-22', FEES),
    maxLeverage: sourced(100, '2026-09-22', `${HOST}/public/get-instruments`),
    counts: {
      openInterest: unknownSides(
        'no source says; two recorded values (10,888.9 and 12,345.12), whose lots are not known',
        '2026-09-22',
        'https://github.com/ccxt/ccxt',
      ),
      volume: unknownSides(
        'no source says; two recorded counts (1,109.8 and 879.5024) are even',
        '2023-06-27',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: `${DOCS}/public-get-instruments`,
    fundingUrl: `${HELP}/4894449-funding-and-session-settlement`,
    notes: [
      'The rate is fixed for four hours from 00:00 UTC on and charged at each of their full hours, so four prints in a row are equal. ccxt shows the estimate for the next four hours instead.',
      'Most indices of shares and commodities are made of the indices of other venues; ANTHROPICIPO and OPENAIIPO follow the contracts of OKX, Gate and Binance (2026-09-22).',
    ],
    unknown: [
      'mark price: only one contract a call or once a second over the stream, so it is left out',
      'delisting and listing times: the list has only tradable',
      'the most rows of a page of settled rates: a page is never larger than what was requested',
      'the largest rate: none is published',
      'announcements: there is a public call (get-announcements), which is not read',
    ],
  },
  hosts: { rest: HOST, ws: 'wss://stream.crypto.com/exchange/v1' },
  // 100 calls a second for each method and address.
  budgets: { rest: { capacity: 75, windowSeconds: 1 } },
  polls: [
    poll('get-instruments', { gives: ['contracts', 'interval'], everySeconds: 300, parse: parseInstruments }),
    poll('get-tickers', { gives: ['volume', 'open interest'], everySeconds: 60, parse: parseTickers }),
    indexPrices,
  ],
  streams: [tickersAndFunding],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol }, window) => {
    const range = {
      start_ts: window.fromMs,
      end_ts: window.toMs,
      count: rowsForWindow(window, HISTORY_PAGE_ROWS),
    };
    const query = { instrument_name: venueSymbol, valuation_type: 'funding_hist', ...range };
    return { path: VALUATIONS, query };
  }, parseHistory),
  depth: depthCall(({ venueSymbol }) => {
    return { path: '/public/get-book', query: { instrument_name: venueSymbol, depth: DEPTH_LEVELS } };
  }, parseBook),
};
