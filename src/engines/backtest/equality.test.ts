import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { market, marketSeed } from '../../../test/backtest/markets.ts';
import { type ReferenceInput, referenceRows } from '../../../test/backtest/reference.ts';
import { engineOf, ruleRows, walked } from '../../../test/backtest/setting.ts';
import { decodeSamples, encodeSamples } from '../../history/samples/codec.ts';
import { MINUTES_PER_BLOCK, type MinuteSample, SIZES_USD } from '../../history/samples/model.ts';
import { decodeTable } from '../../market/tables/table-codec.ts';
import { captureState } from './capture-state.ts';
import type { Backtest } from './engine.ts';
import { BACKTEST_TABLES } from './rows.ts';
import { lookBackMinutes } from './rule.ts';
import { LocalBacktest } from './running/host.ts';
import { basisOf, decodeState, encodeState } from './state.ts';

const RUNS = { numRuns: 40 };

function allRows(engine: Backtest) {
  return SIZES_USD.map((sizeUsd) => ruleRows(engine, sizeUsd));
}

function referenceOf(input: ReferenceInput) {
  return SIZES_USD.map((_, size) => referenceRows(input, size as 0 | 1 | 2));
}

/** Stops after some samples, saves the state, and resumes in another engine that reads only the samples still stored. */
function restarted(input: ReferenceInput, afterSamples: number): Backtest {
  const first = walked({ ...input, samples: input.samples.slice(0, afterSamples) });
  const basis = basisOf(input.rule, input.takerFeesPct);
  const state = decodeState(encodeState(captureState(first, basis)));
  assert.equal(state.basis, basis);
  const second = engineOf(input);
  second.resume(state);
  const heldFrom = state.minute - lookBackMinutes(input.rule);
  for (const sample of input.samples) if (sample.minute > heldFrom) second.advance(sample);
  return second;
}

suite('backtest against the reference', () => {
  test('random markets: the engine has the same rows, for all three sizes', () => {
    let rows = 0;
    fc.assert(
      fc.property(marketSeed, (seed) => {
        const input = market(seed);
        const expected = referenceOf(input);
        rows += expected.flat().length;
        assert.deepEqual(allRows(walked(input)), expected);
      }),
      RUNS,
    );
    assert.ok(rows > 100, `the markets must make rows to compare; they made ${rows}`);
  });

  test('random markets: a restart in the middle gives the same rows', () => {
    fc.assert(
      fc.property(marketSeed, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (seed, share) => {
        const input = market(seed);
        const expected = allRows(walked(input));
        assert.deepEqual(allRows(restarted(input, Math.ceil(input.samples.length * share))), expected);
      }),
      RUNS,
    );
  });

  test('random markets: recomputing from packed blocks gives the same rows', () => {
    fc.assert(
      fc.property(marketSeed, (seed) => {
        const input = market(seed);
        const blocks: Buffer[] = [];
        for (let i = 0; i < input.samples.length; i += 60)
          blocks.push(encodeSamples(input.samples.slice(i, i + 60)));
        const stored = blocks.flatMap((block) => decodeSamples(block));
        assert.deepEqual(allRows(walked({ ...input, samples: stored })), allRows(walked(input)));
      }),
      RUNS,
    );
  });

  test('random markets: rows at any minute are those of a walk that ends there', () => {
    fc.assert(
      fc.property(marketSeed, fc.double({ min: 0.1, max: 1, noNaN: true }), (seed, share) => {
        const input = market(seed);
        const samples = input.samples.slice(0, Math.ceil(input.samples.length * share));
        assert.deepEqual(allRows(walked({ ...input, samples })), referenceOf({ ...input, samples }));
      }),
      RUNS,
    );
  });
});

suite('no look-ahead', () => {
  const share = fc.double({ min: 0.1, max: 0.9, noNaN: true });
  const factors = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 1, maxLength: 20 });

  test('changing samples after t changes no report up to t', () => {
    let cycles = 0;
    fc.assert(
      fc.property(marketSeed, share, factors, (seed, until, changes) => {
        const { input, changed, count } = changedAfter(market(seed), until, changes);
        const [reported, reportedAfterChange] = [reports(input, count), reports(changed, count)];
        cycles += reported.closed.length;
        assert.deepEqual(reportedAfterChange, reported);
      }),
      RUNS,
    );
    assert.ok(cycles > 20, `there must be something to change; there were ${cycles} cycles`);
  });

  test('changing samples after t changes no report up to t inside an hour that is read as one block', async () => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(marketSeed, share, factors, async (seed, until, changes) => {
        const { input, changed, count } = changedAfter(market(seed), until, changes);
        const reported = await reportsOfBlocks(input, count);
        rows += reported.flat(2).length;
        assert.deepEqual(await reportsOfBlocks(changed, count), reported);
      }),
      RUNS,
    );
    assert.ok(rows > 100, `there must be something to change; there were ${rows} rows`);
  });
});

/** A market, and the same market with other prices in every sample after the first `count`. */
function changedAfter(input: ReferenceInput, share: number, factors: readonly number[]) {
  const count = Math.ceil(input.samples.length * share);
  const samples = input.samples.map((sample, i) =>
    i < count ? sample : scaled(sample, factors[i % factors.length] ?? 1),
  );
  return { input, changed: { ...input, samples }, count };
}

/** The reports after each of the first samples, by an engine that continues to the end. */
function reports(input: ReferenceInput, count: number) {
  const engine = engineOf(input);
  const rows: unknown[] = [];
  for (const [i, sample] of input.samples.entries()) {
    engine.advance(sample);
    if (i < count && (i % 7 === 0 || i === count - 1)) rows.push(allRows(engine));
  }
  // A cycle that closed up to t must be the same at the end, with the same profit.
  const lastMinute = input.samples[count - 1]?.minute ?? 0;
  return { rows, closed: engine.cycles.all.filter((cycle) => cycle.closeMinute <= lastMinute) };
}

/** The same from stored hours: the engine already has the samples after t when it reports t. */
async function reportsOfBlocks(input: ReferenceInput, count: number): Promise<string[][][]> {
  const host = new LocalBacktest();
  await host.begin(input, null, input.contracts);
  const reported: string[][][] = [];
  for (let from = 0; from < count; from += MINUTES_PER_BLOCK) {
    const hour = input.samples.slice(from, from + MINUTES_PER_BLOCK);
    const reportAt = hour
      .filter((_, i) => from + i < count && (i % 7 === 0 || from + i === count - 1))
      .map((sample) => sample.minute);
    const outcome = await host.take({ block: encodeSamples(hour), contracts: [], reportAt });
    assert.equal(outcome.reports.length, reportAt.length);
    for (const { sizes } of outcome.reports)
      reported.push(
        sizes.map(({ sizeUsd, rowCount, frame }) => {
          const table = decodeTable(frame, BACKTEST_TABLES[sizeUsd]);
          return Array.from({ length: rowCount }, (_, row) => table?.rowJson(row) ?? '');
        }),
      );
  }
  return reported;
}

function scaled(sample: MinuteSample, factor: number): MinuteSample {
  return { ...sample, prices: sample.prices.map((price) => price * factor) };
}
