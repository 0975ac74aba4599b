import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { bothSides, oneSide } from '../counting/sides.ts';
import { type Contract, isLive } from '../observations.ts';
import { type EachPoll, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseDepth,
  parseFundingRates,
  parseIndexPrice,
  parseOverview,
  parseSymbols,
  parseTop,
  requestEndMs,
} from './parse.ts';

const SYMBOLS = 'https://perps.standx.com/api/query_symbol_info';
const poll = pollsUnder('/api');

/** A call that names its contract; the venue has about 13. */
const callOf = (name: string, { venueSymbol }: Contract) => ({
  path: `/api/${name}`,
  query: { symbol: venueSymbol },
});

function eachPoll(
  name: string,
  reading: Pick<EachPoll, 'gives' | 'everySeconds'>,
  parse: typeof parseTop,
): EachPoll {
  return {
    ...{ kind: 'each', name, ...reading, weight: 1, call: `GET /api/${name}?symbol`, applies: isLive },
    collect: async (contract, { send }) => parse((await send(callOf(name, contract))).payload, contract),
  };
}

export const standx: Venue = {
  slug: 'standx',
  facts: {
    exchange: 'StandX',
    name: 'StandX',
    kind: 'dex',
    takerFeePct: sourced(0.04, '2026-09-14', SYMBOLS),
    makerFeePct: sourced(0.01, '2026-09-14', SYMBOLS),
    maxLeverage: sourced(40, '2026-09-14', SYMBOLS),
    hasNoClasses: true,
    counts: {
      openInterest: bothSides(
        '43 windows at exactly twice the size of the fills, as DefiLlama measured on BNB-USD, and 6 of 6 recorded values are even in order steps',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/standx.ts',
      ),
      volume: oneSide(
        'odd in 2 of 3 recorded rows, and two sides of whole trades are even',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/standx',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: 'https://docs.standx.com/standx-api/perps-http',
    fundingUrl: 'https://perps.standx.com/api/query_market_overview',
    notes: [
      'Prices are in dollars; margin, gains and funding are in DUSD, the venue’s own dollar.',
      'The cap of the rate is that of each contract: 0.0375 % an hour on BTC, 0.25 % on shares (2026-09-14).',
    ],
    unknown: [
      'listing times: created_at is older than the first trade',
      'statuses other than trading, and delisting times',
      'the asset class of new contracts: the API has none; the labels of the site of 2026-09-14 are used',
      'the limit of calls: 50 a second in the documentation, about 22 a second in the code of a client',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: 'https://perps.standx.com' },
  budgets: { ip: { capacity: 15, windowSeconds: 1 } },
  polls: [
    poll('query_symbol_info', { gives: ['contracts'], everySeconds: 300, parse: parseSymbols }),
    poll('query_market_overview', {
      gives: [...FUNDING_TOPICS, 'volume', 'mark price', 'open interest'],
      everySeconds: 15,
      parse: parseOverview,
    }),
    eachPoll('query_depth_book', { gives: TOP_TOPICS, everySeconds: 5 }, parseTop),
    eachPoll('query_symbol_price', { gives: ['index price'], everySeconds: 60 }, parseIndexPrice),
  ],
  streams: [],
  settlementDepthDays: null,
  // Without both times, in milliseconds, the venue answers 400.
  settlements: historyCall((contract, window) => {
    const { path, query } = callOf('query_funding_rates', contract);
    return { path, query: { ...query, start_time: window.fromMs, end_time: requestEndMs(window) } };
  }, parseFundingRates),
  depth: depthCall((contract) => callOf('query_depth_book', contract), parseDepth),
};
