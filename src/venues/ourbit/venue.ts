import { unknownSides } from '../counting/sides.ts';
import { mexc } from '../mexc/venue.ts';
import { sourced, type Venue } from '../venue.ts';

const PROFILE = 'https://github.com/nemanull/arbitrage-observatory/blob/main/docs/profiles/ourbit';

/** No call of announcements is known here. */
const isRead = (name: string) => name !== 'announcements';

/** MEXC's futures API on another host, path for path. */
export const ourbit: Venue = {
  ...mexc,
  slug: 'ourbit',
  facts: {
    exchange: 'Ourbit',
    name: 'Ourbit',
    kind: 'cex',
    ...(mexc.facts.listingFields ? { listingFields: mexc.facts.listingFields } : {}),
    takerFeePct: sourced(0.04, '2026-09-22', `${PROFILE}/fees.md`),
    makerFeePct: sourced(0.02, '2026-09-22', `${PROFILE}/fees.md`),
    maxLeverage: mexc.facts.maxLeverage,
    copyOf: 'MEXC',
    counts: {
      openInterest: unknownSides(
        'no source says, and no value is recorded',
        '2026-09-23',
        'https://github.com/nemanull/arbitrage-observatory',
      ),
      volume: unknownSides(
        'no source says, and no value is recorded',
        '2026-09-23',
        'https://github.com/nemanull/arbitrage-observatory',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.ourbit.com/fee',
    specsUrl: `${PROFILE}/rest.md`,
    fundingUrl: 'https://futures.ourbit.com/api/v1/contract/funding_rate',
    notes: [
      'The documented host contract.ourbit.com does not resolve; futures.ourbit.com answers (2026-09-22).',
      'Its own price is in 71 of 735 index baskets, MEXC’s in 396 (2026-09-22).',
    ],
    unknown: [
      'whether its rates are MEXC’s: BTC paid 0.0009 % at 2026-09-23 00:00 UTC here and at BYDFi, which has the same software',
      'largest leverage: that of MEXC, whose software it has; the list has one for each contract',
      'whether announcements answer at its spot host: they are not read',
      'how many subscriptions and connections the WebSocket allows: as at MEXC',
      'scheduled delisting times: a contract leaves the list when it ends',
    ],
  },
  hosts: { rest: 'https://futures.ourbit.com', stream: 'wss://futures.ourbit.com' },
  budgets: Object.fromEntries(Object.entries(mexc.budgets).filter(([name]) => isRead(name))),
  polls: mexc.polls.filter(({ name }) => isRead(name)),
};
