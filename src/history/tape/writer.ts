import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { Log } from '../../base/log.ts';
import { tapeDayId, tapeDayOf } from '../../storage/blocks.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0140-tape.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { encodeDay, encodeVenue, readDay, readIfIntact, readVenue } from './block.ts';
import { type TapeNames, TapeNumbers } from './contracts.ts';
import { FIVE, FIVE_COLUMNS, type TapeColumn, TapeSeries } from './series.ts';
import { DAY_MINUTES, HOUR_MINUTES } from './store.ts';

/** What a snapshot says of a contract; NaN is unknown. */
export interface TapeRow {
  names: TapeNames;
  figures: Readonly<Record<TapeColumn, number>>;
}

/** Writes the minutes of the tape. Each call is one transaction: after a kill all of it is stored, or nothing. */
export class TapeWriter {
  readonly #db: Storage['db'];
  readonly #numbers: TapeNumbers;
  readonly #log: Pick<Log, 'error'>;

  constructor({ db }: Pick<Storage, 'db'>, log: Pick<Log, 'error'>) {
    this.#db = db;
    this.#numbers = new TapeNumbers(db);
    this.#log = log;
  }

  /** Stores what all contracts were at the end of a minute. A minute that is stored already stays as it is. */
  async save(minute: number, rows: readonly TapeRow[], fence: Fence | null): Promise<void> {
    const names = rows.map((row) => row.names);
    const ids = await this.#numbers.idsOf(names, fence);
    const numbered = rows.map(({ figures }, i) => ({ id: ids[i] as number, figures }));
    const blocks: { exchange: string; block: Uint8Array }[] = [];
    for (const [exchange, ofVenue] of Map.groupBy(numbered, (_, i) => (names[i] as TapeNames).exchange)) {
      const contracts = new Map(ofVenue.map(({ id, figures }) => [id, minuteOf(minute, figures)]));
      blocks.push({ exchange, block: encodeVenue(contracts) });
      await nextTurn();
    }
    await this.#transaction(fence, async (trx) => {
      await trx
        .insertInto('tape_blocks')
        .values(blocks.map((one) => ({ ...one, start_minute: minute, minutes: 1 })))
        .onConflict((conflict) => conflict.columns(['exchange', 'start_minute', 'minutes']).doNothing())
        .execute();
    });
  }

  /** The newest minute that is stored; null if there is none. */
  async newestMinute(): Promise<number | null> {
    const { blocks } = await this.#db
      .selectFrom('tape_blocks')
      .select(sql<number | null>`max(start_minute + minutes)`.as('blocks'))
      .executeTakeFirstOrThrow();
    const { day } = await this.#db
      .selectFrom('tape_days')
      .select(sql<number | null>`max(id) / ${sql.lit(tapeDayId(1, 0))}`.as('day'))
      .executeTakeFirstOrThrow();
    const ends = [blocks, day === null ? null : (Math.floor(Number(day)) + 1) * DAY_MINUTES];
    const known = ends.flatMap((end) => (end === null ? [] : [Number(end)]));
    return known.length === 0 ? null : Math.max(...known) - 1;
  }

  /** Deletes what is older than a minute, and what a wrong clock has dated after `nowMinute`. */
  async prune(beforeMinute: number, nowMinute: number, fence: Fence | null): Promise<void> {
    await this.#transaction(fence, async (trx) => {
      await trx
        .deleteFrom('tape_days')
        .where('id', '<', tapeDayId(Math.floor(beforeMinute / DAY_MINUTES), 0))
        .execute();
      await trx
        .deleteFrom('tape_blocks')
        .where('start_minute', '<', beforeMinute - HOUR_MINUTES)
        .execute();
      await cutFrom(trx, nowMinute + 1, this.#log);
    });
  }

  /** Deletes everything from a minute on: a clock that ran ahead has dated it. */
  async deleteFrom(minute: number, fence: Fence | null): Promise<void> {
    await this.#transaction(fence, (trx) => cutFrom(trx, minute, this.#log));
  }

  async #transaction(fence: Fence | null, work: (trx: Transaction<Schema>) => Promise<void>): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await work(trx);
    });
  }
}

function minuteOf(minute: number, figures: TapeRow['figures']): TapeSeries {
  const series = new TapeSeries(minute, 1);
  for (const [name, value] of Object.entries(figures)) series.column(name as TapeColumn)[0] = value;
  return series;
}

async function cutFrom(trx: Transaction<Schema>, minute: number, log: Pick<Log, 'error'>): Promise<void> {
  await trx.deleteFrom('tape_blocks').where('start_minute', '>=', minute).execute();
  const hours = await trx
    .selectFrom('tape_blocks')
    .selectAll()
    .where('start_minute', '>', minute - HOUR_MINUTES)
    .where('minutes', '>', 1)
    .execute();
  for (const { exchange, start_minute, minutes, block } of hours) {
    if (start_minute + minutes <= minute) continue;
    const contracts = new Map<number, TapeSeries>();
    const seriesOf = (id: number) => {
      const series = new TapeSeries(start_minute, minute - start_minute);
      contracts.set(id, series);
      return series;
    };
    readIfIntact(() => readVenue(block, start_minute, seriesOf), log);
    for (const series of contracts.values()) cutLastFive(series);
    await trx
      .updateTable('tape_blocks')
      .set({ block: encodeVenue(contracts) })
      .where('exchange', '=', exchange)
      .where('start_minute', '=', start_minute)
      .where('minutes', '=', minutes)
      .execute();
  }
  const day = Math.floor(minute / DAY_MINUTES);
  const isMidnight = minute % DAY_MINUTES === 0;
  await trx
    .deleteFrom('tape_days')
    .where('id', '>=', tapeDayId(isMidnight ? day : day + 1, 0))
    .execute();
  if (isMidnight) return;
  const days = await trx.selectFrom('tape_days').selectAll().where('id', '>=', tapeDayId(day, 0)).execute();
  const startMinute = day * DAY_MINUTES;
  for (const [contractId, rows] of Map.groupBy(days, ({ id }) => tapeDayOf(id).contractId)) {
    const series = new TapeSeries(startMinute, minute % DAY_MINUTES);
    for (const { id, block } of rows)
      readIfIntact(() => readDay({ block, part: tapeDayOf(id).part, startMinute }, series), log);
    cutLastFive(series);
    for (const [part, block] of encodeDay(series).entries())
      await trx
        .updateTable('tape_days')
        .set({ block })
        .where('id', '=', tapeDayId(day, contractId, part))
        .execute();
  }
}

/** Five minutes that end with the series in their middle were of a later minute. */
function cutLastFive(series: TapeSeries): void {
  if ((series.fromMinute + series.minutes) % FIVE === 0) return;
  for (const name of FIVE_COLUMNS) {
    const column = series.column(name);
    column[column.length - 1] = Number.NaN;
  }
}
