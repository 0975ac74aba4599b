import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type RingKind, randomSecret } from '../accounts/vault/ring.ts';
import { DAY_MS } from '../base/times.ts';

/** Signs the cookies of the authorization server. */
export const OAUTH_COOKIE_SECRET: RingKind = {
  name: 'oauth-cookies',
  create: randomSecret,
  lifetimeMs: 14 * DAY_MS,
};
/** Signs ID tokens, which are valid for an hour. Clients may cache the public keys for longer. */
export const SIGNING_SECRET: RingKind = {
  name: 'oauth-signing-keys',
  create: newSigningKeys,
  lifetimeMs: DAY_MS,
};

async function newSigningKeys(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] });
}
