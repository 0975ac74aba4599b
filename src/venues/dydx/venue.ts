import { isoTime } from '../../base/times.ts';
import { bulkPoll } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseHistoricalFunding, parseMarkets, parseOrderbook } from './parse.ts';
import { orderbookStream } from './stream.ts';
import { FUNDING_PAGE_ROWS } from './wire.ts';

const FEES = 'https://docs.dydx.exchange/introduction-trading_fees';

export const dydx: Venue = {
  slug: 'dydx',
  facts: {
    exchange: 'dYdX',
    name: 'dYdX Chain',
    kind: 'dex',
    listingFields: { preopen: '`INITIALIZING`', end: 'status only' },
    takerFeePct: sourced(0.05, '2026-11-01', FEES),
    makerFeePct: sourced(0.01, '2026-11-18', FEES),
    feeTiers: sourced(
      [
        { fromUsd: 0, takerPct: 0.05, makerPct: 0.01 },
        { fromUsd: 1e6, takerPct: 0.045, makerPct: 0.01 },
        { fromUsd: 5e6, takerPct: 0.04, makerPct: 0.005 },
        { fromUsd: 25e6, takerPct: 0.035, makerPct: 0 },
        { fromUsd: 125e6, takerPct: 0.03, makerPct: 0 },
      ],
      '2026-11-18',
      FEES,
    ),
    maxLeverage: sourced(50, '2026-11-01', 'https://dydx.trade/markets'),
    hasNoClasses: true,
    counts: {
      openInterest: oneSide(
        'odd in 1 of 2 recorded rows (41,917.9 in lots of 0.1)',
        '2025-12-08',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; no source says',
        '2025-12-08',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: 'https://dydx.trade/markets',
    fundingUrl: 'https://help.dydx.trade/en/articles/166992-default-funding-rates-on-dydx-chain',
    notes: [
      'The oracle price is shown as mark and index price: margins are computed with it, and no other is published.',
    ],
    unknown: [
      'whether fee tiers have changed since the copy of the fee page that was read; further tiers depend on shares of the market',
      'max leverage of the venue as a whole: unconfirmed; that of each market comes from the indexer',
      'listing and delisting times: the indexer has none, so both are found by comparing lists and statuses',
      'asset class: the indexer has none; XAU, XAG and WTI are commodities, every other market counts as crypto',
      'announcements: markets are opened and closed by governance votes, there is no feed of notices',
      'whether the live indexer keeps the default limits of its public source code: pages of 1,000 prints (API_LIMIT_V4), 100 calls in ten seconds (which its header ratelimit-limit confirmed on 2026-09-11)',
    ],
  },
  hosts: { rest: 'https://indexer.dydx.trade', ws: 'wss://indexer.dydx.trade' },
  // The indexer allows 100 calls in ten seconds and address.
  budgets: { rest: { capacity: 75, windowSeconds: 10 } },
  polls: [
    bulkPoll({
      name: 'perpetualMarkets',
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
      request: { path: '/v4/perpetualMarkets' },
      parse: (payload, { receivedAtMs }) => parseMarkets(payload, receivedAtMs),
    }),
  ],
  streams: [orderbookStream],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: `/v4/historicalFunding/${encodeURIComponent(contract.venueSymbol)}`,
      query: { limit: FUNDING_PAGE_ROWS, effectiveBeforeOrAt: isoTime(window.toMs) },
    });
    return parseHistoricalFunding(reply.payload, window, FUNDING_PAGE_ROWS);
  },
  depth: async (contract, { send }) => {
    const path = `/v4/orderbooks/perpetualMarket/${encodeURIComponent(contract.venueSymbol)}`;
    return parseOrderbook((await send({ path })).payload, contract);
  },
};
