import type { Table } from '../../src/market/tables/table.ts';
import type { TableSnapshot } from '../../src/market/timeline.ts';
import type { Entrance } from '../../src/operations/access/entrance.ts';
import { rowObjects } from '../../src/operations/answer/answer.ts';
import { funding } from '../../src/operations/funding.ts';
import { isStreamed } from '../../src/operations/operation.ts';
import { collectGarbage } from '../../test/support/collect-garbage.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import { callerOf, changingTables, FREE_STATES, openStreams } from '../support/stream-server.ts';

/** BENCH_STREAM_CONNECTIONS makes a quick run possible. */
const CONNECTIONS = Number(process.env.BENCH_STREAM_CONNECTIONS ?? sized(2_000, 400, 40));
const QUERIES = 20;
const ROUNDS = sized(10, 4, 1);
const NAIVE_CONNECTIONS = sized(40, 10, 2);
const MAX_CONNECTION_KB = 40;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** After a collection. The resident size may shrink by garbage of before, so the used memory is measured too. */
async function memoryNow(): Promise<{ rss: number; used: number }> {
  await collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, used: heapUsed + external };
}

async function measure(): Promise<BenchResult[]> {
  const made = changingTables(ROUNDS + 2);
  const streams = await openStreams(QUERIES, made[0]);
  const { clients, entrance } = streams;
  try {
    const idle = await memoryNow();
    await streams.connect(CONNECTIONS);
    const busy = await memoryNow();
    const grownBytes = Math.max(busy.rss - idle.rss, busy.used - idle.used);
    const connectionKb = grownBytes / CONNECTIONS / 1024;
    const cpu: number[] = [];
    const lastByteMs: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const replied = clients.ask<{ timesMs: number[] }>({ wait: true });
      const before = cpuMs();
      streams.publish(made[round] as Table);
      lastByteMs.push(...(await replied).timesMs);
      cpu.push(cpuMs() - before);
    }
    const sortedMs = lastByteMs.sort((a, b) => a - b);
    const p99Ms = sortedMs[Math.floor(sortedMs.length * 0.99)] ?? 0;
    const newest = streams.newest();
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
    await streams.close();
  }
}

/** What all connections would cost if each made its own page; measured with a few of them. */
function naiveCpuMs(entrance: Entrance, table: Table, before: TableSnapshot): number {
  if (!isStreamed(funding)) throw new Error('funding has no stream');
  const raw = new Map([['limit', ['500']]]);
  const list = entrance.streamedList(funding, { caller: callerOf('naive'), states: FREE_STATES }, raw);
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

export const cases: BenchCase[] = [{ name: 'streams', hasRoom: true, run: measure }];
