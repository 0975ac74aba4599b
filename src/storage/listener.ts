import pg from 'pg';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { connectionSettings } from './postgres.ts';
import { type PostgresAddress, postgresCause } from './postgres-address.ts';

const RECONNECT_MS = 1_000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Calls `onNotice` for every NOTIFY on the channel, and once after each connect, because notifications sent while the
 * connection was down are lost.
 */
export async function listen(
  address: PostgresAddress,
  channel: string,
  log: Log,
  onNotice: () => void,
): Promise<Listener> {
  const stopping = new AbortController();
  let client: pg.Client | null = null;

  const connect = async (): Promise<pg.Client> => {
    const next = new pg.Client(connectionSettings(address));
    next.on('error', (error) =>
      log.warn({ reason: postgresCause(error) }, 'lost the PostgreSQL listener connection'),
    );
    next.on('notification', onNotice);
    let listening = false;
    next.once('end', () => {
      if (listening) void reconnect();
    });
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    listening = true;
    onNotice();
    return next;
  };

  const reconnect = async () => {
    client = null;
    while (!stopping.signal.aborted && client === null) {
      await systemClock.sleep(RECONNECT_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        client = await connect();
        if (stopping.signal.aborted) await client.end();
      } catch (error) {
        log.warn({ reason: postgresCause(error) }, 'cannot reconnect the PostgreSQL listener yet');
      }
    }
  };

  client = await connect();
  return {
    close: async () => {
      stopping.abort();
      await client?.end();
    },
  };
}
