import { type VenueAccuracy, verdictOf } from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import { funding } from '../../../../operations/funding.ts';
import { hasEnded } from '../../../../venues/ended.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { outside } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { longPeriodText } from '../depth/book-texts.ts';
import { agesOf } from '../funding/row-age.ts';
import { alertLink } from '../lists/alert-link.ts';
import { copyAs } from '../lists/copy-as.ts';
import { type ListPage, rowsTable } from '../lists/list-page.ts';
import { pager } from '../lists/pager.ts';
import type { PageContext } from '../page-context.ts';
import { FIGURE_HEADINGS, figureCells, WINDOW_TITLES } from './accuracy-figures.ts';
import { lateNotice, lateVenues } from './late-venues.ts';
import { DEFAULT_SORT, LIST, type LoadedVenue, lacksOf, pathOf, sentence } from './venue-data.ts';
import { countsHtml, noticesHtml, unknownHtml } from './venue-doubts.ts';
import { extremesCard } from './venue-extremes.ts';
import { assumedFee, feeText, summaryTables } from './venue-fees.ts';
import { venueSite } from './venue-site.ts';
import {
  ageHtml,
  ageSeconds,
  availabilityText,
  stateHtml,
  stateOf,
  troubleHtml,
  type VenueStatus,
} from './venue-status.ts';

export function venueBody(loaded: LoadedVenue, context: PageContext): Html {
  const { sent, entrance } = context;
  const { exchange, facts, contracts, status, intervals, fees, extremes } = loaded;
  const path = pathOf(exchange);
  const feePage = typeof facts.fee_url === 'string' ? outside(facts.fee_url, 'fees') : null;
  const venue = entrance.data.venues.find((one) => one.facts.exchange === exchange);
  const site = venue && !hasEnded(venue.facts, loaded.nowMs) ? venueSite(venue.facts) : null;
  const ageOf = agesOf(contracts.rows.table, Date.parse(contracts.meta.as_of));
  const page: ListPage = {
    ...LIST,
    path,
    defaultSort: DEFAULT_SORT,
    extend: (row) => ({ ...row, old_minutes: ageOf(row) }),
    // Its age at the time of the snapshot does not change.
    rowVariant: () => '',
  };
  const listQuery = new Map(sent).set('exchange', [exchange]);
  const query = encodeURIComponent(exchange);
  return html`<div class="venhd">
      ${venueMark(exchange, 40)}
      <div>
        <div class="ttl"><h1>${exchange}</h1>${liveBadge(contracts.meta, path)}</div>
        <p class="mut">${sentence(loaded)}</p>
      </div>
      <p class="acts">
        ${site === null ? null : html`<a class="btn" rel="noopener nofollow" href="${site}">Open ${exchange}</a>`}
        <a class="btn" href="/funding?exchange=${query}">Funding rates</a>
        <a class="btn" href="/spreads?exchange=${query}">Spreads</a>
        <a class="btn" href="/listings?exchange=${query}">Listings</a>
      </p>
    </div>
    <div id="late" data-live>${status ? lateNotice(lateVenues([status], contracts.meta.as_of)) : null}</div>
    <div id="trouble" data-live>${status ? troubleNotice(status) : null}</div>
    ${lacksNotice(loaded)}
    ${statStrip(figures(loaded), 'figures')}
    <div class="cols4">
      ${extremesCard('highest', 'Highest funding', 'No contract in which longs pay.', extremes.highest)}
      ${extremesCard('lowest', 'Lowest funding', 'No contract in which shorts pay.', extremes.lowest)}
      ${summaryTables(intervals, fees, venue ? assumedFee(venue.facts, context) : null)}
    </div>
    <section class="card mt">
      <header><h2>Accuracy</h2><a class="lnk" href="/accuracy">What the figures mean</a></header>
      ${accuracyTable(loaded.accuracy)}
    </section>
    <section class="card mt">
      <header>
        <h2>Contracts</h2>
        ${alertLink(LIST, listQuery)}
        ${copyAs(funding, listQuery, entrance.baseUrl)}
        <span class="links">
          At the venue: ${outside(facts.funding_url, 'funding')} ${outside(facts.specs_url, 'contracts')} ${feePage}
        </span>
      </header>
      ${depthNote(facts.depth_period_seconds)}
      <div class="tw" id="results" data-live tabindex="0" role="region" aria-label="Contracts">
        ${rowsTable(page, contracts.rows, sent)}
      </div>
      <div class="sbar" id="pager" data-live>${pager(path, sent, loaded.place, 'contracts')}</div>
    </section>
    ${countsHtml(loaded.counts)}
    ${unknownHtml(loaded.unknown)}`;
}

function figures({ facts, contracts, status, accuracy, nowMs }: LoadedVenue): Stat[] {
  const week = accuracy?.windows[1];
  const available = status && availabilityText(status);
  return [
    { label: 'Contracts', value: grouped(contracts.meta.total ?? 0), meaning: 'perpetual' },
    { label: 'Taker fee', value: feeText(Number(facts.taker_fee_pct)), meaning: 'base tier, no discounts' },
    { label: 'Leverage', value: `${String(facts.max_leverage)}×`, meaning: 'at most' },
    {
      label: 'Last good data',
      value: status ? ageHtml(ageSeconds(status, nowMs)) : '–',
      meaning: status ? stateHtml(stateOf(status, nowMs)) : 'not known yet',
    },
    {
      label: 'Available, 24 h',
      value: available === null ? '–' : `${available} %`,
      meaning: html`of the minutes watched · <a class="lnk" href="/status">status</a>`,
    },
    {
      label: 'Within 0.1 bp',
      value: week?.closePct === null || !week ? '–' : `${week.closePct} %`,
      meaning: 'of settled rates, 7 days',
    },
  ];
}

/** Only of a venue whose books are read less often than usual. */
function depthNote(periodSeconds: unknown): Html | null {
  const text = longPeriodText(periodSeconds);
  return text === null ? null : html`<p class="say">${text}</p>`;
}

/** What the venue does not publish at all, and why figures of its contracts are empty. */
function lacksNotice(loaded: LoadedVenue): Html {
  const lacks = lacksOf(loaded);
  if (lacks.length === 0) return html``;
  return html`<div class="ban">${icon('warn')}<p>${lacks.join(' ')}</p></div>\n`;
}

/** What fails at the venue now; null if nothing does. */
function troubleNotice(status: VenueStatus): Html | null {
  if (status.failing.length === 0) return null;
  return html`<div class="ban late">${icon('warn')}<p>${troubleHtml(status)}</p></div>`;
}

function accuracyTable(venue: VenueAccuracy | null): Html {
  if (!venue) return html`<p class="say">There is no comparison with settled rates yet.</p>`;
  return html`<div>
    <p class="say">${capitalized(verdictOf(venue))}.</p>
    ${noticesHtml(venue.notices)}
    <div class="tw" id="accuracy" data-live tabindex="0" role="region" aria-label="Accuracy">
      <table class="t">
        <thead><tr><th scope="col">Window</th>${FIGURE_HEADINGS}</tr></thead>
        <tbody>
          ${WINDOW_TITLES.map(
            (title, i) => html`<tr>
              <th scope="row">${title}</th>
              ${figureCells(venue.windows[i] as WindowFigures)}
            </tr>\n`,
          )}
        </tbody>
      </table>
    </div>
  </div>`;
}

function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
