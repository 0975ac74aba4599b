export const SCOPES = [
  'funding:read',
  'history:read',
  'spreads:read',
  'listings:read',
  'usage:read',
] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** The known scopes of a space-separated text, in the order of SCOPES, without duplicates. */
export function readScopes(text: string): Scope[] {
  const named = new Set(text.split(' '));
  return SCOPES.filter((scope) => named.has(scope));
}

export function writeScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}
