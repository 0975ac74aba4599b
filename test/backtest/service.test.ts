import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { samplePast } from '../../src/commands/demo/past-samples.ts';
import { decodeSamples } from '../../src/history/samples/codec.ts';
import { minuteOf, msOfMinute, PRICE_COLUMNS, SIZES_USD } from '../../src/history/samples/model.ts';
import { perpwire } from '../support/process.ts';
import { collectOnce, type Running, type RunOptions, runService, until } from '../support/service.ts';
import { storeMarket } from './stored-market.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 0);
const EXCHANGES = ['Binance', 'Kraken', 'OKX'];

async function running(t: TestContext, options: RunOptions = {}): Promise<Running> {
  const service = await runService({ venues: ['binance', 'okx', 'hyperliquid'], coins: 20, ...options });
  t.after(() => service.stop());
  return service;
}

interface Answer {
  data: { spreads: Record<string, unknown>[] };
  meta: { as_of: string };
}

async function backtestRows(service: Running, sizeUsd = 100): Promise<Answer> {
  const reply = await service.get(`/api/v1/spreads/backtest?limit=500&size_usd=${sizeUsd}`);
  assert.equal(reply.status, 200, reply.text.slice(0, 200));
  return reply.body as Answer;
}

suite('depth samples in the service', () => {
  test('every linear contract is priced: from the top if it holds 500 USD, else from a fetched book', async (t) => {
    const clock = new ManualClock(START_MS);
    const service = await running(t, { clock });
    await collectOnce(service);
    const { samples, metrics } = service.service;
    const pump = setInterval(() => clock.advanceMs(20), 5);
    await samples.fetchBooks(clock.nowMs() + 30_000);
    clearInterval(pump);
    const minute = minuteOf(clock.nowMs());
    await samples.sample(minute);
    const stored = await samples.store.nextAfter(0);
    const sample = decodeSamples(stored?.block ?? new Uint8Array())[0];
    assert.equal(sample?.minute, minute);
    assert.ok((sample?.ids.length ?? 0) > 40, `${sample?.ids.length} contracts`);
    const outcomes = new Map<string, number>();
    const counted = (await metrics.depthSamples.get()).values;
    for (const { labels, value } of counted) {
      const outcome = String(labels.outcome);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + value);
    }
    assert.ok((outcomes.get('top') ?? 0) > 30, JSON.stringify([...outcomes]));
    assert.ok((outcomes.get('book') ?? 0) > 0, JSON.stringify([...outcomes]));
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const unpriced = (outcomes.get('unpriced') ?? 0) + (outcomes.get('outlier') ?? 0);
    assert.equal(
      total - unpriced,
      sample?.ids.length,
      'what could not be priced has no sample, and is counted',
    );
    const coverage = (await metrics.depthCoverage.get()).values;
    assert.equal(coverage.length, 3, 'of every venue');
    for (const { labels, value } of coverage) {
      const ofVenue = counted.filter((one) => one.labels.exchange === labels.exchange);
      const sum = (among: typeof ofVenue) => among.reduce((total, one) => total + one.value, 0);
      const whole = ofVenue.filter((one) => ['top', 'book'].includes(String(one.labels.outcome)));
      assert.equal(value, sum(whole) / sum(ofVenue), `${labels.exchange}`);
    }

    // Compared with the simulator's book: 25 USD of a deep market fill at the top.
    const contract = samples.store.contracts.find((one) => one.exchange === 'Binance' && one.coin === 'BTC');
    const place = sample?.ids.indexOf(contract?.id ?? 0) ?? -1;
    const view = service.sim.view('binance');
    const simulated = view.find(contract?.venueSymbol ?? '');
    assert.ok(simulated && place >= 0);
    const buy = sample?.prices[place * PRICE_COLUMNS] ?? 0;
    assert.ok(Math.abs(buy / view.quote(simulated).askPrice - 1) < 0.01, `${buy}`);
    for (let size = 0; size < SIZES_USD.length; size++) {
      const bought: number = sample?.prices[place * PRICE_COLUMNS + size] ?? 0;
      const sold: number = sample?.prices[place * PRICE_COLUMNS + SIZES_USD.length + size] ?? 0;
      assert.ok(bought > sold && sold > 0);
    }
  });

  test('a venue whose books cannot be fetched loses only its own samples', async (t) => {
    const clock = new ManualClock(START_MS);
    const service = await running(t, { clock });
    await collectOnce(service);
    service.sim.setFaults('okx', { errorStatus: 500 });
    const { samples } = service.service;
    const pump = setInterval(() => clock.advanceMs(20), 5);
    await samples.fetchBooks(clock.nowMs() + 30_000);
    clearInterval(pump);
    clock.advanceMs(31_000);
    service.sim.setFaults('okx', {});
    await samples.sample(minuteOf(clock.nowMs()));
    assert.equal(await samples.store.nextAfter(0), null, 'prices older than 30 s are not used');
    service.sim.setFaults('okx', { errorStatus: 500 });
    await collectOnce(service);
    const { market } = service.service.context;
    const isNew = ({ topAtMs }: { topAtMs: number }) => clock.nowMs() - topAtMs < 10_000;
    const hasNewTops = (slug: string) =>
      market.states().filter((state) => state.venue.slug === slug && isNew(state)).length > 15;
    await until(() => hasNewTops('binance') && hasNewTops('hyperliquid'), 'new tops from the streams');
    await samples.sample(minuteOf(clock.nowMs()));
    const [sample] = decodeSamples((await samples.store.nextAfter(0))?.block ?? new Uint8Array());
    const exchanges = new Set(
      [...(sample?.ids ?? [])].map((id) => samples.store.contracts.find((one) => one.id === id)?.exchange),
    );
    assert.deepEqual([...exchanges].sort(), ['Binance', 'Hyperliquid']);
  });

  test('a bulk-fetched past and the live market give the same prices for the same minute', async (t) => {
    const clock = new ManualClock(START_MS);
    const service = await running(t, { clock });
    await collectOnce(service);
    const { samples, context } = service.service;
    const pump = setInterval(() => clock.advanceMs(20), 5);
    await samples.fetchBooks(clock.nowMs() + 30_000);
    clearInterval(pump);
    const liveMs = clock.nowMs();
    const minute = minuteOf(liveMs);
    await samples.sample(minute + 1);
    const [live] = decodeSamples((await samples.store.nextAfter(minute))?.block ?? new Uint8Array());
    const other = await running(t, { clock: new ManualClock(START_MS), isCollecting: false });
    const { store } = other.service.samples;
    await samplePast({
      simUrl: service.sim.url,
      market: context.market,
      store,
      firstCoin: 0,
      coins: 20,
      range: { fromMinute: minute - 89, toMinute: minute },
      signal: new AbortController().signal,
    });
    assert.deepEqual(await store.span(), { firstMinute: minute - 89, lastMinute: minute });
    let last: ReturnType<typeof decodeSamples>[number] | undefined;
    for (let read = minute - 2; ; ) {
      const block = await store.nextAfter(read);
      if (!block) break;
      last = decodeSamples(block.block).at(-1);
      read = block.startMinute + block.minutes - 1;
    }
    const priceOf = (sample: typeof live, from: typeof store, key: string) => {
      const contract = from.contracts.find((one) => `${one.exchange}/${one.venueSymbol}` === key);
      const place = sample?.ids.indexOf(contract?.id ?? 0) ?? -1;
      return place < 0 ? null : sample?.prices[place * PRICE_COLUMNS];
    };
    let compared = 0;
    for (const { exchange, venueSymbol } of store.contracts) {
      const key = `${exchange}/${venueSymbol}`;
      const [past, now] = [priceOf(last, store, key), priceOf(live, samples.store, key)];
      if (!past || !now) continue;
      compared++;
      assert.ok(Math.abs(past / now - 1) < 0.01, `${key}: ${past} in the past, ${now} live`);
    }
    assert.ok(compared > 40, `${compared} contracts compared`);
  });
});

