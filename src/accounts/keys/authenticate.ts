import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Caller, Directory, DirectoryKey } from './directory.ts';
import { keyState } from './key-state.ts';
import { checkKeyShape, hashKey, KEY_PREFIXES, KEY_START } from './key-text.ts';

export type KeyRefusal =
  | 'not-a-key'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'rotated-out'
  | 'suspended'
  | 'test-key-not-on-loopback';

export type Authentication = { ok: true; caller: Caller } | { ok: false; reason: KeyRefusal };

export type Authenticate = (keyText: string) => Authentication;

/** Looks the caller up again after another process has changed the directory. */
export type LookAgain = (caller: Caller) => Authentication;

interface AuthenticateOptions {
  directory: Directory;
  /** Reads changes of other processes; called before each lookup. */
  freshen: () => void;
  clock: Clock;
  baseUrl: string;
}

/** Keys that called lately. Their hash takes longer than everything else about a caller. */
const KNOWN_HASHES = 1_000;

/** Synchronous: two map lookups, for an unknown text also a SHA-256 and a checksum. */
export function createAuthenticate({
  directory,
  freshen,
  clock,
  baseUrl,
}: AuthenticateOptions): Authenticate {
  const testKeysWork = isLoopbackUrl(baseUrl);
  // Only in memory, and only of keys that exist: strangers cannot fill it.
  const hashes = new LRUCache<string, string>({ max: KNOWN_HASHES });
  return (keyText) => {
    freshen();
    const known = hashes.get(keyText);
    const hash = known ?? hashKey(keyText);
    const key = directory.key(hash);
    if (key && known === undefined) hashes.set(keyText, hash);
    // A key in the directory has a valid shape.
    if (!key && checkKeyShape(keyText) === null)
      return refused(keyText.startsWith(KEY_START) ? 'malformed' : 'not-a-key');
    if (!testKeysWork && keyText.startsWith(KEY_PREFIXES.test)) return refused('test-key-not-on-loopback');
    return currentState(directory, key, clock);
  };
}

export function createLookAgain(directory: Directory, clock: Clock): LookAgain {
  return ({ keyId, accountId, scopes }) => {
    if (directory.isSuspended(accountId)) return refused('suspended');
    if (keyId !== null) return currentState(directory, directory.keyById(keyId), clock);
    const caller = directory.callerForGrant(accountId, scopes);
    return caller === null ? refused('unknown') : { ok: true, caller };
  };
}

function currentState(directory: Directory, key: DirectoryKey | undefined, clock: Clock): Authentication {
  if (!key) return refused('unknown');
  const state = keyState(key, clock.nowMs());
  if (state !== 'active' && state !== 'replaced') return refused(state);
  if (directory.isSuspended(key.accountId)) return refused('suspended');
  const caller = directory.callerFor(key);
  return caller === null ? refused('unknown') : { ok: true, caller };
}

function refused(reason: KeyRefusal): Authentication {
  return { ok: false, reason };
}

/** `localhost`, 127.0.0.0/8 or ::1. URL has already normalized other spellings of these addresses. */
export function isLoopbackUrl(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
