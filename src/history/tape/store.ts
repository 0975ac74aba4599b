import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { Log } from '../../base/log.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { tapeDayId, tapeDayIds, tapeDayOf } from '../../storage/blocks.ts';
import type {} from '../../storage/migrations/0140-tape.ts';
import type { Storage } from '../../storage/storage.ts';
import { type DayBlock, dayPartsOf, readDay, readDays, readIfIntact, readVenue } from './block.ts';
import { type TapeContract, tapeContracts } from './contracts.ts';
import { TAPE_COLUMNS, type TapeColumn, TapeSeries } from './series.ts';

export const HOUR_MINUTES = 60;
export const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** Days are read in parts of this many, with other requests between them. */
const DAYS_AT_ONCE = 30;
const CONTRACTS_AT_ONCE = 100;

interface RecentBlock {
  start_minute: number;
  block: Uint8Array;
}

/** The list is one parameter, so that the statement is built and prepared once. */
const DAYS_QUERIES: Readonly<Record<Storage['kind'], string>> = {
  sqlite: 'select id, block from tape_days where id in (select value from json_each(?))',
  postgres: 'select id, block from tape_days where id = any($1::bigint[])',
};

/** Reads the tape. Hours and minutes are read before days, so that a day that is packed meanwhile is not missed. */
export class TapeStore {
  readonly #db: Storage['db'];
  readonly #kind: Storage['kind'];
  readonly #log: Pick<Log, 'error'>;
  /** The numbers of contracts, which never change. */
  readonly #ids = new Map<string, number>();

  constructor({ db, kind }: Pick<Storage, 'db' | 'kind'>, log: Pick<Log, 'error'>) {
    this.#db = db;
    this.#kind = kind;
    this.#log = log;
  }

  /** All contracts of the tape, by venue and then by the venue's spelling. */
  async contracts(): Promise<TapeContract[]> {
    return await tapeContracts(this.#db);
  }

  /** A contract from one minute to another, both included. A damaged block is a gap. */
  async series(
    { exchange, venueSymbol }: { exchange: string; venueSymbol: string },
    fromMinute: number,
    toMinute: number,
    columns: readonly TapeColumn[] = TAPE_COLUMNS,
  ): Promise<TapeSeries> {
    const series = new TapeSeries(fromMinute, Math.max(1, toMinute - fromMinute + 1), columns);
    const id = toMinute < fromMinute ? null : await this.#idOf(exchange, venueSymbol);
    if (id === null) return series;
    for (const { start_minute, block } of await this.#recent(exchange, fromMinute, toMinute))
      readIfIntact(
        () => readVenue(block, start_minute, (one) => (one === id ? series : undefined)),
        this.#log,
      );
    const lastDay = Math.floor(toMinute / DAY_MINUTES);
    for (let day = Math.floor(fromMinute / DAY_MINUTES); day <= lastDay; day += DAYS_AT_ONCE) {
      const count = Math.min(DAYS_AT_ONCE, lastDay - day + 1);
      const ids = dayPartsOf(series).flatMap((part) =>
        Array.from({ length: count }, (_, i) => tapeDayId(day + i, id, part)),
      );
      readDays(await this.#days(ids), series, this.#log);
      await nextTurn();
    }
    return series;
  }

  /** A UTC day since 1970 of every contract that the tape has of it, by venue and then by the venue's spelling. */
  async *day(day: number): AsyncGenerator<{ contract: TapeContract; series: TapeSeries }> {
    const fromMinute = day * DAY_MINUTES;
    for (const [exchange, all] of Map.groupBy(await this.contracts(), (contract) => contract.exchange)) {
      const recent = await this.#recent(exchange, fromMinute, fromMinute + DAY_MINUTES - 1);
      for (let from = 0; from < all.length; from += CONTRACTS_AT_ONCE) {
        const some = all.slice(from, from + CONTRACTS_AT_ONCE);
        const byId = new Map(some.map(({ id }) => [id, new TapeSeries(fromMinute, DAY_MINUTES)]));
        for (const { start_minute, block } of recent)
          readIfIntact(() => readVenue(block, start_minute, (id) => byId.get(id)), this.#log);
        const ids = some.flatMap(({ id }) => tapeDayIds(day, id));
        for (const block of await this.#days(ids)) {
          const series = byId.get(block.contractId);
          if (series) readIfIntact(() => readDay(block, series), this.#log);
        }
        for (const contract of some) {
          const series = byId.get(contract.id) as TapeSeries;
          if (!series.column('ratePct').every(Number.isNaN)) yield { contract, series };
        }
        await nextTurn();
      }
    }
  }

  async #idOf(exchange: string, venueSymbol: string): Promise<number | null> {
    const key = `${exchange}/${venueSymbol}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const contract = await this.#db
      .selectFrom('tape_contracts')
      .select('id')
      .where('exchange', '=', exchange)
      .where('venue_symbol', '=', venueSymbol)
      .executeTakeFirst();
    if (contract) this.#ids.set(key, contract.id);
    return contract?.id ?? null;
  }

  /** Single minutes first: what is packed wins over them. */
  async #recent(exchange: string, fromMinute: number, toMinute: number): Promise<RecentBlock[]> {
    return await this.#db
      .selectFrom('tape_blocks')
      .select(['start_minute', 'block'])
      .where('exchange', '=', exchange)
      .where('start_minute', '>', fromMinute - HOUR_MINUTES)
      .where('start_minute', '<=', toMinute)
      .orderBy('minutes')
      .orderBy('start_minute')
      .execute();
  }

  async #days(ids: readonly number[]): Promise<(DayBlock & { contractId: number })[]> {
    const parameter = this.#kind === 'sqlite' ? JSON.stringify(ids) : ids;
    const query = CompiledQuery.raw(DAYS_QUERIES[this.#kind], [parameter]);
    const { rows } = await this.#db.executeQuery(query as CompiledQuery<{ id: number; block: Uint8Array }>);
    return rows.map(({ id, block }) => {
      const { day, part, contractId } = tapeDayOf(id);
      return { startMinute: day * DAY_MINUTES, part, contractId, block };
    });
  }
}
