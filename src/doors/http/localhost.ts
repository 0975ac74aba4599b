import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** A machine without IPv6, or without IPv4, has nothing to listen on there. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * `localhost` is 127.0.0.1 and ::1, and a browser may try either; a server listens on the first only. The others are
 * accepted here and handed to it.
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
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!ABSENT.has(code)) throw error;
    }
  }
}
