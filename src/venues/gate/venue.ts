import { bulkPoll } from '../bulk-poll.ts';
import { bothSides, oneSide } from '../counting/sides.ts';
import type { Contract } from '../observations.ts';
import { type BulkPoll, sourced, type Venue } from '../venue.ts';
import { type Part, parseContracts, parseDepth, parseTickers } from './parse.ts';
import { HISTORY_PAGE_ROWS, parseArticles, parseSettlements, secondsToRequest } from './parse-history.ts';
import { DECIMAL_SIZES } from './wire.ts';

const FUTURES = '/api/v4/futures';
const ARTICLES = '/api/v4/ann/list_article';

function settleOf(contract: Contract): Part {
  if (contract.isInverse) return 'btc';
  return contract.settle === 'USD1' ? 'usd1' : 'usdt';
}

function pollsOf(part: Part): BulkPoll[] {
  return [
    bulkPoll({
      name: `${part} contracts`,
      gives: ['contracts', 'interval', 'next settlement'],
      // 1.27 MB, sent uncompressed: 7.3 GB a day if it were read every 15 seconds.
      everySeconds: 240,
      followsSettlements: true,
      // Without `limit`: with it the venue cuts the list, which must be complete.
      request: { path: `${FUTURES}/${part}/contracts` },
      parse: (payload, { receivedAtMs }) => parseContracts(payload, part, receivedAtMs),
    }),
    bulkPoll({
      name: `${part} tickers`,
      gives: ['rate', 'bid and ask', 'sizes', 'volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 5,
      request: { path: `${FUTURES}/${part}/tickers`, headers: DECIMAL_SIZES },
      parse: parseTickers,
    }),
  ];
}

const NOTICES = bulkPoll({
  name: 'articles',
  gives: ['notices'],
  everySeconds: 120,
  request: { method: 'POST', path: ARTICLES, body: { page: '1', size: '50', lang: 'en', pinned: 0 } },
  parse: parseArticles,
});

export const gate: Venue = {
  slug: 'gate',
  facts: {
    exchange: 'Gate',
    name: 'Gate',
    kind: 'cex',
    listingFields: {
      preopen: '`prelaunch`',
      openingTime: '`launch_time`',
      end: '`in_delisting`, `delisted_time`',
    },
    takerFeePct: sourced(0.05, '2026-11-01', 'https://www.gate.com/fee'),
    maxLeverage: sourced(200, '2026-11-15', 'https://www.gate.com/docs/developers/apiv4/en/#futures'),
    rateCap: sourced(
      { pct: 7.5, perHours: null },
      '2026-09-15',
      'https://api.gateio.ws/api/v4/futures/usdt/contracts/GT_USDT',
    ),
    counts: {
      openInterest: bothSides(
        'total_size and position_size of the same minute were 640887002 and 320443501, 17296 and 8648, 82904 and 41452',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/gate',
      ),
      volume: oneSide(
        'odd in 3 of 4 recorded rows, and two sides of whole trades are even',
        '2026-09-11',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/gate',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://www.gate.com/fee',
    specsUrl: 'https://www.gate.com/docs/developers/apiv4/en/#futures',
    fundingUrl: 'https://www.gate.com/help/futures/futures-logic/27569/funding-rate-and-funding-fee',
    notes: [
      'Each contract has its own limit of the rate (funding_rate_limit, a fraction of one settlement, both ways): 0.3 % on BTC_USDT, 2 % on most others. A rate beyond it is quarantined.',
      'Max leverage is that of BTC_USDT and ETH_USDT on 2026-09-11; the list gives it per contract, and /exchanges shows the largest.',
      'The list also has eleven pre-market contracts (is_pre_market, 2026-09-15): no index basket, rate capped at 0.0001 %.',
    ],
    unknown: [
      'the taker fee of the BTC-settled contract; the API names 0.075 % for all, which is what payers in points are charged',
      'the rate of the first minute after a settlement: the venue still shows the one just charged beside the next settlement time',
      'delisting_time and delisted_time are named in client libraries only; the later one is read as the end of trading',
      'which article category is about futures listings: all articles are read',
      'a planned end: the recorded rows of 2026-09-11 have neither delisting_time nor delisted_time, so it may show by status only',
    ],
  },
  hosts: { rest: 'https://api.gateio.ws' },
  // 200 in ten seconds for each path and address. History and depth are background work, which never uses more than 70 %.
  budgets: {
    market: { capacity: 150, windowSeconds: 10 },
    history: { capacity: 200, windowSeconds: 10 },
    depth: { capacity: 200, windowSeconds: 10 },
  },
  chargedRateShownSeconds: 65,
  polls: [...pollsOf('usdt'), ...pollsOf('usd1'), ...pollsOf('btc'), NOTICES],
  streams: [],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: `${FUTURES}/${settleOf(contract)}/funding_rate`,
      query: { contract: contract.venueSymbol, limit: HISTORY_PAGE_ROWS, ...secondsToRequest(window) },
      budget: 'history',
    });
    return parseSettlements(reply.payload, contract.venueSymbol, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: `${FUTURES}/${settleOf(contract)}/order_book`,
      query: { contract: contract.venueSymbol, limit: 100 },
      headers: DECIMAL_SIZES,
      budget: 'depth',
    });
    return parseDepth(reply.payload, contract);
  },
};
