const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A private scheme is the reversed domain of the app's owner (RFC 8252, 7.1); others may belong to other programs. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:$/;

/** It becomes part of a header, which must fit into the buffers of proxies. */
const MOST_CHARACTERS = 2_000;

/** Why a redirect URI is refused; null if it is allowed. */
export function redirectFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return 'is not a URL';
  if (text.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  if (/[\s\\\p{C}]/u.test(text)) return 'must not contain spaces, backslashes or control characters';
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text))
    return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (url.hostname.endsWith('.')) return 'must not end its host name with a dot';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return 'must use https, or http on loopback';
  if (url.protocol === 'http:' || url.protocol === 'https:' || PRIVATE_SCHEME.test(url.protocol)) return null;
  return `must not use the scheme ${url.protocol.slice(0, -1)}: use https, http on loopback, or a scheme like com.example.app`;
}

export interface RedirectTarget {
  /** Shown on the consent page: the host, or the scheme of an app. */
  host: string;
  isLoopback: boolean;
}

export function redirectTarget(text: string): RedirectTarget {
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return { host: isWeb ? url.host : url.protocol, isLoopback: isWeb && LOOPBACK.has(url.hostname) };
}
