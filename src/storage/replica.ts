import pg from 'pg';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { connectionSettings, type PostgresAddress, postgresCause } from './postgres.ts';

/** A copy of the database that only answers questions. It may be away or behind; who asks must have the original too. */
export interface Replica {
  /** Null: it cannot be asked just now. */
  rows<Row>(text: string, parameters: readonly unknown[]): Promise<Row[] | null>;
  close(): Promise<void>;
}

const CONNECTIONS = 10;
/** Short, because the original could have answered meanwhile. */
const CONNECT_TIMEOUT_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
/** After a failure it is left alone for so long: not every request shall wait for a server that is gone. */
const REST_MS = 5_000;

/** Connects when it is first asked: a replica that is down must not keep the service from starting. */
export function openReplica(address: PostgresAddress, log: Log): Replica {
  const pool = new pg.Pool({
    ...connectionSettings(address),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  pool.on('error', () => undefined);
  let restsUntilMs = 0;
  let isAway = false;
  return {
    rows: async <Row>(text: string, parameters: readonly unknown[]) => {
      if (systemClock.nowMs() < restsUntilMs) return null;
      try {
        const { rows } = await pool.query(text, [...parameters]);
        if (isAway) log.info({ replica: address.label }, 'the replica answers again');
        isAway = false;
        return rows as Row[];
      } catch (error) {
        restsUntilMs = systemClock.nowMs() + REST_MS;
        if (!isAway) {
          const reason = postgresCause(error);
          log.warn({ replica: address.label, reason }, 'the replica cannot be read, the database is instead');
        }
        isAway = true;
        return null;
      }
    },
    close: () => pool.end(),
  };
}
