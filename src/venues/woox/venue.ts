import { type BulkReading, bulkPoll } from '../bulk-poll.ts';
import type { BulkPoll, Venue } from '../venue.ts';
import {
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseFutures,
  parseInstruments,
} from './parse.ts';
import { bestOffers } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

function poll(name: string, spec: BulkReading): BulkPoll {
  return bulkPoll({ ...spec, name, request: { path: `/v3/public/${name}` } });
}

export const woox: Venue = {
  slug: 'woox',
  facts: {
    exchange: 'WOOX',
    name: 'WOO X',
    takerFeePct: {
      value: 0.03,
      readOn: '2026-09-23',
      source: 'https://api.woox.io/holding-program/holdingsWooxPublic/allTierPerks',
    },
    maxLeverage: {
      value: 50,
      readOn: '2026-11-01',
      source: 'https://support.woox.io/hc/en-us/articles/4718422102937--Futures-Overview',
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: 'https://support.woox.io/hc/en-us/articles/29498930698777--Trading-Fees',
    specsUrl: 'https://support.woox.io/hc/en-us/articles/4718422102937--Futures-Overview',
    fundingUrl: 'https://support.woox.io/hc/en-us/articles/4719603299737',
    unknown: [
      'whether open interest counts one side or both: no source says; it is read as one side',
      'max leverage 50 is not confirmed, and no call gives it per contract',
      'listing and delisting times: the instrument list has none',
      'which perpetuals are on stocks: the instrument list has no such field; SNDK and EWT are known by their prices, any other share counts as a coin until its price contradicts the coin',
      'maintenance: systemInfo.status 1 or 2 is not read',
      'the age of a book over REST: its time is that of the last change, and the book of BTC was up to 46.6 s behind the stream',
      'the largest page of settled rates',
      'announcements: only pages',
    ],
  },
  hosts: { rest: 'https://api.woox.io', ws: 'wss://wss.woox.io' },
  // The venue allows 10 requests a second and address on each endpoint.
  budgets: {
    lists: { capacity: 7, windowSeconds: 1 },
    history: { capacity: 7, windowSeconds: 1 },
    orderbook: { capacity: 7, windowSeconds: 1 },
  },
  stampsEachRate: true,
  polls: [
    poll('instruments', { gives: ['contracts'], everySeconds: 300, parse: parseInstruments }),
    poll('fundingRate', {
      gives: ['rate', 'interval', 'next settlement'],
      everySeconds: 15,
      parse: parseFundingRates,
    }),
    poll('futures', {
      gives: ['volume', 'mark price', 'index price', 'open interest'],
      everySeconds: 60,
      parse: parseFutures,
    }),
  ],
  streams: [bestOffers],
  settlementDepthDays: null,
  settlements: async (contract, window, { send }) => {
    const reply = await send({
      path: '/v3/public/fundingRateHistory',
      query: {
        symbol: contract.venueSymbol,
        startTime: window.fromMs,
        endTime: window.toMs,
        size: HISTORY_PAGE_ROWS,
      },
      budget: 'history',
    });
    return parseFundingHistory(reply.payload, window);
  },
  depth: async (contract, { send }) => {
    const reply = await send({
      path: '/v3/public/orderbook',
      query: { symbol: contract.venueSymbol, maxLevel: DEPTH_LEVELS },
      budget: 'orderbook',
    });
    return parseDepth(reply.payload, contract);
  },
};