suite('backtest in the service', () => {
  test('after a restart it serves the last result at once, then the rows that a run without a restart has', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-backtest-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const nowMinute = minuteOf(START_MS);
    const first = await runService({
      venues: ['binance'],
      coins: 10,
      dataDir,
      clock: new ManualClock(START_MS),
    });
    await storeMarket(first.service.samples.store, EXCHANGES, nowMinute - 1500, nowMinute);
    await first.service.backtest.catchUp();
    const before = await backtestRows(first);
    assert.ok(before.data.spreads.length > 20);
    await first.stop();

    const laterMs = msOfMinute(nowMinute + 240);
    const second = await runService({
      venues: ['binance'],
      coins: 10,
      dataDir,
      clock: new ManualClock(laterMs),
    });
    t.after(() => second.stop());
    assert.deepEqual(
      await backtestRows(second),
      relinked(before, second),
      'the last result, with its own as_of',
    );
    await storeMarket(second.service.samples.store, EXCHANGES, nowMinute + 1, nowMinute + 240);
    await second.service.backtest.catchUp();
    const after = await backtestRows(second);
    assert.equal(Date.parse(after.meta.as_of), laterMs);

    const never = await running(t, { venues: ['binance'], coins: 10, clock: new ManualClock(laterMs) });
    await storeMarket(never.service.samples.store, EXCHANGES, nowMinute - 1500, nowMinute + 240);
    await never.service.backtest.catchUp();
    for (const sizeUsd of SIZES_USD)
      assert.deepEqual(
        (await backtestRows(second, sizeUsd)).data,
        (await backtestRows(never, sizeUsd)).data,
        `${sizeUsd} USD`,
      );
  });

  test('an overload stops it once; with the next minute it continues', async (t) => {
    const clock = new ManualClock(START_MS);
    const nowMinute = minuteOf(START_MS);
    const service = await running(t, { venues: ['binance'], coins: 10, clock });
    const { samples, backtest, context } = service.service;
    await storeMarket(samples.store, EXCHANGES, nowMinute - 1500, nowMinute);
    await backtest.catchUp();
    const shed = t.mock.method(context.load, 'sheds', () => true);
    clock.advanceMs(60_000);
    await storeMarket(samples.store, EXCHANGES, nowMinute + 1, nowMinute + 1);
    await backtest.catchUp();
    const asOf = async () => Date.parse((await backtestRows(service)).meta.as_of);
    assert.equal(await asOf(), START_MS, 'under overload it waits');
    shed.mock.restore();
    await backtest.catchUp();
    assert.equal(await asOf(), msOfMinute(nowMinute + 1));
  });

  test('the developer pages have the rule, the formulas and the worked example', async (t) => {
    const { service } = await running(t, {
      venues: ['binance'],
      coins: 10,
      clock: new ManualClock(START_MS),
    });
    const page = async (path: string) => {
      const reply = await fetch(`${service.baseUrl}${path}`);
      assert.equal(reply.status, 200, path);
      return await reply.text();
    };
    const guide = await page('/developers');
    assert.ok(guide.includes(`href="${service.baseUrl}/developers/backtest"`));
    const formula = 'exit  = (sell A - buy B) / buy B x 100';
    assert.ok(guide.includes(formula));
    const whole = await page('/developers/backtest');
    for (const text of [
      '(sell A - buy B) / buy B x 100',
      '<td>0.58598485</td>',
      'href="/developers/spreads"',
    ])
      assert.ok(whole.includes(text), text);
    assert.ok((await page('/developers/backtest.md')).startsWith('# Spreads: the backtest'));
  });

  test('perpwire backtest rebuild computes the same rows, and a running service loads the result', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-backtest-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const clock = new ManualClock(START_MS);
    const nowMinute = minuteOf(START_MS);
    const service = await running(t, { venues: ['binance'], coins: 10, dataDir, clock });
    const { store } = service.service.samples;
    await storeMarket(store, EXCHANGES, nowMinute - 1500, nowMinute);
    await service.service.backtest.catchUp();
    const before = await backtestRows(service);

    const finished = await perpwire(['backtest', 'rebuild'], { DATA_DIR: dataDir });
    assert.equal(finished.code, 0, finished.stderr);
    assert.match(finished.stdout, /100 %/);
    assert.match(finished.stdout, new RegExp(`100 USD: ${before.data.spreads.length} rows`));
    const checkpoints = await service.service.context.storage.db
      .selectFrom('backtest_checkpoints')
      .select(['minute', 'writer'])
      .orderBy('minute', 'desc')
      .execute();
    assert.equal(checkpoints[0]?.minute, nowMinute);

    clock.advanceMs(60_000);
    await storeMarket(store, EXCHANGES, nowMinute + 1, nowMinute + 1);
    await service.service.backtest.catchUp();
    const after = await backtestRows(service);
    assert.equal(Date.parse(after.meta.as_of), msOfMinute(nowMinute + 1));
    const progress = await service.service.metrics.backtestProgress.get();
    assert.equal(progress.values[0]?.value, 1);
  });

  test('perpwire backtest rebuild without samples prints a message', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-backtest-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const finished = await perpwire(['backtest', 'rebuild'], { DATA_DIR: dataDir });
    assert.equal(finished.code, 0, finished.stderr);
    assert.match(finished.stdout, /no depth samples yet/);
  });

  for (const [args, message] of [
    [['backtest'], /backtest has rebuild/],
    [['backtest', 'now'], /backtest has rebuild/],
    [
      ['backtest', 'rebuild', '--backtest-days', '0'],
      /--backtest-days takes a whole number from 1 to 30; it is "0"/,
    ],
    [['backtest', 'rebuild', '--size', '25'], /--size/],
  ] as const) {
    test(`perpwire ${args.join(' ')} names the fault`, async () => {
      const finished = await perpwire(args);
      assert.equal(finished.code, 1);
      assert.match(finished.stderr, message);
      assert.doesNotMatch(finished.stderr, /\n\s+at /, 'no stack');
    });
  }
});

/** Replaces the address in links, which is another one after the restart. */
function relinked(answer: Answer, { service }: Running): Answer {
  const text = JSON.stringify(answer).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, service.baseUrl);
  return JSON.parse(text) as Answer;
}
