import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { NOT_GIVEN, unknownSides } from '../counting/sides.ts';
import { FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseDepth, parseHistory, parsePairs, parseRates, parseTickers } from './parse.ts';
import { tops } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS, SITE } from './wire.ts';

const PREFIX = '/api/v1/futures/market';
const PAIRS = `${SITE}/api-docs/futures/market/get_trading_pairs.html`;
const LIMIT = { capacity: 7, windowSeconds: 1 };
const poll = pollsUnder(PREFIX);

export const bitunix: Venue = {
  slug: 'bitunix',
  facts: {
    exchange: 'Bitunix',
    name: 'Bitunix',
    kind: 'cex',
    listingFields: { preopen: '`PREVIEW`' },
    takerFeePct: sourced(0.06, '2026-09-22', `${SITE}/service/handling-fee`),
    maxLeverage: sourced(125, '2026-11-15', PAIRS),
    rateCap: sourced({ pct: 3.75, perHours: null }, '2026-09-22', PAIRS),
    hasNoClasses: true,
    counts: {
      openInterest: NOT_GIVEN,
      volume: unknownSides(
        'no source says, and no recorded row has a count',
        '2026-09-23',
        'https://www.bitunix.com/api-docs/futures/market/get_tickers.html',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: `${SITE}/service/handling-fee`,
    specsUrl: PAIRS,
    fundingUrl: `${SITE}/hub/helpcenter/article/introduction-to-futures-funding-rate?id=79`,
    unknown: [
      'which settlement the published rate belongs to: it moves during the interval, and the help page says that the rate to be charged is fixed at its start',
      'open interest: no bulk call has it',
      'coin-margined contracts (15): the unit of their sizes is undocumented, so they are left out',
      'asset class: the list has none; contracts that take no orders by API are stocks and funds, metals and currency pairs are known by name, any other share counts as a coin until its price contradicts the coin',
      'listing and delisting times: the list has none, and a delisted contract leaves it',
      'max leverage 125 is that of the documentation’s example; each contract has its own in the list',
      'how far back the history of rates reaches',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://fapi.bitunix.com', ws: 'wss://fapi.bitunix.com' },
  // The venue allows 10 requests a second and address on each endpoint, and 5 messages a second on a socket.
  budgets: { lists: LIMIT, history: LIMIT, depth: LIMIT },
  // Every error comes with HTTP 200.
  tooManyCodes: { fields: ['code'], codes: ['10005', '10006'] },
  polls: [
    poll('trading_pairs', { gives: ['contracts'], everySeconds: 300, parse: parsePairs }),
    poll('funding_rate/batch', {
      gives: [...FUNDING_TOPICS, 'mark price', 'index price'],
      everySeconds: 15,
      parse: parseRates,
    }),
    poll('tickers', { gives: ['volume'], everySeconds: 60, parse: parseTickers }),
  ],
  streams: [tops],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol }, { fromMs, toMs }) => {
    // The documentation spells the start like this.
    const query = { symbol: venueSymbol, starTime: fromMs, endTime: toMs, limit: HISTORY_PAGE_ROWS };
    return { path: `${PREFIX}/get_funding_rate_history`, query, budget: 'history' };
  }, parseHistory),
  depth: depthCall(({ venueSymbol }) => {
    const query = { symbol: venueSymbol, limit: DEPTH_LEVELS };
    return { path: `${PREFIX}/depth`, query, budget: 'depth' };
  }, parseDepth),
};
