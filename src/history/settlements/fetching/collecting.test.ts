import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { Universe } from '../../../../sim/contracts.ts';
import { intervalHoursAt } from '../../../../sim/settlement-times.ts';
import type { SimView } from '../../../../sim/view.ts';
import {
  backfill,
  heldPrints,
  keeping as keepingWith,
  minuteOf,
  NOW_MS,
  namesOf,
  reconciler,
  recordOf,
  simOf,
  simulated,
} from '../../../../test/history/keeping.ts';
import { type FreshDatabase, freshSqlite, silentLog } from '../../../../test/storage/sqlite.ts';
import { CallError } from '../../../base/http/http-client.ts';
import { createLog } from '../../../base/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/times.ts';
import { VenueBackfill } from './backfill.ts';

/** Each walk writes alone, so waiting for further writes would be half of the time of these tests. */
const keeping = (t: TestContext, fresh: FreshDatabase, nowMs = NOW_MS) =>
  keepingWith(t, fresh, nowMs, { batchWaitMs: 0 });

const DAYS = 100;
const FROM_MS = NOW_MS - (DAYS - 1) * DAY_MS;

suite('collecting settled prints from a simulated venue', () => {
  for (const slug of ['binance', 'okx', 'bitget', 'hyperliquid', 'kraken', 'gate', 'coinex', 'kucoin']) {
    test(`${slug}: stores every print of every contract once, at its scheduled minute`, async (t) => {
      const setting = await keeping(t, freshSqlite);
      const source = await simulated({ slug, clock: setting.clock, coins: 6 });
      const days = Math.min(DAYS, source.venue.settlementDepthDays ?? DAYS);
      await backfill(setting, source, days);
      for (const { venueSymbol, listedAtMs } of source.contracts.values()) {
        const fromMs = Math.max(NOW_MS - (days - 1) * DAY_MS, listedAtMs ?? 0);
        // CoinEx goes on writing prints of -0.375 % after its end; they are refused.
        const toMs = Math.min(NOW_MS, source.venue.facts.endedAt?.value ?? NOW_MS);
        assert.deepEqual(
          await heldPrints(setting, source.venue.facts.exchange, venueSymbol, fromMs, NOW_MS),
          recordOf(source, venueSymbol, fromMs, toMs),
          venueSymbol,
        );
      }
    });
  }

  test('when the interval changes inside the window, each print has its own interval', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const source = await simulated({ slug: 'binance', clock: setting.clock, coins: 60 });
    await backfill(setting, source, DAYS);
    let changes = 0;
    for (const contract of source.view().open) {
      const held = setting.keeper.directory.find('Binance', contract.venueSymbol);
      assert.ok(held);
      const { minutes, intervalMinutes } = await setting.keeper.prints(held, FROM_MS, NOW_MS);
      for (const [i, minute] of minutes.entries()) {
        const wanted = intervalHoursAt(contract, minute * MINUTE_MS - 1);
        assert.equal((intervalMinutes[i] ?? 0) / 60, wanted, `${contract.venueSymbol} ${minute}`);
        if (i > 0 && intervalMinutes[i] !== intervalMinutes[i - 1]) changes++;
      }
    }
    assert.ok(changes > 0, 'some contract changed its interval');
  });

  test('missing days are a gap, not zeros; the gap is retried and filled once the venue has the prints', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const [gapFromMs, gapToMs] = [NOW_MS - 20 * DAY_MS, NOW_MS - 17 * DAY_MS];
    let isMissing = true;
    const bend = (view: SimView): SimView => ({
      ...view,
      settlements: (contract, fromMs, toMs) =>
        view
          .settlements(contract, fromMs, toMs)
          .filter((print) => !isMissing || print.settledAtMs < gapFromMs || print.settledAtMs > gapToMs),
    });
    const source = await simulated({ slug: 'bybit', clock: setting.clock, coins: 6, bend });
    await backfill(setting, source, 40);
    const [contract] = [...source.contracts.values()];
    assert.ok(contract);
    const held = setting.keeper.directory.find('Bybit', contract.venueSymbol);
    assert.ok(held);
    const days = async () => {
      const [sums = []] = await setting.keeper.reader.days([held.id], 0, 40_000);
      return sums.map(({ day }) => day);
    };
    const missingDay = Math.floor((gapFromMs + 1.5 * DAY_MS) / DAY_MS);
    assert.ok(!(await days()).includes(missingDay), 'no sum of a day without prints');

    const reconcile = reconciler(setting, source, () => 8 * HOUR_MS);
    const signal = new AbortController().signal;
    const fill = async () => {
      for (const gap of await setting.keeper.gaps.due(setting.clock.nowMs())) {
        const own = setting.keeper.directory.all().find(({ id }) => id === gap.contractId);
        const listed = source.contracts.get(own?.venueSymbol ?? '');
        if (listed) await reconcile.fill(gap, listed, signal);
      }
    };
    setting.clock.advanceMs(2 * MINUTE_MS);
    const queued = (await setting.keeper.gaps.due(setting.clock.nowMs())).length;
    const older = [...source.contracts.values()].filter(({ listedAtMs }) => (listedAtMs ?? 0) < gapFromMs);
    assert.equal(queued, older.length, 'one gap per contract is queued');
    await fill();
    assert.equal((await setting.keeper.gaps.due(Number.MAX_SAFE_INTEGER)).length, queued, 'still missing');
    isMissing = false;
    setting.clock.advanceMs(11 * MINUTE_MS);
    await fill();
    assert.deepEqual(await setting.keeper.gaps.due(Number.MAX_SAFE_INTEGER), []);
    assert.ok((await days()).includes(missingDay));
  });

  test('the backfill of a contract younger than the window stops at its listing', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const startTimes: number[] = [];
    const source = await simulated({
      slug: 'binance',
      clock: setting.clock,
      onRequest: ({ path, query }) => {
        if (path.endsWith('/fundingRate') && query?.symbol === young?.venueSymbol)
          startTimes.push(Number(query?.startTime));
      },
    });
    const young = [...source.contracts.values()].find(
      ({ listedAtMs, status }) => (listedAtMs ?? 0) > NOW_MS - 60 * DAY_MS && status === 'trading',
    );
    assert.ok(young, 'the simulator has a recent listing');
    await backfill(setting, source, DAYS);
    const held = setting.keeper.directory.find('Binance', young.venueSymbol);
    assert.ok(held?.heldSinceMs != null && held.heldSinceMs >= (young.listedAtMs ?? 0));
    assert.ok(
      Math.min(...startTimes) >= (young.listedAtMs ?? 0) - MINUTE_MS,
      'no request reaches before its listing',
    );
    assert.deepEqual(
      await heldPrints(setting, 'Binance', young.venueSymbol, FROM_MS, NOW_MS),
      recordOf(source, young.venueSymbol, FROM_MS, NOW_MS),
    );
  });

  test('when a venue renames a multiplied contract, the old one keeps its history and the coin has both', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const before = await simulated({ slug: 'binance', clock: setting.clock, coins: 60 });
    await backfill(setting, before, 20);
    const old = [...before.contracts.values()].find(({ base }) => base.startsWith('1000'));
    assert.ok(old);
    const held = await heldPrints(setting, 'Binance', old.venueSymbol, NOW_MS - 20 * DAY_MS, NOW_MS);
    assert.ok(held.length > 50);
    const binance = simOf('binance');
    const renamed = {
      ...binance,
      profile: { ...binance.profile, multipliedBase: (ticker: string) => `1000000${ticker}` },
    };
    const after = await simulated({ slug: 'binance', clock: setting.clock, coins: 60, sim: renamed });
    assert.ok(!after.contracts.has(old.venueSymbol), 'the list no longer has the old name');
    await backfill(setting, after, 20);
    assert.deepEqual(
      await heldPrints(setting, 'Binance', old.venueSymbol, NOW_MS - 20 * DAY_MS, NOW_MS),
      held,
    );
    const coin = old.base.replace(/^1000/, '');
    const symbols = setting.keeper.directory
      .ofCoin(coin)
      .map(({ symbol, printCount }) => [symbol, printCount > 0]);
    assert.deepEqual(
      symbols.sort(),
      [
        [`1000000${coin}-USDT`, true],
        ...(setting.keeper.directory.find('Binance', `1000${coin}USDC`)
          ? [[`1000000${coin}-USDC`, true]]
          : []),
        [`1000${coin}-USDT`, true],
        ...(setting.keeper.directory.find('Binance', `1000${coin}USDC`) ? [[`1000${coin}-USDC`, true]] : []),
      ].sort(),
    );
  });

  test('a delisted contract keeps its history', async (t) => {
    const setting = await keeping(t, freshSqlite, Date.UTC(2026, 7, 1));
    // The day before a delisting that the simulator has scheduled.
    const profile = simOf('binance').profile;
    const planned = new Universe(1, 25)
      .scheduled(profile, setting.clock.nowMs(), NOW_MS)
      .find(({ delistsAtMs }) => delistsAtMs !== null && delistsAtMs < NOW_MS - DAY_MS);
    assert.ok(planned?.delistsAtMs);
    setting.clock.setMs(planned.delistsAtMs - DAY_MS);
    const source = await simulated({ slug: 'binance', clock: setting.clock });
    await backfill(setting, source, 30);
    const leaving = source.contracts.get(planned.venueSymbol);
    assert.ok(leaving, 'the simulator is delisting one');
    const before = await heldPrints(setting, 'Binance', leaving.venueSymbol, 0, NOW_MS);
    assert.ok(before.length > 0);
    setting.clock.setMs(NOW_MS);
    source.contracts.delete(leaving.venueSymbol);
    await backfill(setting, source, 30);
    assert.deepEqual(await heldPrints(setting, 'Binance', leaving.venueSymbol, 0, NOW_MS), before);
  });

  test('newest first: the last month of every contract is fetched before an earlier month of any', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const source = await simulated({ slug: 'bybit', clock: setting.clock, coins: 8 });
    const one = new VenueBackfill({
      ...setting,
      source,
      namesOf: namesOf(source),
      days: DAYS,
      log: silentLog,
    });
    const signal = new AbortController().signal;
    const open = [...source.contracts.values()].filter(({ status }) => status !== 'preopen');
    for (let i = 0; i < open.length; i++) await one.step(signal);
    for (const { venueSymbol } of open) {
      const held = setting.keeper.directory.find('Bybit', venueSymbol);
      assert.ok(
        (held?.walkedFromMs != null && held.walkedFromMs <= NOW_MS - 31 * DAY_MS) ||
          (held?.listedAtMs ?? 0) > NOW_MS - 32 * DAY_MS,
        venueSymbol,
      );
      assert.ok((held?.walkedFromMs ?? 0) > NOW_MS - 40 * DAY_MS, venueSymbol);
    }
  });

  test('the history of a venue with numbered pages is fetched in one walk', async (t) => {
    const setting = await keeping(t, freshSqlite);
    let calls = 0;
    const source = await simulated({
      slug: 'bitget',
      clock: setting.clock,
      coins: 10,
      onRequest: ({ path }) => {
        if (path.includes('history-fund-rate')) calls++;
      },
    });
    await backfill(setting, source, 180);
    const prints = setting.keeper.directory.all().reduce((sum, { printCount }) => sum + printCount, 0);
    assert.ok(
      calls < (prints / 100) * 1.3 + 2 * source.contracts.size,
      `${calls} calls for ${prints} prints`,
    );
  });

  test('a venue that returns the whole history in one call is called once per contract', async (t) => {
    const setting = await keeping(t, freshSqlite);
    let calls = 0;
    const source = await simulated({
      slug: 'kraken',
      clock: setting.clock,
      coins: 10,
      onRequest: ({ path }) => {
        if (path.includes('historical')) calls++;
      },
    });
    await backfill(setting, source, 180);
    assert.equal(calls, source.contracts.size);
  });

  test('a contract that the venue refuses does not block the others, and a failed page is retried', async (t) => {
    const setting = await keeping(t, freshSqlite);
    let failedCalls = 0;
    const source = await simulated({
      slug: 'bybit',
      clock: setting.clock,
      coins: 6,
      onRequest: ({ query }) => {
        if (query?.symbol === 'BTCUSDT') throw new CallError('status', 'HTTP 400', 400);
        if (query?.symbol === 'ETHUSDT' && failedCalls++ < 2) throw new CallError('network', 'reset');
      },
    });
    const one = new VenueBackfill({
      ...setting,
      source,
      namesOf: namesOf(source),
      days: 10,
      log: silentLog,
      giveUpAfterFailures: 2,
    });
    const signal = new AbortController().signal;
    const pump = setInterval(() => setting.clock.advanceMs(1000), 1);
    t.after(() => clearInterval(pump));
    while (!one.isDone) {
      const waitMs = await one.step(signal);
      if (waitMs > 0) await setting.clock.sleep(waitMs);
    }
    const { contracts, contractsDone, failures } = one.progress();
    assert.deepEqual([contracts - contractsDone, failures], [1, 2]);
    assert.ok((setting.keeper.directory.find('Bybit', 'ETHUSDT')?.printCount ?? 0) > 20);
  });

  test('a failure of all contracts of a venue is logged once a minute, with the number of suppressed entries', async (t) => {
    const setting = await keeping(t, freshSqlite);
    let status = 400;
    const source = await simulated({
      slug: 'bybit',
      clock: setting.clock,
      coins: 6,
      onRequest: () => {
        throw new CallError('status', `HTTP ${status}`, status);
      },
    });
    const logged: { failure?: unknown; suppressedBefore?: unknown }[] = [];
    const log = createLog('warn', { write: (line: string) => logged.push(JSON.parse(line)) });
    const one = new VenueBackfill({ ...setting, source, namesOf: namesOf(source), days: 10, log });
    const steps = async (count: number) => {
      for (let i = 0; i < count; i++) await one.step(new AbortController().signal);
    };
    const seen = () => logged.map(({ failure, suppressedBefore }) => [failure, suppressedBefore]);
    const first = ['HTTP 400', 0];
    await steps(5);
    assert.deepEqual(seen(), [first]);
    setting.clock.advanceMs(2 * MINUTE_MS);
    await steps(3);
    assert.deepEqual(seen(), [first, ['HTTP 400', 4]]);
    status = 404;
    setting.clock.advanceMs(HOUR_MS);
    await steps(1);
    assert.deepEqual(seen().at(-1), ['HTTP 404', 2]);
    assert.equal(one.progress().failures, 9);
  });
});

