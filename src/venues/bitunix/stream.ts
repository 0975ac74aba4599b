import { SECOND_MS } from '../../base/times.ts';
import { topStream } from '../held-tops.ts';
import { emptyBatch } from '../observations.ts';
import { BadReply, isRow, rowOf } from '../reading.ts';
import { parseTop } from './parse.ts';
import { TOP_CHANNEL, TOPICS_PER_SOCKET } from './wire.ts';

const ping = (nowMs: number) => JSON.stringify({ op: 'ping', ping: Math.floor(nowMs / SECOND_MS) });

/** Every top comes three times a second, changed or not. A good subscription is not confirmed. */
export const tops = topStream({
  path: '/public/',
  call: `${TOP_CHANNEL} {symbols}`,
  contractsPerSocket: TOPICS_PER_SOCKET,
  open: (contracts) => {
    const args = contracts.map(({ venueSymbol }) => ({ symbol: venueSymbol, ch: TOP_CHANNEL }));
    return {
      opening: [JSON.stringify({ op: 'subscribe', args })],
      receive: (message, context) => {
        const row = rowOf(message, 'message');
        if (row.ch === TOP_CHANNEL) return { batch: parseTop(row, context) };
        if (row.op === 'subscribe' && isRow(row.data) && row.data.result === false)
          throw new BadReply('the stream refused a request');
        return { batch: emptyBatch() };
      },
    };
  },
  heartbeat: { everySeconds: 20, message: ping },
});
