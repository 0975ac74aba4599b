import { decimalOrNull } from '../../base/numbers.ts';
import { epochMsOf } from '../fields.ts';
import { type Batch, type Contract, emptyBatch } from '../observations.ts';
import { isRow, NOT_LISTED, type Row, readRows } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { DEPTH_CHANNEL } from './wire.ts';

/** The smallest number of levels that the channel offers; we read the first. */
const LEVELS = 5;

function firstLevel(levels: unknown): readonly unknown[] {
  const first: unknown = Array.isArray(levels) ? levels[0] : undefined;
  return Array.isArray(first) ? first : [];
}

/** Every push is a whole book. A push older than the last one of its contract is dropped. */
export function openSession(contracts: readonly Contract[]): StreamSession {
  const versions = new Map<string, number>();
  const read = (message: Row, venueSymbol: string, context: ParseContext, batch: Batch): string | null => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (!isRow(message.data)) return 'no book';
    const { bids, asks, version: rawVersion, cts } = message.data;
    const version = decimalOrNull(rawVersion) ?? 0;
    if (version < (versions.get(venueSymbol) ?? 0)) return null;
    versions.set(venueSymbol, version);
    const [bidPrice, bidSize] = firstLevel(bids);
    const [askPrice, askSize] = firstLevel(asks);
    const venueTimeMs = epochMsOf(cts) ?? epochMsOf(message.ts);
    const top = readTop(contract, { bidPrice, bidSize, askPrice, askSize }, 'contracts', venueTimeMs);
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  };
  return {
    opening: contracts.map(({ venueSymbol }) =>
      JSON.stringify({ method: `sub.${DEPTH_CHANNEL}`, param: { symbol: venueSymbol, limit: LEVELS } }),
    ),
    receive: (message, context) => {
      const batch = emptyBatch();
      if (isRow(message) && message.channel === `push.${DEPTH_CHANNEL}`)
        readRows([message], batch, 'symbol', (row, venueSymbol) => read(row, venueSymbol, context, batch));
      if (isRow(message) && message.channel === 'rs.error')
        batch.rejected.push({ venueSymbol: null, reason: 'subscription refused' });
      return { batch };
    },
  };
}

/** The bulk ticker has bids and asks without sizes and updates only every few seconds, so the book is streamed. */
export const bookStream: Stream = {
  name: 'depth.full',
  gives: ['bid and ask', 'sizes'],
  host: 'stream',
  path: '/edge',
  call: `sub.${DEPTH_CHANNEL} (limit ${LEVELS})`,
  contractsPerSocket: 100,
  applies: (contract) => contract.status !== 'delisted',
  open: openSession,
  // The venue closes a connection that has sent no ping for a minute, even if it carries other messages.
  heartbeat: { everySeconds: 15, message: () => '{"method":"ping"}' },
  silenceSeconds: 45,
};
