import { launchPostgres, type OrReason, type PostgresServer } from '../../test/support/servers.ts';
import { SIZE } from '../size.ts';

/** What several cases of a quick run use: starting it takes longer than to measure. The run ends it. */
const endings: (() => Promise<unknown>)[] = [];

export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end);
}

export async function endLasting(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

let postgres: Promise<OrReason<PostgresServer>> | null = null;

/** A server for the caller, or for all cases of a quick run in this process, each with a database of its own. */
export async function benchPostgres(): Promise<OrReason<PostgresServer>> {
  if (SIZE !== 'quick') return await launchPostgres();
  postgres ??= launchPostgres().then((server) => {
    if (typeof server !== 'string') atEnd(server.stop);
    return server;
  });
  const server = await postgres;
  return typeof server === 'string' ? server : { ...server, stop: () => Promise.resolve() };
}
