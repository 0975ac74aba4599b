import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
import { rowObjects } from '../../src/operations/answer/answer.ts';
import { Entrance } from '../../src/operations/entrance.ts';
import { funding } from '../../src/operations/funding.ts';
import { type DataSources, isStreamed } from '../../src/operations/operation.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import { PinnedProcess } from '../support/pinned.ts';
import { fundingRows } from '../support/rest-tables.ts';

/** BENCH_STREAM_CONNECTIONS makes a quick run possible. */
const CONNECTIONS = Number(process.env.BENCH_STREAM_CONNECTIONS ?? sized(2_000, 400, 40));
const QUERIES = 20;
const ROUNDS = sized(10, 4, 1);
const NAIVE_CONNECTIONS = sized(40, 10, 2);
const MAX_CONNECTION_KB = 40;

/** A third of the rows change with each snapshot. */
function tables(): Table[] {
  const rows = fundingRows();
  return Array.from({ length: ROUNDS + 2 }, (_, round) => {
    const builder = new TableBuilder(FUNDING_TABLE);
    rows.forEach((row, i) => {
      builder.add(i % 3 === round % 3 ? { ...row, mark_price: Number(row.mark_price) + round + 1 } : row);
    });
    return builder.build();
  });
}

const state = { limit: 1e9, used: 0, remaining: 1e9, resetsAtMs: 0, resetSeconds: 60 };
const states: WindowStates = { minute: state, month: state };

const freeWindows: Windows = {
  take: (holder) => ({
    allowed: true,
    states,
    receipt: { holder, atMs: 0, monotonicMs: 0, monthStartMs: 0, refunded: false },
  }),
  takeMonth: () => ({ allowed: true, spent: null }),
  refund: () => states,
  read: () => states,
};

const callerOf = (keyId: string): Caller => ({
  accountId: keyId,
  plan: PLANS.business,
  scopes: ['funding:read'],
  keyPrefix: '',
  keyId,
  slotId: keyId,
});

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** After a collection. The resident size may shrink by garbage of before, so the used memory is measured too. */
function memoryNow(): { rss: number; used: number } {
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, used: heapUsed + external };
}

async function measure(): Promise<BenchResult[]> {
  const made = tables();
  let newest: TableSnapshot = { asOfMs: systemClock.nowMs(), table: made[0] as Table };
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
    { length: QUERIES },
    (_, i) => `/api/v1/stream/funding?limit=500&min_volume_24h_usdt=${i}`,
  );
  const clients = new PinnedProcess('load', 'stream-clients.ts');
  try {
    const idle = memoryNow();
    await clients.ask({ open: { port: Number(url.port), paths, count: CONNECTIONS } });
    const busy = memoryNow();
    const grownBytes = Math.max(busy.rss - idle.rss, busy.used - idle.used);
    const connectionKb = grownBytes / CONNECTIONS / 1024;
    const cpu: number[] = [];
    const lastByteMs: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const replied = clients.ask<{ timesMs: number[] }>({ wait: true });
      const before = cpuMs();
      newest = { asOfMs: systemClock.nowMs(), table: made[round] as Table };
      lastByteMs.push(...(await replied).timesMs);
      cpu.push(cpuMs() - before);
    }
    const sortedMs = lastByteMs.sort((a, b) => a - b);
    const p99Ms = sortedMs[Math.floor(sortedMs.length * 0.99)] ?? 0;
    const naive = naiveCpuMs(entrance, made[ROUNDS + 1] as Table, newest);
    const size = `${CONNECTIONS} connections over ${QUERIES} queries, ${newest.table.rowCount} rows`;
    return [
      result({
        name: `CPU of one snapshot (${size})`,
        value: cpu.sort((a, b) => a - b)[cpu.length >> 1] ?? 0,
        unit: 'ms',
        baseline: 'the naive way: page, comparison and JSON for each connection, without sending',
        baselineValue: naive,
        target: { at: 'most', ratio: 1 / 20 },
      }),
      result({
        name: 'p99 from the snapshot to the last byte at a client, with up to 250 ms until it is noticed',
        value: p99Ms,
        unit: 'ms',
        baseline: 'the interval at which new snapshots are looked for',
        baselineValue: 250,
      }),
      result({
        name: 'memory of one connection, with its share of pages and snapshots',
        value: connectionKb,
        unit: 'kB',
        baseline: 'allowed',
        baselineValue: MAX_CONNECTION_KB,
        target: { at: 'most', ratio: 1 },
      }),
    ];
  } finally {
    clients.stop();
    await server.close();
  }
}

/** What all connections would cost if each made its own page; measured with a few of them. */
function naiveCpuMs(entrance: Entrance, table: Table, before: TableSnapshot): number {
  if (!isStreamed(funding)) throw new Error('funding has no stream');
  const raw = new Map([['limit', ['500']]]);
  const list = entrance.streamedList(funding, { caller: callerOf('naive'), states }, raw);
  const rowsOf = (of: Table) => {
    const answer = list.pageAt(before.asOfMs);
    return answer?.rows ? rowObjects({ ...answer.rows, table: of }) : [];
  };
  const startedMs = cpuMs();
  for (let i = 0; i < NAIVE_CONNECTIONS; i++) {
    const known = new Map(rowsOf(before.table).map((row) => [`${row.exchange} ${row.venue_symbol}`, row]));
    const changed = rowsOf(table).filter(
      (row) => JSON.stringify(row) !== JSON.stringify(known.get(`${row.exchange} ${row.venue_symbol}`)),
    );
    Buffer.from(JSON.stringify({ upsert: changed, remove: [] }));
  }
  return ((cpuMs() - startedMs) / NAIVE_CONNECTIONS) * CONNECTIONS;
}

export const cases: BenchCase[] = [{ name: 'streams', run: measure }];
