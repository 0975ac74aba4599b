import { Problem } from '../../base/problems.ts';
import { isoTime, SECOND_MS } from '../../base/times.ts';
import { choice, coinText, exchanges, integer, text, time } from '../../query/kinds.ts';
import { checkFields, fieldsAmong } from '../../query/paging.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { metaOf } from '../answer/meta.ts';
import { isNumber, payer, plural, signed } from '../answer/words.ts';
import { defineOperation } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { dailySeries, type HistorySeries, settlementSeries } from './points.ts';
import { seriesContracts } from './series.ts';
import { historyWindow, type Resolution } from './window.ts';

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
    'Venues, spelled as /exchanges returns them: up to 20 with resolution=1d, exactly one with resolution=settlement',
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

const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});
const double = { type: 'number', format: 'double' };
const dateTime = { type: 'string', format: 'date-time' };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const dayPoint = {
  title: 'FundingHistoryDay',
  ...object({
    day: { type: 'string', format: 'date', description: 'UTC calendar day' },
    apr_pct: orNull(
      double,
      "The day's settled rates as simple interest over a year, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when prints cover less than half of the day, unless none of the day is missing. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days",
    ),
  }),
};
const print = {
  title: 'FundingHistoryPrint',
  ...object({
    time: { ...dateTime, description: 'Settlement, to the minute, UTC' },
    rate_pct: {
      ...double,
      description: 'Percent that was exchanged (0.01 = one basis point); positive = longs paid shorts',
    },
    interval_hours: orNull(
      { type: 'integer', format: 'int32' },
      'Hours that the print is for: since the print before, and for the first as long as the next',
    ),
  }),
};

const series = object({
  exchange: { type: 'string', description: 'Venue name' },
  symbol: { type: 'string', description: "Contract symbol with the contract's own base" },
  venue_symbol: { type: 'string', description: "The venue's own spelling of the contract" },
  is_inverse: { type: 'boolean', description: 'true = coin-margined' },
  price_outlier: {
    type: 'boolean',
    description:
      "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker",
  },
  taker_fee_pct: { ...double, description: 'Taker fee in percent that apr_pct of a day takes off twice' },
  held_since: orNull(dateTime, 'First print that is held of this contract; null while there is none'),
  daily: orNull({ type: 'array', items: dayPoint }, 'Points of resolution=1d, else null'),
  settlements: orNull({ type: 'array', items: print }, 'Prints of resolution=settlement, else null'),
});

interface History {
  coin: string;
  resolution: Resolution;
  from: string;
  to: string;
  series: readonly HistorySeries[];
}

export const fundingHistory = defineOperation({
  id: 'funding-history',
  operationId: 'getFundingHistory',
  path: '/funding/history',
  scope: 'history:read',
  summary: 'Settled funding of one coin, by day or print by print',
  description:
    'What was really paid, never samples of the running rate: settled prints as the venues publish them. resolution=1d gives one point per UTC day and venue (sum of the settled rates, scaled to a year, net of the taker fee to open and to close), up to 180 days a call; resolution=settlement every print of one venue, up to 92 days a call. Each venue is there with its largest linear contract on the coin; symbol picks another. A contract whose price shows another coin under the ticker (price_outlier) is there only if exchange or symbol names it. Missing prints are gaps, never zeros. For current rates use /funding.',
  tool: {
    name: 'svc_get_funding_history',
    title: 'Funding history of a coin',
    place: 4,
    conclusion: ({ fields }: ObjectAnswer<History>) =>
      fields.resolution === 'settlement' ? settlementsConclusion(fields) : dailyConclusion(fields),
  },
  parameters,
  freshness: ({ history }, _delaySeconds, nowMs) =>
    Math.floor(nowMs / FRESH_MS) * FRESH_MS + (history.changes % FRESH_MS),
  data: {
    ...object({
      coin: { type: 'string', description: 'Ticker without multiplier' },
      resolution: { type: 'string', enum: ['1d', 'settlement'], description: 'As asked' },
      from: { ...dateTime, description: 'Start of the window that was answered' },
      to: { ...dateTime, description: 'End of the window that was answered' },
      series: { type: 'array', items: series, description: 'One entry per venue, by name' },
    }),
    title: 'FundingHistoryResponse',
  },
  shortRows: {
    leading: ['exchange', 'symbol', 'day', 'apr_pct', 'time', 'rate_pct'],
    intervals: { rate_pct: 'interval_hours' },
  },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(data as History, undefined) },
  example: {
    coin: 'BTC',
    resolution: '1d',
    from: '2026-11-13T12:00:00Z',
    to: '2026-11-15T12:00:00Z',
    series: [
      {
        exchange: 'Binance',
        symbol: 'BTC-USDT',
        venue_symbol: 'BTCUSDT',
        is_inverse: false,
        price_outlier: false,
        taker_fee_pct: 0.05,
        held_since: '2026-05-19T00:00:00Z',
        daily: [
          { day: '2026-11-14', apr_pct: 10.85 },
          { day: '2026-11-15', apr_pct: null },
        ],
        settlements: null,
      },
    ],
  },
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
    const entries = await (resolution === '1d'
      ? dailySeries(contracts, window, order, limit, context)
      : settlementSeries(contracts, window, order, limit, context));
    return {
      fields: {
        coin,
        resolution,
        from: isoTime(window.fromMs),
        to: isoTime(window.toMs),
        series: fields ? entries.map((entry) => withFields(entry, fields)) : entries,
      },
      rows: null,
      flat: () => flatPoints({ coin, resolution, series: entries }, fields),
      meta: {
        ...metaOf(window.asOfMs, `/funding/${encodeURIComponent(coin)}/history`, {
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

function settlementsConclusion({ coin, from, to, series }: History): string {
  const [one] = series;
  const prints = one?.settlements ?? [];
  if (!one || prints.length === 0) return `No settled funding of ${coin} is held from ${from} to ${to}.`;
  const sum = prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
  const intervals = [...new Set(prints.map(({ interval_hours }) => interval_hours))]
    .filter(isNumber)
    .sort((a, b) => a - b);
  const each = intervals.length === 0 ? 'at an unknown interval' : `each for ${intervals.join(' or ')} h`;
  // `limit` may have left some out, so this states what is listed and not how often the contract settled.
  return `${prints.length} ${plural(prints.length, 'settlement')} of ${one.symbol} on ${one.exchange} listed, ${each}, from ${from} to ${to}; their rates add up to ${signed(Number(sum.toFixed(6)))} % (${payer(sum)}).`;
}

function dailyConclusion({ coin, from, to, series }: History): string {
  const means = series
    .map(({ exchange, daily }) => {
      const known = (daily ?? []).flatMap(({ apr_pct }) => (apr_pct === null ? [] : [apr_pct]));
      return { exchange, mean: known.reduce((total, apr) => total + apr, 0) / known.length };
    })
    .filter(({ mean }) => Number.isFinite(mean))
    .sort((a, b) => b.mean - a.mean);
  const [best, worst] = [means[0], means.at(-1)];
  if (!best || !worst) return `No daily funding of ${coin} is held from ${from} to ${to}.`;
  const words = (one: { exchange: string; mean: number }) =>
    `${one.exchange} ${signed(Number(one.mean.toFixed(2)))} %`;
  const venues = `${series.length} ${plural(series.length, 'venue')}`;
  const range =
    best === worst ? `mean: ${words(best)}` : `highest mean: ${words(best)}, lowest mean: ${words(worst)}`;
  return `Daily funding of ${coin} on ${venues} in percent a year after costs, from ${from} to ${to}; ${range}.`;
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
