import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ManualClock } from '../../src/base/clock.ts';
import { NOT_GIVEN } from '../../src/venues/counting/sides.ts';
import { type Batch, type Contract, emptyBatch } from '../../src/venues/observations.ts';
import type { BulkPoll, Venue } from '../../src/venues/venue.ts';

/** A minimal venue with the given parts. */
export function fakeVenue(given: Partial<Venue> = {}): Venue {
  return {
    slug: 'fake',
    facts: {
      exchange: 'Fake',
      name: 'Fake',
      kind: 'cex',
      takerFeePct: { value: 0.05, readOn: '2026-11-01', source: 'https://example.org' },
      maxLeverage: { value: 10, readOn: '2026-11-01', source: 'https://example.org' },
      counts: { openInterest: NOT_GIVEN, volume: NOT_GIVEN },
      hasSpot: false,
      tradingEnabled: false,
      feeUrl: null,
      specsUrl: 'https://example.org',
      fundingUrl: 'https://example.org',
      unknown: [],
    },
    hosts: { rest: 'http://127.0.0.1:9' },
    budgets: { rest: { capacity: 100, windowSeconds: 60 } },
    polls: [],
    streams: [],
    settlementDepthDays: null,
    settlements: async () => ({ settlements: [], rejected: [], next: null }),
    depth: async (contract) => ({
      venueSymbol: contract.venueSymbol,
      bids: [],
      asks: [],
      venueTimeMs: null,
    }),
    ...given,
  };
}

export function fakeContract(venueSymbol: string): Contract {
  return {
    venueSymbol,
    base: venueSymbol,
    quote: 'USDT',
    settle: 'USDT',
    isInverse: false,
    contractSize: 1,
    status: 'trading',
    venueStatus: 'trading',
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: null,
    intervalHours: null,
  };
}

export function bulkPoll(
  name: string,
  gives: BulkPoll['gives'],
  everySeconds: number,
  collect: () => Partial<Batch> | Promise<Partial<Batch>>,
): BulkPoll {
  return {
    kind: 'bulk',
    name,
    gives,
    everySeconds,
    weight: 1,
    call: `GET /${name}`,
    collect: async () => ({ ...emptyBatch(), ...(await collect()) }),
  };
}

export interface Answering {
  url: string;
  requests: { method: string; url: string; body: string }[];
  close(): Promise<void>;
}

/** A server on loopback that answers the n-th request with the n-th reply, and all further ones with the last. */
export async function answering(
  ...replies: ((response: ServerResponse, request: IncomingMessage) => void)[]
): Promise<Answering> {
  const requests: Answering['requests'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const reply = replies[Math.min(requests.length, replies.length - 1)];
      requests.push({ method: request.method ?? '', url: request.url ?? '', body });
      reply?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Moves the clock step by step until the promise settles. */
export async function whileMoving<T>(clock: ManualClock, stepMs: number, running: Promise<T>): Promise<T> {
  const moving = setInterval(() => clock.advanceMs(stepMs), 2);
  try {
    return await running;
  } finally {
    clearInterval(moving);
  }
}
