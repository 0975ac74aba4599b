import { dexVenue } from '../hyperliquid/dex.ts';
import { sourced, type Venue } from '../venue.ts';

const PROBE =
  'https://github.com/nemanull/arbitrage-observatory/blob/main/docs/research/2026-09-23-hyperliquid-dex.md';

export const paragon: Venue = dexVenue({
  slug: 'paragon',
  dex: 'para',
  facts: {
    exchange: 'Paragon',
    name: 'Paragon (dex para of Hyperliquid)',
    kind: 'dex',
    listingFields: { end: '`isDelisted`' },
    takerFeePct: sourced(0.09, '2026-09-24', PROBE),
    maxLeverage: sourced(40, '2026-09-24', PROBE),
    rateCap: sourced(
      { pct: 4, perHours: 1 },
      '2026-09-24',
      'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding',
    ),
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees',
    specsUrl:
      'https://hyperliquid.gitbook.io/hyperliquid-docs/hyperliquid-improvement-proposals-hips/hip-3-builder-deployed-perpetuals',
    fundingUrl: 'https://app.hyperliquid.xyz/trade/para:BTCD',
    notes: [
      'Deployer: Paragon, by HIP-3 of Hyperliquid. It sets oracle prices, leverage and fees; Hyperliquid runs the book. Collateral: USDC. Oracle: by the deployer’s own address.',
      'STX is Seagate, not the coin Stacks. BTCD, TOTAL2 and OTHERS are indices of the coin market, 10Y a yield.',
    ],
    unknown: [
      'fees: takers of builder-deployed markets pay 0.009 to 0.09 %; the highest is assumed',
      'largest leverage: the list has it for each market, no source for the dex',
      'listing and delisting times: the universe has none, so both are found by comparing lists',
    ],
  },
});
