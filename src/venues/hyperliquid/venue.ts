import { sourced, type Venue } from '../venue.ts';
import { dexVenue } from './dex.ts';

export const hyperliquid: Venue = dexVenue({
  slug: 'hyperliquid',
  dex: null,
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
    ],
  },
});
