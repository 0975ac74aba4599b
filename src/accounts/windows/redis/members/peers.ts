import type { Kysely } from 'kysely';
import { within } from '../../../../base/async/within.ts';
import { FIRST_SERVER } from '../../../../storage/redis/address.ts';
import '../../../../storage/migrations/0112-window-servers.ts';
import type { WindowPeersTable } from '../../../../storage/migrations/0040-window-peers.ts';
import type { Schema } from '../../../../storage/schema.ts';
import type { ReportUnreadable } from '../../../unreadable.ts';
import { parseRequestReport, type RequestReport } from '../counted-requests.ts';
import { parseServers } from '../layout-store.ts';

/** How a process counts: in Redis, against its local share, or about to return to Redis. */
export type PeerMode = 'shared' | 'local' | 'joining';

export interface Peer {
  processId: string;
  /** Null if the stored value is unknown here, as one of a newer version would be. */
  mode: PeerMode | null;
  membership: string;
  /** The requests of its last minute in Redis; null if the report is unreadable. */
  report: RequestReport | null;
  /** The Redis servers on which it can count. */
  servers: readonly string[];
  layoutVersion: number;
  isAlive: boolean;
}

export interface WindowPeersOptions {
  db: Kysely<Schema>;
  processId: string;
  /** The Redis server that these rows are about. */
  server: string;
  /** The servers on which this process can count. */
  servers: readonly string[];
  layoutVersion(): number;
  /** Whether slots have just moved between servers. */
  hasMoved(): boolean;
  /** The clock of this machine, even where the windows use another clock. */
  nowMs(): number;
  reportUnreadable: ReportUnreadable;
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

/** Exchanges the mode and the counted requests of each process on one Redis server through the database. */
export class WindowPeers {
  readonly #options: WindowPeersOptions;
  readonly #lastBeats = new Map<string, { beat: number; seenAtMs: number }>();
  #beat = 0;

  constructor(options: WindowPeersOptions) {
    this.#options = options;
  }

  /** Writes this process's row. With a null report the stored report stays. */
  async write(mode: PeerMode, membership: string, report: RequestReport | null): Promise<void> {
    const { db, processId, server, servers, layoutVersion, nowMs } = this.#options;
    const columns = {
      standing: STORED_MODES[mode],
      membership,
      beat: ++this.#beat,
      written_at_ms: nowMs(),
      server: storedName(server),
      servers: JSON.stringify(servers),
      layout: layoutVersion(),
      ...(report === null ? {} : { takes: JSON.stringify(report) }),
    };
    await within(
      DATABASE_TIMEOUT_MS,
      db
        .insertInto('window_peers')
        .values({ process_id: rowId(processId, server), takes: '{}', ...columns })
        .onConflict((conflict) => conflict.column('process_id').doUpdateSet(columns))
        .execute(),
    );
  }

  async others(): Promise<Peer[]> {
    const { db, processId, server, hasMoved, reportUnreadable } = this.#options;
    const nowMs = this.#options.nowMs();
    const stored = await within(
      DATABASE_TIMEOUT_MS,
      db
        .selectFrom('window_peers')
        .select(['process_id', 'standing', 'membership', 'beat', 'takes', 'server', 'servers', 'layout'])
        .where('server', 'in', hasMoved() ? ['', storedName(server)] : [storedName(server)])
        .where('written_at_ms', '>', nowMs - ROW_TTL_MS)
        .execute(),
    );
    const rows = stored.filter((row) => processOf(row.process_id) !== processId);
    const here = rows.filter((row) => row.server === storedName(server));
    const known = new Set(here.map((row) => processOf(row.process_id)));
    // After a move this server has requests of every process, so also one without a row for it may have counted here.
    const elsewhere = rows.filter((row) => !known.has(processOf(row.process_id)));
    const peers = here.map((row) => {
      const before = this.#lastBeats.get(row.process_id);
      const last = before?.beat === row.beat ? before : { beat: row.beat, seenAtMs: nowMs };
      this.#lastBeats.set(row.process_id, last);
      const peer = parsePeer(row);
      if (peer.mode === null || peer.report === null) reportUnreadable('window peer');
      return { ...peer, isAlive: nowMs - last.seenAtMs < DEAD_AFTER_MS };
    });
    return [...peers, ...elsewhere.map((row) => ({ ...parsePeer(row), mode: null, isAlive: false }))];
  }

  /** Keeps the row of this process: if Redis loses its counts within the next minute, the others must know of them. */
  async leave(): Promise<void> {
    const nowMs = this.#options.nowMs();
    await within(
      DATABASE_TIMEOUT_MS,
      this.#options.db
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
  servers?: unknown;
  layout?: unknown;
}

/** The row of another process. What cannot be parsed is null; the rest of the row stays usable. */
export function parsePeer(row: StoredPeer): Omit<Peer, 'isAlive'> {
  const modes: PeerMode[] = ['shared', 'local', 'joining'];
  return {
    processId: processOf(row.process_id),
    mode: modes.find((one) => STORED_MODES[one] === row.standing) ?? null,
    membership: row.membership,
    report: parseRequestReport(row.takes),
    // An older version knows one server.
    servers: parseServers(row.servers) ?? [FIRST_SERVER],
    layoutVersion: Number(row.layout ?? 0) || 0,
  };
}

/** Rows of the first server are named as those of versions that knew only one. */
const rowId = (processId: string, server: string) =>
  server === FIRST_SERVER ? processId : `${processId}@${server}`;
const processOf = (id: string) => id.replace(/@.*$/, '');
const storedName = (server: string) => (server === FIRST_SERVER ? '' : server);

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

/**
 * The last minute of all other processes before the outage; null while one of them may still count in Redis, or counts
 * by another layout. A process that died has reported nothing: it is left out once what it counted has expired.
 */
export function localReports(
  others: readonly Peer[],
  processes: readonly string[],
  membership: string,
  isExpired: boolean,
): RequestReport[] | null {
  // It counted in Redis in the last minute, but died or stopped; or it joined after the last heartbeat of this process.
  if (others.some(({ processId }) => !processes.includes(processId))) return null;
  const local = new Map<Peer, RequestReport>();
  for (const other of others) {
    if (other.mode === 'local' && other.report !== null && other.membership === membership)
      local.set(other, other.report);
  }
  if (others.some((other) => other.isAlive && !local.has(other))) return null;
  const isComplete = local.size === processes.length - 1;
  return isComplete || isExpired ? [...local.values()] : null;
}