suite('fetching the print after each settlement', () => {
  const settleAt = async (atText: string, slug = 'bybit') => ({ atMs: minuteOf(atText) * MINUTE_MS, slug });

  test('a contract is due within a minute of the settlement, and earlier prints are fetched with the new one', async (t) => {
    const { atMs } = await settleAt('2026-11-14T16:00:00Z');
    const setting = await keeping(t, freshSqlite);
    const source = await simulated({ slug: 'bybit', clock: setting.clock, coins: 8 });
    await backfill(setting, source, 10);
    const intervalOf = (venueSymbol: string) => {
      const contract = source.view().find(venueSymbol);
      return contract ? source.view().quote(contract).intervalHours * HOUR_MS : null;
    };
    const reconcile = reconciler(setting, source, intervalOf);
    assert.deepEqual(reconcile.due(), [], 'nothing has settled since');
    setting.clock.setMs(atMs + 10_000);
    const early = reconcile.due().length;
    setting.clock.setMs(atMs + 45_000);
    const due = reconcile.due();
    assert.equal(due.length, source.view().open.length);
    assert.ok(early < due.length, 'venues get 30 s to publish');
    const signal = new AbortController().signal;
    for (const contract of due) await reconcile.settle(contract, signal);
    assert.deepEqual(reconcile.due(), []);
    for (const { venueSymbol } of due) {
      assert.deepEqual(
        await heldPrints(setting, 'Bybit', venueSymbol, NOW_MS - 5 * DAY_MS, atMs),
        recordOf(source, venueSymbol, NOW_MS - 5 * DAY_MS, atMs),
      );
    }
  });

  test('the first print of a contract that was backfilled before it settled is due after its settlement', async (t) => {
    const { atMs } = await settleAt('2026-11-14T16:00:00Z');
    const setting = await keeping(t, freshSqlite);
    const bend = (view: SimView): SimView => ({
      ...view,
      settlements: (contract, fromMs, toMs) => view.settlements(contract, Math.max(fromMs, NOW_MS), toMs),
    });
    const source = await simulated({ slug: 'bybit', clock: setting.clock, coins: 8, bend });
    await backfill(setting, source, 10);
    const intervalOf = (venueSymbol: string) => {
      const contract = source.view().find(venueSymbol);
      return contract ? source.view().quote(contract).intervalHours * HOUR_MS : null;
    };
    const young = [...source.contracts.values()].filter(
      ({ venueSymbol }) => intervalOf(venueSymbol) === 8 * HOUR_MS,
    );
    assert.ok(young.length > 0);
    const reconcile = reconciler(setting, source, intervalOf);
    setting.clock.setMs(atMs + 45_000);
    const signal = new AbortController().signal;
    for (const contract of reconcile.due()) await reconcile.settle(contract, signal);
    for (const { venueSymbol } of young)
      assert.deepEqual(
        await heldPrints(setting, 'Bybit', venueSymbol, NOW_MS, atMs),
        recordOf(source, venueSymbol, NOW_MS, atMs),
      );
  });

  test('a contract whose interval became shorter is due after the shorter one', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const source = await simulated({ slug: 'bybit', clock: setting.clock, coins: 25 });
    await backfill(setting, source, 3);
    const hoursOf = (venueSymbol: string) => {
      const contract = source.view().find(venueSymbol);
      return contract ? source.view().quote(contract).intervalHours : 8;
    };
    let isShort = false;
    const reconcile = reconciler(setting, source, (symbol) => (isShort ? hoursOf(symbol) : 24) * HOUR_MS);
    assert.deepEqual(reconcile.due(), []);
    isShort = true;
    setting.clock.setMs(minuteOf('2026-11-14T10:00:00Z') * MINUTE_MS + 45_000);
    const hourly = source.view().open.filter(({ venueSymbol }) => hoursOf(venueSymbol) === 1);
    assert.ok(hourly.length > 0, 'there are contracts of one hour');
    const due = new Set(reconcile.due().map(({ venueSymbol }) => venueSymbol));
    for (const { venueSymbol } of hourly) assert.ok(due.has(venueSymbol), venueSymbol);
  });

  test('all Binance USD-M contracts are fetched with one call', async (t) => {
    const atMs = minuteOf('2026-11-14T16:00:00Z') * MINUTE_MS;
    const setting = await keeping(t, freshSqlite);
    let calls = 0;
    const source = await simulated({
      slug: 'binance',
      clock: setting.clock,
      coins: 25,
      onRequest: () => {
        calls++;
      },
    });
    await backfill(setting, source, 10);
    const intervalOf = (venueSymbol: string) => {
      const contract = source.view().find(venueSymbol);
      return contract ? source.view().quote(contract).intervalHours * HOUR_MS : null;
    };
    const reconcile = reconciler(setting, source, intervalOf);
    // Contracts that settle more often are up to date before the common settlement.
    const signal = new AbortController().signal;
    setting.clock.setMs(atMs - 40 * MINUTE_MS);
    for (const contract of reconcile.due()) await reconcile.settle(contract, signal);
    setting.clock.setMs(atMs + 45_000);
    calls = 0;
    const linear = reconcile.due().filter(({ isInverse }) => !isInverse);
    await reconcile.settleAll(reconcile.due(), signal);
    assert.equal(calls, 1);
    assert.ok(linear.length > 20);
    assert.deepEqual(
      reconcile.due().filter(({ isInverse }) => !isInverse),
      [],
    );
    for (const { venueSymbol } of linear) {
      assert.deepEqual(
        await heldPrints(setting, 'Binance', venueSymbol, atMs - DAY_MS, atMs),
        recordOf(source, venueSymbol, atMs - DAY_MS, atMs),
        venueSymbol,
      );
    }
  });

  test('a late print is retried with backoff until it is published', async (t) => {
    const atMs = minuteOf('2026-11-14T16:00:00Z') * MINUTE_MS;
    const setting = await keeping(t, freshSqlite);
    let publishedMs = Number.POSITIVE_INFINITY;
    const source = await simulated({
      slug: 'bybit',
      clock: setting.clock,
      coins: 5,
      bend: (view) => ({
        ...view,
        settlements: (contract, fromMs, toMs) =>
          view
            .settlements(contract, fromMs, toMs)
            .filter(({ settledAtMs }) => settledAtMs < atMs || view.nowMs >= publishedMs),
      }),
    });
    const contract = source.contracts.get('BTCUSDT');
    assert.ok(contract);
    await backfill(setting, source, 3);
    const reconcile = reconciler(setting, source, () => 8 * HOUR_MS);
    const signal = new AbortController().signal;
    const fetches: number[] = [];
    publishedMs = atMs + 20 * MINUTE_MS;
    for (setting.clock.setMs(atMs); setting.clock.nowMs() < atMs + HOUR_MS; setting.clock.advanceMs(10_000)) {
      if (!reconcile.due().some(({ venueSymbol }) => venueSymbol === 'BTCUSDT')) continue;
      fetches.push((setting.clock.nowMs() - atMs) / 1000);
      await reconcile.settle(contract, signal);
    }
    assert.deepEqual(fetches, [30, 90, 210, 450, 930, 1890]);
    assert.equal(setting.keeper.directory.find('Bybit', 'BTCUSDT')?.lastPrintMs, atMs);
  });

  test('a corrected rate is counted, and the old rate is stored as a correction', async (t) => {
    const atMs = minuteOf('2026-11-14T16:00:00Z') * MINUTE_MS;
    const setting = await keeping(t, freshSqlite);
    let isCorrected = false;
    const source = await simulated({
      slug: 'bybit',
      clock: setting.clock,
      coins: 5,
      bend: (view) => ({
        ...view,
        settlements: (contract, fromMs, toMs) =>
          view
            .settlements(contract, fromMs, toMs)
            .map((print) =>
              isCorrected && print.settledAtMs === atMs - 8 * HOUR_MS
                ? { ...print, rateE8: print.rateE8 + 1000 }
                : print,
            ),
      }),
    });
    await backfill(setting, source, 3);
    const contract = source.contracts.get('BTCUSDT');
    assert.ok(contract);
    isCorrected = true;
    setting.clock.setMs(atMs + 45_000);
    await reconciler(setting, source, () => 8 * HOUR_MS).settle(contract, new AbortController().signal);
    const rows = await setting.storage.db.selectFrom('settlement_corrections').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => [row.minute * MINUTE_MS, Math.round((row.new_rate_pct - row.old_rate_pct) * 1e6)]),
      [[atMs - 8 * HOUR_MS, 1000]],
    );
    assert.equal((await setting.metrics.settlementsCorrected.get()).values[0]?.value, 1);
  });

  test('Kraken, where a call returns a year: all contracts are due after every settlement', async (t) => {
    const setting = await keeping(t, freshSqlite);
    const source = await simulated({ slug: 'kraken', clock: setting.clock, coins: 42 });
    assert.ok(source.contracts.size > 30, `${source.contracts.size} contracts`);
    await backfill(setting, source, 5);
    const reconcile = reconciler(setting, source, () => HOUR_MS);
    setting.clock.setMs(minuteOf('2026-11-14T10:00:00Z') * MINUTE_MS + 45_000);
    const due = reconcile.due();
    assert.equal(due.length, source.view().open.length);
    for (const contract of due) await reconcile.settle(contract, new AbortController().signal);
    assert.equal(reconcile.due().length, 0, 'once');
    const newest = due.map(
      ({ venueSymbol }) => setting.keeper.directory.find('Kraken', venueSymbol)?.lastPrintMs,
    );
    assert.deepEqual(new Set(newest), new Set([Date.parse('2026-11-14T10:00:00Z')]));
  });
});
