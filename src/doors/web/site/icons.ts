import { markFile } from '../icons/sprite.ts';

const GREY = '#dfe4ec';
const INK = '#3d4656';

/** The icon of a venue for `icon_url`: its mark, or a letter where the licensed sets have none. */
export function venueIcon(exchange: string): string {
  return markFile(`v-${exchange.toLowerCase()}`) ?? letterMark(exchange);
}

function letterMark(name: string): string {
  const label = name.replaceAll(/[^A-Za-z0-9 ]/g, '');
  const letter = label.slice(0, 1).toUpperCase();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="${label}"><rect width="24" height="24" rx="6" fill="${GREY}"/><text x="12" y="16.500" font-family="system-ui,sans-serif" font-size="13" font-weight="600" text-anchor="middle" fill="${INK}">${letter}</text></svg>`;
}

/** The site's own mark: a wire between two points. */
export const SITE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0d121c"/><path d="M6 16.500c6 0 2-9 7.500-9H18" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/><circle cx="6" cy="16.500" r="2.300" fill="#fff"/><circle cx="18" cy="7.500" r="2.300" fill="#8aa4ff"/></svg>';
