import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import { NOT_GIVEN, oneSide } from '../counting/sides.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import {
  type Part,
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseExchangeInfo,
  parseFundingInfo,
  parseFundingRates,
  parsePremiumIndex,
} from './parse.ts';

interface Side {
  part: Part;
  host: string;
  prefix: string;
  budget: string;
}

const USD_M: Side = { part: 'usd-m', host: 'rest', prefix: '/fapi/v1', budget: 'usd-m' };
const COIN_M: Side = { part: 'coin-m', host: 'coin-m', prefix: '/dapi/v1', budget: 'coin-m' };
const FUNDING_PAGE_ROWS = 1000;

/** Both sides of Binance offer the same calls under another prefix. */
function pollsOf({ part, host, prefix, budget }: Side): BulkPoll[] {
  const poll = (path: string, weight: number, spec: BulkReading, from = budget) =>
    bulkPoll({
      ...spec,
      name: `${part} ${path.slice(1)}`,
      request: { host, path: `${prefix}${path}`, weight, budget: from },
    });
  return [
    poll('/exchangeInfo', 1, {
      gives: ['contracts'],
      everySeconds: 300,
      parse: (payload) => parseExchangeInfo(payload, part),
    }),
    poll(
      '/fundingInfo',
      1,
      {
        gives: ['interval'],
        everySeconds: 240,
        parse: (payload, context) => parseFundingInfo(payload, context, part),
      },
      'funding',
    ),
    poll('/premiumIndex', 10, {
      gives: ['rate', 'next settlement', 'mark price', 'index price'],
      everySeconds: 15,
      parse: parsePremiumIndex,
    }),
    poll('/ticker/24hr', 40, { gives: ['volume'], everySeconds: 60, parse: parseDayTickers }),
    poll('/ticker/bookTicker', 5, {
      gives: ['bid and ask', 'sizes'],
      everySeconds: 5,
      parse: parseBookTickers,
    }),
  ];
}

export const binance: Venue = {
  slug: 'binance',
  facts: {
    exchange: 'Binance',
    name: 'Binance',
    kind: 'cex',
    listingFields: { preopen: '`PENDING_TRADING`', openingTime: '`onboardDate`', end: '`deliveryDate`' },
    takerFeePct: sourced(0.05, '2026-11-01', 'https://www.binance.com/en/fee/futureFee'),
    makerFeePct: sourced(0.02, '2026-10-12', 'https://huggingface.co/datasets/loweef/crypto-futures-fees'),
    maxLeverage: sourced(
      125,
      '2026-11-01',
      'https://www.binance.com/en/futures/trading-rules/perpetual/leverage-margin',
    ),
    counts: {
      openInterest: NOT_GIVEN,
      volume: oneSide(
        'a sample of the documentation counts 494109 coin-margined contracts, an odd number, and two sides of whole trades are even',
        '2020-05-14',
        'https://developers.binance.com/docs/derivatives/coin-margined-futures',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.binance.com/en/fee/futureFee',
    specsUrl: 'https://www.binance.com/en/futures/trading-rules/perpetual',
    fundingUrl: 'https://www.binance.com/en/futures/funding-history/perpetual/real-time-funding-rate',
    notes: [
      'Contracts quoted in BTC (ETHBTC): the turnover is converted with the price of BTCUSDT in the same reply.',
      'fundingInfo had every trading perpetual on 2026-09-13, so the documented 8 hours of an unlisted contract apply to none.',
      'Prints carry a rateType, “Regular” in all samples of 2026-09-13; it is not documented and not read.',
      'Addresses in the USA are answered with HTTP 451.',
    ],
    unknown: [
      'open interest: the venue gives it for one contract a call only',
      'max leverage per contract: the brackets need a signed call',
      'that deliveryDate moves when a delisting is scheduled is a convention, not documented',
    ],
  },
  hosts: { rest: 'https://fapi.binance.com', 'coin-m': 'https://dapi.binance.com' },
  // 403 is the answer of the firewall to too many requests, 451 that to some regions.
  pauseAfterStatus: { 403: 300 },
  // The venue allows 2,400 a minute on each side, and 500 in five minutes for fundingInfo and fundingRate together.
  budgets: {
    'usd-m': { capacity: 1800, windowSeconds: 60 },
    'coin-m': { capacity: 1800, windowSeconds: 60 },
    funding: { capacity: 400, windowSeconds: 300 },
  },
  polls: [...pollsOf(USD_M), ...pollsOf(COIN_M)],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const side = contract.isInverse ? COIN_M : USD_M;
    const reply = await send({
      host: side.host,
      path: `${side.prefix}/fundingRate`,
      query: {
        symbol: contract.venueSymbol,
        startTime: window.fromMs,
        endTime: window.toMs,
        limit: FUNDING_PAGE_ROWS,
      },
      budget: 'funding',
    });
    return parseFundingRates(reply.payload, window, FUNDING_PAGE_ROWS);
  },
  // Without a symbol the USD-M call gives all of them; the COIN-M one insists on a symbol.
  settlementsOfAll: async (window, { send }) => {
    const reply = await send({
      host: USD_M.host,
      path: `${USD_M.prefix}/fundingRate`,
      query: { startTime: window.fromMs, endTime: window.toMs, limit: FUNDING_PAGE_ROWS },
      budget: 'funding',
    });
    return parseFundingRates(reply.payload, window, FUNDING_PAGE_ROWS);
  },
  depth: async (contract, { send }) => {
    const side = contract.isInverse ? COIN_M : USD_M;
    const reply = await send({
      host: side.host,
      path: `${side.prefix}/depth`,
      query: { symbol: contract.venueSymbol, limit: 100 },
      weight: 5,
      budget: side.budget,
    });
    return parseDepth(reply.payload, contract);
  },
};
