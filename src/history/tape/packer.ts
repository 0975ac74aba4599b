import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { tapeDayId, tapeDayIds, tapeDayOf } from '../../storage/blocks.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0140-tape.ts';
import type { Storage } from '../../storage/storage.ts';
import { encodeDay, encodeVenue, readDay, readIfIntact, readVenue } from './block.ts';
import { TapeSeries } from './series.ts';
import { DAY_MINUTES, HOUR_MINUTES } from './store.ts';

/** Memory: a day of a contract takes 50 kB while it is packed. */
const CONTRACTS_AT_ONCE = 64;
const ROWS_PER_STATEMENT = 100;

interface StoredBlock {
  start_minute: number;
  minutes: number;
  block: Uint8Array;
}

interface Span {
  exchange: string;
  startMinute: number;
  length: number;
}

/**
 * Packs the minutes of a venue into an hour once it has ended, and the hours into days of single contracts once the day has.
 * Each is one transaction that also deletes what was packed. A minute that was packed before stays as it is.
 */
export class TapePacker {
  readonly #db: Storage['db'];

  readonly #log: Pick<Log, 'error'>;

  constructor({ db }: Pick<Storage, 'db'>, log: Pick<Log, 'error'>) {
    this.#db = db;
    this.#log = log;
  }

  async pack(nowMinute: number, fence: Fence | null): Promise<void> {
    for (const span of await this.#spans(nowMinute, HOUR_MINUTES)) await this.#packHour(span, fence);
    for (const span of await this.#spans(nowMinute, DAY_MINUTES)) await this.#packDay(span, fence);
  }

  /** The hours or days that have ended and have shorter blocks, oldest first. */
  async #spans(nowMinute: number, length: number): Promise<Span[]> {
    const rows = await this.#db
      .selectFrom('tape_blocks')
      .select(['exchange', 'start_minute'])
      .where('minutes', '<', length)
      .where('start_minute', '<', nowMinute - (nowMinute % length))
      .orderBy('start_minute')
      .execute();
    const spans = new Map<string, Span>();
    for (const { exchange, start_minute } of rows) {
      const startMinute = start_minute - (start_minute % length);
      spans.set(`${startMinute} ${exchange}`, { exchange, startMinute, length });
    }
    return [...spans.values()];
  }

  /** Single minutes first: what is packed wins over them. */
  async #blocksOf({ exchange, startMinute, length }: Span): Promise<StoredBlock[]> {
    return await this.#db
      .selectFrom('tape_blocks')
      .select(['start_minute', 'minutes', 'block'])
      .where('exchange', '=', exchange)
      .where('start_minute', '>=', startMinute)
      .where('start_minute', '<', startMinute + length)
      .orderBy('minutes')
      .orderBy('start_minute')
      .execute();
  }

  async #packHour(span: Span, fence: Fence | null): Promise<void> {
    const blocks = await this.#blocksOf(span);
    const contracts = new Map<number, TapeSeries>();
    const seriesOf = (id: number) => {
      const series = contracts.get(id) ?? new TapeSeries(span.startMinute, span.length);
      contracts.set(id, series);
      return series;
    };
    for (const { start_minute, block } of blocks)
      readIfIntact(() => readVenue(block, start_minute, seriesOf), this.#log);
    const block = encodeVenue(contracts);
    await this.#replace(span, fence, async (trx) => {
      const { exchange, startMinute: start_minute, length: minutes } = span;
      await trx.insertInto('tape_blocks').values({ exchange, start_minute, minutes, block }).execute();
    });
    await nextTurn();
  }

  async #packDay(span: Span, fence: Fence | null): Promise<void> {
    const blocks = await this.#blocksOf(span);
    const ids = new Set<number>();
    const noSeries = (id: number) => {
      ids.add(id);
      return undefined;
    };
    for (const { start_minute, block } of blocks)
      readIfIntact(() => readVenue(block, start_minute, noSeries), this.#log);
    const all = [...ids].sort((a, b) => a - b);
    const days: { id: number; block: Uint8Array }[] = [];
    for (let from = 0; from < all.length; from += CONTRACTS_AT_ONCE) {
      days.push(...(await this.#daysOf(all.slice(from, from + CONTRACTS_AT_ONCE), span, blocks)));
      await nextTurn();
    }
    await this.#replace(span, fence, async (trx) => {
      for (let from = 0; from < days.length; from += ROWS_PER_STATEMENT)
        await trx
          .insertInto('tape_days')
          .values(days.slice(from, from + ROWS_PER_STATEMENT))
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((excluded) => ({ block: excluded.ref('excluded.block') })),
          )
          .execute();
    });
  }

  async #daysOf(
    ids: readonly number[],
    { startMinute, length }: Span,
    blocks: readonly StoredBlock[],
  ): Promise<{ id: number; block: Uint8Array }[]> {
    const byId = new Map(ids.map((id) => [id, new TapeSeries(startMinute, length)]));
    for (const { start_minute, block } of blocks)
      readIfIntact(() => readVenue(block, start_minute, (id) => byId.get(id)), this.#log);
    const day = startMinute / DAY_MINUTES;
    // Minutes that come after their day was packed are added to it.
    const packed = await this.#db
      .selectFrom('tape_days')
      .selectAll()
      .where(
        'id',
        'in',
        ids.flatMap((id) => tapeDayIds(day, id)),
      )
      .execute();
    for (const { id, block } of packed) {
      const { part, contractId } = tapeDayOf(id);
      const series = byId.get(contractId);
      if (series) readIfIntact(() => readDay({ block, part, startMinute }, series), this.#log);
    }
    return [...byId].flatMap(([id, series]) =>
      encodeDay(series).map((block, part) => ({ id: tapeDayId(day, id, part), block })),
    );
  }

  /** Deletes the blocks of a span and stores what they were packed into, together. */
  async #replace(
    { exchange, startMinute, length }: Span,
    fence: Fence | null,
    insert: (trx: Parameters<typeof checkFence>[0]) => Promise<void>,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .deleteFrom('tape_blocks')
        .where('exchange', '=', exchange)
        .where('start_minute', '>=', startMinute)
        .where('start_minute', '<', startMinute + length)
        .execute();
      await insert(trx);
    });
  }
}
