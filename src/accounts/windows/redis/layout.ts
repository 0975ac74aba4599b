import { FIRST_SERVER } from '../../../storage/redis/address.ts';

/** Slots are spread over this many buckets, and buckets over the servers. */
export const BUCKET_COUNT = 1_024;

/** The Redis servers over which the windows of all slots are spread. */
export interface Layout {
  version: number;
  servers: readonly string[];
  /** The servers of the version before, while what was counted there in the last minute still matters. */
  previous: readonly string[] | null;
}

export const INITIAL_LAYOUT: Layout = { version: 0, servers: [FIRST_SERVER], previous: null };

export function bucketOf(slotId: string): number {
  return hash(slotId) % BUCKET_COUNT;
}

/**
 * The server of each bucket, by rendezvous hashing: a server that is added takes an equal share of the buckets of each
 * other one, and no bucket moves between two servers that stay.
 */
export function serversOfBuckets(servers: readonly string[]): string[] {
  return Array.from({ length: BUCKET_COUNT }, (_, bucket) => {
    let [best, bestWeight] = ['', -1];
    for (const server of servers) {
      const weight = hash(`${server} ${bucket}`);
      if (weight > bestWeight || (weight === bestWeight && server > best))
        [best, bestWeight] = [server, weight];
    }
    return best;
  });
}

/**
 * The name under which the windows of a slot are counted. It changes with the layout, so that counts which a server has
 * kept from an earlier time are never used again.
 */
export function windowsName(slotId: string, version: number): string {
  return version === 0 ? slotId : `${slotId}@${version}`;
}

export function slotOfWindows(name: string): string {
  return name.replace(/@\d+$/, '');
}

/** FNV-1a, then the last step of MurmurHash3, which spreads names that differ in their last characters only. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let place = 0; place < text.length; place++)
    value = Math.imul(value ^ text.charCodeAt(place), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
