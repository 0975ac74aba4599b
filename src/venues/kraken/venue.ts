import { bulkPoll } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseInstruments, parseOrderBook, parseTickers } from './parse.ts';
import { parseFundingRates } from './parse-funding.ts';

const PREFIX = '/derivatives/api/v3';

export const kraken: Venue = {
  slug: 'kraken',
  facts: {
    exchange: 'Kraken',
    name: 'Kraken',
    kind: 'cex',
    listingFields: {
      preopen: 'future `openingDate`',
      openingTime: '`openingDate`',
      end: '`lastTradingTime`',
    },
    takerFeePct: sourced(0.05, '2026-11-01', 'https://support.kraken.com/articles/360048917612-fee-schedule'),
    makerFeePct: sourced(0.02, '2026-10-12', 'https://huggingface.co/datasets/loweef/crypto-futures-fees'),
    maxLeverage: sourced(
      100,
      '2026-11-01',
      'https://support.kraken.com/articles/4844359082772-linear-multi-collateral-derivatives-contract-specifications',
    ),
    counts: {
      openInterest: oneSide(
        'odd in 3 of 6 recorded rows (72,513, 149,655 and 10,087)',
        '2025-11-17',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
      volume: unknownSides(
        'no source says; counts are even in 5 of 5 recorded rows, too few to decide',
        '2025-11-17',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.kraken.com/articles/360048917612-fee-schedule',
    specsUrl:
      'https://support.kraken.com/articles/4844359082772-linear-multi-collateral-derivatives-contract-specifications',
    fundingUrl: 'https://support.kraken.com/articles/360061979852-historical-funding-rates',
    notes: [
      'Tokenised shares end in a small x: AAPLx is joined with AAPL while prices agree.',
      'The cap of the rate is per contract (maxRelativeFundingRate: 0.25 % an hour in the help pages and in recorded rows, 0.5 % on most in 2026, 2 % on PF_TUSD, which was at -1.98 % on 2026-09-06) and has been raised, so the bounds of venues without a known cap hold.',
    ],
    unknown: [
      'taker fee: the fee schedules of the API have not been what is charged since 22 June 2026; the support page is',
      'whether every row of /tickers has relativeFundingRate: it is in two recorded replies; without it the amount over the index price serves, which was 0.09 % and 0.73 % of the rate beside it',
      'weights, caching and delisting flags of REST: no measurement of 2026 is known; the socket of the venue has next_funding_rate_time, which is the next full hour',
      'whether a scheduled delisting shows in lastTradingTime of a perpetual: undocumented',
      'the words of category for markets other than coins: undocumented',
      'a request limit: the documentation says that public calls cost nothing',
    ],
  },
  hosts: { rest: 'https://futures.kraken.com' },
  // Public calls have no documented limit; clients in the wild keep to about 5 a second.
  budgets: { public: { capacity: 40, windowSeconds: 10 } },
  polls: [
    bulkPoll({
      name: 'instruments',
      gives: ['contracts'],
      everySeconds: 300,
      request: { path: `${PREFIX}/instruments` },
      parse: (payload, { receivedAtMs }) => parseInstruments(payload, receivedAtMs),
    }),
    bulkPoll({
      name: 'tickers',
      gives: [
        'rate',
        'interval',
        'next settlement',
        'bid and ask',
        'sizes',
        'volume',
        'mark price',
        'index price',
        'open interest',
      ],
      everySeconds: 5,
      request: { path: `${PREFIX}/tickers` },
      parse: parseTickers,
    }),
  ],
  streams: [],
  settlementDepthDays: 365,
  settlementsComeWhole: true,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: `${PREFIX}/historical-funding-rates`,
      query: { symbol: contract.venueSymbol },
    });
    return parseFundingRates(reply.payload, contract, window, reply.receivedAtMs);
  },
  depth: async (contract, { send }) => {
    const reply = await send({ path: `${PREFIX}/orderbook`, query: { symbol: contract.venueSymbol } });
    return parseOrderBook(reply.payload, contract);
  },
};
