import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { funding } from '../../../../operations/funding.ts';
import { escapeMarkdown, markdownTable } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { markdownHead } from '../../markup/markdown.ts';
import { linkWith } from '../../markup/page-links.ts';
import { definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { WINDOW_TITLES, windowFields } from './accuracy-figures.ts';
import type { ValueCount } from './venue-contracts.ts';
import { type LoadedVenue, lacksOf, loadVenue, pathOf, sentence } from './venue-data.ts';
import { countsMarkdown, noticesMarkdown, unknownMarkdown } from './venue-doubts.ts';
import { ageSeconds, availabilityText, stateOf, troubleText } from './venue-status.ts';
import { venueBody } from './venue-view.ts';

const STATE_MS = 10_000;

/** The path names the venue. */
const PARAMETERS = new Map([...pageParameters(funding, ['page'])].filter(([name]) => name !== 'exchange'));

/** One venue: its contracts, fees, intervals, health and accuracy. */
export const VENUE_PAGE = definePage<LoadedVenue>({
  path: '/exchanges/:exchange',
  section: '/exchanges',
  parameters: PARAMETERS,
  freshness: ({ entrance, caller }) => {
    const fresh = entrance.freshness(funding, caller);
    // The state of a venue's data changes without a new snapshot.
    return fresh === null ? null : `${fresh} ${Math.floor(entrance.clock.nowMs() / STATE_MS)}`;
  },
  isLive: true,
  load: loadVenue,
  view: (loaded, context) => ({
    title: `${loaded.exchange} perpetual futures`,
    description: `Perpetual contracts of ${loaded.exchange} with funding rates, fees, intervals, and the health and accuracy of its data`,
    layout: 'wrap',
    asOf: loaded.contracts.meta.as_of,
    scripts: ['live', 'soft', 'filters', ...CODE_SCRIPTS],
    body: venueBody(loaded, context),
  }),
  markdown: venueMarkdown,
});

function extremesTable({ extremes }: LoadedVenue): string {
  const rows = [...extremes.highest, ...extremes.lowest.toReversed()].map((one) => ({
    symbol: one.symbol,
    rate_pct: one.ratePct.toFixed(4),
    interval_hours: one.intervalHours,
    gross_apr_pct: one.aprPct.toFixed(2),
  }));
  return rows.length === 0 ? 'No contract is traded enough.\n' : markdownTable(rows);
}

function venueMarkdown(loaded: LoadedVenue, { sent }: PageContext): string {
  const { exchange, facts, contracts, intervals, fees, status, accuracy, nowMs } = loaded;
  const { meta } = contracts;
  const health = status && {
    state: stateOf(status, nowMs),
    last_good_data_seconds_ago: ageSeconds(status, nowMs),
    rows_kept_out: status.keptOut,
    available_24h_pct: availabilityText(status),
    watched_minutes: status.watchedMinutes,
    trouble: troubleText(status),
  };
  const windows = WINDOW_TITLES.map((title, i) =>
    accuracy ? { window: title, ...windowFields(accuracy, accuracy.windows[i] as WindowFigures) } : {},
  );
  const compared = accuracy ? markdownTable(windows) : 'There is no comparison with settled rates yet.\n';
  const next = meta.next_cursor
    ? ` Next page: <${linkWith(`${pathOf(exchange)}.md`, sent, { page: String(loaded.place.page + 1) })}>.`
    : '';
  const counted = (name: string, rows: readonly ValueCount[]) =>
    markdownTable(rows.map(({ value, contracts: count }) => ({ [name]: value, contracts: count })));
  const lead = [sentence(loaded), ...lacksOf(loaded)].join(' ');
  return `${markdownHead(exchange, escapeMarkdown(lead), meta)}${markdownTable([facts])}
## Settlement intervals

${counted('interval_hours', intervals)}
## Taker fees

${counted('taker_fee_pct', fees)}
## Highest and lowest funding

${extremesTable(loaded)}
## Health

${health ? markdownTable([health]) : 'Nothing is known of its data yet.\n'}
## Accuracy

${compared}${noticesMarkdown(accuracy?.notices ?? [])}${countsMarkdown(loaded.counts)}${unknownMarkdown(loaded.unknown)}
## Contracts

${meta.count} rows of ${meta.total}.${next}

${markdownTable(rowObjects(contracts.rows))}`;
}
