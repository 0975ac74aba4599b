import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import { NOT_GIVEN, oneSide } from '../counting/sides.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { requestSettlements } from './history.ts';
import {
  parseContracts,
  parseDepth,
  parseInverseContracts,
  parsePremiumIndex,
  parseTickers,
} from './parse.ts';

const FEE_URL = 'https://bingx.com/en/support/articles/360046487573-perpetual-futures-fee-schedule';
const SPECS_URL = 'https://bingx.com/en-us/support/articles/360045899754/';
const LINEAR = '/openApi/swap/v2/quote';
const INVERSE = '/openApi/cswap/v1/market';

/** Coin-M calls are refused without a timestamp, although nothing is signed. */
const TIMESTAMPED = { timestampParameter: 'timestamp' } as const;

function linear(path: string, spec: BulkReading): BulkPoll {
  return bulkPoll({ ...spec, name: path, request: { path: `${LINEAR}/${path}` } });
}

function inverse(path: string, spec: BulkReading): BulkPoll {
  return bulkPoll({
    ...spec,
    name: `coin-m ${path}`,
    request: { path: `${INVERSE}/${path}`, ...TIMESTAMPED },
  });
}

const TICKERS: BulkReading = {
  gives: ['bid and ask', 'sizes', 'volume'],
  everySeconds: 5,
  parse: parseTickers,
};

export const bingx: Venue = {
  slug: 'bingx',
  facts: {
    exchange: 'BingX',
    name: 'BingX',
    kind: 'cex',
    listingFields: { preopen: 'status 5, 10', openingTime: '`launchTime`', end: '`offTime`, status 29' },
    takerFeePct: sourced(0.05, '2026-11-01', FEE_URL),
    makerFeePct: sourced(0.02, '2026-10-16', 'https://huggingface.co/datasets/loweef/crypto-futures-fees'),
    maxLeverage: sourced(125, '2026-11-01', SPECS_URL),
    rateCap: sourced(
      { pct: 6, perHours: null },
      '2026-09-23',
      'https://open-api.bingx.com/openApi/swap/v2/quote/premiumIndex',
    ),
    counts: {
      openInterest: NOT_GIVEN,
      volume: oneSide(
        'odd in 1 of 3 recorded rows, and two sides of whole trades are even',
        '2024-09',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEE_URL,
    specsUrl: SPECS_URL,
    fundingUrl: 'https://bingx.com/en/support/articles/14857605906575',
    notes: [
      'Traditional assets have names such as NCSKTSLA2USD, which are joined with the names of other venues while prices agree.',
      'The contract list had no leverage fields on 2026-09-13, so max leverage is the figure of the help pages.',
      'Orders by API are closed on some trading rows (78 on 2026-09-23); these are published like all others.',
      'Replies come from replicas: a rate may go forth and back within seconds.',
    ],
    unknown: [
      'open interest: the venue gives it for one contract a call only',
      'the interval and the settled prints of coin-M contracts: no public call gives them',
      'the taker fee of coin-M contracts and, by region, of stocks, forex and commodities',
      'max leverage: the help pages name 150, the contract list 125 at most when it was recorded',
      'what status 10 ("accessed") means; it is read as not open yet',
      'no public feed of announcements is documented',
    ],
  },
  hosts: { rest: 'https://open-api.bingx.com' },
  // The venue allows 500 calls in 10 seconds per address and call; we share one such budget over all of them.
  budgets: { market: { capacity: 375, windowSeconds: 10 } },
  // A limited or blocked address is let in again after five minutes; calling on meanwhile earns a longer ban.
  pauseAfterStatus: { 403: 300, 429: 300 },
  polls: [
    linear('contracts', {
      gives: ['contracts'],
      everySeconds: 300,
      parse: (payload, { receivedAtMs }) => parseContracts(payload, receivedAtMs),
    }),
    linear('premiumIndex', {
      gives: ['rate', 'interval', 'next settlement', 'mark price', 'index price'],
      everySeconds: 15,
      parse: parsePremiumIndex,
    }),
    linear('ticker', TICKERS),
    inverse('contracts', { gives: ['contracts'], everySeconds: 300, parse: parseInverseContracts }),
    inverse('premiumIndex', {
      gives: ['rate', 'next settlement', 'mark price', 'index price'],
      everySeconds: 15,
      parse: parsePremiumIndex,
    }),
    inverse('ticker', TICKERS),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) =>
    contract.isInverse
      ? { settlements: [], rejected: [], next: null }
      : await requestSettlements(contract, window, send),
  depth: async (contract, { send }) => {
    const query = { symbol: contract.venueSymbol, limit: 100 };
    const { payload } = await send(
      contract.isInverse
        ? { path: `${INVERSE}/depth`, query, ...TIMESTAMPED }
        : { path: `${LINEAR}/depth`, query },
    );
    return parseDepth(payload, contract);
  },
};
