import { epochMsOf, textOf } from '../fields.ts';
import { type Batch, type BookTop, type Contract, emptyBatch } from '../observations.ts';
import { isRow, NOT_LISTED, readRows, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';

export const PING = JSON.stringify({ method: 'ping' });

export function subscription(coin: string): string {
  return JSON.stringify({ method: 'subscribe', subscription: { type: 'bbo', coin } });
}

/**
 * A top is sent only when it changes, so a quiet coin may send nothing for a minute. The held tops are repeated at
 * every pong, which proves that the connection is alive and unchanged tops are still valid.
 */
export function openBboSession(contracts: readonly Contract[]): StreamSession {
  const held = new Map<string, BookTop>();
  return {
    opening: contracts.map((contract) => subscription(contract.venueSymbol)),
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      const batch = emptyBatch();
      const channel = textOf(row.channel);
      if (channel === 'bbo') readBbo(row.data, batch, context, held);
      else if (channel === 'pong') batch.bookTops.push(...stillListed(held, context));
      else if (channel === 'error') batch.rejected.push({ venueSymbol: null, reason: 'error message' });
      return { batch };
    },
  };
}

function readBbo(data: unknown, batch: Batch, context: ParseContext, held: Map<string, BookTop>): void {
  readRows([data], batch, 'coin', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const [bid, ask] = Array.isArray(row.bbo) ? (row.bbo as unknown[]).map(levelOf) : [];
    const top = readTop(
      contract,
      { bidPrice: bid?.px, bidSize: bid?.sz, askPrice: ask?.px, askSize: ask?.sz },
      'base',
      epochMsOf(row.time),
    );
    if (typeof top === 'string') {
      // The previous top is no longer valid, whatever the new one is.
      held.delete(venueSymbol);
      return top;
    }
    held.set(venueSymbol, top);
    batch.bookTops.push(top);
    return null;
  });
}

/** A side without orders is null. */
function levelOf(value: unknown) {
  return isRow(value) ? value : null;
}

function stillListed(held: ReadonlyMap<string, BookTop>, context: ParseContext): BookTop[] {
  return [...held.values()].filter((top) => context.contracts.get(top.venueSymbol)?.status === 'trading');
}

export const bboStream: Stream = {
  name: 'bbo',
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/ws',
  call: 'bbo',
  // The venue allows 1,000 subscriptions on 10 connections of an address; one socket carries every coin.
  contractsPerSocket: 400,
  // An unknown coin makes the venue close the whole connection, so only listed ones are subscribed to.
  applies: (contract) => contract.status === 'trading',
  open: openBboSession,
  heartbeat: { everySeconds: 10, message: () => PING },
  silenceSeconds: 30,
};
