import { inParts } from '../../base/async/in-parts.ts';
import { isoTime, SECOND_MS } from '../../base/times.ts';
import type { TapeColumn, TapeSeries } from '../../history/tape/series.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { type FlatColumn, type FlatRows, flatObjects } from '../answer/flat-rows.ts';
import { jsonInParts } from '../answer/json-parts.ts';
import { metaOf } from '../answer/meta.ts';
import type { OperationContext } from '../operation.ts';
import { readSeries, type TapeRequest } from './request.ts';
import { type StepPlaces, stepsOf } from './steps.ts';

/** Answers are cached for this long. */
const FRESH_MS = 10 * SECOND_MS;

export const tapeFreshness = (_data: unknown, _delaySeconds: number, nowMs: number): number =>
  Math.floor(nowMs / FRESH_MS);

/** The points of a venue, oldest first. */
export interface PointSeries<Point> {
  exchange: string;
  symbol: string;
  venue_symbol: string;
  is_inverse: boolean;
  points: readonly Point[];
}

/** What every answer from the tape has. */
export interface TapeData<Point> {
  coin: string;
  step: string;
  from: string;
  to: string;
  series: readonly PointSeries<Point>[];
}

/** The columns of CSV and Parquet before those of a point. */
export const CONTRACT_COLUMNS: readonly FlatColumn[] = [
  { name: 'coin', type: 'text' },
  { name: 'exchange', type: 'text' },
  { name: 'symbol', type: 'text' },
  { name: 'venue_symbol', type: 'text' },
  { name: 'is_inverse', type: 'flag' },
  { name: 'at', type: 'time' },
];

/** One row per venue and point. */
export function flatPoints(
  columns: readonly FlatColumn[],
  { coin, series }: Pick<TapeData<object>, 'coin' | 'series'>,
): FlatRows {
  function* rows() {
    for (const { points, ...contract } of series)
      for (const point of points) yield { coin, ...contract, ...point };
  }
  return flatObjects(columns, rows());
}

/** Reads the venues of a request. `pointsOf` is called once for each, and what it returns for each step. */
export async function readPoints<Point>(
  request: TapeRequest,
  columns: readonly TapeColumn[],
  context: OperationContext,
  pointsOf: (series: TapeSeries, stepMinutes: number) => (step: StepPlaces) => Point,
): Promise<PointSeries<Point>[]> {
  const { stepMinutes } = request.minutes;
  const found: PointSeries<Point>[] = [];
  for await (const { contract, series } of readSeries(request, columns, context)) {
    const pointOf = pointsOf(series, stepMinutes);
    const points: Point[] = [];
    for await (const steps of inParts(stepsOf(series, stepMinutes)))
      for (const step of steps) points.push(pointOf(step));
    const { exchange, symbol, venueSymbol, isInverse } = contract;
    found.push({ exchange, symbol, venue_symbol: venueSymbol, is_inverse: isInverse, points });
  }
  return found;
}

/** The page with the same data, and the parameters of the operation that it takes. */
export interface HumanPage {
  path: string;
  parameters: readonly string[];
}

/** The answer with these fields after those of the window; `columns` are those of CSV and Parquet. */
export async function tapeAnswer<Fields extends { series: TapeData<object>['series'] }>(
  { coin, step, window }: TapeRequest,
  fields: Fields,
  columns: readonly FlatColumn[],
  page: HumanPage,
  context: OperationContext,
): Promise<ObjectAnswer<Omit<TapeData<object>, 'series'> & Fields>> {
  const data = { coin, step, from: isoTime(window.fromMs), to: isoTime(window.toMs), ...fields };
  const sent = new Map([...context.sent].filter(([name]) => page.parameters.includes(name)));
  const meta = metaOf(window.asOfMs, page.path, { ...context, sent });
  const { length } = fields.series;
  return {
    fields: data,
    json: await jsonInParts(data),
    rows: null,
    flat: () => flatPoints(columns, data),
    meta: { ...meta, count: length, total: length },
  };
}
