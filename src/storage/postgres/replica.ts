import pg from 'pg';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type PostgresAddress, postgresCause } from './address.ts';
import { connectionSettings } from './pool.ts';

/** A read-only copy of the database. It may be unavailable or behind, so callers fall back to the primary. */
export interface Replica {
  /** Null while the replica is unavailable. */
  rows<Row>(text: string, parameters: readonly unknown[]): Promise<Row[] | null>;
  close(): Promise<void>;
}

const CONNECTIONS = 10;
/** Short, because the primary could answer in the meantime. */
const CONNECT_TIMEOUT_MS = 1_000;
const QUERY_TIMEOUT_MS = 2_000;
/** How long the replica is not used after a failure, so that not every request waits for it. */
const PAUSE_MS = 5_000;

/** Connects at the first query: a replica that is down must not keep the service from starting. */
export function openReplica(address: PostgresAddress, log: Log): Replica {
  const pool = new pg.Pool({
    ...connectionSettings(address),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  pool.on('error', () => undefined);
  let pausedUntilMs = 0;
  let isUnavailable = false;
  return {
    rows: async <Row>(text: string, parameters: readonly unknown[]) => {
      if (systemClock.nowMs() < pausedUntilMs) return null;
      try {
        const { rows } = await pool.query(text, [...parameters]);
        if (isUnavailable) log.info({ replica: address.label }, 'the replica is available again');
        isUnavailable = false;
        return rows as Row[];
      } catch (error) {
        pausedUntilMs = systemClock.nowMs() + PAUSE_MS;
        if (!isUnavailable) {
          const reason = postgresCause(error);
          log.warn(
            { replica: address.label, reason },
            'the replica is unavailable; reading from the primary',
          );
        }
        isUnavailable = true;
        return null;
      }
    },
    close: () => pool.end(),
  };
}
