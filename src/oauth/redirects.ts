const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that browsers execute or handle themselves. */
const UNSAFE = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
]);

/** Why a redirect URI is refused; null if it is allowed. */
export function redirectFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return 'is not a URL';
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text))
    return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (UNSAFE.has(url.protocol)) return `must not use the scheme ${url.protocol.slice(0, -1)}`;
  if (url.hostname.endsWith('.')) return 'must not end its host name with a dot';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return 'must use https, or http on loopback';
  return null;
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
