import { execFileSync } from 'node:child_process';
import { CompiledQuery, sql } from 'kysely';
import { COUNT } from '../../src/accounts/windows/redis/scripts.ts';
import { createLog } from '../../src/base/log.ts';
import { POSTGRES_QUERIES } from '../../src/history/settlements/reader.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { blockNumberOf, contractIdOf, settlementBlockId } from '../../src/storage/blocks.ts';
import { PartitionKeeper, SETTLEMENT_PARTITIONS } from '../../src/storage/partitions.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { onPath, startRedis } from '../../test/support/servers.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { packedBlocks, VENUES_PER_COIN } from '../history/prints.ts';
import { sized } from '../size.ts';
import { benchPostgres } from '../support/lasting.ts';
import { benchFunding, fundingRows } from '../support/rest-tables.ts';

/** The figures of docs/scale.md that no other case measures. */
const COINS = sized(25, 5, 1);
const ROUNDS = sized(200, 40, 1);
const REDIS_CALLS = sized(200_000, 40_000, 1_000);
const SLOTS = 10_000;

/** Calls a second of one Redis. redis-benchmark is written in C, so Redis is the bottleneck and not the load. */
function redisRate(port: string, command: readonly string[]): number {
  const args = ['-p', port, '-n', String(REDIS_CALLS), '-r', String(SLOTS), '-c', '50', '-P', '8', '--csv'];
  const output = execFileSync('redis-benchmark', [...args, ...command], { encoding: 'utf8' });
  const [, rate = ''] = output.trim().split('\n').at(-1)?.split('","') ?? [];
  return Number(rate.replaceAll('"', ''));
}

async function redisTakes(): Promise<BenchResult[]> {
  const redis = await startRedis();
  if (typeof redis === 'string' || onPath('redis-benchmark') === null) {
    console.log('  left out: Redis or redis-benchmark is not installed');
    return [];
  }
  const { port } = new URL(redis.url);
  const cli = (...args: string[]) => execFileSync('redis-cli', ['-p', port, ...args], { encoding: 'utf8' });
  cli('EVAL', "for i = 0, 9999 do redis.call('SET', '{w}month:' .. string.format('%012d', i), 0) end", '0');
  const sha = cli('SCRIPT', 'LOAD', COUNT.text).trim();
  const slot = '__rand_int__';
  const keys = [`{w}minute:${slot}`, `{w}month:${slot}`, `{w}revision:${slot}`, `{w}revoked:${slot}`];
  const call = ['-1', '0', '600', '2000000', `process:${slot}`, '1', '', ''];
  const take = ['evalsha', sha, '4', ...keys, ...call];
  try {
    const baseline = redisRate(port, ['incr', `counter:${slot}`]);
    const taken = redisRate(port, take);
    const answer = cli(...take.map((word) => word.replaceAll(slot, '000000000001')));
    if (!/^[1-3]\n/.test(answer)) throw new Error(`the script refused: ${answer}`);
    return [
      result({
        name: 'requests that one Redis can count, both windows and the revocation',
        value: taken,
        unit: 'requests/s',
        baseline: 'bare INCR',
        baselineValue: baseline,
      }),
    ];
  } finally {
    await redis.stop();
  }
}

function frameSize(): BenchResult {
  const json = fundingRows()
    .map((row) => JSON.stringify(row))
    .join(',').length;
  return result({
    name: 'a funding snapshot of 5,000 rows for every API process',
    value: encodeTable(benchFunding()).length,
    unit: 'bytes',
    baseline: 'the same rows as JSON',
    baselineValue: json,
  });
}

/** Reads of history from partitions beside the same rows in one table. */
async function partitionedReads(): Promise<BenchResult[]> {
  const postgres = await benchPostgres();
  if (typeof postgres === 'string') {
    console.log(`  left out: ${postgres}`);
    return [];
  }
  const log = createLog('silent');
  const storage = await openStorage({ databaseUrl: await postgres.createDatabase(), sqliteFile: '', log });
  const { db } = storage;
  try {
    const partitions = new PartitionKeeper(storage, SETTLEMENT_PARTITIONS);
    let newest = 0;
    for (let coin = 0; coin < COINS; coin++) {
      for (let venue = 0; venue < VENUES_PER_COIN; venue++) {
        const blocks = packedBlocks(coin, venue);
        newest = Math.max(newest, ...blocks.map(({ id }) => id));
        await partitions.cover(blocks.map(({ id }) => id));
        await db.insertInto('settlement_blocks').values(blocks).execute();
      }
    }
    await sql`create table whole (like settlement_blocks including all)
      with (toast_tuple_target = 8160, fillfactor = 85)`.execute(db);
    await sql`insert into whole select * from settlement_blocks`.execute(db);
    await sql`vacuum analyze`.execute(db);
    const block = blockNumberOf(newest);
    const contract = contractIdOf(newest);
    const ids = Array.from({ length: VENUES_PER_COIN }, (_, venue) => contract - venue).flatMap((id) => [
      settlementBlockId(block, id),
      settlementBlockId(block - 1, id),
    ]);
    const texts = [POSTGRES_QUERIES.days, POSTGRES_QUERIES.days.replace('settlement_blocks', 'whole')];
    const samples: [number[], number[]] = [[], []];
    for (let round = -20; round < ROUNDS; round++) {
      for (const [i, text] of texts.entries()) {
        const startedMs = performance.now();
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, [ids]));
        if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} blocks were read`);
        if (round >= 0) samples[i]?.push(performance.now() - startedMs);
      }
    }
    const [ours = 0, whole = 1] = samples.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
    return [
      result({
        name: '30 days of 20 venues out of partitions',
        value: ours,
        unit: 'ms',
        baseline: 'out of one table',
        baselineValue: whole,
        target: { at: 'most', ratio: 1.6 },
      }),
    ];
  } finally {
    await storage.close();
    await postgres.stop();
  }
}

export const cases: BenchCase[] = [
  {
    name: 'scale',
    hasRoom: true,
    run: async () => [...(await redisTakes()), frameSize(), ...(await partitionedReads())],
  },
];
