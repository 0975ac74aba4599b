import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { choice, coinText, exchanges, integer, text, time } from '../../query/kinds.ts';
import { checkFields, fieldsAmong } from '../../query/paging.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { metaOf } from '../answer/meta.ts';
import { defineOperation } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { conclusionOf } from './conclusion.ts';
import { HISTORY_EXAMPLE, HISTORY_SCHEMA, type History } from './history.ts';
import { dailySeries, type HistorySeries, newestPrintMs, settlementSeries } from './points.ts';
import { seriesContracts } from './series.ts';
import { answeredWindow, historyWindow, type Resolution } from './window.ts';

const MAX_POINTS = 5000;
const MAX_DAYS = 180;
const MAX_SYMBOL_LENGTH = 60;
/** Answers are cached for this long, or until a new print is stored. */
const FRESH_MS = 10 * SECOND_MS;

/** The fields of a point, by resolution. */
const POINT_FIELDS: Readonly<Record<Resolution, readonly string[]>> = {
  '1d': ['day', 'apr_pct'],
  settlement: ['time', 'rate_pct', 'interval_hours'],
};

/** The columns of a flat answer: those of the contract, then the kept fields of the points. */
const CONTRACT_COLUMNS: readonly FlatColumn[] = [
  { name: 'coin', type: 'text' },
  { name: 'exchange', type: 'text' },
  { name: 'symbol', type: 'text' },
  { name: 'venue_symbol', type: 'text' },
  { name: 'is_inverse', type: 'flag' },
];
/** They follow the points: programs may read the earlier columns by their place. */
const LAST_COLUMNS: readonly FlatColumn[] = [
  { name: 'price_outlier', type: 'flag' },
  { name: 'taker_fee_pct', type: 'number' },
];
const POINT_COLUMNS: readonly FlatColumn[] = [
  { name: 'day', type: 'day' },
  { name: 'apr_pct', type: 'number' },
  { name: 'time', type: 'time' },
  { name: 'rate_pct', type: 'number' },
  { name: 'interval_hours', type: 'integer' },
];

const parameters = {
  coin: coinText('coin', 'Ticker without multiplier, in any case'),
  exchange: exchanges(
    'exchange',
    'Venues, as /exchanges spells them: up to 20 with resolution=1d, exactly one with resolution=settlement',
  ),
  exclude_exchange: exchanges('exclude_exchange', 'Venues to leave out; with resolution=1d only'),
  symbol: {
    ...text(
      'symbol',
      MAX_SYMBOL_LENGTH,
      "Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it",
    ),
    allowsEmpty: false,
    example: 'BTC-USDT',
  },
  resolution: choice(
    'resolution',
    ['1d', 'settlement'],
    '1d (default): one annualised point per UTC day and venue. settlement: every settled print of one venue',
  ),
  from: time(
    'from',
    'Start of the window, included; default 30 days before to (1d) or 7 days (settlement), narrowed to the depth of the plan',
  ),
  to: time(
    'to',
    'End of the window; default now, and never later. A print at to is included; with resolution=1d the days that start before it are, so at midnight the last one is the day that ends at it',
  ),
  days: {
    ...integer(
      'days',
      { min: 1, max: MAX_DAYS },
      'Days before to at which the window starts; ignored when from is given, whatever its value',
    ),
    ignoredWith: ['from'],
  },
  order: choice('order', ['asc', 'desc'], 'asc (default): oldest first; desc: newest first'),
  limit: {
    ...integer(
      'limit',
      { min: 1, max: MAX_POINTS },
      'Most points per series, counted after ordering; default all',
    ),
    example: '100',
  },
  fields: fieldsAmong(
    Object.values(POINT_FIELDS).flat(),
    'Keep only these fields on every point: day and apr_pct with resolution=1d; time, rate_pct and interval_hours with resolution=settlement. The rest of data and meta are untouched',
  ),
};

