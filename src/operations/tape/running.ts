import { isoTime } from '../../base/times.ts';
import type { TapeSeries } from '../../history/tape/series.ts';
import type { FlatColumn } from '../answer/flat-rows.ts';
import { defineOperation } from '../operation.ts';
import {
  CONTRACT_COLUMNS,
  flatPoints,
  type HumanPage,
  readPoints,
  type TapeData,
  tapeAnswer,
  tapeFreshness,
} from './answer.ts';
import { TAPE_PARAMETERS, type TapeRequest, tapeRequest } from './request.ts';
import { AT, CONTRACT_FIELDS, double, listOf, object, orNull, time, WINDOW_FIELDS } from './schema.ts';
import { figureOf, minuteTexts, type StepPlaces } from './steps.ts';

interface RunningPoint {
  at: string;
  rate_pct: number;
  low_rate_pct: number | null;
  high_rate_pct: number | null;
  interval_hours: number | null;
  next_funding_at: string | null;
}

const PATH = '/funding/running';

const COLUMNS: readonly FlatColumn[] = [
  ...CONTRACT_COLUMNS,
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

export const runningFunding = defineOperation({
  id: 'funding-running',
  operationId: 'getRunningFunding',
  path: PATH,
  scope: 'history:read',
  summary: 'The running funding rate of a coin through time, by minute, five minutes, hour or day',
  description:
    'What /funding answered at the end of each minute: the running rate, its interval and the next settlement, per venue. With a step above a minute, the last value and the lowest and highest of its minutes. The last step may not be over. A time without an entry is a gap: the service was down or the venue silent. Each venue is there with its largest linear contract on the coin; symbol picks another. For what was paid use /funding/history. Every rule is on the page /developers/tape.',
  parameters: TAPE_PARAMETERS,
  freshness: tapeFreshness,
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
  formats: { names: ['csv', 'parquet'], flat: (data) => flatPoints(COLUMNS, data as TapeData<RunningPoint>) },
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
  run: async (values, context) => {
    const request = await tapeRequest(values, PATH, context);
    const columns = ['ratePct', 'intervalHours', 'nextFundingAtMs'] as const;
    const series = await readPoints(request, columns, context, runningPoints);
    return await tapeAnswer(request, { series }, COLUMNS, pageOf(request), context);
  },
});

/** The page has one contract: of several that of the venue with the most trade in the coin. */
function pageOf({ coin, contracts }: TapeRequest): HumanPage {
  const [most] = contracts.toSorted((a, b) => (b.volume24hUsdt ?? -1) - (a.volume24hUsdt ?? -1));
  const path = `/funding/${encodeURIComponent(coin)}`;
  if (!most) return { path, parameters: [] };
  return { path: `${path}/${encodeURIComponent(most.exchange)}`, parameters: ['symbol', 'days'] };
}

function runningPoints(series: TapeSeries, stepMinutes: number): (step: StepPlaces) => RunningPoint {
  const rates = series.column('ratePct');
  const intervals = series.column('intervalHours');
  const nexts = series.column('nextFundingAtMs');
  const textOf = minuteTexts();
  let next: { ms: number; text: string | null } = { ms: Number.NaN, text: null };
  return ({ minute, first, end, last }) => {
    const nextMs = nexts[last] as number;
    if (nextMs !== next.ms) next = { ms: nextMs, text: Number.isNaN(nextMs) ? null : isoTime(nextMs) };
    const { low, high } = stepMinutes === 1 ? { low: null, high: null } : figureOf(rates, first, end);
    const intervalHours = intervals[last] as number;
    return {
      at: textOf(minute),
      rate_pct: rates[last] as number,
      low_rate_pct: low,
      high_rate_pct: high,
      interval_hours: Number.isNaN(intervalHours) ? null : intervalHours,
      next_funding_at: next.text,
    };
  };
}
