import type { Kysely } from 'kysely';
import { within } from '../../../base/within.ts';
import type { WindowPeersTable } from '../../../storage/migrations/0040-window-peers.ts';
import type { Schema } from '../../../storage/schema.ts';
import type { TakeReport } from './own-takes.ts';

export type WindowStanding = WindowPeersTable['standing'];

export interface Peer {
  processId: string;
  standing: WindowStanding;
  membership: string;
  takes: TakeReport;
  isAlive: boolean;
}

/** Who has not written for this long is gone. A living process writes at least every two seconds. */
const SILENCE_MS = 5_000;
/** Rows this old are not even looked at. It must be more than clocks of two machines differ. */
const FORGOTTEN_MS = 60_000;
const PATIENCE_MS = 1_000;

/** What the processes tell each other through the database about their windows. */
export class WindowPeers {
  readonly #db: Kysely<Schema>;
  readonly #processId: string;
  readonly #nowMs: () => number;
  readonly #heard = new Map<string, { beat: number; atMs: number }>();
  #beat = 0;

  /** The time is that of this machine, whatever clock the windows follow. */
  constructor(db: Kysely<Schema>, processId: string, nowMs: () => number) {
    this.#db = db;
    this.#processId = processId;
    this.#nowMs = nowMs;
  }

  /** Without takes, those that were told before stay. */
  async tell(standing: WindowStanding, membership: string, takes: TakeReport | null): Promise<void> {
    const columns = { standing, membership, beat: ++this.#beat, written_at_ms: this.#nowMs() };
    const told = takes === null ? {} : { takes: JSON.stringify(takes) };
    await within(
      PATIENCE_MS,
      this.#db
        .insertInto('window_peers')
        .values({ process_id: this.#processId, takes: '{}', ...columns, ...told })
        .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ ...columns, ...told }))
        .execute(),
    );
  }

  async others(): Promise<Peer[]> {
    const nowMs = this.#nowMs();
    const rows = await within(
      PATIENCE_MS,
      this.#db
        .selectFrom('window_peers')
        .select(['process_id', 'standing', 'membership', 'beat', 'takes'])
        .where('process_id', '!=', this.#processId)
        .where('written_at_ms', '>', nowMs - FORGOTTEN_MS)
        .execute(),
    );
    return rows.map((row) => {
      const before = this.#heard.get(row.process_id);
      const heard = before?.beat === row.beat ? before : { beat: row.beat, atMs: nowMs };
      this.#heard.set(row.process_id, heard);
      return {
        processId: row.process_id,
        standing: row.standing,
        membership: row.membership,
        takes: JSON.parse(row.takes) as TakeReport,
        isAlive: nowMs - heard.atMs < SILENCE_MS,
      };
    });
  }

  async leave(): Promise<void> {
    const nowMs = this.#nowMs();
    await within(
      PATIENCE_MS,
      this.#db
        .deleteFrom('window_peers')
        .where((is) =>
          is.or([is('process_id', '=', this.#processId), is('written_at_ms', '<', nowMs - FORGOTTEN_MS)]),
        )
        .execute(),
    );
  }
}
