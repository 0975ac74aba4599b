import { textOf } from '../fields.ts';
import { topStream } from '../held-tops.ts';
import { type Batch, type Contract, emptyBatch, mergeBatches } from '../observations.ts';
import { BadReply, isRow, type Row, rowOf } from '../reading.ts';
import {
  FIGURE_TOPICS,
  FUNDING_TOPICS,
  type ParseContext,
  type StreamSession,
  TOP_TOPICS,
} from '../venue.ts';
import { parseTicker } from './parse.ts';
import { FIGURES_EVERY_MS, SELECTORS_PER_REQUEST, TICKER_EVERY_MS, TICKER_STREAM } from './wire.ts';

function openSession(contracts: readonly Contract[]): StreamSession {
  const figuresReadAtMs = new Map<string, number>();
  /** The newest tickers whose figures came too soon after the last reading. A quiet contract may not send another one. */
  const unread = new Map<string, Row>();
  const isDue = (symbol: string, nowMs: number) =>
    nowMs - (figuresReadAtMs.get(symbol) ?? 0) >= FIGURES_EVERY_MS;
  const readFigures = (symbol: string, feed: Row, context: ParseContext) => {
    figuresReadAtMs.set(symbol, context.receivedAtMs);
    unread.delete(symbol);
    return parseTicker(feed, context, true);
  };
  const requests = Math.ceil(contracts.length / SELECTORS_PER_REQUEST);
  return {
    opening: Array.from({ length: requests }, (_, i) => {
      const group = contracts.slice(i * SELECTORS_PER_REQUEST, (i + 1) * SELECTORS_PER_REQUEST);
      const selectors = group.map(({ venueSymbol }) => `${venueSymbol}@${TICKER_EVERY_MS}`);
      const params = { stream: TICKER_STREAM, selectors };
      return JSON.stringify({ jsonrpc: '2.0', method: 'subscribe', params, id: i + 1 });
    }),
    receive: (message, context) => {
      const { error, stream, feed } = rowOf(message, 'message');
      if (error !== undefined) throw new BadReply('the stream refused a request');
      if (stream !== TICKER_STREAM || !isRow(feed)) return { batch: emptyBatch() };
      const symbol = textOf(feed.instrument) ?? '';
      unread.set(symbol, feed);
      const batches: Batch[] = [];
      for (const [name, row] of unread)
        if (isDue(name, context.receivedAtMs)) batches.push(readFigures(name, row, context));
      if (unread.has(symbol)) batches.push(parseTicker(feed, context, false));
      return { batch: mergeBatches(batches) };
    },
  };
}

/** The venue has no call for all tickers, so that everything but the list comes over the socket. */
export const tickers = topStream({
  name: 'tickers',
  gives: [...FUNDING_TOPICS, ...TOP_TOPICS, 'volume', ...FIGURE_TOPICS],
  path: '/ws/full',
  call: `${TICKER_STREAM} {symbol}@${TICKER_EVERY_MS}`,
  contractsPerSocket: 200,
  open: openSession,
  heartbeat: null,
  sendsOnlyChanges: true,
});
