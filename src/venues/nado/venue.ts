import { bulkPoll, depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { bothSides, unknownSides } from '../counting/sides.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseContracts, parseFundingHistory, parseOrderbook, parseSymbols } from './parse.ts';
import { bestOffers } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS, QUOTE_ON_INK } from './wire.ts';

const SYMBOLS = 'https://gateway.prod.nado.xyz/v1/query?type=symbols';
const seconds = (timeMs: number) => Math.floor(timeMs / 1000);

export const nado: Venue = {
  slug: 'nado',
  facts: {
    exchange: 'Nado',
    name: 'Nado',
    kind: 'dex',
    listingFields: { end: '`soft_reduce_only`, without a time' },
    takerFeePct: sourced(0.035, '2026-09-13', SYMBOLS),
    maxLeverage: sourced(50, '2026-09-13', SYMBOLS),
    hasNoClasses: true,
    counts: {
      openInterest: bothSides(
        'the venue’s contract adds up the positions of all accounts, and values are even in size steps in 12 of 12 recorded rows',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/nado',
      ),
      volume: unknownSides(
        'a sum of amounts without a step; no source says',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/nado',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: 'https://docs.nado.xyz/developer-resources/api/v2/contracts',
    fundingUrl: 'https://docs.nado.xyz/core/funding-rates',
    notes: [
      '`funding_rate` is a rate of 24 hours, and every hour settles one 24th of it: we publish that 24th. Prints are hourly rates already',
      'The quote USDT0 is bridged USDT and counts as USDT',
      'The gateway answers 403 to a call without Accept-Encoding; every call of ours has one',
    ],
    unknown: [
      'listing and delisting times: no call has them',
      'the asset class: no call has one; shares are known by the documentation’s table of 2026-09-13, metals, fuels and currencies by name',
      'a cap of the rate',
      'whether a subscription starts with the present top',
      'how far back the settled history goes',
      'announcements: no feed was found',
    ],
  },
  hosts: {
    rest: 'https://archive.prod.nado.xyz',
    gateway: 'https://gateway.prod.nado.xyz',
    ws: 'wss://gateway.prod.nado.xyz',
  },
  // The venue allows a weight of 400 in ten seconds and 2,400 a minute for each address.
  budgets: { ip: { capacity: 300, windowSeconds: 10 } },
  polls: [
    bulkPoll({
      name: 'symbols',
      gives: ['contracts'],
      everySeconds: 300,
      request: { host: 'gateway', path: '/v1/query', query: { type: 'symbols' }, weight: 2 },
      parse: parseSymbols,
    }),
    pollsUnder('/v2')(
      'contracts',
      { gives: [...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS], everySeconds: 15, parse: parseContracts },
      { query: { edge: 'false' } },
    ),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: historyCall(({ venueId }, { fromMs, toMs }) => {
    const [start_time, end_time, limit] = [seconds(fromMs), seconds(toMs), HISTORY_PAGE_ROWS];
    const query = { product_id: Number(venueId), start_time, end_time, limit };
    return { method: 'POST', path: '/v1', body: { funding_rate_history: query }, weight: 2 + limit / 100 };
  }, parseFundingHistory),
  depth: depthCall(({ venueSymbol }) => {
    const query = { ticker_id: `${venueSymbol}_${QUOTE_ON_INK}`, depth: DEPTH_LEVELS };
    return { host: 'gateway', path: '/v2/orderbook', query };
  }, parseOrderbook),
};
