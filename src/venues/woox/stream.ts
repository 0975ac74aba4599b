import { textOf } from '../fields.ts';
import { topStream } from '../held-tops.ts';
import { type Contract, emptyBatch } from '../observations.ts';
import { BadReply, rowOf } from '../reading.ts';
import type { StreamSession } from '../venue.ts';
import { parseBestOffers } from './parse.ts';
import { TOPICS_PER_REQUEST, TOPICS_PER_SOCKET } from './wire.ts';

const TOPIC = 'bbo@';

function openSession(contracts: readonly Contract[]): StreamSession {
  const requested = new Map<string, readonly string[]>();
  for (let i = 0; i < contracts.length; i += TOPICS_PER_REQUEST) {
    const group = contracts.slice(i, i + TOPICS_PER_REQUEST);
    requested.set(
      String(requested.size + 1),
      group.map((contract) => `${TOPIC}${contract.venueSymbol}`),
    );
  }
  return {
    opening: [...requested].map(([id, params]) => JSON.stringify({ id, cmd: 'SUBSCRIBE', params })),
    receive: (message, context) => {
      const row = rowOf(message, 'message');
      if (textOf(row.topic)?.startsWith(TOPIC)) return { batch: parseBestOffers(row.data, context) };
      if (row.cmd === 'PING') return { batch: emptyBatch(), replies: [JSON.stringify({ cmd: 'PONG' })] };
      if (row.success === false) throw new BadReply('the stream refused a request');
      const batch = emptyBatch();
      if (row.cmd === 'SUBSCRIBE' && Array.isArray(row.data)) {
        // An answer that reports success may omit a refused topic.
        const accepted = new Set<unknown>(row.data);
        for (const topic of requested.get(String(row.id)) ?? []) {
          if (!accepted.has(topic))
            batch.rejected.push({ venueSymbol: topic.slice(TOPIC.length), reason: 'subscription refused' });
        }
      }
      return { batch };
    },
  };
}

/**
 * `bbo` leaves out the retail-only orders (RPI) that no API order can trade against; `bborpi` would include them and
 * show spreads that an API order cannot take.
 */
export const bestOffers = topStream({
  name: 'best offers',
  path: '/v3/public',
  call: 'bbo@{symbol}',
  contractsPerSocket: TOPICS_PER_SOCKET,
  applies: (contract) => contract.status === 'trading',
  open: openSession,
  // A socket that sends nothing for 60 seconds is closed; quiet books send nothing, so pongs are the sign of life.
  heartbeat: { everySeconds: 15, message: (nowMs) => JSON.stringify({ cmd: 'PING', ts: nowMs }) },
  sendsOnlyChanges: true,
});
