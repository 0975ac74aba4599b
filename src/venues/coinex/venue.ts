import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import { NOT_GIVEN, unknownSides } from '../counting/sides.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { parseDepth, parseFundingHistory, parseFundingRates, parseMarkets, parseTickers } from './parse.ts';
import { bestOffers } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

function poll(name: string, spec: BulkReading): BulkPoll {
  return bulkPoll({ ...spec, name, request: { path: `/v2/futures/${name}` } });
}

export const coinex: Venue = {
  slug: 'coinex',
  facts: {
    exchange: 'CoinEx',
    name: 'CoinEx',
    kind: 'cex',
    listingFields: { end: '`delisted_at`' },
    takerFeePct: sourced(0.05, '2026-11-01', 'https://support.coinex.com/hc/en-us/articles/7112450560921'),
    maxLeverage: sourced(100, '2026-11-01', 'https://docs.coinex.com/api/v2/futures/market/http/list-market'),
    endedAt: {
      value: Date.UTC(2026, 8, 22, 3, 18),
      readOn: '2026-09-23',
      source: 'https://www.coinex.com/en/announcements',
    },
    hasNoClasses: true,
    counts: {
      openInterest: NOT_GIVEN,
      volume: unknownSides(
        'recorded counts have more digits than the venue’s lots',
        '2024-09',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: false,
    tradingEnabled: false,
    feeUrl: 'https://support.coinex.com/hc/en-us/articles/7112450560921',
    specsUrl: 'https://docs.coinex.com/api/v2/futures/market/http/list-market',
    fundingUrl: 'https://docs.coinex.com/api/v2/futures/market/http/list-market-funding-rate',
    notes: [
      'Futures ended on 2026-09-22 at 03:18 UTC, spot on 2026-09-29; withdrawals end on 2026-12-22. The venue goes on writing prints of -0.375 %.',
      'The documentation can be read as latest_funding_rate being the current rate; next_funding_rate is taken. Both were -0.00375 when they were last compared.',
    ],
    unknown: [
      'open interest: only the contract list has it, without the price that would make it dollars',
      'a limit on requests: none is published, the one that is used was named in an older document',
      'listing times: the market list has none, and a market that is not open yet is not in it',
      'other words than "online" in the status of a market',
      'that one contract of an inverse market is worth 1 USD',
      'the order of a page of settled rates',
      'the time of a running rate',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.coinex.com', ws: 'wss://socket.coinex.com' },
  // The venue allows 400 requests a second and address.
  budgets: { public: { capacity: 300, windowSeconds: 1 } },
  polls: [
    poll('market', {
      gives: ['contracts'],
      everySeconds: 300,
      parse: (payload, { receivedAtMs }) => parseMarkets(payload, receivedAtMs),
    }),
    poll('funding-rate', {
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 15,
      parse: parseFundingRates,
    }),
    poll('ticker', { gives: ['volume', 'mark price', 'index price'], everySeconds: 60, parse: parseTickers }),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: '/v2/futures/funding-rate-history',
      query: {
        market: contract.venueSymbol,
        start_time: window.fromMs,
        end_time: window.toMs,
        limit: HISTORY_PAGE_ROWS,
      },
    });
    return parseFundingHistory(reply.payload, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/v2/futures/depth',
      query: { market: contract.venueSymbol, limit: DEPTH_LEVELS, interval: '0' },
    });
    return parseDepth(reply.payload, contract);
  },
};
