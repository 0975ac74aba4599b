import { epochMsOf, textOf } from '../fields.ts';
import { type Contract, emptyBatch, isLive, refusalOf } from '../observations.ts';
import { BadReply, isRow, rowOf } from '../reading.ts';
import { addTop, readListed } from '../row-readers.ts';
import { readBook, topOfBook } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { parseBestOffers } from './parse.ts';
import { BOOK_ROUND_SECONDS } from './wire.ts';

/** A requested book. Its top counts too: it confirms the tops of contracts that a push leaves out. */
function readBookReply(data: unknown, context: ParseContext) {
  return readListed([data], 'symbol', context, (row, contract, batch) => {
    const depth = readBook(contract, { bids: row.bids, asks: row.asks }, 'base', epochMsOf(row.ts));
    const reason = addTop(batch, topOfBook(contract, depth));
    if (reason === null) batch.depths.push(depth);
    return reason;
  });
}

function openSession(contracts: readonly Contract[]): StreamSession {
  const perPush = Math.ceil(contracts.length / BOOK_ROUND_SECONDS);
  let position = 0;
  /** Requests for the next few books. Pushes come every second, so they set the pace. */
  const bookRequests = (context: ParseContext): string[] =>
    Array.from({ length: perPush }, () => contracts[position++ % contracts.length]?.venueSymbol ?? '')
      .filter((symbol) => {
        const listed = context.contracts.get(symbol);
        return listed !== undefined && isLive(listed);
      })
      .map((symbol) =>
        JSON.stringify({ id: symbol, event: 'request', params: { type: 'orderbook', symbol } }),
      );
  return {
    opening: [JSON.stringify({ id: 'bbos', event: 'subscribe', topic: 'bbos' })],
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      if (row.topic === 'bbos')
        return { batch: parseBestOffers(row, context), replies: bookRequests(context) };
      if (row.event === 'ping') return { batch: emptyBatch(), replies: [JSON.stringify({ event: 'pong' })] };
      if (row.event === 'request' && row.success === true && isRow(row.data))
        return { batch: readBookReply(row.data, context) };
      if (row.event === 'request') return { batch: refusalOf(textOf(row.id), 'book request refused') };
      if (row.success === false) throw new BadReply('the stream refused a request');
      return { batch: emptyBatch() };
    },
  };
}

/** Books are requested on the same socket, because the call for them over HTTP needs a key. */
export const bestOffers: Stream = {
  name: 'best offers and books',
  gives: ['bid and ask', 'sizes', 'books'],
  host: 'ws',
  path: '/ws/stream/perpwire',
  call: 'bbos, request orderbook',
  contractsPerSocket: 1000,
  applies: (contract) => contract.status === 'trading',
  open: openSession,
  heartbeat: { everySeconds: 10, message: () => JSON.stringify({ event: 'ping' }) },
  silenceSeconds: 30,
};
