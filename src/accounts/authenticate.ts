import type { Clock } from '../base/clock.ts';
import type { Caller, Directory, DirectoryKey } from './directory.ts';
import { keyState } from './key-state.ts';
import { checkKeyShape, hashKey, KEY_CHARACTERS, KEY_PREFIXES } from './keys.ts';

export type KeyRefusal =
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'rotated-out'
  | 'test-key-not-on-loopback';

export type Authentication = { ok: true; caller: Caller } | { ok: false; reason: KeyRefusal };

export type Authenticate = (keyText: string) => Authentication;

/** The same caller as it is now, after a change elsewhere. */
export type LookAgain = (caller: Caller) => Authentication;

export interface AuthenticateOptions {
  directory: Directory;
  /** Brings in other processes' changes; called before each look-up. */
  freshen: () => void;
  clock: Clock;
  baseUrl: string;
}

/**
 * Synchronous: one SHA-256 and one map look-up. The hash of a known key is not kept beside its text, which would save a
 * microsecond and hold thousands of working keys in memory.
 */
export function createAuthenticate({
  directory,
  freshen,
  clock,
  baseUrl,
}: AuthenticateOptions): Authenticate {
  const testKeysWork = isLoopbackUrl(baseUrl);
  return (keyText) => {
    freshen();
    const key = keyText.length === KEY_CHARACTERS ? directory.key(hashKey(keyText)) : undefined;
    if (!testKeysWork && keyText.startsWith(KEY_PREFIXES.test) && checkKeyShape(keyText) !== null)
      return refused('test-key-not-on-loopback');
    if (!key) return refused(checkKeyShape(keyText) === null ? 'malformed' : 'unknown');
    return currentState(directory, key, clock);
  };
}

export function createLookAgain(directory: Directory, clock: Clock): LookAgain {
  return ({ keyId, accountId, scopes }) => {
    if (keyId !== null) return currentState(directory, directory.keyById(keyId), clock);
    const caller = directory.callerForGrant(accountId, scopes);
    return caller === null ? refused('unknown') : { ok: true, caller };
  };
}

function currentState(directory: Directory, key: DirectoryKey | undefined, clock: Clock): Authentication {
  if (!key) return refused('unknown');
  const state = keyState(key, clock.nowMs());
  if (state !== 'active' && state !== 'replaced') return refused(state);
  const caller = directory.callerFor(key);
  return caller === null ? refused('unknown') : { ok: true, caller };
}

function refused(reason: KeyRefusal): Authentication {
  return { ok: false, reason };
}

/** `localhost`, 127.0.0.0/8 or ::1. URL has already brought other spellings of an address to these. */
export function isLoopbackUrl(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
