import pg from 'pg';
import { systemClock } from '../../base/clock.ts';
import { type PostgresAddress, postgresCause } from './address.ts';
import { connectionSettings } from './pool.ts';

export interface SessionOptions {
  /** How often the server must reply. */
  heartbeatMs: number;
  /** A server that replies to nothing for so long counts as lost. */
  replyTimeoutMs: number;
  /** Called once, when the connection is lost; not after `close`. */
  onLost: (cause: string) => void;
  onNotice?: (channel: string, payload: string) => void;
}

/** A connection outside the pool, for what PostgreSQL binds to a session: advisory locks and LISTEN. */
export interface PostgresSession {
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** When the last query was sent that the server answered, by the monotonic clock. */
  answeredMs(): number;
  close(): Promise<void>;
}

export async function openSession(
  address: PostgresAddress,
  options: SessionOptions,
): Promise<PostgresSession> {
  const client = new pg.Client({ ...connectionSettings(address), query_timeout: options.replyTimeoutMs });
  let answeredMs = systemClock.monotonicMs();
  let isOver = false;
  let heartbeat: NodeJS.Timeout | undefined;
  const end = () => {
    isOver = true;
    clearTimeout(heartbeat);
    return client.end().catch(() => undefined);
  };
  const lose = (cause: string) => {
    if (isOver) return;
    void end();
    options.onLost(cause);
  };
  client.on('error', (error) => lose(postgresCause(error)));
  client.on('end', () => lose('the connection was lost'));
  client.on('notification', ({ channel, payload }) => options.onNotice?.(channel, payload ?? ''));
  const query = async <Row>(text: string, parameters: readonly unknown[] = []) => {
    const sentMs = systemClock.monotonicMs();
    const { rows } = await client.query(text, [...parameters]);
    answeredMs = sentMs;
    return rows as Row[];
  };
  const beat = () =>
    query('select 1').then(
      () => {
        if (!isOver) heartbeat = setTimeout(beat, options.heartbeatMs);
      },
      (error: unknown) => lose(postgresCause(error)),
    );
  try {
    await client.connect();
  } catch (error) {
    await end();
    throw error;
  }
  heartbeat = setTimeout(beat, options.heartbeatMs);
  return { query, answeredMs: () => answeredMs, close: end };
}
