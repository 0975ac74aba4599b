import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/times.ts';
import { isSigned, randomToken, sign, tokenHash } from '../secrets.ts';
import type { Ring } from '../vault/ring.ts';

export const DEVICE_LIFETIME_MS = 180 * DAY_MS;

/**
 * Browsers in which an account has signed in before. Their cookie is signed, so nothing is stored. The stored hash of the
 * password is part of what is signed: a new password ends all cookies of the old one.
 */
export interface Devices {
  /** The value of the cookie for a browser that has proved to belong to the owner of the address. */
  issue(email: string, passwordHash: string): string;
  /** The name of the device if the cookie was issued for the address and its present password; null if not. */
  nameOf(cookie: string | null, email: string, passwordHash: string): string | null;
}

export function openDevices(clock: Clock, ring: Ring): Devices {
  const signedText = (token: string, expiresAtMs: string, email: string, passwordHash: string) =>
    `device ${token} ${expiresAtMs} ${email} ${passwordHash}`;
  return {
    issue: (email, passwordHash) => {
      const [token, expiresAtMs] = [randomToken(), String(clock.nowMs() + DEVICE_LIFETIME_MS)];
      const signature = sign(ring.signing(), signedText(token, expiresAtMs, email, passwordHash));
      return `${token}.${expiresAtMs}.${signature}`;
    },
    nameOf: (cookie, email, passwordHash) => {
      const [token = '', expiresAtMs = '', signature = ''] = (cookie ?? '').split('.');
      if (!isSigned(ring.all(), signedText(token, expiresAtMs, email, passwordHash), signature)) return null;
      return Number(expiresAtMs) > clock.nowMs() ? tokenHash(token) : null;
    },
  };
}
