import { topStream } from '../held-tops.ts';
import { emptyBatch } from '../observations.ts';
import { BadReply, isRow, listOf, rowOf } from '../reading.ts';
import { FIGURE_TOPICS, type StreamSession, TOP_TOPICS } from '../venue.ts';
import { parseBookTickers, parseTickers } from './parse.ts';
import { TICKERS_CHANNEL, TICKERS_EVERY_MS, TOPS_CHANNEL } from './wire.ts';

function openSession(): StreamSession {
  let tickersReadAtMs = 0;
  return {
    opening: [TOPS_CHANNEL, TICKERS_CHANNEL].map((channel) => JSON.stringify({ type: 'subscribe', channel })),
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      if (row.type === 'ping')
        return { batch: emptyBatch(), replies: [JSON.stringify({ type: 'pong', time: row.time })] };
      if (row.type === 'error') throw new BadReply('the stream refused a request');
      if (row.type !== 'quote-event' || !isRow(row.content)) return { batch: emptyBatch() };
      const rows = listOf(row.content.data, 'data');
      if (row.channel === TOPS_CHANNEL) return { batch: parseBookTickers(rows, context) };
      if (context.receivedAtMs - tickersReadAtMs < TICKERS_EVERY_MS) return { batch: emptyBatch() };
      tickersReadAtMs = context.receivedAtMs;
      return { batch: parseTickers(rows, context) };
    },
  };
}

/** The venue has no bulk call for tops and volumes; these two channels carry all contracts. */
export const quotes = topStream({
  name: 'quotes',
  gives: [...TOP_TOPICS, 'volume', ...FIGURE_TOPICS],
  path: '/api/v1/public/ws',
  call: `${TOPS_CHANNEL}, ${TICKERS_CHANNEL}`,
  contractsPerSocket: 1000,
  open: openSession,
  // The server sends pings and wants each of them answered.
  heartbeat: null,
  sendsOnlyChanges: true,
});
