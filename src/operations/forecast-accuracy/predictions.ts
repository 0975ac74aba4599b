import { perSnapshot } from '../../base/per-snapshot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import {
  MOST_MINUTES_BEFORE,
  type PredictionFigures,
  PredictionSums,
} from '../../engines/tape/predictions.ts';
import type { Table } from '../../market/tables/table.ts';
import type { DataSources } from '../operation.ts';

type PredictionSources = Pick<DataSources, 'funding' | 'history' | 'tape'>;

export const PREDICTION_DAYS = 7;
/** The most traded contracts of each venue are compared. */
export const CONTRACTS_PER_VENUE = 20;

export interface VenuePredictions {
  exchange: string;
  figures: readonly PredictionFigures[];
}

/** The figures of the days before a UTC day since 1970. */
interface Computed {
  day: number;
  venues: Promise<VenuePredictions[]>;
}

const computedOf = perSnapshot((_data: PredictionSources): { last: Computed | null } => ({ last: null }));

/** The day that the figures end before. Payments of a day have an hour to become known. */
export function predictionDay(nowMs: number): number {
  return Math.floor((nowMs - HOUR_MS) / DAY_MS);
}

/** Computed once a day, from the tape and the settled payments. Null while they cannot be read: answers have more to show. */
export async function loadPredictions(
  data: PredictionSources,
  nowMs: number,
): Promise<VenuePredictions[] | null> {
  const day = predictionDay(nowMs);
  const computed = computedOf(data);
  if (computed.last?.day !== day) {
    // Before the first snapshot nothing can be chosen, and the next reader computes.
    const moment = data.funding.at(0, nowMs);
    if (!moment) return null;
    computed.last = { day, venues: compute(data, moment.table, day) };
  }
  try {
    return await computed.last.venues;
  } catch {
    computed.last = null;
    return null;
  }
}

/** One contract at a time; the readers of the tape pause between parts. */
async function compute(
  { history, tape }: PredictionSources,
  table: Table,
  day: number,
): Promise<VenuePredictions[]> {
  const toMinute = (day * DAY_MS) / MINUTE_MS;
  const fromMinute = toMinute - (PREDICTION_DAYS * DAY_MS) / MINUTE_MS;
  const found: VenuePredictions[] = [];
  for (const [exchange, venueSymbols] of mostTraded(table)) {
    const sums = new PredictionSums();
    for (const venueSymbol of venueSymbols) {
      const held = history.directory.find(exchange, venueSymbol);
      if (!held) continue;
      const prints = await history.reader.prints(held.id, fromMinute, toMinute - 1);
      if (prints.minutes.length === 0) continue;
      const columns = ['ratePct', 'intervalHours'] as const;
      const from = fromMinute - MOST_MINUTES_BEFORE;
      sums.add(prints, await tape.series({ exchange, venueSymbol }, from, toMinute - 1, columns));
    }
    const figures = sums.figures();
    if (figures.some(({ compared }) => compared > 0)) found.push({ exchange, figures });
  }
  return found.sort((a, b) => (a.exchange < b.exchange ? -1 : 1));
}

function mostTraded(table: Table): Map<string, string[]> {
  const volumes = table.numbers('volume_24h_usdt');
  const rows = Array.from({ length: table.rowCount }, (_, row) => row);
  const byVenue = Map.groupBy(rows, (row) => String(table.text('exchange', row)));
  const most = (ofVenue: readonly number[]) =>
    ofVenue
      .toSorted((a, b) => (volumes[b] || 0) - (volumes[a] || 0))
      .slice(0, CONTRACTS_PER_VENUE)
      .map((row) => String(table.text('venue_symbol', row)));
  return new Map([...byVenue].map(([exchange, ofVenue]) => [exchange, most(ofVenue)]));
}
