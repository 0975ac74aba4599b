import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Directory } from '../../src/accounts/keys/directory.ts';
import { UsageLedger } from '../../src/accounts/usage/ledger.ts';
import { MemoryWindows } from '../../src/accounts/windows/memory.ts';
import { systemClock } from '../../src/base/clock.ts';
import { usualRule } from '../../src/engines/backtest/rule.ts';
import { LocalBacktest } from '../../src/engines/backtest/running/host.ts';
import { fundingTable } from '../../src/engines/funding/table.ts';
import { SpreadPrinter } from '../../src/engines/spreads/print.ts';
import { SettlementSums } from '../../src/history/settlements/sums.ts';
import { openScratchFile } from '../../src/storage/scratch-file.ts';
import { openMemorySqlite } from '../../src/storage/sqlite.ts';
import { nextBlock } from '../backtest/engine.ts';
import { benchMarket } from '../backtest/market.ts';
import { sized } from '../size.ts';
import { BenchMarket, FULL_COINS } from '../spreads/market.ts';
import { openStreams } from '../support/stream-server.ts';

/** Run with --expose-gc in a process of its own. Prints what one of each kind takes, as a JSON line. */
export interface MeasuredPart {
  name: string;
  bytes: number;
  count: number;
}

const parts: MeasuredPart[] = [];

/** Objects and buffers that are alive. */
async function usedBytes(): Promise<number> {
  // Buffers are freed a turn after their objects.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Held until the end, so that nothing that is measured is freed early. */
const held: unknown[] = [];

async function grownBytes(make: () => unknown): Promise<number> {
  const before = await usedBytes();
  held.push(await make());
  return Math.max(0, (await usedBytes()) - before);
}

async function market(): Promise<void> {
  const made = new BenchMarket(2);
  // The first use compiles the code.
  fundingTable(made.made.freezer.freeze(made.nowMs), new Map());
  new SpreadPrinter().print(made.made.freezer.statesAt(made.nowMs), made.made.freezer.identities, made.nowMs);
  let full = made;
  const bytes = await grownBytes(() => {
    full = new BenchMarket(sized(FULL_COINS, FULL_COINS, 20));
    const table = fundingTable(full.made.freezer.freeze(full.nowMs), new Map());
    return [full, table];
  });
  const { contracts } = full;
  parts.push({ name: 'contract: newest values and row of the snapshot', bytes, count: contracts });
  let rows = 0;
  const spreads = await grownBytes(() => {
    const printer = new SpreadPrinter();
    const print = printer.print(
      full.made.freezer.statesAt(full.nowMs),
      full.made.freezer.identities,
      full.nowMs,
    );
    rows = print.rows.rowCount;
    return [printer, print];
  });
  parts.push({ name: 'pair: live spread', bytes: spreads, count: rows });
}

const DAY_MINUTES = 1440;
const PRINT_DAYS = 92;

async function prints(): Promise<void> {
  const count = sized(2000, 1000, 50);
  const bytes = await grownBytes(() => {
    const sums = new SettlementSums();
    for (let contract = 0; contract < count; contract++) {
      // One contract in four settles every hour, the others every four or eight hours.
      const everyMinutes = [60, 240, 480, 480][contract % 4] ?? 480;
      const length = (PRINT_DAYS * DAY_MINUTES) / everyMinutes;
      sums.put(
        `Venue/COIN${contract}`,
        Array.from({ length }, (_, i) => ({
          minute: 29_000_000 + i * everyMinutes,
          ratePct: (i % 100) / 1e4,
        })),
      );
    }
    return sums;
  });
  parts.push({ name: 'contract: settled prints of 92 days', bytes, count });
}

/** Two markets with as many contracts, one with many pairs and one with few, tell the parts of both. */
async function backtest(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-memory-'));
  const measure = async (coins: number, venuesPerCoin: number) => {
    const simulated = benchMarket(coins, venuesPerCoin);
    const { block } = nextBlock(simulated, 2);
    const { takerFeesPct, contracts } = simulated;
    const bytes = await grownBytes(async () => {
      const host = new LocalBacktest(() => openScratchFile(folder));
      await host.begin({ rule: usualRule(), takerFeesPct }, null, contracts);
      await host.take({ block, contracts: [], reportAt: [] });
      return host;
    });
    return { bytes, contracts: contracts.length, pairs: simulated.pairCount };
  };
  try {
    await measure(2, 2);
    const few = await measure(sized(4095, 1_800, 90), 2);
    const many = await measure(sized(455, 200, 10), 18);
    const pairBytes = Math.max(0, (many.bytes - few.bytes) / (many.pairs - few.pairs));
    parts.push({ name: 'pair: backtest', bytes: pairBytes * many.pairs, count: many.pairs });
    const bytes = Math.max(0, few.bytes - pairBytes * few.pairs);
    parts.push({ name: 'contract: backtest', bytes, count: few.contracts });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function keys(): Promise<void> {
  const count = sized(20_000, 5000, 500);
  const bytes = await grownBytes(() => {
    const directory = new Directory(new Map());
    const windows = new MemoryWindows(systemClock, new UsageLedger(openMemorySqlite(), systemClock.nowMs()));
    for (let i = 0; i < count; i++) {
      const id = `account-${i}`;
      const hash = `${i}`.padStart(64, '0');
      directory.apply(
        [
          {
            id: `key-${i}`,
            account_id: id,
            hash,
            key_prefix: `pw_live_${i}`,
            slot_number: 1,
            scopes: 'funding:read spreads:read',
            expires_at_ms: Number.MAX_SAFE_INTEGER,
            revoked_at_ms: null,
            replaced_until_ms: null,
          },
        ],
        [
          {
            id,
            plan: 'developer',
            host_tier: null,
            suspended_at_ms: null,
            taker_fees: null,
            starred_coins: null,
          },
        ],
      );
      const key = directory.key(hash);
      const caller = key && directory.callerFor(key);
      if (!caller?.keyId) throw new Error('the key was not found');
      windows.take({ ...caller, keyId: caller.keyId });
    }
    return [directory, windows];
  });
  parts.push({ name: 'key with a request in the last minute', bytes, count });
}

async function streams(): Promise<void> {
  const count = sized(1000, 200, 20);
  const opened = await openStreams(20);
  const bytes = await grownBytes(() => opened.connect(count));
  parts.push({ name: 'stream, of connections that share 20 queries', bytes, count });
  await opened.close();
}

await market();
await prints();
await backtest();
await keys();
await streams();
console.log(JSON.stringify(parts));
process.exit(0);
