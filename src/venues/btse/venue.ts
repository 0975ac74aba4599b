import { bulkPoll, depthCall, historyCall } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseFundingHistory, parseMarkets, parseOrderbook, parsePrices, parseTickers } from './parse.ts';
import { DEPTH_LEVELS, HELP, LEGACY_API, LONGEST_PERIOD, MARKETS_API, PERPETUALS_ONLY } from './wire.ts';

export const btse: Venue = {
  slug: 'btse',
  facts: {
    exchange: 'BTSE',
    name: 'BTSE',
    kind: 'cex',
    takerFeePct: sourced(0.055, '2026-09-22', `${HELP}/43000533620`),
    maxLeverage: sourced(100, '2026-11-15', `${HELP}/43000460017`),
    counts: {
      openInterest: oneSide(
        'odd in the recorded row (19,344,237 contracts)',
        '2026-08-13',
        'https://github.com/ccxt/ccxt',
      ),
      volume: oneSide(
        'odd in the recorded row (1,937,140,691 contracts), and two sides of whole trades are even',
        '2026-08-13',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: `${HELP}/43000533620`,
    specsUrl: `${HELP}/43000460017`,
    fundingUrl: `${HELP}/43000460020`,
    notes: [
      'GAS is natural gas and QNT the share of Quantinuum (`category` COMMODITIES and STOCK): they are not NEO’s GAS and the coin Quant ([data-rules.md](data-rules.md), 2026-09-14).',
    ],
    unknown: [
      'max leverage 100 is not confirmed, and no bulk call gives it per contract',
      'listing and delisting times: the list has none, and a delisted contract leaves it',
      'prints older than a month: the only call that is known to work has periods of 7 days, 2 weeks and a month',
      'a cap of the rate: none is published',
      'whether the published rate is reset at the settlement: nobody has measured it',
      'the unit of openInterest in ticker/24hr: the older API calls the field of that name a number of contracts',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.btse.com' },
  // The venue allows 50 requests in 2 seconds and address on the markets API, and 15 a second on the older one.
  budgets: { markets: { capacity: 37, windowSeconds: 2 }, legacy: { capacity: 11, windowSeconds: 1 } },
  polls: [
    bulkPoll({
      name: 'markets',
      gives: ['contracts'],
      everySeconds: 300,
      request: { path: `${MARKETS_API}/markets`, query: PERPETUALS_ONLY },
      parse: parseMarkets,
    }),
    bulkPoll({
      name: 'ticker/24hr',
      gives: [...FUNDING_TOPICS, ...TOP_TOPICS, 'volume', 'open interest'],
      everySeconds: 5,
      request: { path: `${MARKETS_API}/ticker/24hr`, query: PERPETUALS_ONLY },
      parse: parseTickers,
    }),
    bulkPoll({
      name: 'price',
      gives: ['mark price', 'index price'],
      everySeconds: 15,
      request: { path: `${LEGACY_API}/price`, budget: 'legacy' },
      parse: parsePrices,
    }),
  ],
  streams: [],
  settlementDepthDays: LONGEST_PERIOD.days,
  settlements: historyCall(({ venueSymbol }) => {
    const query = { symbol: venueSymbol, period: LONGEST_PERIOD.name };
    return { path: `${MARKETS_API}/recentFundingHistory`, query };
  }, parseFundingHistory),
  depth: depthCall(({ venueSymbol }) => {
    const query = { symbol: venueSymbol, depth: DEPTH_LEVELS };
    return { path: `${MARKETS_API}/orderbook`, query };
  }, parseOrderbook),
};
