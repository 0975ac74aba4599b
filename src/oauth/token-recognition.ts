import { tokenHash } from '../accounts/secrets.ts';
import type { Clock } from '../base/clock.ts';
import { MINUTE_MS } from '../base/times.ts';
import type { Connections } from './connections.ts';

/** The form of the library's opaque tokens. */
const TOKEN_SHAPE = /^[\w-]{43}$/;
const MAX_REMEMBERED = 1_000;

/**
 * Whether a text is an access token, also an expired one. Tokens that were found are remembered for a minute, so whoever
 * sends one again and again, where it is not accepted, does not cause a look-up each time.
 */
export function tokenRecognition(
  connections: Pick<Connections, 'findToken'>,
  clock: Clock,
): (text: string) => boolean | Promise<boolean> {
  let remembered = new Set<string>();
  let sinceMs = clock.monotonicMs();
  return (text) => {
    if (!TOKEN_SHAPE.test(text)) return false;
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= MINUTE_MS || remembered.size >= MAX_REMEMBERED) {
      remembered = new Set();
      sinceMs = nowMs;
    }
    const hash = tokenHash(text);
    if (remembered.has(hash)) return true;
    return connections.findToken(text).then((found) => {
      if (found === 'unknown') return false;
      remembered.add(hash);
      return true;
    });
  };
}
