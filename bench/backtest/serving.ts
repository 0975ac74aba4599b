import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openAccounts } from '../../src/accounts/accounts.ts';
import type { Authenticate } from '../../src/accounts/keys/authenticate.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { restDoor } from '../../src/doors/rest/rest.ts';
import { BACKTEST_TABLES } from '../../src/engines/backtest/rows.ts';
import { type BacktestReport, LocalBacktest } from '../../src/engines/backtest/running/host.ts';
import { BacktestThread } from '../../src/engines/backtest/running/thread.ts';
import { derivedSource } from '../../src/engines/funding/snapshots.ts';
import { LEGS_TABLE } from '../../src/engines/spreads/legs.ts';
import { SpreadPrinter } from '../../src/engines/spreads/print.ts';
import { rowsFromLegs } from '../../src/engines/spreads/rows.ts';
import { SIZES_USD } from '../../src/history/samples/model.ts';
import { storedFrames } from '../../src/market/frame-store.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { decodeTable } from '../../src/market/tables/table-codec.ts';
import { type TableSnapshot, Timeline } from '../../src/market/timeline.ts';
import { Entrance } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { freePort } from '../../test/support/free-port.ts';
import { sized } from '../size.ts';
import { BenchMarket as PrintMarket } from '../spreads/market.ts';
import { beginWithADay, nextBlock } from './engine.ts';
import { benchMarket } from './market.ts';

/** A server that makes live prints and computes the backtest while it answers. `here`: the backtest in the same thread. */
const isHere = process.argv[2] === 'here';
const BACKTEST_COINS = sized(455, 12, 8);
const [PRINT_EVERY_MS, MINUTE_EVERY_MS] = [5000, 3000];
const PLENTY = 3_000_000;

export type ToServing = { watchSeconds: number };
export type FromServing = { port: number; key: string } | { p99Ms: number; maxMs: number; minutes: number };

const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit(0));
const log = createLog('silent');
const metrics = createMetrics();
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'bench.sqlite'), log });
const clock = systemClock;
const accounts = await openAccounts({ storage, clock, log, baseUrl, tierGrants: new Map() });
const account = await accounts.accounts.create({ name: 'bench', plan: 'business' });
const { text: key } = await accounts.keys.create({ accountId: account.id, name: 'bench', kind: 'test' });

const prints = new Timeline(LEGS_TABLE, storedFrames(storage), log, { delayedEveryMs: 60_000 });
const printed = new WeakMap<Table, TableSnapshot>();
const printMarket = new PrintMarket();
const printer = new SpreadPrinter();
const print = async () => {
  printMarket.move(PRINT_EVERY_MS);
  const { made, nowMs } = printMarket;
  const { legs, rows } = printer.print(made.freezer.statesAt(nowMs), made.freezer.identities, nowMs);
  printed.set(legs, { asOfMs: nowMs, table: rows });
  await prints.publish(nowMs, legs);
};

const timelines = new Map(
  SIZES_USD.map((size) => [size, new Timeline(BACKTEST_TABLES[size], storedFrames(storage), log)]),
);
const publish = async ({ minute, sizes }: BacktestReport) => {
  await Promise.all(
    sizes.map(async ({ sizeUsd, frame }) => {
      const table = decodeTable(frame, BACKTEST_TABLES[sizeUsd]);
      if (table) await timelines.get(sizeUsd)?.publishEncoded({ asOfMs: minute * 60_000, table }, frame);
    }),
  );
};
const market = benchMarket(BACKTEST_COINS);
const host = isHere ? new LocalBacktest() : new BacktestThread(tmpdir());
await beginWithADay(host, market);
const minutes = Array.from({ length: 40 }, () => nextBlock(market, 1).block);
const nextMinute = async () => {
  const block = minutes.shift();
  if (!block) return;
  await host.take({ block, contracts: [], reportAt: [] });
  await publish(await host.report());
};
// The first minutes compute every median once, which belongs to a start and not to a usual minute.
for (let i = 0; i < 3; i++) await nextMinute();
await print();

const entrance = new Entrance({
  authenticate: withPlenty(accounts.authenticate),
  windows: accounts.windows,
  rejectedKeys: accounts.rejectedKeys,
  clock,
  baseUrl,
  isApiEnabled: true,
  data: {
    venues: VENUES,
    spreads: derivedSource(prints, rowsFromLegs, printed),
    backtest: Object.fromEntries(timelines),
  } as unknown as DataSources,
});
const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
await server.listen({ host: '127.0.0.1', port });

process.on('message', async ({ watchSeconds }: ToServing) => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let done = 0;
  const printing = setInterval(print, PRINT_EVERY_MS);
  const computing = (async () => {
    const untilMs = performance.now() + watchSeconds * 1000;
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      await nextMinute();
      done++;
      await clock.sleep(Math.max(0, startedMs + MINUTE_EVERY_MS - performance.now()));
    }
  })();
  delay.enable();
  await computing;
  delay.disable();
  clearInterval(printing);
  report({ p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, minutes: done });
});
process.on('disconnect', () => process.exit(0));
report({ port, key });

function report(message: FromServing): void {
  process.send?.(message);
}

/** The Business plan with room for a load test; everything else about the caller is real. */
function withPlenty(authenticate: Authenticate): Authenticate {
  const plan = { ...PLANS.business, requestsPerMinute: PLENTY, requestsPerMonth: PLENTY * 10 };
  const known = new Map<object, ReturnType<Authenticate>>();
  return (keyText) => {
    const found = authenticate(keyText);
    if (!found.ok) return found;
    const lifted = known.get(found.caller) ?? { ok: true, caller: { ...found.caller, plan } };
    known.set(found.caller, lifted);
    return lifted;
  };
}
