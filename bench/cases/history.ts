import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import type { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { launchPostgres } from '../../test/support/servers.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { type Ask, asker, openKeeper } from '../history/asking.ts';
import { coinName, contractIdOf, END_MS, ratePctAt, VENUES_PER_COIN } from '../history/prints.ts';
import { type BenchStore, buildStore } from '../history/stores.ts';
import { sized } from '../size.ts';

/** 250 coins on 20 venues for two years are about 20 million prints; the small store has a tenth of them. */
const COINS = Number(process.env.BENCH_HISTORY_COINS ?? sized(250, 5, 2));
const OUR_ROUNDS = sized(200, 40, 2);
const INDEXED_ROUNDS = sized(30, 5, 1);
const SCAN_ROUNDS = sized(3, 1, 1);
const INGEST_ROUNDS = sized(5, 1, 1);
const FASTER = 20;
const GROWTH = 1.5;

interface Query {
  name: string;
  ours(coin: number): Record<string, string>;
  /** The same answer computed by one SQL aggregate over raw prints. */
  sqlite(coin: number): string;
  postgres(coin: number): string;
}

const fee = VENUES[0]?.facts.takerFeePct.value ?? 0;
const window = (days: number) => ({ fromMs: END_MS - days * DAY_MS, toMs: END_MS - 1 });

/** Prints with the time since the previous print, which is the period they pay for. */
const withGaps = (ids: readonly number[], { fromMs, toMs }: { fromMs: number; toMs: number }) => `
  select * from (
    select contract_id, settled_at_ms, rate_pct,
      settled_at_ms - lag(settled_at_ms) over (partition by contract_id order by settled_at_ms) as gap_ms
    from raw_prints
    where contract_id in (${ids.join(', ')}) and settled_at_ms between ${fromMs - 2 * DAY_MS} and ${toMs}
  ) as gaps where settled_at_ms >= ${fromMs}`;

const venueIds = (coin: number) =>
  Array.from({ length: VENUES_PER_COIN }, (_, venue) => contractIdOf(coin, venue));
const daily = (coin: number) => `
  select contract_id, settled_at_ms / ${DAY_MS} as day, sum(rate_pct) as sum_pct, sum(gap_ms) / ${HOUR_MS}.0 as hours
  from (${withGaps(venueIds(coin), window(30))}) as prints group by contract_id, settled_at_ms / ${DAY_MS}`;
const apr = (most: string) => `sign(sum_pct) * ${most}(0, abs(sum_pct) * 24 / hours * 365 - 2 * ${fee})`;

const QUERIES: readonly Query[] = [
  {
    name: '30 days by day over 20 venues',
    ours: (coin) => ({ coin: coinName(coin), from: isoTime(window(30).fromMs), to: isoTime(END_MS - 1000) }),
    sqlite: (
      coin,
    ) => `select json_group_array(json_object('contract', contract_id, 'day', date(day * 86400, 'unixepoch'),
      'apr_pct', round(${apr('max')}, 8))) from (${daily(coin)})`,
    postgres: (coin) => `select json_agg(json_build_object('contract', contract_id,
      'day', to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYY-MM-DD'),
      'apr_pct', round((${apr('greatest')})::numeric, 8)))::text from (${daily(coin)}) as days`,
  },
  {
    name: '92 days of hourly prints',
    ours: (coin) => ({
      coin: coinName(coin),
      exchange: VENUES[0]?.facts.exchange ?? '',
      resolution: 'settlement',
      from: isoTime(window(92).fromMs),
      to: isoTime(END_MS - 1000),
    }),
    sqlite: (
      coin,
    ) => `select json_group_array(json_object('time', strftime('%Y-%m-%dT%H:%M:00Z', settled_at_ms / 1000, 'unixepoch'),
      'rate_pct', rate_pct, 'interval_hours', gap_ms / ${HOUR_MS}))
      from (${withGaps([contractIdOf(coin, 0)], window(92))} order by settled_at_ms)`,
    postgres: (coin) => `select json_agg(json_build_object(
      'time', to_char(to_timestamp(settled_at_ms / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:00"Z"'),
      'rate_pct', rate_pct, 'interval_hours', gap_ms / ${HOUR_MS}) order by settled_at_ms)::text
      from (${withGaps([contractIdOf(coin, 0)], window(92))}) as prints`,
  },
];

/** Median milliseconds of each function. They take turns, so that load on the machine affects all alike. */
async function mediansMs(
  rounds: number,
  functions: readonly ((round: number) => unknown)[],
  warmUps = 20,
): Promise<number[]> {
  const samples = functions.map((): number[] => []);
  for (let round = -Math.min(warmUps, rounds); round < rounds; round++) {
    for (const [i, run] of functions.entries()) {
      const startedMs = performance.now();
      await run(Math.abs(round));
      if (round >= 0) samples[i]?.push(performance.now() - startedMs);
    }
  }
  return samples.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0);
}

