import { isSigned, sign } from '../accounts/secrets.ts';
import { type Ring, type RingKind, randomSecret } from '../accounts/vault/ring.ts';
import { DAY_MS } from '../base/times.ts';

export const PAUSE_LINK_SECRET: RingKind = {
  name: 'alert-pause-links',
  create: randomSecret,
  lifetimeMs: 90 * DAY_MS,
};

export const PAUSE_PATH = '/alerts/pause';

interface PauseLink {
  ruleId: string;
  pauseEpoch: number;
}

/** The token of a link that pauses a rule once: it is void as soon as the rule has been resumed. */
export function pauseToken(ring: Ring, { ruleId, pauseEpoch }: PauseLink): string {
  const text = `${ruleId}.${pauseEpoch}`;
  return `${text}.${sign(ring.signing(), text)}`;
}

/** Null if the token was not made by this service. */
export function readPauseToken(ring: Ring, token: string): PauseLink | null {
  const [, text = '', ruleId = '', epoch = '', signature = ''] =
    /^((alr_\w{1,40})\.(\d{1,9}))\.([\w-]{20,100})$/.exec(token) ?? [];
  if (text === '' || !isSigned(ring.all(), text, signature)) return null;
  return { ruleId, pauseEpoch: Number(epoch) };
}
