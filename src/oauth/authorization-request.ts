import { readScopes, SCOPES } from '../accounts/scopes.ts';
import { PROTOCOL_SCOPES } from './protocol.ts';

/** The parameters that are stored until the user has decided, and the bytes that they may have. */
const MAX_BYTES: ReadonlyMap<string, number> = new Map([
  ...['client_id', 'redirect_uri', 'state', 'id_token_hint'].map((name) => [name, 2_048] as const),
  ...['scope', 'resource'].map((name) => [name, 1_024] as const),
  ...[
    'acr_values',
    'claims_locales',
    'code_challenge',
    'code_challenge_method',
    'display',
    'login_hint',
    'max_age',
    'nonce',
    'prompt',
    'registration',
    'request',
    'request_uri',
    'response_mode',
    'response_type',
    'ui_locales',
  ].map((name) => [name, 512] as const),
]);

/** Why an authorization request is refused before it is read; null if it is not. Repeated parameters count together. */
export function requestFault(url: string): string | null {
  const { parameters } = parsed(url);
  for (const [name, maxBytes] of MAX_BYTES) {
    if (Buffer.byteLength(parameters.getAll(name).join('')) > maxBytes)
      return `the parameter "${name}" is longer than ${maxBytes} bytes`;
  }
  return null;
}

/**
 * Rewrites the URL of an authorization request so that all its scopes can be granted. Unknown scopes are dropped; a
 * request without a known one gets all of them, and the user chooses on the consent page.
 */
export function withKnownScopes(url: string): string {
  const { path, parameters } = parsed(url);
  const requested = (parameters.get('scope') ?? '').split(' ');
  const known = requested.filter((scope) => PROTOCOL_SCOPES.includes(scope) || readScopes(scope).length > 0);
  const hasOwnScope = known.some((scope) => readScopes(scope).length > 0);
  parameters.set('scope', [...new Set(hasOwnScope ? known : [...known, ...SCOPES])].join(' '));
  return `${path}?${parameters}`;
}

/** A query may contain further question marks (RFC 3986, 3.4). */
function parsed(url: string): { path: string; parameters: URLSearchParams } {
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  return { path, parameters: new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt + 1)) };
}