interface Opened {
  store: BenchStore;
  coins: number;
  keeper: SettlementKeeper;
  ask: Ask;
}

async function opened(databaseUrl: string | null, folder: string, coins: number): Promise<Opened> {
  const store = await buildStore(databaseUrl, folder, coins);
  const keeper = await openKeeper(store.storage);
  return { store, coins, keeper, ask: asker(keeper) };
}

const titleOf = ({ kind, prints }: BenchStore) =>
  `${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${(prints / 1e6).toFixed(1)} million prints`;
const coinOf = (round: number, coins: number) => (round * 37) % coins;

/** Ours and the SQL take turns. */
async function comparedWith(
  large: Opened,
  rounds: number,
  baseline: string,
  isTarget: boolean,
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const query of QUERIES) {
    const text = (round: number) => query[large.store.kind](coinOf(round, large.coins));
    const [oursMs = 1, rawMs = 1] = await mediansMs(rounds, [
      (round) => large.ask(query.ours(coinOf(round, large.coins))),
      (round) => large.store.raw.answer(text(round)),
    ]);
    results.push(
      result({
        name: `${titleOf(large.store)}: ${query.name}`,
        value: 1000 / oursMs,
        unit: 'answers/s',
        baseline,
        baselineValue: 1000 / rawMs,
        ...(isTarget ? { target: { at: 'least', ratio: FASTER } as const } : {}),
      }),
    );
  }
  return results;
}

async function growthOf(small: Opened, large: Opened): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const query of QUERIES) {
    const [smallMs = 1, largeMs = 1] = await mediansMs(
      OUR_ROUNDS,
      [small, large].map(
        ({ ask, coins }) =>
          (round) =>
            ask(query.ours(coinOf(round, coins))),
      ),
    );
    results.push(
      result({
        name: `${titleOf(large.store)}: ${query.name}`,
        value: largeMs,
        unit: 'ms',
        baseline: `with ${(small.store.prints / 1e6).toFixed(1)} million`,
        baselineValue: smallMs,
        target: { at: 'most', ratio: GROWTH },
      }),
    );
  }
  return results;
}

async function ingestOf({ store, keeper, coins }: Opened): Promise<BenchResult[]> {
  const title = titleOf(store);
  const contracts = keeper.directory.all();
  const perPrint = await store.bytesPerPrint();
  const hour = (round: number) => END_MS / MINUTE_MS + round * 60;
  let taken = 0;
  const [ingestMs = 0, rawMs = 1] = await mediansMs(
    INGEST_ROUNDS,
    [
      async () => {
        const minute = hour(taken++);
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
      },
      () => store.raw.insert(contracts.map(({ id }) => [id, hour(taken) * MINUTE_MS, 0.01])),
    ],
    0,
  );
  return [
    result({
      name: `${title}: ingesting a settlement hour of ${coins * VENUES_PER_COIN} prints`,
      value: ingestMs,
      unit: 'ms',
      baseline: 'the limit of one second',
      baselineValue: 1000,
      target: { at: 'most', ratio: 1 },
    }),
    result({
      name: `${title}: ingesting that hour`,
      value: ingestMs,
      unit: 'ms',
      baseline: 'the same rows into the raw table with its index',
      baselineValue: rawMs,
    }),
    result({
      name: `${title}: on disk, day sums included`,
      value: perPrint,
      unit: 'bytes/print',
      baseline: 'time and rate as two 8-byte numbers',
      baselineValue: 16,
    }),
  ];
}

async function benchOn(databaseUrls: readonly (string | null)[]): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-history-'));
  const [smallUrl = null, largeUrl = null] = databaseUrls;
  const small = await opened(smallUrl, folder, Math.max(1, Math.round(COINS / 10)));
  const large = await opened(largeUrl, folder, COINS);
  try {
    const results = await comparedWith(large, SCAN_ROUNDS, 'one SQL aggregate over raw prints', true);
    results.push(...(await growthOf(small, large)));
    await large.store.raw.index();
    const indexed = 'the same with an index on contract and time';
    results.push(...(await comparedWith(large, INDEXED_ROUNDS, indexed, false)));
    results.push(...(await ingestOf(large)));
    return results;
  } finally {
    for (const { keeper, store } of [small, large]) {
      await keeper.close();
      await store.close();
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

export const cases: BenchCase[] = [
  { name: 'history on SQLite', isOneCore: true, quickSeconds: 8, run: () => benchOn([null, null]) },
  {
    name: 'history on PostgreSQL',
    isOneCore: true,
    quickSeconds: 10,
    run: async () => {
      const postgres = await launchPostgres();
      if (typeof postgres === 'string') {
        console.log(`  left out: ${postgres}`);
        return [];
      }
      try {
        return await benchOn([await postgres.createDatabase(), await postgres.createDatabase()]);
      } finally {
        await postgres.stop();
      }
    },
  },
];
