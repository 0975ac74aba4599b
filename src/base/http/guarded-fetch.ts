import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { bytesWithin } from './bounded-body.ts';
import { HostNameError, type HostNames } from './host-names.ts';
import { USER_AGENT } from './http-client.ts';

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

/** What a connection to an address that a user supplied needs. */
interface GuardedTarget {
  url: string;
  names: Pick<HostNames, 'addressesOf'>;
  isAllowed: (address: string) => boolean;
  signal: AbortSignal;
}

/**
 * An agent for one request to a host all of whose addresses are allowed. It connects to the addresses that were checked, so
 * a second DNS answer cannot point it elsewhere (DNS rebinding). Rejects with a `HostNameError`.
 */
export async function guardedAgent(
  { url, names, isAllowed, signal }: GuardedTarget,
  { timeoutMs, ...options }: Omit<Agent.Options, 'connect'> & { timeoutMs: number },
): Promise<Agent> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? [...(await names.addressesOf(host, signal))] : [{ address: host, family }];
  const [first] = addresses;
  if (!first || addresses.some(({ address }) => !isAllowed(address)))
    throw new HostNameError(`${host} is not on the public internet`);
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, addresses) : done(null, first.address, first.family);
  return new Agent({
    ...options,
    connect: { lookup, timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** `fetch` for URLs that clients supply: https on the public internet only, no redirects. */
export type GuardedFetch = (url: string, signal: AbortSignal) => Promise<Response>;

const FETCH_TIMEOUT_MS = 5_000;
const MAX_FETCHED_BYTES = 64 * 1024;

export function createGuardedFetch(names: Pick<HostNames, 'addressesOf'>): GuardedFetch {
  return async (url, signal) => {
    if (!isFetchable(url)) throw new Error('only https URLs on the public internet are fetched');
    const agent = await guardedAgent(
      { url, names, isAllowed: isPublicAddress, signal },
      { timeoutMs: FETCH_TIMEOUT_MS, maxResponseSize: MAX_FETCHED_BYTES },
    );
    try {
      const reply = await undiciFetch(url, {
        redirect: 'manual',
        dispatcher: agent,
        headers: { accept: 'application/json', 'user-agent': USER_AGENT },
        signal,
      });
      // Read here, because the agent ends with this request. The limit of the agent is for bytes as they were sent.
      const body = reply.body === null ? null : await bytesWithin(reply.body, MAX_FETCHED_BYTES);
      return new Response(body, { status: reply.status, headers: [...reply.headers] });
    } finally {
      await agent.destroy();
    }
  };
}
