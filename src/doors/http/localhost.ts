import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Errors of a machine without IPv6, or without IPv4. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * `localhost` resolves to 127.0.0.1 and ::1, and a browser may try either, but a server listens on the first only.
 * Listens on the others too and passes their connections to the server.
 */
export async function listenOnAllOf(
  host: string,
  server: Server,
  addressesOf: (host: string) => Promise<LookupAddress[]> = (name) => lookup(name, { all: true }),
): Promise<void> {
  if (host !== 'localhost') return;
  const bound = server.address() as AddressInfo;
  for (const { address } of await addressesOf(host)) {
    if (address === bound.address) continue;
    const other = createServer((socket) => server.emit('connection', socket));
    server.once('close', () => other.close());
    try {
      other.listen(bound.port, address);
      await once(other, 'listening');
      other.on('error', (error) => server.emit('error', error));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!ABSENT.has(code)) throw error;
    }
  }
}
