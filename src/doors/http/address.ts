import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseNetworks } from '../../base/http/networks.ts';

export type AddressOf = (request: IncomingMessage) => string;

/**
 * Returns a function that finds the client address of a request. It walks X-Forwarded-For from the right and returns
 * the first address that is not a trusted proxy; entries left of it can be forged. Without trusted proxies it is the
 * address of the connection.
 */
export function addressReader(trustedProxies: readonly string[]): AddressOf {
  if (trustedProxies.length === 0) return peerAddress;
  const trusted = parseNetworks(trustedProxies);
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  return (request) => {
    const peer = peerAddress(request);
    const header = request.headers['x-forwarded-for'];
    if (header === undefined || !isTrusted(peer)) return peer;
    const forwarded = String(header)
      .split(',')
      .map((entry) => withoutPort(entry.trim()));
    let address = peer;
    while (isTrusted(address) && forwarded.length > 0) {
      const previous = forwarded.pop() ?? '';
      // An entry that is not an IP address identifies nobody: the client is then the proxy that wrote it.
      if (isIP(previous) === 0) break;
      address = previous;
    }
    return address;
  };
}

function peerAddress(request: IncomingMessage): string {
  return withoutMapping(request.socket.remoteAddress ?? '');
}

/** Some proxies append a port, and write IPv6 addresses in brackets. */
function withoutPort(entry: string): string {
  return withoutMapping(
    /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(entry)?.[1] ?? entry,
  );
}

const MAPPED_PREFIX = '::ffff:';

/** An IPv4 client of an IPv6 socket has an IPv4-mapped address. */
function withoutMapping(address: string): string {
  const ipv4 = address.slice(MAPPED_PREFIX.length);
  return address.startsWith(MAPPED_PREFIX) && isIP(ipv4) === 4 ? ipv4 : address;
}
