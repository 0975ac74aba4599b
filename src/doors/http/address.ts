import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type AddressOf = (request: IncomingMessage) => string;

/** Words for networks that proxies often stand in. */
const NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Where a request comes from: the peer, or, while that is a proxy that we were told to trust, whom it names last in
 * X-Forwarded-For. Anything that stands before an untrusted address may be made up and is not looked at.
 */
export function addressReader(trustedProxies: readonly string[]): AddressOf {
  if (trustedProxies.length === 0) return peerOf;
  const isTrusted = trustOf(trustedProxies);
  return (request) => {
    const peer = peerOf(request);
    const header = request.headers['x-forwarded-for'];
    if (header === undefined || !isTrusted(peer)) return peer;
    const named = String(header)
      .split(',')
      .map((part) => plainAddress(part.trim()));
    let address = peer;
    while (isTrusted(address) && named.length > 0) {
      const before = named.pop() ?? '';
      // A name or a word is nobody's address; then the proxy itself stands for the caller.
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

function peerOf(request: IncomingMessage): string {
  return unmapped(request.socket.remoteAddress ?? '');
}

/** Without a port or brackets, which some proxies write. */
function plainAddress(text: string): string {
  return unmapped(
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text,
  );
}

const MAPPED = '::ffff:';

/** An IPv4 address that came over an IPv6 socket, in its own spelling. */
function unmapped(address: string): string {
  return address.startsWith(MAPPED) && isIP(address.slice(MAPPED.length)) === 4
    ? address.slice(MAPPED.length)
    : address;
}

/** Whether an address belongs to a trusted proxy. */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = trustedNetworks(trustedProxies);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** The networks that settings name; throws with the entry that cannot be one. */
export function trustedNetworks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries.flatMap((word) => NETWORKS.get(word) ?? [word])) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || rest.length > 0 || !(length <= most))
      throw new Error(`no address or network: ${entry}`);
    list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
