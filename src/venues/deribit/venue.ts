import { bulkPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { mergeBatches } from '../observations.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { parseAnnouncements, parseBookSummaries, parseInstruments, parseOrderBook } from './parse.ts';
import { parseFundingHistory, windowToRequest } from './parse-history.ts';
import { tickers } from './stream.ts';
import { DEPTH_LEVELS, NOTICES, PRINT_HOURS } from './wire.ts';

const PREFIX = '/api/v2/public';

const contractsPoll = bulkPoll({
  name: 'instruments',
  gives: ['contracts'],
  everySeconds: 300,
  request: {
    path: `${PREFIX}/get_instruments`,
    query: { currency: 'any', kind: 'future' },
    budget: 'instruments',
  },
  parse: (payload, { receivedAtMs }) => parseInstruments(payload, receivedAtMs),
});

/** One call for each currency that contracts settle in; there is none for all of them. */
const summaryPoll: BulkPoll = {
  kind: 'bulk',
  name: 'book summaries',
  gives: ['rate', 'interval', 'volume', 'mark price', 'open interest'],
  // The venue renews the summaries every 2 seconds.
  everySeconds: 15,
  weight: 3,
  call: `GET ${PREFIX}/get_book_summary_by_currency`,
  collect: async ({ send, contracts }) => {
    const currencies = new Set([...contracts.values()].map((contract) => contract.settle));
    const batches = [];
    for (const currency of currencies) {
      const reply = await send({
        path: `${PREFIX}/get_book_summary_by_currency`,
        query: { currency, kind: 'future' },
      });
      batches.push(parseBookSummaries(reply.payload, { receivedAtMs: reply.receivedAtMs, contracts }));
    }
    return mergeBatches(batches);
  },
};

const noticesPoll = bulkPoll({
  name: 'announcements',
  gives: ['notices'],
  everySeconds: 120,
  request: { path: `${PREFIX}/get_announcements`, query: { count: NOTICES } },
  parse: parseAnnouncements,
});

export const deribit: Venue = {
  slug: 'deribit',
  facts: {
    exchange: 'Deribit',
    name: 'Deribit',
    kind: 'cex',
    listingFields: {
      preopen: 'future `creation_timestamp`',
      openingTime: '`creation_timestamp`',
      end: '`expiration_timestamp`',
    },
    takerFeePct: sourced(
      0.035,
      '2026-09-22',
      'https://support.deribit.com/hc/en-us/articles/25944746248989-Fees',
    ),
    maxLeverage: sourced(
      50,
      '2026-11-01',
      'https://docs.deribit.com/api-reference/market-data/public-get_instruments',
    ),
    rateCap: sourced(
      { pct: 5, perHours: 8 },
      '2026-09-23',
      'https://support.deribit.com/hc/en-us/articles/31424939178397-Funding-Specifications',
    ),
    counts: {
      openInterest: oneSide(
        'odd in 1 of 2 recorded rows (113,233,237 contracts of 10 USD)',
        '2024-01',
        'https://github.com/ccxt/ccxt',
      ),
      volume: oneSide(
        'odd in 1 of 2 recorded rows (44,219,723 contracts of 10 USD), and two sides of whole trades are even',
        '2024-01',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.deribit.com/hc/en-us/articles/25944746248989-Fees',
    specsUrl: 'https://support.deribit.com/hc/en-us/articles/31424969384605-Linear-Perpetual',
    fundingUrl: 'https://support.deribit.com/hc/en-us/articles/31424939178397-Funding-Specifications',
    unknown: [
      'the running rate of BNB in get_book_summary_by_currency: rounded to four decimals there, so it comes from the ticker channel alone',
      'maintenance: platform_state is not read; USDC books of the channel have been up to 1.6 s behind REST',
      'that the expiration of a perpetual becomes its end when a delisting is scheduled',
      'how many public requests an address may make: only the limit of an account is published',
      'the address of an announcement',
    ],
  },
  hosts: { rest: 'https://www.deribit.com', ws: 'wss://www.deribit.com' },
  // An account may make 20 requests a second, and one for the instruments.
  budgets: {
    rest: { capacity: 15, windowSeconds: 1 },
    instruments: { capacity: 8, windowSeconds: 10 },
  },
  polls: [contractsPoll, summaryPoll, noticesPoll],
  streams: [tickers],
  settlementDepthDays: null,
  printIntervalHours: PRINT_HOURS,
  settlements: async (contract, window, { send }) => {
    const { fromMs, toMs } = windowToRequest(window);
    const reply = await send({
      path: `${PREFIX}/get_funding_rate_history`,
      query: {
        instrument_name: contract.venueSymbol,
        start_timestamp: fromMs,
        end_timestamp: toMs,
      },
    });
    return parseFundingHistory(reply.payload, contract, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: `${PREFIX}/get_order_book`,
      query: { instrument_name: contract.venueSymbol, depth: DEPTH_LEVELS },
    });
    return parseOrderBook(reply.payload, contract);
  },
};
