import { textOf } from '../fields.ts';
import { topStream } from '../held-tops.ts';
import { emptyBatch, refusalOf } from '../observations.ts';
import { BadReply, isRow, rowOf } from '../reading.ts';
import { parseBookTicker } from './parse.ts';
import { MARKETS_PER_SOCKET } from './wire.ts';

const UNKNOWN_MARKET = /^market (\S+) does not exist/;

const request = (method: string, params: readonly string[]) => JSON.stringify({ id: 1, method, params });

/** Best bid and ask with sizes, without the retail-only orders (RPI) that no API order can trade against. */
export const bookTicker = topStream({
  path: '/ws',
  call: 'bookTicker_subscribe {markets}',
  contractsPerSocket: MARKETS_PER_SOCKET,
  open: (contracts) => {
    // One request names all markets, because a later one may replace it.
    const markets = new Set(contracts.map((contract) => contract.venueSymbol));
    return {
      opening: [request('bookTicker_subscribe', [...markets])],
      receive: (message, context) => {
        const row = rowOf(message, 'message');
        if (row.method === 'bookTicker_update') return { batch: parseBookTicker(row.params, context) };
        if (!isRow(row.error)) return { batch: emptyBatch() };
        const unknown = UNKNOWN_MARKET.exec(textOf(row.error.message) ?? '')?.[1];
        if (unknown === undefined || !markets.delete(unknown))
          throw new BadReply('the stream refused a request');
        // A market that has just closed must not cost the others their tops.
        const replies = [request('bookTicker_subscribe', [...markets])];
        return { batch: refusalOf(unknown, 'subscription refused'), replies };
      },
    };
  },
  // A socket whose client is silent for 60 seconds is closed; quiet books send nothing, so pongs are the sign of life.
  heartbeat: { everySeconds: 20, message: () => request('ping', []) },
  sendsOnlyChanges: true,
});
