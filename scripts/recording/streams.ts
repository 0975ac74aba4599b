import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import type { Clock } from '../../src/base/clock.ts';
import { SECOND_MS } from '../../src/base/times.ts';
import { hostAddress } from '../../src/venues/collecting/caller.ts';
import type { Contract } from '../../src/venues/observations.ts';
import type { Stream, Venue } from '../../src/venues/venue.ts';

interface Heard {
  sent: readonly string[];
  messages: unknown[];
}

/** Opens one socket for the contracts and records its messages for a while. Rejects if it cannot be opened. */
export function listen(
  venue: Venue,
  stream: Stream,
  contracts: readonly Contract[],
  options: { simUrl: string | null; clock: Clock; streamSeconds: number },
): Promise<Heard> {
  const address = `${hostAddress(venue, stream.host, options.simUrl)}${stream.path}`;
  const session = stream.open(contracts);
  const known = new Map(contracts.map((contract) => [contract.venueSymbol, contract]));
  return new Promise((resolve, reject) => {
    const messages: unknown[] = [];
    const socket = new WebSocket(address, { handshakeTimeout: 10_000 });
    const finish = () => {
      socket.terminate();
      resolve({ sent: session.opening, messages });
    };
    socket.on('error', reject);
    socket.on('open', () => {
      for (const message of session.opening) socket.send(message);
      void options.clock.sleep(options.streamSeconds * SECOND_MS).then(finish);
    });
    socket.on('message', (data, isBinary) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data));
      const isGzip = isBinary && bytes[0] === 0x1f && bytes[1] === 0x8b;
      const text = (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
      const message = jsonOr(text);
      messages.push(message);
      try {
        const context = { receivedAtMs: options.clock.nowMs(), contracts: known };
        for (const reply of session.receive(message, context).replies ?? []) socket.send(reply);
      } catch {
        // A message that our parser rejects is worth recording too.
      }
    });
  });
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
