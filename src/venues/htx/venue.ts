import { bulkPoll } from '../bulk-poll.ts';
import { bothSides, oneSide } from '../counting/sides.ts';
import { type BulkPoll, sourced, type Venue, type VenueRequest } from '../venue.ts';
import { walkHistory } from './history.ts';
import {
  parseContracts,
  parseDepth,
  parseFunding,
  parseIndices,
  parseOpenInterest,
  parseTickers,
} from './parse.ts';
import { HISTORY_PAGE_ROWS, type Part } from './wire.ts';

const FEE_URL = 'https://www.htx.com/support/900000089923';
const SPECS_URL = 'https://www.htx.com/support/900003247446';

interface Side {
  part: Part;
  reference: string;
  market: string;
  /** Linear lists hold dated futures unless the call names swaps. */
  query: VenueRequest['query'];
}

const LINEAR: Side = {
  part: 'linear',
  reference: '/linear-swap-api/v1',
  market: '/linear-swap-ex/market',
  query: { business_type: 'swap' },
};
const INVERSE: Side = { part: 'inverse', reference: '/swap-api/v1', market: '/swap-ex/market', query: {} };

/** Both sides of HTX offer the same calls under another prefix. */
function pollsOf({ part, reference, market, query = {} }: Side): BulkPoll[] {
  return [
    bulkPoll({
      name: `${part} contracts`,
      gives: ['contracts', 'interval'],
      everySeconds: 240,
      request: { path: `${reference}/swap_contract_info`, query, budget: 'reference' },
      parse: (payload, { receivedAtMs }) => parseContracts(payload, part, receivedAtMs),
    }),
    bulkPoll({
      name: `${part} funding`,
      gives: ['rate', 'next settlement'],
      everySeconds: 15,
      request: { path: `${reference}/swap_batch_funding_rate`, budget: 'reference' },
      parse: parseFunding,
    }),
    bulkPoll({
      name: `${part} tickers`,
      gives: ['bid and ask', 'sizes', 'volume'],
      everySeconds: 5,
      request: { path: `${market}/detail/batch_merged`, query, budget: 'market' },
      parse: parseTickers,
    }),
    bulkPoll({
      name: `${part} index`,
      gives: ['index price'],
      everySeconds: 60,
      request: { path: `${reference}/swap_index`, budget: 'reference' },
      parse: parseIndices,
    }),
    bulkPoll({
      name: `${part} open interest`,
      gives: ['open interest'],
      everySeconds: 60,
      request: { path: `${reference}/swap_open_interest`, query, budget: 'reference' },
      parse: parseOpenInterest,
    }),
  ];
}

export const htx: Venue = {
  slug: 'htx',
  facts: {
    exchange: 'HTX',
    name: 'HTX',
    kind: 'cex',
    listingFields: { preopen: 'status 2', openingTime: 'the day only', end: '`delivery_time`' },
    takerFeePct: sourced(0.06, '2026-11-15', FEE_URL),
    maxLeverage: sourced(200, '2026-11-01', SPECS_URL),
    counts: {
      openInterest: oneSide(
        'counts are odd in 6 of 14 recorded rows',
        '2026-06-04',
        'https://github.com/ccxt/ccxt',
      ),
      volume: bothSides(
        'the documentation calls it the sum of both sides, and counts of contracts are even in 19 of 19 recorded rows',
        '2026-06-04',
        'https://www.htx.com/en-us/opend/newApiPages/',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEE_URL,
    specsUrl: SPECS_URL,
    fundingUrl: 'https://www.htx.com/support/900001326466',
    notes: [
      'Too many calls are err_code 1032 in a reply with HTTP 200, which pauses like a 429.',
      'A contract that ended stays in the list as suspended (CYBER since 2026-01-08); it has the status halted and no row.',
    ],
    unknown: [
      'mark price: the venue gives it for one contract a call only',
      'the taker fee of 0.06 % is that of USDT-M contracts at the lowest tier, from an example on the fee page; coin-M may be 0.05 %',
      'max leverage: the public lists carry none, 200 is from a documentation sample',
      'listing times: only the day is given, and not in which time zone; it is read as UTC',
      'whether a scheduled delisting shows in delivery_time before the contract is gone',
      'no public feed of announcements is documented',
    ],
  },
  hosts: { rest: 'https://api.hbdm.com' },
  // The venue allows 240 calls in 3 seconds per address for reference data and 800 a second for market data.
  budgets: {
    reference: { capacity: 180, windowSeconds: 3 },
    market: { capacity: 600, windowSeconds: 1 },
  },
  tooManyCodes: { fields: ['err_code', 'err-code'], codes: ['1032'] },
  polls: [...pollsOf(LINEAR), ...pollsOf(INVERSE)],
  streams: [],
  settlementDepthDays: null,
  settlements: (contract, window, { send }) => {
    const { part, reference } = contract.isInverse ? INVERSE : LINEAR;
    return walkHistory(window, (pageIndex) =>
      send({
        path: `${reference}/swap_historical_funding_rate`,
        query: {
          contract_code: contract.venueSymbol,
          page_index: pageIndex,
          page_size: HISTORY_PAGE_ROWS[part],
        },
        budget: 'reference',
      }),
    );
  },
  depth: async (contract, { send }) => {
    const { market } = contract.isInverse ? INVERSE : LINEAR;
    const { payload } = await send({
      path: `${market}/depth`,
      query: { contract_code: contract.venueSymbol, type: 'step0' },
      budget: 'market',
    });
    return parseDepth(payload, contract);
  },
};
