import { bothSides, oneSide } from '../counting/sides.ts';
import { dexVenue } from '../hyperliquid/dex.ts';
import { sourced, type Venue } from '../venue.ts';

const PROBE =
  'https://github.com/nemanull/arbitrage-observatory/blob/main/docs/research/2026-09-23-hyperliquid-dex.md';

export const paragon: Venue = dexVenue({
  slug: 'paragon',
  // 27 contracts with 5 million USD a day; a minute is as often as Lighter's rates are read.
  dex: { name: 'para', figuresEverySeconds: 60 },
  facts: {
    exchange: 'Paragon',
    name: 'Paragon (dex para of Hyperliquid)',
    kind: 'dex',
    listingFields: { end: '`isDelisted`' },
    takerFeePct: sourced(0.09, '2026-09-24', PROBE),
    maxLeverage: sourced(20, '2026-11-18', 'https://docs.paragon.trade/resources/faq'),
    rateCap: sourced(
      { pct: 4, perHours: 1 },
      '2026-09-24',
      'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding',
    ),
    counts: {
      openInterest: bothSides(
        'the chain of Hyperliquid counts it: 4 of 4 values of one message are even, as on its other dexes',
        '2026',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
      volume: oneSide(
        'odd in 2 of 4 rows of one message, and two sides of whole trades are even',
        '2026',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
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
      'largest leverage: the FAQ says 20, and reports of the launch in April 2026 said 50; the list has it for each market',
      'listing and delisting times: the universe has none, so both are found by comparing lists',
    ],
  },
});
