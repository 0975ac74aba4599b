import { bulkPoll } from '../bulk-poll.ts';
import { bothSides, unknownSides } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseMarkets, parseNotices, parseOrderbook, parseSummaries } from './parse.ts';
import { type IndexReading, parseIndexReading, printTimes, settlementsOf } from './parse-funding.ts';
import { BOOK_LEVELS, BUDGETS, READING_MAX_AGE_MS } from './wire.ts';

export const paradex: Venue = {
  slug: 'paradex',
  facts: {
    exchange: 'Paradex',
    name: 'Paradex',
    kind: 'dex',
    listingFields: { preopen: 'future `open_at`', openingTime: '`open_at`', end: '`expiry_at`' },
    // Orders of bots count as professional; those of the web page are free.
    takerFeePct: sourced(0.045, '2026-08-20', 'https://docs.paradex.trade/trading/trading-fees'),
    maxLeverage: sourced(
      50,
      '2026-11-01',
      'https://docs.paradex.trade/trading/instruments-guide/futures/tier-1/btc-usd-perp',
    ),
    rateCap: sourced(
      { pct: 5, perHours: 8 },
      '2026-11-01',
      'https://docs.paradex.trade/risk/funding-mechanism',
    ),
    counts: {
      openInterest: bothSides(
        'DefiLlama halves it (“venue open_interest is long+short”), and 2 of 2 values of 2026 are even in lots; two values of 2024 were odd',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/pull/9365',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; no source says',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/paradex',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://docs.paradex.trade/trading/trading-fees',
    specsUrl: 'https://docs.paradex.trade/trading/instruments-guide/futures/tier-1/btc-usd-perp',
    fundingUrl: 'https://docs.paradex.trade/risk/funding-mechanism',
    unknown: [
      'next settlement: funding is continuous; a change of a market’s funding period is known from the list, up to 15 minutes late',
      'how far back funding/data reaches',
      'taker fee: 0.045 % is what the fee page says of orders by API (read 2026-08-20); ccxt has 0.02 %, the figure of an earlier schedule',
      'asset class: read from the funding multiplier of one half that the documentation gives to TradFi markets',
      'delisting times: the list has none for perpetuals, a settled market leaves it, which is seen within 15 to 30 minutes',
      'order of announcements and whether their content names the contract',
    ],
  },
  hosts: { rest: 'https://api.prod.paradex.trade' },
  // The venue allows 1,500 public calls a minute and address, and by its x-ratelimit headers 50 a second.
  budgets: { minute: { capacity: 1125, windowSeconds: 60 }, second: { capacity: 37, windowSeconds: 1 } },
  polls: [
    bulkPoll({
      name: 'markets',
      // About 4 MB. The summary has all that moves, and a market that is new in it makes the list be read at once.
      gives: ['contracts'],
      everySeconds: 900,
      request: { path: '/v1/markets', budget: BUDGETS },
      parse: (payload, { receivedAtMs }) => parseMarkets(payload, receivedAtMs),
    }),
    bulkPoll({
      name: 'markets/summary',
      gives: [
        'rate',
        'interval',
        'bid and ask',
        'sizes',
        'volume',
        'mark price',
        'index price',
        'open interest',
      ],
      everySeconds: 5,
      request: { path: '/v1/markets/summary', query: { market: 'ALL' }, budget: BUDGETS },
      parse: parseSummaries,
    }),
    bulkPoll({
      name: 'system/announcements',
      gives: ['notices'],
      everySeconds: 120,
      request: { path: '/v1/system/announcements', budget: BUDGETS },
      parse: parseNotices,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const times = printTimes(window, contract.listedAtMs);
    const readings: (IndexReading | null)[] = [];
    for (const atMs of times.atMs) {
      const reply = await send({
        path: '/v1/funding/data',
        query: {
          market: contract.venueSymbol,
          start_at: atMs - READING_MAX_AGE_MS,
          end_at: atMs,
          page_size: 1,
        },
        budget: BUDGETS,
      });
      readings.push(parseIndexReading(reply.payload, atMs));
    }
    return settlementsOf(contract, times, readings);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: `/v1/orderbook/${encodeURIComponent(contract.venueSymbol)}`,
      query: { depth: BOOK_LEVELS },
      budget: BUDGETS,
    });
    return parseOrderbook(reply.payload, contract);
  },
};
