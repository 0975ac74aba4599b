import { bothSides, oneSide } from '../counting/sides.ts';
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
    counts: {
      openInterest: bothSides(
        'every one of 179 values of one message is an even number of lots, while the volumes of the same rows are odd in 84 of 179; DefiLlama halves it too (“same double-sided convention as the API”)',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/hyperliquid-perp-oi.ts',
      ),
      volume: oneSide(
        'odd in 84 of 179 rows of one message',
        '2026',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees',
    specsUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/contract-specifications',
    fundingUrl: 'https://app.hyperliquid.xyz/fundingComparison',
    unknown: [
      'taker fee of the lowest tier: from account replies in public code, the fee page itself was not read',
      'listing and delisting times: the universe has none, so both are found by comparing lists',
      'whether bbo sends the present top on subscribing: documented is only that it sends changes; coins were silent for up to 45.8 s, so held tops are repeated',
      'fundingHistory of an unknown coin: HTTP 500 with the body null, so only listed coins are requested',
    ],
  },
});
