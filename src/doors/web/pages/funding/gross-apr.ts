import type { Row } from '../../layout/visitor.ts';
import { signClass, signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { aprOf } from './units.ts';

export const GROSS_APR_FORMULA = 'Rate ÷ hours of its interval × 8,760 hours of a year, before fees';

/** What a rate comes to in a year, before fees. The formula with the numbers of the row is in its title. */
export function grossApr({ rate_pct: rate, interval_hours: hours }: Row): Html {
  if (typeof rate !== 'number' || typeof hours !== 'number')
    return html`<span title="The venue does not publish the interval">–</span>`;
  const apr = aprOf(rate / hours);
  const formula = `${signedText(rate, 4)} % ÷ ${hours} h × 8,760 h = ${signedText(apr, 1)} % a year, before fees`;
  return html`<b class="${signClass(apr, 1)}" title="${formula}">${signedText(apr, 1)}</b>`;
}
