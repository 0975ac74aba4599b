import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';

/** Addresses that are not on the public internet (IANA special-purpose registries). */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
/** In IPv6 only 2000::/3 is public, except the blocks listed below. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !NOT_PUBLIC.check(address, 'ipv4');
  return PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/** Whether a client's metadata document may be fetched from this URL. Host names are checked again when resolved. */
export function isFetchable(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.port !== '') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host.includes('.') && !host.endsWith('.') : isPublicAddress(host);
}

/** Resolves a name to all of its addresses; `dns.lookup` outside of tests. */
export type ResolveAll = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for connections that refuses names with an address that is not allowed. The connection uses the addresses
 * that were checked, so a second DNS answer cannot point it elsewhere (DNS rebinding).
 */
export function guardedLookup(
  isAllowed: (address: string) => boolean,
  resolveAll: ResolveAll = lookup,
): LookupFunction {
  return (host, options, done) => {
    resolveAll(host, { all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      const [first] = addresses;
      if (refused || !first) return done(new Error(`${host} is not on the public internet`), []);
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

export const publicLookup: LookupFunction = guardedLookup(isPublicAddress);

const agent = new Agent({
  connect: { lookup: publicLookup },
  maxResponseSize: 64 * 1024,
  headersTimeout: 5_000,
  bodyTimeout: 5_000,
});

/** `fetch` for URLs that clients supply: https on the public internet only, no redirects. */
export async function guardedFetch(url: string, signal?: AbortSignal): Promise<Response> {
  if (!isFetchable(url)) throw new Error('only https URLs on the public internet are fetched');
  return await undiciFetch(url, {
    method: 'GET',
    redirect: 'manual',
    dispatcher: agent,
    headers: { accept: 'application/json', 'user-agent': 'perpwire' },
    ...(signal ? { signal } : {}),
  });
}
