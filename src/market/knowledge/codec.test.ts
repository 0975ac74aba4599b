import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { ShapeError } from '../../base/parsing.ts';
import { type Batch, emptyBatch } from '../../venues/observations.ts';
import { okx as venue } from '../../venues/okx/venue.ts';
import { MarketIntake } from '../intake.ts';
import { LatestMarket } from '../latest.ts';
import { decodeKnowledge, encodeKnowledge } from './codec.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 7);
const quote = { venueSymbol: 'A', ratePct: 0.02, nextFundingAtMs: null, intervalHours: 8, venueTimeMs: null };
const figures = { venueSymbol: 'A', markPrice: 1.5, indexPrice: null, openInterestUsdt: 0 };

function opened() {
  const market = new LatestMarket(createMetrics(), createLog('silent'));
  return { market, intake: new MarketIntake(market) };
}

function batchOf(part: string, ...symbols: string[]): Batch {
  return {
    ...emptyBatch(),
    contractList: { part, contracts: symbols.map((symbol) => fakeContract(symbol)) },
  };
}

suite('what is known of a venue, stored and read again', () => {
  test('it has the newest values with their true ages, and newer ones stay', async () => {
    const [before, after] = [opened(), opened()];
    const batch: Batch = { ...batchOf('linear', 'A'), fundingQuotes: [quote], marketFigures: [figures] };
    before.intake.accept(venue, batch, NOW_MS - 60_000);
    const knowledge = await decodeKnowledge(await encodeKnowledge(before.intake.knowledgeOf(venue)));
    after.intake.learn(venue, knowledge, NOW_MS);
    const [state] = after.market.states();
    assert.deepEqual(state, before.market.states()[0]);
    assert.equal(state?.rateAtMs, NOW_MS - 60_000);
    assert.deepEqual(state?.figures?.markPrice, { value: 1.5, atMs: NOW_MS - 60_000 });
    after.intake.accept(venue, { ...emptyBatch(), fundingQuotes: [{ ...quote, ratePct: 0.03 }] }, NOW_MS);
    after.intake.learn(venue, knowledge, NOW_MS);
    assert.equal(after.market.states()[0]?.ratePct, 0.03);
  });

  test('open interest keeps its count, and whether a call or a stream gave it', async () => {
    const [before, after] = [opened(), opened()];
    const interest = { ...figures, markPrice: null, openInterestUsdt: 2e7 };
    const listed = { ...batchOf('linear', 'A'), marketFigures: [{ ...interest, openInterestCount: 7 }] };
    const streamed: Batch = {
      ...emptyBatch(),
      marketFigures: [{ ...interest, openInterestUsdt: 3e7 }],
      isStreamed: true,
    };
    const volume = { venueSymbol: 'A', volume24hUsdt: 5e6, referencePrice: null, volumeCount: 11 };
    for (const batch of [listed, streamed, { ...emptyBatch(), dayVolumes: [volume] }])
      before.intake.accept(venue, batch, NOW_MS);
    after.intake.learn(
      venue,
      await decodeKnowledge(await encodeKnowledge(before.intake.knowledgeOf(venue))),
      NOW_MS,
    );
    const [state] = after.market.states();
    assert.deepEqual(state?.figures?.openInterestUsdt, {
      ...{ value: 3e7, atMs: NOW_MS, count: 7, isStreamed: true },
      otherSource: { value: 2e7, atMs: NOW_MS },
    });
    assert.equal(state?.volumeCount, 11);
    assert.deepEqual(state, before.market.states()[0]);
  });

  test('an index that an earlier version stored without its beginning counts from its last confirmation', async () => {
    const values = opened();
    values.intake.accept(venue, { ...batchOf('linear', 'A'), marketFigures: [figures] }, NOW_MS);
    const stored = values.intake.knowledgeOf(venue);
    const index = { indexPrice: { value: 7, atMs: NOW_MS } };
    const old = { ...stored, values: stored.values.map((value) => ({ ...value, figures: index })) };
    const { values: read } = await decodeKnowledge(zstdCompressSync(JSON.stringify(old)));
    assert.deepEqual(read[0]?.figures, { indexPrice: { value: 7, atMs: NOW_MS, sinceMs: NOW_MS } });
  });

  test('of a machine whose clock is ahead it has no time after now', async () => {
    const [before, after] = [opened(), opened()];
    const top = { venueSymbol: 'A', bidPrice: 1, bidSize: 1, askPrice: 1.1, askSize: 1, venueTimeMs: null };
    const batch: Batch = { ...batchOf('linear', 'A'), bookTops: [top], marketFigures: [figures] };
    before.intake.accept(venue, batch, NOW_MS + 700);
    after.intake.learn(venue, before.intake.knowledgeOf(venue), NOW_MS);
    const [state] = after.market.states();
    assert.equal(state?.topAtMs, NOW_MS);
    assert.equal(state?.figures?.markPrice?.atMs, NOW_MS);
  });

  test('the first part of the lists that a process reads does not remove the other, which it recalled', () => {
    const { market, intake } = opened();
    for (const batch of [batchOf('linear', 'A'), batchOf('inverse', 'X'), batchOf('linear', 'A', 'B')])
      intake.accept(venue, batch, NOW_MS);
    const symbols = market.states().map(({ contract }) => contract.venueSymbol);
    assert.deepEqual(symbols.sort(), ['A', 'B', 'X']);
  });

  const part = { part: 'linear', atMs: 1, contracts: [fakeContract('A')] };
  const contract = (changed: object) => ({
    parts: [{ ...part, contracts: [{ ...fakeContract('A'), ...changed }] }],
    values: [],
  });
  const bad: [string, unknown][] = [
    ['content that is null', null],
    ['content without values', { parts: [] }],
    ['values that miss fields', { parts: [], values: [{ venueSymbol: 'A', rateAtMs: 1, rolls: [] }] }],
    ['a part without a time', { parts: [{ ...part, atMs: undefined }], values: [] }],
    ['contracts that are no list', { parts: [{ ...part, contracts: {} }], values: [] }],
    ['a contract with an unknown status', contract({ status: 'asleep' })],
    ['a contract with an unknown asset class', contract({ assetClass: 'art' })],
    ['a contract whose inverse flag is a number', contract({ isInverse: 0 })],
  ];
  for (const [name, content] of bad)
    test(`refuses ${name}`, () =>
      assert.rejects(decodeKnowledge(zstdCompressSync(JSON.stringify(content))), ShapeError));

  test('refuses bytes that are not compressed', () => assert.rejects(decodeKnowledge(Buffer.from('{}'))));
});
