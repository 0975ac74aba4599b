import type { Clock } from '../base/clock.ts';
import type { Caller, Directory } from './directory.ts';
import { keyState } from './key-state.ts';
import { checkKeyShape, hashKey } from './keys.ts';

export type KeyRefusal =
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'rotated-out'
  | 'test-key-not-on-loopback';

export type Authentication = { ok: true; caller: Caller } | { ok: false; reason: KeyRefusal };

export type Authenticate = (keyText: string) => Authentication;

export interface AuthenticateOptions {
  directory: Directory;
  /** Brings in other processes' changes; called before each look-up. */
  freshen: () => void;
  clock: Clock;
  baseUrl: string;
}

/** About 2 MB. Only keys that are known here get in, so nobody can fill it with made-up ones. */
const MAX_REMEMBERED = 10_000;

/** Synchronous: a checksum, one SHA-256 and one map look-up; for a key that was good before, the look-up alone. */
export function createAuthenticate({
  directory,
  freshen,
  clock,
  baseUrl,
}: AuthenticateOptions): Authenticate {
  const testKeysWork = isLoopbackUrl(baseUrl);
  // Hashes by key, never written anywhere. Whether a key is still good is looked up each time.
  const hashes = new Map<string, string>();
  const remember = (keyText: string, hash: string) => {
    if (hashes.size >= MAX_REMEMBERED) hashes.clear();
    hashes.set(keyText, hash);
  };
  return (keyText) => {
    let hash = hashes.get(keyText);
    const isNew = hash === undefined;
    if (hash === undefined) {
      const kind = checkKeyShape(keyText);
      if (kind === null) return refused('malformed');
      if (kind === 'test' && !testKeysWork) return refused('test-key-not-on-loopback');
      hash = hashKey(keyText);
    }
    freshen();
    const key = directory.key(hash);
    if (!key) return refused('unknown');
    const state = keyState(key, clock.nowMs());
    if (state !== 'active' && state !== 'replaced') return refused(state);
    const caller = directory.callerFor(key);
    if (caller === null) return refused('unknown');
    if (isNew) remember(keyText, hash);
    return { ok: true, caller };
  };
}

function refused(reason: KeyRefusal): Authentication {
  return { ok: false, reason };
}

/** `localhost`, 127.0.0.0/8 or ::1. URL has already brought other spellings of an address to these. */
export function isLoopbackUrl(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
