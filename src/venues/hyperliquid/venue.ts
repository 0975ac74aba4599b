import { HOUR_MS } from '../../base/times.ts';
import { bulkPoll } from '../bulk-poll.ts';
import { sourced, type Venue, type VenueRequest } from '../venue.ts';
import { parseBook, parseFundingHistory, parseMetaAndAssetCtxs } from './parse.ts';
import { bboStream } from './stream.ts';
import { BOOK_WEIGHT, FUNDING_PAGE_ROWS, INFO_WEIGHT, ROWS_PER_EXTRA_WEIGHT } from './wire.ts';

/** Every request goes to one path; the body says which it is. */
function info(body: Record<string, unknown>, weight: number): VenueRequest {
  return { method: 'POST', path: '/info', body, weight };
}

/** The venue charges for the rows it returns, and returns one an hour. */
export function fundingHistoryWeight(window: { fromMs: number; toMs: number }): number {
  const rows = Math.min(FUNDING_PAGE_ROWS, Math.floor((window.toMs - window.fromMs) / HOUR_MS) + 1);
  return INFO_WEIGHT + Math.ceil(Math.max(rows, 0) / ROWS_PER_EXTRA_WEIGHT);
}

export const hyperliquid: Venue = {
  slug: 'hyperliquid',
  facts: {
    exchange: 'Hyperliquid',
    name: 'Hyperliquid',
    kind: 'dex',
    listingFields: { end: '`isDelisted`' },
    takerFeePct: sourced(0.045, '2026-11-01', 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees'),
    makerFeePct: sourced(0.015, '2026-11-18', 'https://hypernode-docs.polynode.dev/research/fees'),
    maxLeverage: sourced(
      40,
      '2026-11-01',
      'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/contract-specifications',
    ),
    rateCap: sourced(
      { pct: 4, perHours: 1 },
      '2026-09-24',
      'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding',
    ),
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees',
    specsUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/contract-specifications',
    fundingUrl: 'https://app.hyperliquid.xyz/fundingComparison',
    unknown: [
      'whether open interest counts both sides of a position: in a message of 2026 every one of 334 values fits an even number of lots, in samples of 2024 some are odd; no source states it, it is read as one side, and the audit says on /accuracy if live values are never odd',
      'taker fee of the lowest tier: from account replies in public code, the fee page itself was not read',
      'listing and delisting times: the universe has none, so both are found by comparing lists',
      'whether bbo sends the present top on subscribing: documented is only that it sends changes; coins were silent for up to 45.8 s, so held tops are repeated',
      'fundingHistory of an unknown coin: HTTP 500 with the body null, so only listed coins are requested',
      'builder-deployed markets (148 live ones on 2026-09-24, with takers of 0.009 to 0.09 %) are left out: they have their own oracles and collateral',
    ],
  },
  hosts: { rest: 'https://api.hyperliquid.xyz', ws: 'wss://api.hyperliquid.xyz' },
  // The venue allows a weight of 1,200 a minute and address.
  budgets: { info: { capacity: 900, windowSeconds: 60 } },
  polls: [
    {
      ...bulkPoll({
        name: 'metaAndAssetCtxs',
        gives: [
          'contracts',
          'rate',
          'interval',
          'next settlement',
          'volume',
          'mark price',
          'index price',
          'open interest',
        ],
        everySeconds: 15,
        request: info({ type: 'metaAndAssetCtxs' }, INFO_WEIGHT),
        parse: (payload, { receivedAtMs }) => parseMetaAndAssetCtxs(payload, receivedAtMs),
      }),
      call: 'POST /info metaAndAssetCtxs',
    },
  ],
  streams: [bboStream],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const body = {
      type: 'fundingHistory',
      coin: contract.venueSymbol,
      startTime: window.fromMs,
      endTime: window.toMs,
    };
    const reply = await send(info(body, fundingHistoryWeight(window)));
    return parseFundingHistory(reply.payload, window, FUNDING_PAGE_ROWS);
  },
  depth: async (contract, { send }) => {
    const reply = await send(info({ type: 'l2Book', coin: contract.venueSymbol }, BOOK_WEIGHT));
    return parseBook(reply.payload, contract);
  },
};
