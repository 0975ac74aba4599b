import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../base/per-snapshot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { DataSources } from '../../../../operations/operation.ts';
import { aprOf } from './units.ts';

const DAYS = 7;
const POINTS = 28;
const POINT_MINUTES = (DAYS * DAY_MS) / POINTS / MINUTE_MS;
const MINUTES_PER_HOUR = 60;
/** Contracts that wait to be read. Beyond it the newest are dropped: a later page requests them again. */
const MOST_WAITING = 2_000;
const MAX_TRENDS = 20_000;

/** APR at 28 times of the last 7 days from settled payments; null where none covers the time. */
export type Trend = readonly (number | null)[];

interface HourlyTrend {
  trend: Trend | null;
  hour: number;
}

/**
 * Trends of contracts for pages. They are read in the background, one contract at a time, so that a page never waits for
 * the database: it shows the trends that are known, and the next update shows the rest.
 */
export class Trends {
  readonly #history: DataSources['history'] | undefined;
  readonly #known = new LRUCache<string, HourlyTrend>({ max: MAX_TRENDS });
  readonly #waiting = new Map<string, { exchange: string; venueSymbol: string; asOfMs: number }>();
  #isReading = false;

  constructor(history: DataSources['history'] | undefined) {
    this.#history = history;
  }

  /** The trend of a row of the funding table; null if it is not known yet, or there is none. */
  of(table: Table, row: number, asOfMs: number): Trend | null {
    return this.#trend(table.text('exchange', row), table.text('venue_symbol', row), asOfMs);
  }

  /** The trend of the contract with this symbol, of which prints are stored; null if it is not known yet. */
  ofSymbol(coin: string, exchange: string, symbol: string, asOfMs: number): Trend | null {
    const held = this.#history?.directory
      .ofCoin(coin)
      .find((one) => one.exchange === exchange && one.symbol === symbol);
    return held ? this.#trend(exchange, held.venueSymbol, asOfMs) : null;
  }

  #trend(exchange: string, venueSymbol: string, asOfMs: number): Trend | null {
    const key = `${exchange} ${venueSymbol}`;
    const hour = Math.floor(asOfMs / HOUR_MS);
    const known = this.#known.get(key);
    if (known?.hour !== hour && this.#waiting.size < MOST_WAITING) {
      this.#waiting.set(key, { exchange, venueSymbol, asOfMs });
      void this.#read();
    }
    return known?.trend ?? null;
  }

  async #read(): Promise<void> {
    if (this.#isReading || !this.#history) return;
    this.#isReading = true;
    try {
      for (const [key, { exchange, venueSymbol, asOfMs }] of this.#waiting) {
        this.#waiting.delete(key);
        const trend = await this.#readTrend(exchange, venueSymbol, asOfMs);
        this.#known.set(key, { trend, hour: Math.floor(asOfMs / HOUR_MS) });
        // SQLite answers at once: requests run between two contracts.
        await setImmediate();
      }
    } catch {
      // The database is unavailable; the next page tries again.
      this.#waiting.clear();
    } finally {
      this.#isReading = false;
    }
  }

  async #readTrend(exchange: string, venueSymbol: string, asOfMs: number): Promise<Trend | null> {
    const contract = this.#history?.directory.find(exchange, venueSymbol);
    if (!contract || !this.#history) return null;
    const toMinute = Math.floor(asOfMs / MINUTE_MS);
    const fromMinute = toMinute - (DAYS * DAY_MS) / MINUTE_MS;
    const prints = await this.#history.reader.prints(contract.id, fromMinute, toMinute);
    return trendOf(prints, fromMinute);
  }
}

interface SettledPrints {
  minutes: ArrayLike<number>;
  ratesPct: ArrayLike<number>;
  intervalMinutes: ArrayLike<number>;
}

/** Each print counts for the times that its interval covers. */
function trendOf({ minutes, ratesPct, intervalMinutes }: SettledPrints, fromMinute: number): Trend | null {
  const points = new Array<number | null>(POINTS).fill(null);
  for (let i = 0; i < minutes.length; i++) {
    const length = intervalMinutes[i] as number;
    if (length === 0) continue;
    const end = (minutes[i] as number) - fromMinute;
    const apr = aprOf(((ratesPct[i] as number) / length) * MINUTES_PER_HOUR);
    const first = Math.max(0, Math.floor((end - length) / POINT_MINUTES));
    const last = Math.min(POINTS - 1, Math.ceil(end / POINT_MINUTES) - 1);
    for (let point = first; point <= last; point++) points[point] = apr;
  }
  // A settlement of the running interval is still to come: the line stays at the last one.
  const known = points.findLastIndex((value) => value !== null);
  if (known < 0) return null;
  for (let point = known + 1; point < POINTS; point++) points[point] = points[known] ?? null;
  return points;
}

/** The average of several trends by weight; a point counts those that have it. */
export function averageTrend(trends: readonly { trend: Trend; weight: number }[]): Trend | null {
  if (trends.length === 0) return null;
  return Array.from({ length: POINTS }, (_, point) => {
    let [sum, weights] = [0, 0];
    for (const { trend, weight } of trends) {
      const value = trend[point];
      if (value === null || value === undefined) continue;
      sum += value * weight;
      weights += weight;
    }
    return weights > 0 ? sum / weights : null;
  });
}

/** The trend of a coin is the average of its largest contracts; more would change it little. */
const CONTRACTS_PER_TREND = 5;

/** Of contracts in rows of the table, weighted by volume; null if none is known yet. */
export function trendOfCells(
  cells: ReadonlyMap<string, { row: number; volumeUsdt: number }>,
  table: Table,
  asOfMs: number,
  trends: Trends,
): Trend | null {
  const largest = [...cells.values()].toSorted((a, b) => b.volumeUsdt - a.volumeUsdt);
  return averageTrend(
    largest.slice(0, CONTRACTS_PER_TREND).flatMap(({ row, volumeUsdt }) => {
      const trend = trends.of(table, row, asOfMs);
      return trend ? [{ trend, weight: volumeUsdt }] : [];
    }),
  );
}

/** The trends of a process: all its pages share them. */
export const trendsOf = perSnapshot((data: DataSources) => new Trends(data.history));
