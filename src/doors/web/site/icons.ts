/** A round monogram. We draw our own icons, so that no trademark is copied. */
export function venueIcon(exchange: string): string {
  const letters = exchange.slice(0, 2).replaceAll(/[^A-Za-z0-9]/g, '');
  let hue = 0;
  for (const character of exchange) hue = (hue * 31 + character.charCodeAt(0)) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="${exchange.replaceAll(/[^A-Za-z0-9 ]/g, '')}"><circle cx="16" cy="16" r="16" fill="hsl(${hue} 55% 38%)"/><text x="16" y="21" font-family="system-ui,sans-serif" font-size="13" font-weight="600" text-anchor="middle" fill="#fff">${letters}</text></svg>`;
}
