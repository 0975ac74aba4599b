import { bulkPoll, joinedPoll } from '../bulk-poll.ts';
import { oneSide } from '../counting/sides.ts';
import { type Poll, sourced, type Venue } from '../venue.ts';
import {
  parseBookOrders,
  parseFundingRates,
  parseFundings,
  parseMarkets,
  parseNotices,
  parseTokenList,
  windowToRequest,
} from './parse.ts';
import { marketStream } from './stream.ts';
import { BOOK_ORDERS, USDC } from './wire.ts';

/** The list, with the asset classes of the app's token list, which may be on another host. */
export function marketsPoll({ currency = USDC, tokenHost = 'rest' } = {}): Poll {
  return {
    ...joinedPoll({
      name: 'orderBookDetails',
      gives: ['contracts', 'volume'],
      everySeconds: 300,
      // Without the asset classes a stock could be taken for the coin of the same ticker, so both calls must succeed.
      requests: {
        tokens: { host: tokenHost, path: '/api/v1/tokenlist' },
        details: { path: '/api/v1/orderBookDetails', query: { filter: 'perp' } },
      },
      parse: ({ tokens, details }, { receivedAtMs }) =>
        parseMarkets(details, parseTokenList(tokens), receivedAtMs, currency),
    }),
    call: 'GET /api/v1/orderBookDetails, GET /api/v1/tokenlist',
  };
}

export const lighter: Venue = {
  slug: 'lighter',
  facts: {
    exchange: 'Lighter',
    name: 'Lighter',
    kind: 'dex',
    listingFields: {
      preopen: 'future `created_at`',
      openingTime: '`created_at`',
      end: '`force_reduce_only`, without a time',
    },
    takerFeePct: sourced(0, '2026-11-01', 'https://apidocs.lighter.xyz/docs/account-types'),
    makerFeePct: sourced(0, '2026-11-18', 'https://apidocs.lighter.xyz/docs/account-types'),
    maxLeverage: sourced(
      50,
      '2026-11-01',
      'https://docs.lighter.xyz/perpetual-futures/contract-specifications',
    ),
    counts: {
      openInterest: oneSide(
        'it moves by the size of a fill, as DefiLlama measured after it had doubled the figure',
        '2026-09',
        'https://github.com/DefiLlama/dimension-adapters/blob/master/open-interest/lighter-rh-oi.ts',
      ),
      volume: oneSide(
        'odd in 2 of 6 recorded rows, and two sides of whole trades are even',
        '2026-06-04',
        'https://github.com/nautechsystems/nautilus_trader',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://apidocs.lighter.xyz/docs/account-types',
    specsUrl: 'https://docs.lighter.xyz/perpetual-futures/contract-specifications',
    fundingUrl: 'https://docs.lighter.xyz/trading/funding',
    notes: [
      'QNT is the share of Quantinuum, not the coin Quant.',
      'Open interest is in coins in the list and in USDC in the stream (BTC 102123609.308856 at a price of 64356.3, recorded in June 2026).',
    ],
    unknown: [
      'unit of taker_fee: read as percent, because liquidation_fee beside it is 1.0000 where the documentation says 1 %',
      'an interval other than one hour: the venue may set it per market, but no reply has it',
      'what multiplier means in the list: 1 on every market that was seen, another one is refused',
      'what inactive and force_reduce_only mean in words: read here as delisted and delisting',
      'delisting times: the list has none',
      'which end of a reply of 750 prints is cut: requests cover 500 hours, so that none is',
      'what the category KRW of the token list means: read as a currency, unless the token is also a share',
      'unit of created_at in the list and in notices: seconds and milliseconds are both understood',
      'depth of all markets once a minute: 60 calls a minute without an account do not reach',
    ],
  },
  hosts: { rest: 'https://mainnet.zklighter.elliot.ai', ws: 'wss://mainnet.zklighter.elliot.ai' },
  // Without an account the venue allows 60 calls a minute and address.
  budgets: { rest: { capacity: 45, windowSeconds: 60 } },
  // Its firewall refuses with 405 too, and then for a minute.
  pauseAfterStatus: { 405: 61 },
  polls: [
    marketsPoll(),
    // The stream has the same rates sooner; this poll survives a broken socket.
    bulkPoll({
      name: 'funding-rates',
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 60,
      request: { path: '/api/v1/funding-rates' },
      parse: parseFundingRates,
    }),
    bulkPoll({
      name: 'announcement',
      gives: ['notices'],
      everySeconds: 120,
      request: { path: '/api/v1/announcement' },
      parse: parseNotices,
    }),
  ],
  streams: [marketStream],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const { fromMs, toMs } = windowToRequest(window);
    const reply = await send({
      path: '/api/v1/fundings',
      query: {
        market_id: contract.venueId,
        resolution: '1h',
        start_timestamp: Math.floor(fromMs / 1000),
        end_timestamp: Math.floor(toMs / 1000),
        count_back: 0,
      },
    });
    return parseFundings(reply.payload, contract, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/api/v1/orderBookOrders',
      query: { market_id: contract.venueId, limit: BOOK_ORDERS },
    });
    return parseBookOrders(reply.payload, contract);
  },
};
