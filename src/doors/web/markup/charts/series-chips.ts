import { type Html, type HtmlValue, html } from '../html.ts';
import type { SeriesStyle } from './tones.ts';

export interface SeriesChip {
  name: string;
  isOn: boolean;
  /** Of the line, while it is drawn. */
  line: SeriesStyle | null;
  /** The address with the series switched, and with it alone. */
  toggle: string;
  solo: string;
}

export interface SeriesChips {
  id: string;
  label: string;
  chips: readonly SeriesChip[];
  all: string;
  none: string;
  /** How many are shown before "9 more". */
  most?: number;
}

const MOST = 12;

/** Which series a chart shows: a chip for each, Solo, All and None. All are links, so the choice is in the address. */
export function seriesChips({ id, label, chips, all, none, most = MOST }: SeriesChips): Html {
  const onCount = chips.filter(({ isOn }) => isOn).length;
  const current = (isCurrent: boolean) => (isCurrent ? html` aria-current="true"` : null);
  const shown = chips.filter(({ isOn }, i) => isOn || i < most);
  const rest = chips.filter((chip) => !shown.includes(chip));
  const more = html`<details class="vmore">
    <summary class="vc">${rest.length} more</summary>
    ${rest.map(chipHtml)}
  </details>`;
  return html`<div class="vchips" id="${id}" data-live role="group" aria-label="${label}">
    <span class="seg">
      <a href="${all}"${current(onCount === chips.length)}>All</a>
      <a href="${none}"${current(onCount === 0)}>None</a>
    </span>
    ${shown.map(chipHtml)}
    ${rest.length === 0 ? null : more}
  </div>`;
}

function chipHtml({ name, isOn, line, toggle, solo }: SeriesChip): HtmlValue {
  return html`<span class="vc${isOn ? ' on' : ''}">
    <a class="tg" role="switch" aria-checked="${isOn ? 'true' : 'false'}" href="${toggle}">
      ${line === null ? null : lineSample(line)}
      ${name}
    </a>
    ${isOn ? html`<a class="solo" href="${solo}" aria-label="${name} alone">Solo</a>` : null}
  </span>`;
}

function lineSample({ tone, dash }: SeriesStyle): Html {
  const look = `${tone}${dash > 0 ? ` dash${dash}` : ''}`;
  return html`<svg class="${look}" viewBox="0 0 16 8" aria-hidden="true"><path d="M0 4H16"/></svg>`;
}
