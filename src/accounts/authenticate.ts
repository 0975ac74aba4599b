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

/** Synchronous: a checksum, one SHA-256 and one map look-up. */
export function createAuthenticate({
  directory,
  freshen,
  clock,
  baseUrl,
}: AuthenticateOptions): Authenticate {
  const testKeysWork = isLoopbackUrl(baseUrl);
  return (keyText) => {
    const kind = checkKeyShape(keyText);
    if (kind === null) return refused('malformed');
    if (kind === 'test' && !testKeysWork) return refused('test-key-not-on-loopback');
    freshen();
    const key = directory.key(hashKey(keyText));
    if (!key) return refused('unknown');
    const state = keyState(key, clock.nowMs());
    if (state !== 'active' && state !== 'replaced') return refused(state);
    const caller = directory.callerFor(key);
    return caller === null ? refused('unknown') : { ok: true, caller };
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
