import { isoTime, SECOND_MS } from '../../base/times.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { jsonInParts } from '../answer/json-parts.ts';
import { metaOf } from '../answer/meta.ts';
import { defineOperation } from '../operation.ts';
import { type ReadSeries, readSeries, TAPE_PARAMETERS, tapeRequest } from './request.ts';
import { AT, CONTRACT_FIELDS, double, listOf, object, orNull, time, WINDOW_FIELDS } from './schema.ts';
import { figureOf, minuteTexts, stepsOf } from './steps.ts';

/** Answers are cached for this long. */
const FRESH_MS = 10 * SECOND_MS;

interface RunningPoint {
  at: string;
  rate_pct: number;
  low_rate_pct: number | null;
  high_rate_pct: number | null;
  interval_hours: number | null;
  next_funding_at: string | null;
}

interface RunningSeries {
  exchange: string;
  symbol: string;
  venue_symbol: string;
  is_inverse: boolean;
  points: readonly RunningPoint[];
}

interface Running {
  coin: string;
  step: string;
  from: string;
  to: string;
  series: readonly RunningSeries[];
}

const COLUMNS: readonly FlatColumn[] = [
  { name: 'coin', type: 'text' },
  { name: 'exchange', type: 'text' },
  { name: 'symbol', type: 'text' },
  { name: 'venue_symbol', type: 'text' },
  { name: 'is_inverse', type: 'flag' },
  { name: 'at', type: 'time' },
  { name: 'rate_pct', type: 'number' },
  { name: 'low_rate_pct', type: 'number' },
  { name: 'high_rate_pct', type: 'number' },
  { name: 'interval_hours', type: 'integer' },
  { name: 'next_funding_at', type: 'time' },
];

const POINT = {
  title: 'RunningFundingPoint',
  ...object({
    at: AT,
    rate_pct: {
      ...double,
      description:
        'The running rate in percent, as /funding answered it: what would be exchanged at next_funding_at; positive = longs pay shorts',
    },
    low_rate_pct: orNull(double, 'The lowest rate of the minutes in the step; null with step=1m'),
    high_rate_pct: orNull(double, 'The highest rate of the minutes in the step; null with step=1m'),
    interval_hours: orNull(
      { type: 'integer', format: 'int32' },
      'Settlement interval in hours; null when it was unknown',
    ),
    next_funding_at: orNull(
      time(''),
      'Next settlement, UTC; null when funding is continuous or the venue did not report it',
    ),
  }),
};

function flatPoints({ coin, series }: Pick<Running, 'coin' | 'series'>): FlatRows {
  return flatObjects(
    COLUMNS,
    series.flatMap(({ points, ...contract }) => points.map((point) => ({ coin, ...contract, ...point }))),
  );
}

export const runningFunding = defineOperation({
  id: 'funding-running',
  operationId: 'getRunningFunding',
  path: '/funding/running',
  scope: 'history:read',
  summary: 'The running funding rate of a coin through time, by minute, five minutes, hour or day',
  description:
    'What /funding answered at the end of each minute: the running rate, its interval and the next settlement, per venue. With a step above a minute, the last value and the lowest and highest of its minutes. The last step may not be over. A time without an entry is a gap: the service was down or the venue silent. Each venue is there with its largest linear contract on the coin; symbol picks another. For what was paid use /funding/history. Every rule is on the page /developers/tape.',
  parameters: TAPE_PARAMETERS,
  freshness: (_data, _delaySeconds, nowMs) => Math.floor(nowMs / FRESH_MS),
  data: {
    ...object({
      ...WINDOW_FIELDS,
      series: listOf(
        object({ ...CONTRACT_FIELDS, points: listOf(POINT, 'Oldest first') }),
        'One entry per venue, by name',
      ),
    }),
    title: 'RunningFundingResponse',
  },
  shortRows: { leading: ['exchange', 'at', 'rate_pct'], intervals: { rate_pct: 'interval_hours' } },
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(data as Running) },
  example: {
    coin: 'BTC',
    step: '1h',
    from: '2026-11-15T10:00:00Z',
    to: '2026-11-15T11:30:00Z',
    series: [
      {
        exchange: 'Binance',
        symbol: 'BTC-USDT',
        venue_symbol: 'BTCUSDT',
        is_inverse: false,
        points: [
          {
            at: '2026-11-15T10:00:00Z',
            rate_pct: 0.0091,
            low_rate_pct: 0.0084,
            high_rate_pct: 0.01,
            interval_hours: 8,
            next_funding_at: '2026-11-15T16:00:00Z',
          },
        ],
      },
    ],
  },
  run: async (values, context): Promise<ObjectAnswer<Running>> => {
    const request = tapeRequest(values, context);
    const { coin, step, window, minutes } = request;
    const series: RunningSeries[] = [];
    for await (const read of readSeries(request, ['ratePct', 'intervalHours', 'nextFundingAtMs'], context))
      series.push(seriesOf(read, minutes.stepMinutes));
    const fields = { coin, step, from: isoTime(window.fromMs), to: isoTime(window.toMs), series };
    const meta = metaOf(window.asOfMs, `/funding/${encodeURIComponent(coin)}`, {
      ...context,
      sent: new Map(),
    });
    return {
      ...{ fields, json: await jsonInParts(fields), rows: null, flat: () => flatPoints(fields) },
      meta: { ...meta, count: series.length, total: series.length },
    };
  },
});

function seriesOf({ contract, series }: ReadSeries, stepMinutes: number): RunningSeries {
  const rates = series.column('ratePct');
  const intervals = series.column('intervalHours');
  const nexts = series.column('nextFundingAtMs');
  const textOf = minuteTexts();
  let next: { ms: number; text: string | null } = { ms: Number.NaN, text: null };
  const points: RunningPoint[] = [];
  for (const { minute, first, end, last } of stepsOf(series, stepMinutes)) {
    const nextMs = nexts[last] as number;
    if (nextMs !== next.ms) next = { ms: nextMs, text: Number.isNaN(nextMs) ? null : isoTime(nextMs) };
    const { low, high } = stepMinutes === 1 ? { low: null, high: null } : figureOf(rates, first, end);
    const intervalHours = intervals[last] as number;
    points.push({
      at: textOf(minute),
      rate_pct: rates[last] as number,
      low_rate_pct: low,
      high_rate_pct: high,
      interval_hours: Number.isNaN(intervalHours) ? null : intervalHours,
      next_funding_at: next.text,
    });
  }
  const { exchange, symbol, venueSymbol, isInverse } = contract;
  return { exchange, symbol, venue_symbol: venueSymbol, is_inverse: isInverse, points };
}