export const fundingHistory = defineOperation({
  id: 'funding-history',
  operationId: 'getFundingHistory',
  path: '/funding/history',
  scope: 'history:read',
  summary: 'Settled funding of one coin, by day or print by print',
  description:
    'What was paid, never samples of the running rate: settled prints as the venues publish them. resolution=1d gives one point per UTC day and venue (sum of the settled rates, scaled to a year, net of the taker fee to open and to close), up to 180 days a call; resolution=settlement every print of one venue, up to 92 days a call. Each venue is there with its largest linear contract on the coin; symbol picks another. A contract whose price shows another coin under the ticker (price_outlier) is there only if exchange or symbol names it. Missing prints are gaps, never zeros. For current rates use /funding.',
  tool: {
    name: 'svc_get_funding_history',
    title: 'Funding history of a coin',
    place: 4,
    conclusion: ({ fields }: ObjectAnswer<History>) => conclusionOf(fields),
  },
  parameters,
  freshness: ({ history }, _delaySeconds, nowMs) =>
    Math.floor(nowMs / FRESH_MS) * FRESH_MS + (history.changes % FRESH_MS),
  data: HISTORY_SCHEMA,
  shortRows: {
    leading: ['exchange', 'symbol', 'day', 'apr_pct', 'time', 'rate_pct'],
    intervals: { rate_pct: 'interval_hours' },
  },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(data as History, undefined) },
  example: HISTORY_EXAMPLE,
  run: async (values, context) => {
    const { coin = '', exchange, exclude_exchange, symbol, limit = MAX_POINTS, fields } = values;
    const resolution = values.resolution ?? '1d';
    const order = values.order ?? 'asc';
    if (resolution === 'settlement') refuseManyVenues(exchange, exclude_exchange);
    const pointFields = POINT_FIELDS[resolution];
    // Fields of both resolutions may be named together, but something must be left of a point.
    if (fields && !fields.some((name) => pointFields.includes(name))) checkFields(fields, pointFields);
    checkExchanges(context, exchange, exclude_exchange);
    const { from, to, days } = values;
    // Validated before any data is read: an error of the caller is reported before missing data.
    const window = historyWindow({ resolution, from, to, days }, context.plan, context.nowMs);
    const contracts = seriesContracts({ coin, only: exchange, without: exclude_exchange, symbol }, context);
    const isDaily = resolution === '1d';
    const newestMs = await newestPrintMs(contracts, window, context);
    const answered = answeredWindow(window, newestMs, isDaily ? DAY_MS : MINUTE_MS);
    const read = { ...answered, visibleMs: window.visibleMs };
    const { series: entries, firstMs } = isDaily
      ? { series: await dailySeries(contracts, read, order, limit, context), firstMs: answered.fromMs }
      : await settlementSeries(contracts, read, order, limit, context);
    // A print that the plan no longer includes takes the start of the window with it.
    const fromMs = answered.isNarrowed ? (firstMs ?? answered.toMs) : answered.fromMs;
    return {
      fields: {
        coin,
        resolution,
        from: isoTime(fromMs),
        to: isoTime(answered.toMs),
        series: fields ? entries.map((entry) => withFields(entry, fields)) : entries,
      },
      rows: null,
      flat: () => flatPoints({ coin, resolution, series: entries }, fields),
      meta: {
        ...metaOf(answered.asOfMs, `/funding/${encodeURIComponent(coin)}/history`, {
          ...context,
          sent: new Map([...context.sent].filter(([name]) => name !== 'coin')),
        }),
        count: entries.length,
        total: entries.length,
      },
    };
  },
});

function flatPoints(
  { coin, resolution, series }: Pick<History, 'coin' | 'resolution' | 'series'>,
  fields: readonly string[] | undefined,
): FlatRows {
  const kept = POINT_FIELDS[resolution].filter((name) => fields?.includes(name) ?? true);
  return flatObjects(
    [...CONTRACT_COLUMNS, ...POINT_COLUMNS.filter(({ name }) => kept.includes(name)), ...LAST_COLUMNS],
    series.flatMap(({ daily, settlements, held_since: _heldSince, ...contract }) =>
      (daily ?? settlements ?? []).map((point) => ({ coin, ...contract, ...point })),
    ),
  );
}

/** The parameter `fields` is REST only, so nothing but the JSON writer sees points with missing fields. */
function withFields(series: HistorySeries, fields: readonly string[]): HistorySeries {
  const kept = <Point extends object>(points: Point[] | null): Point[] | null =>
    points?.map(
      (point) => Object.fromEntries(Object.entries(point).filter(([name]) => fields.includes(name))) as Point,
    ) ?? null;
  return { ...series, daily: kept(series.daily), settlements: kept(series.settlements) };
}

function refuseManyVenues(only: readonly string[] | undefined, without: readonly string[] | undefined): void {
  if (without !== undefined) {
    throw new Problem(
      'invalid-parameter',
      '"exclude_exchange" goes with resolution=1d only; resolution=settlement takes exactly one "exchange".',
    );
  }
  if (new Set(only).size !== 1) {
    throw new Problem(
      'invalid-parameter',
      `"exchange" must name exactly one venue with resolution=settlement; got ${only === undefined ? 'none' : only.length}.`,
    );
  }
}
