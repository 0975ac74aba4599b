import { SECOND_MS } from '../../base/times.ts';
import { plainTopStream } from '../held-tops.ts';
import { BadReply, isRow } from '../reading.ts';
import { parseTop } from './parse.ts';
import { TOP_CHANNEL, TOPICS_PER_SOCKET } from './wire.ts';

const ping = (nowMs: number) => JSON.stringify({ op: 'ping', ping: Math.floor(nowMs / SECOND_MS) });

/** Every top comes three times a second, changed or not. A good subscription is not confirmed. */
export const tops = plainTopStream({
  path: '/public/',
  call: `${TOP_CHANNEL} {symbols}`,
  contractsPerSocket: TOPICS_PER_SOCKET,
  subscribe: (contracts) => {
    const args = contracts.map(({ venueSymbol }) => ({ symbol: venueSymbol, ch: TOP_CHANNEL }));
    return [JSON.stringify({ op: 'subscribe', args })];
  },
  read: (message, context) => {
    if (message.op === 'subscribe' && isRow(message.data) && message.data.result === false)
      throw new BadReply('the stream refused a request');
    return message.ch === TOP_CHANNEL ? parseTop(message, context) : null;
  },
  heartbeat: { everySeconds: 20, message: ping },
});
