import type { Kysely } from 'kysely';
import { within } from '../../../base/async/within.ts';
import type { WindowPeersTable } from '../../../storage/migrations/0040-window-peers.ts';
import type { Schema } from '../../../storage/schema.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { parseRequestReport, type RequestReport } from './counted-requests.ts';

/** How a process counts: in Redis, against its local share, or about to return to Redis. */
export type PeerMode = 'shared' | 'local' | 'joining';

export interface Peer {
  processId: string;
  /** Null if the stored value is unknown here, as one of a newer version would be. */
  mode: PeerMode | null;
  membership: string;
  /** The requests of its last minute in Redis; null if the report is unreadable. */
  report: RequestReport | null;
  isAlive: boolean;
}

/** The table keeps the values of its first version, because two versions share it during an upgrade. */
const STORED_MODES: Readonly<Record<PeerMode, WindowPeersTable['standing']>> = {
  shared: 'shared',
  local: 'apart',
  joining: 'joining',
};

/** A process that has not written for this long is dead. A live one writes at least every two seconds. */
const DEAD_AFTER_MS = 5_000;
/**
 * Rows older than this are ignored: what their process has counted has expired. A minute, the time between two writes of
 * a live process, and a margin for the clock difference between two machines.
 */
const ROW_TTL_MS = 65_000;
const DATABASE_TIMEOUT_MS = 1_000;

/** Exchanges the mode and the counted requests of each process through the database. */
export class WindowPeers {
  readonly #db: Kysely<Schema>;
  readonly #processId: string;
  readonly #nowMs: () => number;
  readonly #reportUnreadable: ReportUnreadable;
  readonly #lastBeats = new Map<string, { beat: number; seenAtMs: number }>();
  #beat = 0;

  /** `nowMs` is the clock of this machine, even where the windows use another clock. */
  constructor(
    db: Kysely<Schema>,
    processId: string,
    nowMs: () => number,
    reportUnreadable: ReportUnreadable,
  ) {
    this.#db = db;
    this.#processId = processId;
    this.#nowMs = nowMs;
    this.#reportUnreadable = reportUnreadable;
  }

  /** Writes this process's row. With a null report the stored report stays. */
  async write(mode: PeerMode, membership: string, report: RequestReport | null): Promise<void> {
    const columns = {
      standing: STORED_MODES[mode],
      membership,
      beat: ++this.#beat,
      written_at_ms: this.#nowMs(),
      ...(report === null ? {} : { takes: JSON.stringify(report) }),
    };
    await within(
      DATABASE_TIMEOUT_MS,
      this.#db
        .insertInto('window_peers')
        .values({ process_id: this.#processId, takes: '{}', ...columns })
        .onConflict((conflict) => conflict.column('process_id').doUpdateSet(columns))
        .execute(),
    );
  }

  async others(): Promise<Peer[]> {
    const nowMs = this.#nowMs();
    const rows = await within(
      DATABASE_TIMEOUT_MS,
      this.#db
        .selectFrom('window_peers')
        .select(['process_id', 'standing', 'membership', 'beat', 'takes'])
        .where('process_id', '!=', this.#processId)
        .where('written_at_ms', '>', nowMs - ROW_TTL_MS)
        .execute(),
    );
    return rows.map((row) => {
      const before = this.#lastBeats.get(row.process_id);
      const last = before?.beat === row.beat ? before : { beat: row.beat, seenAtMs: nowMs };
      this.#lastBeats.set(row.process_id, last);
      const peer = parsePeer(row);
      if (peer.mode === null || peer.report === null) this.#reportUnreadable('window peer');
      return { ...peer, isAlive: nowMs - last.seenAtMs < DEAD_AFTER_MS };
    });
  }

  /** Keeps the row of this process: if Redis loses its counts within the next minute, the others must know of them. */
  async leave(): Promise<void> {
    const nowMs = this.#nowMs();
    await within(
      DATABASE_TIMEOUT_MS,
      this.#db
        .deleteFrom('window_peers')
        .where('written_at_ms', '<', nowMs - ROW_TTL_MS)
        .execute(),
    );
  }
}

export interface StoredPeer {
  process_id: string;
  standing: unknown;
  membership: string;
  takes: unknown;
}

/** The row of another process. What cannot be parsed is null; the rest of the row stays usable. */
export function parsePeer({ process_id, standing, membership, takes }: StoredPeer): Omit<Peer, 'isAlive'> {
  const modes: PeerMode[] = ['shared', 'local', 'joining'];
  const mode = modes.find((one) => STORED_MODES[one] === standing) ?? null;
  return { processId: process_id, mode, membership, report: parseRequestReport(takes) };
}

/**
 * Whether Redis lacks requests that the process may have passed in the last minute: it counts locally, or has counted in
 * another Redis and not added its last minute to this one. Rows of the last minute only, alive or not.
 */
export function lacksCountsOf(
  { mode, membership }: Pick<Peer, 'mode' | 'membership'>,
  epoch: string,
): boolean {
  const isInRedis = mode === 'shared' || mode === 'joining';
  return !isInRedis || !membership.startsWith(`${epoch}/`);
}
