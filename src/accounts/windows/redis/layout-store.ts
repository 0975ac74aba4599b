import type { Kysely } from 'kysely';
import '../../../storage/migrations/0112-window-servers.ts';
import { within } from '../../../base/async/within.ts';
import type { Schema } from '../../../storage/schema.ts';
import { INITIAL_LAYOUT, type Layout } from './layout.ts';

const DATABASE_TIMEOUT_MS = 1_000;
/** The table has one row. */
const ROW = 1;

/** The layout that all processes count by, in the database. */
export class LayoutStore {
  readonly #db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  async read(): Promise<Layout> {
    return (await this.#read()) ?? INITIAL_LAYOUT;
  }

  /** Replaces the layout; false if another process has changed it meanwhile. */
  async change(before: Layout, { version, servers, previous }: Layout): Promise<boolean> {
    const columns = {
      version,
      servers: JSON.stringify(servers),
      previous: previous === null ? null : JSON.stringify(previous),
    };
    if (before === INITIAL_LAYOUT) {
      const added = this.#db
        .insertInto('window_layout')
        .values({ id: ROW, ...columns })
        .onConflict((conflict) => conflict.doNothing());
      const { numInsertedOrUpdatedRows } = await within(DATABASE_TIMEOUT_MS, added.executeTakeFirst());
      return numInsertedOrUpdatedRows === 1n;
    }
    const changed = this.#db.updateTable('window_layout').set(columns).where('version', '=', before.version);
    return (await within(DATABASE_TIMEOUT_MS, changed.executeTakeFirst())).numUpdatedRows === 1n;
  }

  async forgetPrevious(version: number): Promise<void> {
    const changed = this.#db
      .updateTable('window_layout')
      .set({ previous: null })
      .where('version', '=', version);
    await within(DATABASE_TIMEOUT_MS, changed.execute());
  }

  async #read(): Promise<Layout | null> {
    const found = this.#db.selectFrom('window_layout').selectAll().where('id', '=', ROW);
    const row = await within(DATABASE_TIMEOUT_MS, found.executeTakeFirst());
    if (!row) return null;
    const servers = parseServers(row.servers);
    const previous = row.previous === null ? null : parseServers(row.previous);
    if (servers === null || (row.previous !== null && previous === null))
      throw new Error('the stored layout of the rate limits is unreadable');
    return { version: Number(row.version), servers, previous };
  }
}

/** A list of servers as JSON text; null if it is none. */
export function parseServers(text: unknown): string[] | null {
  try {
    const value: unknown = JSON.parse(String(text));
    const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
    return isList ? (value as string[]) : null;
  } catch {
    return null;
  }
}
