import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { CSV_HEADER, csvLines, exportedPrints } from '../../src/history/settlements/files/files.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type BenchCase, type Figure, median, ratioAtMost, valueAtMost } from '../figure.ts';
import { coinName, contractIdOf, END_MS, ratePctAt, VENUES_PER_COIN } from '../history/prints.ts';
import { type BenchStore, buildStore, rawTable } from '../history/store.ts';
import { buildTape, recordingMb, TAPE_DAYS } from '../history/tape.ts';
import { sized } from '../size.ts';

/** 83,220 payments of each coin, in two years on 20 venues: 10 and 100 million of them. */
const COINS = sized(1_202, 60, 10);
/** The raw table has only these. */
const RAW_COINS = sized(5, 3, 1);
const CHUNKS = sized(40, 12, 1);
const WARM_UP_CHUNKS = sized(8, 3, 1);
const REQUESTS_PER_CHUNK = 25;
const INGEST_ROUNDS = sized(5, 3, 1);
const TAPE_CONTRACTS = sized(20, 5, 2);
const RECORDED_CONTRACTS = sized(9_000, 9_000, 50);

interface Query {
  name: string;
  ours(coin: number): Record<string, string>;
  /** The same answer computed by one SQL aggregate over raw payments. */
  sql(coin: number): string;
}

const exchange = VENUES[0]?.facts.exchange ?? '';
const feePct = VENUES[0]?.facts.takerFeePct.value ?? 0;
const venueIds = (coin: number) =>
  Array.from({ length: VENUES_PER_COIN }, (_, venue) => contractIdOf(coin, venue));
const period = (days: number) => ({ from: isoTime(END_MS - days * DAY_MS), to: isoTime(END_MS - 1000) });

/** Payments with the time since the previous one, which is the period they pay for. */
const withGaps = (ids: readonly number[], days: number) => `
  select * from (
    select contract_id, settled_at_ms, rate_pct,
      settled_at_ms - lag(settled_at_ms) over (partition by contract_id order by settled_at_ms) as gap_ms
    from raw_prints
    where contract_id in (${ids.join(', ')}) and settled_at_ms between ${END_MS - (days + 2) * DAY_MS} and ${END_MS - 1}
  ) where settled_at_ms >= ${END_MS - days * DAY_MS}`;

const QUERIES: readonly Query[] = [
  {
    name: '30 days by day over 20 venues',
    ours: (coin) => ({ coin: coinName(coin), ...period(30) }),
    sql: (coin) => `
      select json_group_array(json_object('contract', contract_id, 'day', date(day * 86400, 'unixepoch'),
        'apr_pct', round(sign(sum_pct) * max(0, abs(sum_pct) * 24 / hours * 365 - 2 * ${feePct}), 8)))
      from (select contract_id, settled_at_ms / ${DAY_MS} as day, sum(rate_pct) as sum_pct,
          sum(gap_ms) / ${HOUR_MS}.0 as hours
        from (${withGaps(venueIds(coin), 30)}) group by contract_id, settled_at_ms / ${DAY_MS})`,
  },
  {
    name: '92 days of hourly payments',
    ours: (coin) => ({ coin: coinName(coin), exchange, resolution: 'settlement', ...period(92) }),
    sql: (coin) => `
      select json_group_array(json_object('rate_pct', rate_pct, 'interval_hours', gap_ms / ${HOUR_MS},
        'time', strftime('%Y-%m-%dT%H:%M:00Z', settled_at_ms / 1000, 'unixepoch')))
      from (${withGaps([contractIdOf(coin, 0)], 92)} order by settled_at_ms)`,
  },
];

