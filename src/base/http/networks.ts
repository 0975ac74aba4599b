import { BlockList, isIP } from 'node:net';

/** Names for private networks in which reverse proxies usually run. */
const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Parses addresses, networks in CIDR notation and network names. Throws with the first entry that is none of them. */
export function parseNetworks(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries.flatMap((name) => NAMED_NETWORKS.get(name) ?? [name])) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const maxBits = family === 6 ? 128 : 32;
    const prefixBits = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || rest.length > 0 || !(prefixBits <= maxBits))
      throw new Error(`not an address or network: ${entry}`);
    networks.addSubnet(address, prefixBits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}
