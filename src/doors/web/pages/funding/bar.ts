import { funding } from '../../../../operations/funding.ts';
import { moneyText } from '../../markup/format.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { type FilterForm, filterBar, filterChips } from '../lists/filter-bar.ts';
import { filterChoices } from '../lists/filter-choices.ts';
import type { PageContext } from '../page-context.ts';
import { DEFAULTS, effective, filterLink, STARRED, viewLink } from './query.ts';
import { UNITS, type Unit } from './units.ts';
import { groupOf, venuesIn } from './venue-groups.ts';

type Sent = PageContext['sent'];

const OWN = ['interval_hours', 'min_volume_usdt'];
/** APR after the fees of a year. Pages have gross APR; an address with these works, and they are not offered. */
const NET_APR = ['min_apr_pct', 'max_apr_pct'];

const FORM: FilterForm = {
  path: '/funding',
  operation: funding,
  mainParameters: ['coin'],
  ownParameters: [...OWN, ...NET_APR],
  usual: DEFAULTS,
  viewParameters: ['view', 'group', STARRED, ...NET_APR],
  noun: 'contracts',
};

const INTERVALS = ['1', '2', '4', '8'];
const VOLUMES = [0, 1e6, 1e7, 1e8];

/** The filter bar of both views: coins, unit, interval, volume, the drawer, and the switch between the views. */
export function fundingBar(
  context: PageContext,
  unit: Unit,
  view: 'matrix' | 'table',
  total: number | null,
  /** At the end of the bar. */
  end: HtmlValue = null,
): Html {
  const sent = effective(context.sent);
  return filterBar(FORM, shown(sent), filterChoices(context), total, {
    start: html`${starredChip(context, 'm')}${unitSwitch(unit)}${intervalSwitch(sent)}${volumeSwitch(sent)}`,
    end: html`${viewSwitch(context.sent, view)}${end}`,
  });
}

/** Shows only the starred coins, once there are some. On phones it is beside the search field, on a desk in the second line. */
export function starredChip({ sent, stars }: PageContext, screen: 'm' | 'd'): Html | null {
  if (stars.size === 0) return null;
  const isOn = sent.has(STARRED);
  const to = viewLink(sent, { [STARRED]: isOn ? undefined : '1', coin: undefined });
  return html`<a class="chip starf ${screen}" role="switch" aria-checked="${isOn ? 'true' : 'false'}" href="${to}"
    aria-label="Starred">
    <span class="c">${icon('star')}<span class="d">Starred</span></span>
  </a>`;
}

/** A filter of zero is no filter. */
function shown(sent: Sent): Sent {
  if (sent.get('min_volume_usdt')?.[0] !== '0') return sent;
  const rest = new Map(sent);
  rest.delete('min_volume_usdt');
  return rest;
}

function unitSwitch(unit: Unit): Html {
  const names: readonly Unit[] = ['1h', '8h', '1d', 'apr'];
  return html`<span class="lab">
    <span class="d">Rate per</span>
    <fieldset class="seg" data-keep>
      <legend class="vh">Unit</legend>
      ${names.map(
        (name) =>
          html`<label>
            <input type="radio" name="unit" value="${name}"${name === unit ? html` checked` : null}>
            <span>${UNITS[name].label}</span>
          </label>`,
      )}
    </fieldset>
  </span>`;
}

function intervalSwitch(sent: Sent): Html {
  const chosen = (sent.get('interval_hours') ?? []).join(',').split(',');
  return html`<span class="lab mainf1">
    Settles every <fieldset class="seg multi">
      <legend class="vh">Settlement interval</legend>
      ${INTERVALS.map(
        (hours) =>
          html`<label>
            <input type="checkbox" name="interval_hours"
              value="${hours}"${chosen.includes(hours) ? html` checked` : null}>
            <span>${hours} h</span>
          </label>`,
      )}
    </fieldset>
  </span>`;
}

function volumeSwitch(sent: Sent): Html {
  const current = Number(sent.get('min_volume_usdt')?.[0] ?? 0);
  const steps = VOLUMES.includes(current) || Number.isNaN(current) ? VOLUMES : [...VOLUMES, current];
  return html`<span class="lab mainf1">
    Volume <fieldset class="seg">
      <legend class="vh">Least 24 h volume</legend>
      ${steps.map(
        (step) =>
          html`<label>
            <input type="radio" name="min_volume_usdt"
              value="${step}"${step === current ? html` checked` : null}>
            <span>${step === 0 ? 'Any' : `${moneyText(step).replace('.0', '')}+`}</span>
          </label>`,
      )}
    </fieldset>
  </span>`;
}

function viewSwitch(sent: Sent, view: 'matrix' | 'table'): Html {
  const link = (name: 'matrix' | 'table', label: string, to: string) =>
    html`<a href="${to}"${name === view ? html` aria-current="page"` : null}>
      ${icon(name === 'matrix' ? 'grid' : 'rows')}
      ${label}
    </a>`;
  return html`<span class="seg" role="group" aria-label="View">
    ${link('matrix', 'Matrix', viewLink(sent, { view: undefined, sort: undefined }))}
    ${link('table', 'Table', viewLink(sent, { view: 'table', sort: undefined }))}
  </span>`;
}

/** The active filters as chips. */
export function fundingChips({ sent }: PageContext): Html[] {
  // The bar itself shows interval and volume, and linear contracts are the usual ones.
  const named = new Map(
    [...sent].filter(([name, [value]]) => !OWN.includes(name) && value !== DEFAULTS[name]),
  );
  return filterChips(FORM, named, (name) => filterLink(sent, { [name]: undefined }));
}

/** The groups of venues and a chip for each venue, which takes its column out and in. */
export function venueChips(context: PageContext, end: Html | null): Html {
  const { sent } = context;
  const group = groupOf(sent);
  const all = venuesIn(context, null);
  const groupLink = (name: 'cex' | 'dex' | null, label: string) =>
    html`<a
      href="${viewLink(withoutVenues(sent), { group: name ?? undefined })}"${group === name ? html` aria-current="true"` : null}>
      ${label}
    </a>`;
  return html`<div class="fbar two d">
    <span class="seg" role="group" aria-label="Venue groups">
      ${groupLink(null, `All ${all.length}`)}
      ${groupLink('cex', 'CEX')}
      ${groupLink('dex', 'DEX')}
    </span>
    ${starredChip(context, 'd')}
    ${fundingChips(context)}
    <div class="chips">${venuesIn(context, group).map((exchange) => venueChip(sent, exchange))}</div>
    <span class="end">${end}</span>
  </div>`;
}

function withoutVenues(sent: Sent): Sent {
  return new Map([...sent].filter(([name]) => name !== 'exchange' && name !== 'exclude_exchange'));
}

function venueChip(sent: Sent, exchange: string): Html {
  const listed = (name: string) => sent.get(name)?.join(',').split(',') ?? [];
  const [only, without] = [listed('exchange'), listed('exclude_exchange')];
  const isOn = (only.length === 0 || only.includes(exchange)) && !without.includes(exchange);
  const name = only.length > 0 ? 'exchange' : 'exclude_exchange';
  const list = only.length > 0 ? only : without;
  const next = list.includes(exchange) ? list.filter((one) => one !== exchange) : [...list, exchange];
  return html`<a class="chip" role="switch" aria-checked="${isOn ? 'true' : 'false'}"
    href="${filterLink(sent, { [name]: next.join(',') })}">
    <span class="c">${venueMark(exchange)}${exchange}</span>
  </a>`;
}