async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-history-'));
  const stores: BenchStore[] = [];
  try {
    const raw = rawTable(folder, RAW_COINS);
    const small = await buildStore(folder, Math.round(COINS / 10));
    stores.push(small);
    const large = await buildStore(folder, COINS);
    stores.push(large);
    const figures: Figure[] = [];
    for (const query of QUERIES) figures.push(...(await pagesOf(query, small, large, raw)));
    figures.push(await exportOf(large, raw));
    figures.push(await ingestOf(large));
    figures.push(...(await tapeOf(folder)));
    figures.push({
      name: 'one payment on disk, with its day sums',
      value: large.bytesPerPrint,
      unit: 'bytes',
      baseline: { name: 'time and rate as two 8-byte numbers', value: 16 },
    });
    raw.close();
    return figures;
  } finally {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const millions = ({ prints }: BenchStore) => `${(prints / 1e6).toFixed(1)} million payments`;

async function pagesOf(
  query: Query,
  small: BenchStore,
  large: BenchStore,
  raw: DatabaseSync,
): Promise<Figure[]> {
  const [smallMs = 0, largeMs = 0, sqlMs = 0] = await cpuMsOfEach([
    (request) => small.ask(query.ours((request * 37) % small.coins)),
    (request) => large.ask(query.ours((request * 37) % large.coins)),
    (request) => raw.prepare(query.sql(request % RAW_COINS)).get(),
  ]);
  const figure = { name: `${query.name}, ${millions(large)}`, value: largeMs, unit: 'ms of CPU' };
  return [
    {
      ...figure,
      baseline: { name: `with ${millions(small)}`, value: smallMs },
      target: ratioAtMost(1.1),
    },
    { ...figure, baseline: { name: 'one SQL query over an indexed table', value: sqlMs } },
  ];
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** CPU time of one request of each kind. They take turns in chunks, because the clock of CPU time is coarse. */
async function cpuMsOfEach(ways: readonly ((request: number) => unknown)[]): Promise<number[]> {
  const sums = ways.map(() => 0);
  for (let chunk = 0; chunk < WARM_UP_CHUNKS + CHUNKS; chunk++) {
    for (const [i, way] of ways.entries()) {
      const startedMs = cpuMs();
      for (let one = 0; one < REQUESTS_PER_CHUNK; one++) await way(chunk * REQUESTS_PER_CHUNK + one);
      if (chunk >= WARM_UP_CHUNKS) sums[i] = (sums[i] ?? 0) + cpuMs() - startedMs;
    }
  }
  return sums.map((sum) => sum / (CHUNKS * REQUESTS_PER_CHUNK));
}

/** The CSV of a year of a coin over all venues, as `perpwire history export` writes it, without the file. */
async function exportOf({ keeper }: BenchStore, raw: DatabaseSync): Promise<Figure> {
  const [oursMs, rawMs]: [number[], number[]] = [[], []];
  const fromMs = END_MS - 365 * DAY_MS;
  const contracts = keeper.directory.all().filter(({ coin }) => coin === coinName(0));
  const query = raw.prepare(
    `select contract_id, settled_at_ms, rate_pct from raw_prints
     where contract_id in (${venueIds(0).join(', ')}) and settled_at_ms >= ${fromMs} order by contract_id, settled_at_ms`,
  );
  let rows = 0;
  for (let round = 0; round < CHUNKS; round++) {
    const startedMs = cpuMs();
    rows = 0;
    Buffer.from(CSV_HEADER);
    for await (const part of exportedPrints(keeper, contracts, fromMs, END_MS)) {
      rows += part.minutes.length;
      Buffer.from(csvLines(part));
    }
    const exportedMs = cpuMs();
    const read = query.all().length;
    if (read !== rows) throw new Error(`exported ${rows} of ${read} payments`);
    oursMs.push(exportedMs - startedMs);
    rawMs.push(cpuMs() - exportedMs);
  }
  return {
    name: `CSV of a year of a coin over all venues, ${rows} payments`,
    value: median(oursMs),
    unit: 'ms of CPU',
    baseline: { name: 'reading the rows from an indexed table', value: median(rawMs) },
    target: ratioAtMost(2),
  };
}

/** The running rates of 30 days by minute of one contract, read into columns. */
async function tapeOf(folder: string): Promise<Figure[]> {
  const tape = await buildTape(folder, TAPE_CONTRACTS);
  try {
    const rates = await tape.ours(0);
    const [read, wanted] = [rates.filter((rate) => !Number.isNaN(rate)).length, tape.plain(0)];
    if (read !== wanted) throw new Error(`read ${read} of ${wanted} minutes`);
    const [oursMs = 0, plainMs = 0] = await cpuMsOfEach([
      (request) => tape.ours(request),
      (request) => tape.plain(request),
    ]);
    const figure = {
      name: `the running rate of a contract, ${TAPE_DAYS} days by minute`,
      value: oursMs,
      unit: 'ms of CPU',
    };
    return [
      { ...figure, target: valueAtMost(10) },
      {
        ...figure,
        baseline: { name: 'the rows of a plain SQL table', value: plainMs },
        target: ratioAtMost(1 / 20),
      },
      {
        name: `memory that recording ${RECORDED_CONTRACTS} contracts adds, at its peak`,
        value: await recordingMb(RECORDED_CONTRACTS),
        unit: 'MB',
        target: valueAtMost(40),
      },
    ];
  } finally {
    await tape.close();
  }
}

/** One payment of each contract. */
async function ingestOf({ keeper, coins }: BenchStore): Promise<Figure> {
  const contracts = keeper.directory.all().slice(0, 5_000);
  const times: number[] = [];
  for (let round = 0; round < INGEST_ROUNDS; round++) {
    const minute = END_MS / MINUTE_MS + round * 60;
    const startedMs = performance.now();
    await Promise.all(
      contracts.map((names) =>
        keeper.submit({
          names,
          prints: [{ minute, ratePct: ratePctAt(names.id, minute * MINUTE_MS) }],
          walked: { fromMs: names.walkedToMs ?? 0, toMs: minute * MINUTE_MS },
          onConflict: 'replace',
        }),
      ),
    );
    times.push(performance.now() - startedMs);
  }
  return {
    name: `storing one payment of each of ${contracts.length} contracts (of ${coins * VENUES_PER_COIN})`,
    value: median(times),
    unit: 'ms',
    target: valueAtMost(1000),
  };
}

export const bench: BenchCase = { run };
