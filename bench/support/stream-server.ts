import type { Caller } from '../../src/accounts/keys/directory.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import type { WindowStates, Windows } from '../../src/accounts/windows/windows.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { streamsDoor } from '../../src/doors/streams/streams.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { type Table, TableBuilder } from '../../src/market/tables/table.ts';
import type { TableSnapshot } from '../../src/market/timeline.ts';
import { Entrance } from '../../src/operations/access/entrance.ts';
import { funding } from '../../src/operations/funding.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { PinnedProcess } from './pinned.ts';
import { fundingRows } from './rest-tables.ts';

const state = { limit: 1e9, used: 0, remaining: 1e9, resetsAtMs: 0, resetSeconds: 60 };
export const FREE_STATES: WindowStates = { minute: state, month: state };

const freeWindows: Windows = {
  take: (owner) => ({
    allowed: true,
    states: FREE_STATES,
    receipt: { owner, atMs: 0, monotonicMs: 0, monthStartMs: 0, refunded: false },
  }),
  takeMonth: () => ({ allowed: true, spent: null }),
  refund: () => FREE_STATES,
  read: () => FREE_STATES,
};

export const callerOf = (keyId: string): Caller => ({
  accountId: keyId,
  plan: PLANS.business,
  scopes: ['funding:read'],
  keyPrefix: '',
  keyId,
  slotId: keyId,
});

/** Funding tables in which a third of the rows change from each to the next. */
export function changingTables(count: number): Table[] {
  const rows = fundingRows();
  return Array.from({ length: count }, (_, round) => {
    const builder = new TableBuilder(FUNDING_TABLE);
    rows.forEach((row, i) => {
      builder.add(i % 3 === round % 3 ? { ...row, mark_price: Number(row.mark_price) + round + 1 } : row);
    });
    return builder.build();
  });
}

export interface StreamServer {
  entrance: Entrance;
  newest(): TableSnapshot;
  publish(table: Table): void;
  clients: PinnedProcess;
  /** Opens so many connections, spread over the queries; resolves when each has its first event. */
  connect(count: number): Promise<unknown>;
  close(): Promise<void>;
}

/** A server with the stream of funding, and clients of it in another process. */
export async function openStreams(
  queries: number,
  first = changingTables(1)[0] as Table,
): Promise<StreamServer> {
  let newest: TableSnapshot = { asOfMs: systemClock.nowMs(), table: first };
  const source = {
    at: () => newest,
    exactly: (asOfMs: number) => (asOfMs === newest.asOfMs ? newest : null),
  };
  const metrics = createMetrics();
  const log = createLog('silent');
  const entrance = new Entrance({
    authenticate: (key) => ({ ok: true, caller: callerOf(key) }),
    windows: freeWindows,
    rejectedKeys: { blockOf: () => null, noteWrong: () => null },
    clock: systemClock,
    baseUrl: 'http://127.0.0.1',
    isApiEnabled: true,
    data: { venues: [], funding: source } as unknown as DataSources,
  });
  const server = createHttpServer({ baseUrl: () => '', trustedProxies: [], log, metrics });
  await server.register(streamsDoor({ entrance, operations: [funding], metrics }));
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const paths = Array.from(
    { length: queries },
    (_, i) => `/api/v1/stream/funding?limit=500&min_volume_24h_usdt=${i}`,
  );
  const clients = new PinnedProcess('load', 'stream-clients.ts');
  return {
    entrance,
    newest: () => newest,
    publish: (table) => {
      newest = { asOfMs: systemClock.nowMs(), table };
    },
    clients,
    connect: (count) => clients.ask({ open: { port: Number(url.port), paths, count } }),
    close: async () => {
      clients.stop();
      await server.close();
    },
  };
}
