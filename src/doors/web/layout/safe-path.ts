const BASE = 'https://this.invalid';

/** Addresses to return to are repeated in redirects and hidden fields. */
const MOST_BYTES = 1024;

export function isReturnable(path: string): boolean {
  return Buffer.byteLength(path) <= MOST_BYTES;
}

/** Returns the normalised path if it stays on this site and is not too long, else `otherwise`. Prevents open redirects. */
export function safePath(text: string | null, otherwise: string): string {
  if (text === null || !isReturnable(text) || !/^\/(?![/\\])[^\\\p{C}]*$/u.test(text)) return otherwise;
  const url = URL.parse(text, BASE);
  if (url?.origin !== BASE) return otherwise;
  const path = `${url.pathname}${url.search}`;
  // Normalising can create what the first check refuses: "/.//evil.example" becomes "//evil.example". A proxy may decode
  // encoded slashes. So the result is checked as well.
  const isStable = URL.parse(path, BASE)?.href === `${BASE}${path}`;
  return isStable && isReturnable(path) && !/^\/[/\\]|%2f|%5c/i.test(url.pathname) ? path : otherwise;
}
