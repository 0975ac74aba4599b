import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { plainTopStream } from '../held-tops.ts';
import { FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseContracts, parseDepth, parseFundingHistory, parseMarkPrices, parseTops } from './parse.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS, TOPS_CHANNEL } from './wire.ts';

const CONTRACTS = 'https://api.ondoperps.xyz/v1/perps/contracts';
const poll = pollsUnder('/v1/perps');

/** One subscription without a list of markets carries the tops of all. */
const tops = plainTopStream({
  path: '/ws',
  call: TOPS_CHANNEL,
  contractsPerSocket: 1000,
  subscribe: () => [JSON.stringify({ op: 'subscribe', channel: TOPS_CHANNEL })],
  read: (message, context) =>
    message.type === 'update' && message.channel === TOPS_CHANNEL ? parseTops(message, context) : null,
  // The venue closes a connection that sends nothing for 180 seconds.
  heartbeat: { everySeconds: 15, message: () => '{"op":"ping"}' },
  sendsOnlyChanges: true,
});

export const ondo: Venue = {
  slug: 'ondo',
  facts: {
    exchange: 'Ondo',
    name: 'Ondo Perps',
    kind: 'dex',
    takerFeePct: sourced(0.025, '2026-09-14', CONTRACTS),
    makerFeePct: sourced(0.01, '2026-09-14', CONTRACTS),
    maxLeverage: sourced(25, '2026-08-10', 'https://api.ondoperps.xyz/v1/markets'),
    counts: {
      openInterest: oneSide(
        'openInterest of this call is odd in 2 of 6 recorded rows; the figure that DefiLlama halves is notionalValue of another call',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/pull/9491',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; no source says',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/ondo',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: 'https://docs.ondoperps.xyz',
    fundingUrl: 'https://docs.ondoperps.xyz/funding-rates.md',
    notes: [
      'Matched off chain; accounts are wallets, and margin is USDC or tokenized shares. Prices are in dollars.',
      'US500 is the index and SPY the fund: they trade at different prices.',
      'The index is the oracle price beside the mark. The index price of the list was 0.5 % off the mark on 2026-09-13.',
      '`isClosed` is the venue’s own word that the market of the underlying is closed. Shares and indices have different hours; both trade on.',
    ],
    unknown: [
      'the limit of calls: a 429 is documented, no number; three a second is less than was seen to work',
      'how fresh the index price of the list is: it was 0.5 % off the mark on 2026-09-13, so it is not read; the oracle price beside the mark is',
      'whether the top of each market is sent on subscribing: held tops are repeated',
      'leverage of each contract: another call has it; 25 on US500 is the largest that was seen',
      'listing and delisting times: no call has them',
      'a cap of the rate, and announcements: no source was found',
    ],
  },
  hosts: { rest: 'https://api.ondoperps.xyz', ws: 'wss://api.ondoperps.xyz' },
  budgets: { ip: { capacity: 3, windowSeconds: 1 } },
  polls: [
    poll('contracts', {
      gives: ['contracts', ...FUNDING_TOPICS, 'volume', 'open interest'],
      everySeconds: 15,
      parse: parseContracts,
    }),
    poll('mark_prices', { gives: ['mark price', 'index price'], everySeconds: 15, parse: parseMarkPrices }),
  ],
  streams: [tops],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol: market }, { fromMs: startTime, toMs: endTime }) => {
    const query = { market, startTime, endTime, limit: HISTORY_PAGE_ROWS };
    return { path: '/v1/perps/funding_rate_history', query };
  }, parseFundingHistory),
  depth: depthCall(({ venueSymbol: market }) => {
    const query = { market, depth: DEPTH_LEVELS };
    return { path: '/v1/perps/depth', query };
  }, parseDepth),
};
