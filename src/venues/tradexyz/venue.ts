import { bothSides, oneSide } from '../counting/sides.ts';
import { dexVenue } from '../hyperliquid/dex.ts';
import { sourced, type Venue } from '../venue.ts';

const PROBE =
  'https://github.com/nemanull/arbitrage-observatory/blob/main/docs/research/2026-09-23-hyperliquid-dex.md';

export const tradexyz: Venue = dexVenue({
  slug: 'tradexyz',
  // Of the weight of 900 a minute that three venues share, the hourly prints of 314 contracts take 6,600 after each hour.
  dex: { name: 'xyz', figuresEverySeconds: 30 },
  facts: {
    exchange: 'trade.xyz',
    name: 'trade.xyz (dex xyz of Hyperliquid)',
    kind: 'dex',
    listingFields: { end: '`isDelisted`' },
    takerFeePct: sourced(0.09, '2026-09-24', PROBE),
    maxLeverage: sourced(
      30,
      '2026-09-13',
      'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/hyperliquid',
    ),
    rateCap: sourced(
      { pct: 4, perHours: 1 },
      '2026-09-24',
      'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding',
    ),
    counts: {
      openInterest: bothSides(
        'the chain of Hyperliquid counts it: 63 of 64 values of one message are even in the digits that they show, while volumes are odd in 31 of 64',
        '2026',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
      volume: oneSide(
        'odd in 31 of 64 rows of one message, and two sides of whole trades are even',
        '2026',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees',
    specsUrl: 'https://docs.trade.xyz',
    fundingUrl: 'https://app.hyperliquid.xyz/trade/xyz:XYZ100',
    notes: [
      'Deployer: XYZ, the first dex of another deployer on Hyperliquid (HIP-3). It sets oracle prices, leverage and fees; Hyperliquid runs the book. Collateral: USDC.',
      'Oracle: by the deployer. From Friday 20:00 to Sunday 20:00 in New York and on holidays that of shares follows the dex’s own book; that of companies before their listing always does.',
      'The rate contains the deployer’s multiplier, 0.5 on most markets: it rests at 0.000625 % an hour.',
      'BB is BlackBerry and QNT Quantinuum.',
    ],
    unknown: [
      'which field gives the fee of a market: takers pay 0.009 to 0.09 %, depending on growthMode and deployerFeeScale; the highest is assumed',
      'listing and delisting times: the universe has none, so both are found by comparing lists',
      'weight of perpConciseAnnotations: read as 20, as for other calls',
    ],
  },
});
