/** The most characters of the end of an address that are shown. */
const SHOWN = 4;

/**
 * The host, and the end of the rest to tell addresses apart. Whoever knows the whole address of a webhook or of a topic can
 * post or read there, so no more than half of it is shown, stored in clear or logged.
 */
export function describeAddress(host: string, rest: string): string {
  const shown = Math.min(SHOWN, Math.floor(rest.length / 2));
  return shown === 0 ? host : `${host}, ending in ${rest.slice(-shown)}`;
}

export function describeUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  return describeAddress(host, `${pathname.slice(1)}${search}`);
}

/** Equal for addresses that are the same receiver: without the fragment, which is not sent. */
export function canonicalUrl(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
