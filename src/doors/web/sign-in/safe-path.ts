const BASE = 'https://this.invalid';

/** Returns the normalised path if it stays on this site, else `otherwise`. Prevents open redirects. */
export function safePath(text: string | null, otherwise: string): string {
  if (text === null || !/^\/(?![/\\])[^\\\p{C}]*$/u.test(text)) return otherwise;
  const url = URL.parse(text, BASE);
  if (url?.origin !== BASE) return otherwise;
  const path = `${url.pathname}${url.search}`;
  // Normalising can create what the first check refuses: "/.//evil.example" becomes "//evil.example". A proxy may decode
  // encoded slashes. So the result is checked as well.
  const isStable = URL.parse(path, BASE)?.href === `${BASE}${path}`;
  return isStable && !/^\/[/\\]|%2f|%5c/i.test(url.pathname) ? path : otherwise;
}
