import type { LimitAttempts } from '../../../accounts/attempts/memory.ts';
import { randomToken } from '../../../accounts/secrets.ts';
import { SecretKeyError } from '../../../accounts/vault/secret-keys.ts';
import type { Vault } from '../../../accounts/vault/vault.ts';
import type { Clock } from '../../../base/clock.ts';
import { MINUTE_MS } from '../../../base/times.ts';

/** A browser follows a redirect at once. */
export const FLASH_MS = MINUTE_MS;

/** Texts that a browser carries from a form to the page after it. They can hold a new API key. */
export interface FlashTexts {
  /** Encrypted for one visitor, with the end of its minute. */
  seal(visitor: string, text: string): string;
  /** The text; null if it is of another visitor, was changed, is too old, or was taken before. */
  take(visitor: string, sealed: string): Promise<string | null>;
}

export function openFlashTexts(options: {
  vault: Pick<Vault, 'seal' | 'unseal'>;
  limitAttempts: LimitAttempts;
  clock: Clock;
}): FlashTexts {
  const { vault, clock } = options;
  // Twice the minute: an id is remembered for longer than its text can be read.
  const uses = options.limitAttempts('kept-texts', { most: 1, withinMs: 2 * FLASH_MS });
  const nameOf = (visitor: string) => `kept ${visitor}`;
  const unsealed = (visitor: string, sealed: string): string | null => {
    try {
      return vault.unseal(nameOf(visitor), sealed);
    } catch (error) {
      if (error instanceof SecretKeyError) return null;
      throw error;
    }
  };
  return {
    seal: (visitor, text) =>
      vault.seal(nameOf(visitor), `${clock.nowMs() + FLASH_MS} ${randomToken()} ${text}`),
    take: async (visitor, sealed) => {
      const [, untilMs, id, text] = /^(\d+) (\S+) (.*)$/s.exec(unsealed(visitor, sealed) ?? '') ?? [];
      if (id === undefined || text === undefined || Number(untilMs) <= clock.nowMs()) return null;
      return (await uses.take(id)) === null ? text : null;
    },
  };
}
