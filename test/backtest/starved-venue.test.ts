import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { samplePast } from '../../src/commands/demo/past-samples.ts';
import { Backtest } from '../../src/engines/backtest/engine.ts';
import { backtestBasis } from '../../src/engines/backtest/running/basis.ts';
import { decodeSamples } from '../../src/history/samples/codec.ts';
import {
  type MinuteSample,
  minuteOf,
  msOfMinute,
  SIZES_USD,
  type SizeUsd,
} from '../../src/history/samples/model.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import type { ContractState } from '../../src/market/contract-state.ts';
import { freshSqlite, openFor } from '../storage/databases.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';
import { rowsOfEngine } from './setting.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 0);
const COINS = 40;
/** Before the starvation, so that there are medians. */
const PAST_MINUTES = 150;
/** Until then a stream that sends the same quotes again and again counts as quiet, not as frozen. */
const STARVED_MINUTES = 9;
const MINUTES_AFTER = 3;
const FIRST = minuteOf(START_MS) + 1;
const LAST = FIRST + STARVED_MINUTES + MINUTES_AFTER - 1;

suite('while a venue sends old quotes as if they were new', () => {
  test('the backtest has no cycle that the true books do not have, and other venues lose no minute', async (t) => {
    const service = await runService({
      venues: ['binance', 'okx', 'deribit'],
      coins: COINS,
      clock: new ManualClock(START_MS),
    });
    t.after(() => service.stop());
    const { store } = service.service.samples;
    await collectOnce(service, { latestMs: START_MS });
    await storeTrueBooks(service, store, FIRST - 1);
    service.sim.setFaults('deribit', { frozen: true });
    await sampleMinutes(service, FIRST, FIRST + STARVED_MINUTES - 1);
    service.sim.setFaults('deribit', {});
    await sampleMinutes(service, FIRST + STARVED_MINUTES, LAST);
    await service.service.backtest.catchUp();

    const truth = await newStore(t);
    await storeTrueBooks(service, truth, LAST);
    const engine = new Backtest({
      ...backtestBasis(7),
      contractOf: (id) => truth.contracts.find((contract) => contract.id === id),
    });
    for (const sample of await samplesOf(truth)) engine.advance(sample);
    for (const sizeUsd of SIZES_USD) {
      const real = rowsOfEngine(engine, sizeUsd).map(pairOf);
      const phantoms = (await servedPairs(service, sizeUsd)).filter((pair) => !real.includes(pair));
      assert.deepEqual(phantoms, [], `${sizeUsd} USD`);
    }

    const live = (await samplesOf(store)).filter(({ minute }) => minute >= FIRST);
    assert.equal(live.length, STARVED_MINUTES + MINUTES_AFTER);
    const countsOf = (exchange: string) => live.map((sample) => contractsOf(sample, store, exchange));
    for (const healthy of ['Binance', 'OKX']) {
      const counts = countsOf(healthy);
      for (const count of counts) assert.ok(count >= 0.95 * Math.max(...counts), `${healthy}: ${counts}`);
    }
    const starved = countsOf('Deribit');
    assert.deepEqual(
      starved.slice(0, STARVED_MINUTES),
      Array(STARVED_MINUTES).fill(0),
      'late minutes are gaps',
    );
    assert.ok(
      starved.slice(STARVED_MINUTES).every((count) => count > 20),
      `back at once: ${starved}`,
    );
    const counted = (await service.service.metrics.depthSamples.get()).values;
    assert.deepEqual(
      [
        ...new Set(
          counted.filter(({ labels }) => labels.outcome === 'late').map(({ labels }) => labels.exchange),
        ),
      ],
      ['Deribit'],
    );
  });
});

/** The books of the simulator itself, which no fault changes, as samples. */
async function storeTrueBooks({ sim, service }: Running, store: SampleStore, toMinute: number) {
  await samplePast({
    simUrl: sim.url,
    market: service.context.market,
    store,
    firstCoin: 0,
    coins: COINS,
    range: { fromMinute: FIRST - PAST_MINUTES, toMinute },
    signal: new AbortController().signal,
  });
}

async function sampleMinutes(running: Running, fromMinute: number, toMinute: number): Promise<void> {
  const { sim, service, clock } = running;
  for (let minute = fromMinute; minute <= toMinute; minute++) {
    (clock as ManualClock).setMs(msOfMinute(minute) - 2000);
    await collectOnce(running, { latestMs: msOfMinute(minute) });
    (clock as ManualClock).setMs(msOfMinute(minute));
    sim.push();
    const isNew = ({ venue, topAtMs }: ContractState) =>
      venue.slug === 'deribit' && topAtMs === clock.nowMs();
    await until(() => service.context.market.states().filter(isNew).length > 20, 'the tops of the stream');
    await service.samples.sample(minute);
  }
}

async function newStore(t: TestContext): Promise<SampleStore> {
  const store = new SampleStore(await openFor(t, await freshSqlite(t)));
  await store.open();
  return store;
}

async function samplesOf(store: SampleStore): Promise<MinuteSample[]> {
  const samples: MinuteSample[] = [];
  let read = 0;
  for (let block = await store.nextAfter(read); block; block = await store.nextAfter(read)) {
    samples.push(...decodeSamples(block.block));
    read = block.startMinute + block.minutes - 1;
  }
  return samples;
}

function contractsOf({ ids }: MinuteSample, { contracts }: SampleStore, exchange: string): number {
  const its = new Set(contracts.filter((one) => one.exchange === exchange).map(({ id }) => id));
  return ids.filter((id) => its.has(id)).length;
}

async function servedPairs(service: Running, sizeUsd: SizeUsd): Promise<string[]> {
  const reply = await service.get(`/api/v1/spreads/backtest?limit=500&size_usd=${sizeUsd}`);
  assert.equal(reply.status, 200, reply.text.slice(0, 200));
  const { data } = reply.body as { data: { spreads: Parameters<typeof pairOf>[0][] } };
  return data.spreads.map(pairOf);
}

function pairOf(row: { coin: string; exchange_a: string; exchange_b: string; cycles: number }): string {
  return `${row.coin} ${row.exchange_a} ${row.exchange_b}, ${row.cycles} cycles`;
}
