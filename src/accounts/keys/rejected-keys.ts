import { isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { HoldsNames } from '../attempts/held-names.ts';
import { SlidingWindow } from '../windows/sliding-window.ts';

/** Wrong keys that one address may send within a minute. */
export const MAX_WRONG_KEYS = 30;
/** About 10 MB. At most this many addresses are kept; the one with the oldest wrong key is dropped. */
const MAX_ADDRESSES = 20_000;

export interface AddressBlock {
  retryAfterSeconds: number;
}

/** Blocks an address that tries many wrong keys. Requests without credentials do not count. */
export interface RejectedKeys {
  /** Counts one wrong credential; returns the block if the limit is exceeded. */
  noteWrong(address: string): AddressBlock | null | Promise<AddressBlock | null>;
  /** The current block of the address. */
  blockOf(address: string): AddressBlock | null;
}

export function createRejectedKeys(clock: Clock): RejectedKeys & HoldsNames {
  // Ordered by last wrong key, oldest first.
  const windows = new Map<string, SlidingWindow>();

  const blockOf = (address: string): AddressBlock | null => {
    if (windows.size === 0) return null;
    const nowMs = clock.nowMs();
    const window = windows.get(addressGroup(address));
    if (!window || window.used(nowMs) <= MAX_WRONG_KEYS) return null;
    return { retryAfterSeconds: Math.max(1, Math.ceil((window.resetsAtMs(nowMs) - nowMs) / 1000)) };
  };

  const sweep = () => {
    const nowMs = clock.nowMs();
    for (const [group, window] of windows) {
      if (window.used(nowMs) > 0 && windows.size <= MAX_ADDRESSES) return;
      windows.delete(group);
    }
  };

  return {
    blockOf,
    get nameCount() {
      return windows.size;
    },
    sweep,
    noteWrong: (address) => {
      const nowMs = clock.nowMs();
      const group = addressGroup(address);
      // The size is one above the limit, so a full window means a block. While it is full no further key counts, so
      // the announced wait stays correct.
      const window = windows.get(group) ?? new SlidingWindow(MAX_WRONG_KEYS + 1);
      window.take(nowMs);
      windows.delete(group);
      windows.set(group, window);
      sweep();
      return blockOf(address);
    },
  };
}

/** One customer usually has a whole IPv6 /64, so it counts as one address. */
export function addressGroup(address: string): string {
  const plain = address.split('%')[0] ?? address;
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', rest] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = rest === undefined || rest === '' ? [] : rest.split(':');
  // An IPv4 address at the end takes the place of two groups.
  const written = left.length + right.length + (plain.includes('.') ? 1 : 0);
  const zeros = rest === undefined ? [] : Array<string>(8 - written).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
