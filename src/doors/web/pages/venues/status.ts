import { lateJobTexts } from '../../../../base/jobs.ts';
import { isoTime } from '../../../../base/times.ts';
import type { SplitCoin, SplitTicker } from '../../../../market/coins/stored-splits.ts';
import { diskNotices } from '../../../../storage/disk-state.ts';
import { escapeMarkdown, markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { coinLink } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { definePage } from '../market-page.ts';
import { dayBars, daysWords } from './day-bars.ts';
import {
  ageHtml,
  ageSeconds,
  availabilityText,
  byTrouble,
  stateHtml,
  stateOf,
  troubleHtml,
  troubleText,
  type VenueStatus,
  venueLink,
} from './venue-status.ts';

const MINUTES_PER_DAY = 1440;

interface LoadedStatus {
  venues: readonly VenueStatus[];
  /** A sentence for each fault of the disk and each periodic job that does not finish. */
  faults: readonly string[];
  /** The tickers that are more than one coin. */
  splitTickers: readonly SplitTicker[];
  nowMs: number;
}

const TITLE = 'Status';

export const STATUS_PAGE = definePage<LoadedStatus>({
  path: '/status',
  label: 'Status',
  section: '/status',
  parameters: pageParameters(null),
  isLive: true,
  freshness: () => null,
  load: async ({ venueStatus, jobs, diskFaults, splitTickers, entrance }) => ({
    venues: venueStatus().toSorted(byTrouble(entrance.clock.nowMs())),
    faults: [...diskNotices(diskFaults()), ...lateJobTexts(jobs())],
    splitTickers: splitTickers(),
    nowMs: entrance.clock.nowMs(),
  }),
  view: (loaded) => ({
    title: TITLE,
    description:
      'How old the data of each venue is, which feeds fail, and how available it was in the last 90 days',
    layout: 'page',
    asOf: isoTime(loaded.nowMs),
    body: statusBody(loaded),
    scripts: ['live'],
  }),
  markdown: ({ venues, faults, splitTickers, nowMs }) => {
    const rows = venues.map((venue) => ({
      exchange: venue.exchange,
      state: stateOf(venue, nowMs),
      contracts: venue.contracts,
      last_good_data_seconds_ago: ageSeconds(venue, nowMs),
      rows_kept_out: venue.keptOut,
      available_24h_pct: availabilityText(venue),
      watched_minutes: venue.watchedMinutes,
      last_90_days: daysWords(venue.days),
      trouble: troubleText(venue),
    }));
    const faultLines = faults.map((text) => `${escapeMarkdown(text)}.\n\n`).join('');
    return `# ${TITLE}

${escapeMarkdown(summary(venues, nowMs))}

${faultLines}As of ${isoTime(nowMs)}.

${markdownTable(rows)}
${splitMarkdown(splitTickers)}How close published rates are to settled ones: [accuracy](/accuracy.md).
`;
  },
});

function summary(all: readonly VenueStatus[], nowMs: number): string {
  const refusing = all.filter((venue) => stateOf(venue, nowMs) === 'refuses this address').length;
  const venues = all.filter((venue) => !venue.hasEnded && !venue.refusesAddress);
  const working = venues.filter((venue) => stateOf(venue, nowMs) === 'working').length;
  const sentence =
    working === venues.length
      ? `All ${venues.length} venues are giving data.`
      : `${working} of ${venues.length} venues are giving all their data.`;
  const refused =
    refusing === 0
      ? ''
      : ` ${refusing} more ${refusing === 1 ? 'refuses' : 'refuse'} the address of this service.`;
  return `${sentence}${refused} If a venue fails, only its rows are affected; they are removed ten minutes after its last good data.`;
}

function statusBody({ venues, faults, splitTickers, nowMs }: LoadedStatus): Html {
  const badge = liveBadge({ as_of: isoTime(nowMs), delayed_seconds: 0 }, '/status');
  return html`<div class="ph">
      <div>
        <div class="ttl"><h1>${TITLE}</h1>${badge}</div>
        <p class="sub" id="summary" data-live>${summary(venues, nowMs)}</p>
      </div>
    </div>
    <div id="jobs" data-live>
      ${faults.length === 0 ? null : html`<div class="ban late">${icon('clock')}<p>${faults.join('. ')}.</p></div>`}
    </div>
    <div class="tw full" id="results" data-live tabindex="0" role="region" aria-label="Venues">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Venue</th>
            <th scope="col">State</th>
            <th scope="col" class="num">Last good data</th>
            <th scope="col" class="num">Available, 24 h</th>
            <th scope="col">Last 90 days<small>a bar a day</small></th>
            <th scope="col" class="num">Contracts</th>
            <th scope="col" class="num">Rejected rows</th>
            <th scope="col">Trouble</th>
          </tr>
        </thead>
        <tbody>${venues.map((venue) => row(venue, nowMs))}</tbody>
      </table>
    </div>
    <p class="notes">
      Rejected rows: values that cannot be right, since the service started. A dot is a day that was not recorded.
      How close published rates are to settled ones is on the <a class="lnk" href="/accuracy">accuracy page</a>.
    </p>
    <div id="split" data-live>${splitTickers.length === 0 ? null : splitTable(splitTickers)}</div>`;
}

const SPLIT_TITLE = 'Tickers of more than one coin';
const SPLIT_NOTE =
  'Venues use these tickers for different things, at prices that have differed for an hour. Each is a coin of its own.';

function splitRows(tickers: readonly SplitTicker[]) {
  return tickers.flatMap(({ ticker, sinceMs, coins }) =>
    coins.map((coin: SplitCoin) => ({
      ticker,
      coin: coin.coin,
      class: coin.assetClass ?? 'not stated',
      price_usd: Number(coin.priceUsd.toPrecision(5)),
      venues: coin.exchanges.join(', '),
      since: isoTime(sinceMs),
    })),
  );
}

function splitMarkdown(tickers: readonly SplitTicker[]): string {
  if (tickers.length === 0) return '';
  return `## ${SPLIT_TITLE}\n\n${SPLIT_NOTE}\n\n${markdownTable(splitRows(tickers))}\n`;
}

function splitTable(tickers: readonly SplitTicker[]): Html {
  return html`<h2>${SPLIT_TITLE}</h2>
    <p class="sub">${SPLIT_NOTE}</p>
    <div class="tw full" tabindex="0" role="region" aria-label="${SPLIT_TITLE}">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Coin</th>
            <th scope="col">Ticker</th>
            <th scope="col">Class</th>
            <th scope="col" class="num">Price, USD</th>
            <th scope="col">Venues</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          ${splitRows(tickers).map(
            (split) => html`<tr data-key="${split.coin}">
              <th scope="row">${coinLink(split.coin)}</th>
              <td>${split.ticker}</td>
              <td>${split.class}</td>
              <td class="num">${split.price_usd}</td>
              <td class="words">${split.venues}</td>
              <td>${split.since}</td>
            </tr>\n`,
          )}
        </tbody>
      </table>
    </div>`;
}

function row(venue: VenueStatus, nowMs: number): Html {
  const watched = venue.watchedMinutes >= MINUTES_PER_DAY ? '' : ` over ${venue.watchedMinutes} min`;
  const available = availabilityText(venue);
  return html`<tr data-key="${venue.exchange}">
    <th scope="row">${venueLink(venue.exchange)}</th>
    <td>${stateHtml(stateOf(venue, nowMs))}</td>
    <td class="num">${ageHtml(ageSeconds(venue, nowMs))}</td>
    <td class="num">${available === null ? '–' : `${available} %${watched}`}</td>
    <td>${dayBars(venue.exchange, venue.days, nowMs)}</td>
    <td class="num">${venue.contracts}</td>
    <td class="num">${venue.keptOut}</td>
    <td class="words">${troubleHtml(venue)}</td>
  </tr>\n`;
}
