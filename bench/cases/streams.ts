import { connect, type Socket } from 'node:net';
import { FUNDING_ROWS, fundingRows, type Row } from '../data/tables.ts';
import { type BenchCase, type Figure, median, ratioAtMost, valueAtMost } from '../figure.ts';
import { cpuSecondsOf, residentMbOf, startServer } from '../processes.ts';
import type { Ours } from '../servers/ours.ts';
import { sized } from '../size.ts';

const CONNECTIONS = sized(2_000, 1_000, 40);
const QUERIES = 20;
const PAGE_ROWS = 500;
const ROUNDS = sized(20, 10, 2);
const NAIVE_CONNECTIONS = sized(100, 40, 4);
const MOST_CONNECTION_KB = 40;
/** New snapshots are looked for at this interval. */
const LOOK_MS = 250;
const END_OF_EVENT = Buffer.from('\n\n');

/** One snapshot to many streams beside making the page and the difference for each of them. */
async function run(): Promise<Figure[]> {
  const ours = await startServer<Ours>('ours.ts');
  try {
    ours.stdin.write(`prepare ${ROUNDS}\n`);
    await ours.line(/^prepared/);
    // The first one loads what all of them share.
    const first = await openAll(ours, 1);
    const idleMb = residentMbOf(ours.pid);
    const sockets = [...first, ...(await openAll(ours, CONNECTIONS))];
    const connectionKb = ((residentMbOf(ours.pid) - idleMb) * 1024) / CONNECTIONS;
    const timesMs: number[] = [];
    const cpuBefore = cpuSecondsOf(ours.pid);
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now();
      const arrived = Promise.all(
        sockets.map(async (socket) => {
          await nextEvent(socket);
          return performance.now() - startedMs;
        }),
      );
      ours.stdin.write('publish\n');
      timesMs.push(...(await arrived));
    }
    const cpuMs = ((cpuSecondsOf(ours.pid) - cpuBefore) * 1000) / ROUNDS;
    for (const socket of sockets) socket.destroy();
    const size = `${CONNECTIONS} streams of ${QUERIES} queries, ${FUNDING_ROWS} rows`;
    return [
      {
        name: `CPU of one snapshot (${size})`,
        value: cpuMs,
        unit: 'ms',
        baseline: { name: 'page, difference and JSON for each stream', value: naiveCpuMs() },
        target: ratioAtMost(1 / 20),
      },
      {
        name: 'from the snapshot to the last byte at a client, p99',
        value: timesMs.sort((a, b) => a - b)[Math.floor(timesMs.length * 0.99)] ?? 0,
        unit: 'ms',
        baseline: { name: 'interval at which new snapshots are looked for', value: LOOK_MS },
      },
      {
        name: 'memory of one stream',
        value: Math.max(0, connectionKb),
        unit: 'kB',
        target: valueAtMost(MOST_CONNECTION_KB),
      },
      { name: 'median from the snapshot to the last byte', value: median(timesMs), unit: 'ms' },
    ];
  } finally {
    await ours.stop();
  }
}

/** Resolves when each has its first event. */
async function openAll({ url, key }: Ours, count: number): Promise<Socket[]> {
  const { port, host } = new URL(url);
  return await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const socket = connect(Number(port), '127.0.0.1');
      const path = `/api/v1/stream/funding?limit=${PAGE_ROWS}&min_volume_usdt=${i % QUERIES}`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\n\r\n`);
      await nextEvent(socket, 'id: ');
      return socket;
    }),
  );
}

/** The head of an answer ends with two line feeds too, so that the first event is known by what it contains. */
function nextEvent(socket: Socket, containing = ''): Promise<void> {
  return new Promise((resolve) => {
    let hasSeen = containing === '';
    const onData = (chunk: Buffer) => {
      hasSeen ||= chunk.includes(containing);
      if (!hasSeen || !chunk.subarray(-2).equals(END_OF_EVENT)) return;
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData);
  });
}

/** What all connections would cost if each made its own page; measured with a few of them. */
function naiveCpuMs(): number {
  const newest = fundingRows();
  const before = newest.map((row, i) =>
    i % 3 === 0 ? { ...row, mark_price: Number(row.mark_price) + 1 } : row,
  );
  const nameOf = (row: Row) => `${row.exchange} ${row.venue_symbol}`;
  const pageOf = (rows: readonly Row[]) =>
    rows
      .filter((row) => Number(row.volume_24h_usdt) >= 1)
      .sort((a, b) => Math.abs(Number(b.rate_pct)) - Math.abs(Number(a.rate_pct)))
      .slice(0, PAGE_ROWS);
  const startedUsage = process.cpuUsage();
  for (let i = 0; i < NAIVE_CONNECTIONS; i++) {
    const known = new Map(pageOf(before).map((row) => [nameOf(row), JSON.stringify(row)]));
    const upsert = pageOf(newest).filter((row) => known.get(nameOf(row)) !== JSON.stringify(row));
    Buffer.from(JSON.stringify({ upsert, remove: [] }));
  }
  const { user, system } = process.cpuUsage(startedUsage);
  return ((user + system) / 1000 / NAIVE_CONNECTIONS) * CONNECTIONS;
}

export const bench: BenchCase = { run };
