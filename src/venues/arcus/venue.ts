import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { bothSides, unknownSides } from '../counting/sides.ts';
import { plainTopStream } from '../held-tops.ts';
import { refusalOf } from '../observations.ts';
import { rowsForWindow } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseBestOffer, parseBook, parseFundingRates, parseMarkets } from './parse.ts';
import { HISTORY_PAGE_ROWS, weightOf } from './wire.ts';

const DOCS = 'https://docs.arcus.xyz';
/** Contracts that were listed on 2026-09-14. */
const LISTED = 64;
const BOOK_LEVELS = 100;
const MICROSECONDS_PER_MS = 1000;

const bestOffers = plainTopStream({
  path: '/ws',
  call: 'bbo {market}',
  // The venue allows 100 subscriptions on a connection.
  contractsPerSocket: 75,
  subscribe: (contracts) =>
    contracts.map(({ venueSymbol }) =>
      JSON.stringify({ type: 'subscribe', channel: 'bbo', id: venueSymbol }),
    ),
  read: ({ type, channel, id, contents }, context) => {
    if (type === 'error') return refusalOf(null, 'error message');
    // The first top comes with the acknowledgement.
    const isTop = channel === 'bbo' && (type === 'subscribed' || type === 'channel_data');
    return isTop ? parseBestOffer(id, contents, context) : null;
  },
  heartbeat: null,
  sendsOnlyChanges: true,
});

export const arcus: Venue = {
  slug: 'arcus',
  facts: {
    exchange: 'Arcus',
    name: 'Arcus',
    kind: 'dex',
    listingFields: { openingTime: '`addedTimestamp`' },
    takerFeePct: sourced(0.0225, '2026-10-09', DOCS),
    maxLeverage: sourced(50, '2026-09-14', 'https://api.arcus.xyz/v1/markets'),
    rateCap: sourced({ pct: 4, perHours: 1 }, '2026-09-14', `${DOCS}/concepts/perpetuals/funding.md`),
    counts: {
      openInterest: {
        ...bothSides(
          'it moves by twice the size of a fill, as DefiLlama measured on HOOD-USD, and halves it. 6 of 8 recorded values are odd in order steps, which refutes nothing: the venue counts in units of 10⁻¹⁰ (assetResolution) and prints at most 8 decimals, and the two sides that Bybit adds up are odd too (53262.861 beside 26631.431)',
          '2026-09',
          'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/arcus-oi.ts',
        ),
        isPrintedRounded: true,
      },
      volume: {
        ...unknownSides(
          'the venue prints two decimals, whose parity says nothing; no source says',
          '2026-09-13',
          'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/arcus',
        ),
        isPrintedRounded: true,
      },
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: DOCS,
    specsUrl: `${DOCS}/concepts/perpetuals/real-world-assets.md`,
    fundingUrl: `${DOCS}/concepts/perpetuals/funding.md`,
    notes: [
      'By dYdX Labs, on Robinhood Chain; its book is not that of dYdX. Prices are in dollars (`quoteAsset` USD), collateral is USDG.',
      'The rate is `nextFundingRate`, the forecast of the coming hour; `fundingRate` is what was charged last.',
      'Outside market hours the rate of shares is fixed at SOFR + 0.5 % a year, 0.00047 % an hour on 2026-09-14.',
      'COMMODITIES and INDICES are funds (GLD, SLV, USO, CPER, SPY, QQQ) and count as shares, unless the name says more.',
    ],
    unknown: [
      'the taker fee: the base tier as public programs of October 2026 have it; the page of fees was not read',
      'whether addedTimestamp is when a market opened: 2026-05-14 on most',
      'delisting: a market is OFFLINE, with prices of 0, or leaves the list',
      'the weight of a book: read as 20, as of the other calls',
      'whether the WebSocket needs a heartbeat: none is documented',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: 'https://api.arcus.xyz/v1', ws: 'wss://api.arcus.xyz/v1' },
  // 1,500 a minute for each address.
  budgets: { ip: { capacity: 1125, windowSeconds: 60 } },
  // A refusal states its wait in the body alone (`retryAfterMs`); the limit is of a minute.
  pauseAfterStatus: { 429: 60 },
  polls: [
    pollsUnder('')(
      'markets',
      {
        gives: ['contracts', ...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS],
        everySeconds: 15,
        parse: parseMarkets,
      },
      { weight: weightOf(LISTED) },
    ),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol: market }, window) => {
    const limit = rowsForWindow(window, HISTORY_PAGE_ROWS);
    const [from, to] = [window.fromMs, window.toMs].map((timeMs) => timeMs * MICROSECONDS_PER_MS);
    return { path: '/fundingRates', query: { market, from, to, limit }, weight: weightOf(limit) };
  }, parseFundingRates),
  depth: depthCall(
    ({ venueSymbol }) => ({
      path: `/l2OrderBook/${venueSymbol}`,
      query: { nLevels: BOOK_LEVELS },
      weight: weightOf(0),
    }),
    parseBook,
  ),
};
