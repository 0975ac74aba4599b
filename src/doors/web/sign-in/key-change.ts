/** What a form of the keys page changed; the page after the redirect shows it. */
export type KeyChange =
  | { done: 'created'; keyId: string; text: string }
  | { done: 'rotated'; keyId: string; text: string; replacedId: string }
  | { done: 'revoked'; keyId: string }
  | { done: 'expiry-changed'; keyId: string; day: string };

export function writeChange(change: KeyChange): string {
  return JSON.stringify(change);
}

/** Null for no text, and for one of another page. */
export function readChange(text: string | null): KeyChange | null {
  const { done, ...parts }: Record<string, unknown> = text === null ? {} : JSON.parse(text);
  const { keyId, text: whole, replacedId, day } = parts;
  if (typeof keyId !== 'string') return null;
  if (done === 'created' && typeof whole === 'string') return { done, keyId, text: whole };
  if (done === 'rotated' && typeof whole === 'string' && typeof replacedId === 'string')
    return { done, keyId, text: whole, replacedId };
  if (done === 'revoked') return { done, keyId };
  return done === 'expiry-changed' && typeof day === 'string' ? { done, keyId, day } : null;
}
