import { isoTime } from '../../../base/times.ts';
import type { Table } from '../../../market/table.ts';
import type { TableSnapshot } from '../../../market/timeline.ts';
import { type Meta, SOURCE_NAME } from '../../../operations/answer/meta.ts';
import { snapshotUnavailable } from '../../../operations/refusals.ts';
import { coinLink } from '../format.ts';
import { type Html, html } from '../html.ts';
import { asOf } from '../list-page.ts';
import { markdownHead, markdownTable } from '../markdown.ts';
import { definePage, type PageContext } from '../market-page.ts';
import { fundingViews } from './funding.ts';

const MAX_COINS = 40;
/** The percent per hour from which a cell has the next darker shade. */
const SHADES_PCT_PER_HOUR = [0.001, 0.005, 0.02];

const PER_HOUR_DECIMALS = 4;

interface Cell {
  perHourPct: number;
  text: string;
  volume: number;
}

interface LoadedMap {
  map: HeatMap;
  cells: Html;
  meta: Meta;
}

const TITLE = 'Funding heat map';
const LEAD =
  'Percent per hour on the most traded coins: green = longs pay shorts, red = shorts pay longs, the stronger the shade the more. The numbers say the same.';

export const HEAT_MAP_PAGE = definePage<LoadedMap>({
  path: '/funding/heat-map',
  label: 'Heat map',
  section: '/funding',
  freshness: (context) => String(snapshotOf(context).asOfMs),
  load: async (context) => {
    const { asOfMs, table } = snapshotOf(context);
    const { baseUrl } = context.entrance;
    const meta: Meta = {
      as_of: isoTime(asOfMs),
      delayed_seconds: context.caller.plan.delaySeconds,
      source: SOURCE_NAME,
      url: `${baseUrl}/funding/heat-map`,
      count: null,
      total: null,
    };
    return { ...mapOf(table), meta };
  },
  view: (loaded) => ({
    title: TITLE,
    description: 'Funding rates per hour, coin by venue',
    body: heatMapBody(loaded),
  }),
  markdown: ({ map: { coins, venues, cells }, meta }) => {
    const rows = coins.map((coin) => ({
      coin,
      ...Object.fromEntries(venues.map((venue) => [venue, perHourText(cells.get(`${coin} ${venue}`))])),
    }));
    const lead = 'Percent per hour on the most traded coins. Positive: longs pay shorts.';
    return `${markdownHead(TITLE, lead, meta)}${markdownTable(rows, ['coin', ...venues])}`;
  },
});

function snapshotOf({ entrance, caller }: PageContext): TableSnapshot {
  const snapshot = entrance.data.funding.at(caller.plan.delaySeconds, entrance.clock.nowMs());
  if (snapshot) return snapshot;
  throw snapshotUnavailable();
}

function perHourText(cell: Cell | undefined): number | null {
  return cell ? Number(cell.perHourPct.toFixed(PER_HOUR_DECIMALS)) : null;
}

const maps = new WeakMap<Table, Omit<LoadedMap, 'meta'>>();

/** Tables are immutable, so the map of a table is cached. */
function mapOf(table: Table): Omit<LoadedMap, 'meta'> {
  const known = maps.get(table);
  if (known) return known;
  const map = matrix(table);
  const made = { map, cells: cellsTable(map) };
  maps.set(table, made);
  return made;
}

/** Coin by venue, coloured by the rate per hour, which makes different intervals comparable. */
function heatMapBody({ cells, meta }: LoadedMap): Html {
  return html`<h1>${TITLE}</h1>
<p class="lead">${LEAD}</p>
${asOf({ meta })}
${fundingViews('/funding/heat-map')}
${cells}`;
}

function cellsTable({ coins, venues, cells }: HeatMap): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Heat map"><table class="heat">
<thead><tr><th scope="col">Coin</th>${venues.map((venue) => html`<th scope="col" class="number">${venue}</th>`)}</tr></thead><tbody>
${coins.map((coin) => html`<tr><th scope="row">${coinLink(coin)}</th>${venues.map((venue) => cellHtml(cells.get(`${coin} ${venue}`)))}</tr>\n`)}</tbody></table></div>`;
}

function cellHtml(cell: Cell | undefined): Html {
  if (!cell) return html`<td class="number"><span class="none">·</span></td>`;
  const shade = SHADES_PCT_PER_HOUR.filter((from) => Math.abs(cell.perHourPct) >= from).length;
  const tone = shade === 0 ? 'h0' : `h${cell.perHourPct > 0 ? 'p' : 'n'}${shade}`;
  const shown = perHourText(cell) ?? 0;
  const sign = shown > 0 ? '+' : shown < 0 ? '−' : '';
  return html`<td class="number ${tone}" title="${cell.text}">${sign}${Math.abs(cell.perHourPct).toFixed(PER_HOUR_DECIMALS)}</td>`;
}

interface HeatMap {
  coins: string[];
  venues: string[];
  cells: Map<string, Cell>;
}

/** Each cell shows the linear contract with the largest volume. Price outliers, probably other coins, are left out. */
function matrix(table: Table): HeatMap {
  const cells = new Map<string, Cell>();
  const volumes = new Map<string, number>();
  const venues = new Set<string>();
  const [rate, interval, volume] = ['rate_pct', 'interval_hours', 'volume_24h_usdt'].map((name) =>
    table.numbers(name),
  );
  const [isInverse, isOutlier] = ['is_inverse', 'price_outlier'].map((name) => table.numbers(name));
  for (let row = 0; row < table.rowCount; row++) {
    const hours = interval?.[row] ?? Number.NaN;
    if (isInverse?.[row] === 1 || isOutlier?.[row] === 1 || Number.isNaN(hours)) continue;
    const coin = table.text('coin', row);
    const venue = table.text('exchange', row);
    const traded = volume?.[row] ?? 0;
    const ratePct = rate?.[row] ?? 0;
    venues.add(venue);
    volumes.set(coin, (volumes.get(coin) ?? 0) + traded);
    const known = cells.get(`${coin} ${venue}`);
    if (!known || known.volume < traded) {
      cells.set(`${coin} ${venue}`, {
        perHourPct: ratePct / hours,
        text: `${ratePct} % every ${hours} h on ${table.text('symbol', row)}`,
        volume: traded,
      });
    }
  }
  const coins = [...volumes].sort((a, b) => b[1] - a[1]).slice(0, MAX_COINS);
  return { coins: coins.map(([coin]) => coin), venues: [...venues].sort(), cells };
}
