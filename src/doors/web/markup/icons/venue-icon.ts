import { html } from '../html.ts';
import { markFile } from './sprite.ts';

const GREY = '#dfe4ec';
const INK = '#3d4656';

/** The icon of a venue for `icon_url`: its mark, or a letter where the licensed sets have none. */
export function venueIcon(exchange: string): string {
  return markFile(`v-${exchange.toLowerCase()}`) ?? letterMark(exchange);
}

function letterMark(name: string): string {
  const label = name.replaceAll(/[^A-Za-z0-9 ]/g, '');
  const letter = label.slice(0, 1).toUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="${label}">
    <rect width="24" height="24" rx="6" fill="${GREY}"/>
    <text x="12" y="16.500" font-family="system-ui,sans-serif" font-size="13" font-weight="600"
      text-anchor="middle" fill="${INK}">
      ${letter}
    </text>
  </svg>`.markup;
}
