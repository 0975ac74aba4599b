import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Universe } from '../../sim/contracts.ts';
import type { SimVenue } from '../../sim/venue.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import { DAY_MS } from '../../src/base/times.ts';
import type { MarketFigures, Settlement } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { baseSize, usdtFromContracts } from '../../src/venues/units.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { type Observed, observeSim } from '../support/observe.ts';

/** Encodes simulator states and parses them back: rates, intervals, times, prices, sizes, volumes, figures, prints. */
const START_MS = Date.UTC(2025, 5, 1);
const randomMoment = fc
  .integer({ min: 0, max: 400 * 24 * 60 })
  .map((minutes) => START_MS + minutes * 60_000 + 1234);

function simOf(slug: string): SimVenue {
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === slug);
  if (!sim) throw new Error(`no simulator for ${slug}`);
  return sim;
}

function close(actual: number | null | undefined, wanted: number, what: string, tolerance = 1e-9): void {
  assert.ok(typeof actual === 'number', `${what}: ${actual} is not a number`);
  assert.ok(Math.abs(actual - wanted) <= Math.abs(wanted) * tolerance, `${what}: ${actual} is not ${wanted}`);
}

/** The figures of each contract over all replies: a call may give only some of them. */
function figuresBySymbol(rows: readonly MarketFigures[]): Map<string, MarketFigures> {
  const bySymbol = new Map<string, MarketFigures>();
  for (const row of rows) {
    const before = bySymbol.get(row.venueSymbol);
    bySymbol.set(row.venueSymbol, {
      venueSymbol: row.venueSymbol,
      markPrice: row.markPrice ?? before?.markPrice ?? null,
      indexPrice: row.indexPrice ?? before?.indexPrice ?? null,
      openInterestUsdt: row.openInterestUsdt ?? before?.openInterestUsdt ?? null,
    });
  }
  return bySymbol;
}

/** A figure is there exactly if one of the venue's calls says that it gives it. */
function checkFigure(
  { polls, streams }: Venue,
  topic: 'mark price' | 'index price' | 'open interest',
  actual: number | null | undefined,
  wanted: number,
  tolerance: number,
  name: string,
): void {
  if (![...polls, ...streams].some(({ gives }) => gives.includes(topic))) {
    assert.equal(actual ?? null, null, `${name}: no call says that it gives the ${topic}`);
    return;
  }
  assert.ok(
    Math.abs((actual ?? Number.NaN) - wanted) <= tolerance * 1.001,
    `${name} ${topic} ${actual} is not ${wanted}`,
  );
}

async function checkMoment(slug: string, atMs: number, seed: number, coins: number): Promise<Observed> {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  if (!venue) throw new Error(`no venue ${slug}`);
  const sim = simOf(slug);
  const view = viewAt(new Universe(seed, coins), sim.profile, atMs);
  const observed = await observeSim(venue, sim, view);
  const { batch, contracts } = observed;
  assert.deepEqual(batch.rejected, [], 'nothing is rejected');
  const tops = new Map(batch.bookTops.map((top) => [top.venueSymbol, top]));
  const volumes = new Map(batch.dayVolumes.map((volume) => [volume.venueSymbol, volume]));
  const figures = figuresBySymbol(batch.marketFigures);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));
  const schedules = new Map(batch.fundingSchedules.map((schedule) => [schedule.venueSymbol, schedule]));
  assert.ok(view.open.length > 10, 'the simulator lists contracts');
  for (const truth of view.open) {
    const name = `${slug} ${truth.venueSymbol}`;
    const contract = contracts.get(truth.venueSymbol);
    assert.ok(contract, `${name} is in the contract list`);
    assert.equal(contract.base, truth.base, name);
    assert.equal(contract.quote, truth.quote, name);
    assert.equal(contract.settle, truth.settle, name);
    assert.equal(contract.isInverse, truth.isInverse, name);
    close(contract.contractSize, truth.contractSize, `${name} contract size`);
    const state = view.quote(truth);
    const published = sim.publishes?.(truth, state, view) ?? {};
    const wanted = {
      ratePct: state.rateE8 / 1e6,
      intervalHours: state.intervalHours,
      nextFundingAtMs: state.nextFundingAtMs,
      ...published,
    };
    const quote = quotes.get(truth.venueSymbol);
    if (sim.showsPassedSettlement?.(truth, view)) {
      assert.equal(quote, undefined, `${name} shows the settlement that has passed`);
    } else {
      assert.ok(quote, `${name} has a funding quote`);
      assert.equal(quote.ratePct, wanted.ratePct, `${name} rate`);
      const schedule = schedules.get(truth.venueSymbol);
      assert.equal(
        quote.intervalHours ?? schedule?.intervalHours ?? contract.intervalHours,
        wanted.intervalHours,
        `${name} interval`,
      );
      assert.equal(
        quote.nextFundingAtMs ?? schedule?.nextFundingAtMs ?? null,
        wanted.nextFundingAtMs,
        `${name} next settlement`,
      );
    }
    const top = tops.get(truth.venueSymbol);
    if (venue.facts.noBook === undefined) {
      assert.ok(top, `${name} has a book top`);
      assert.equal(top.bidPrice, state.bidPrice, `${name} bid`);
      assert.equal(top.askPrice, state.askPrice, `${name} ask`);
    } else assert.equal(top, undefined, `${name} has no book`);
    if (top && sim.givesSizes !== false) {
      close(top.bidSize, baseSize(contract, state.bidContracts, state.bidPrice), `${name} bid size`);
      close(top.askSize, baseSize(contract, state.askContracts, state.askPrice), `${name} ask size`);
    }
    // Volumes pass through whole contracts and rounded prices, so they agree within a fraction of a percent.
    const volume = volumes.get(truth.venueSymbol);
    assert.ok(
      Math.abs((volume?.volume24hUsdt ?? 0) - state.volume24hUsd) <=
        state.volume24hUsd * 0.01 + 2 * truth.contractSize * (truth.isInverse ? 1 : state.markPrice),
      `${name} volume ${volume?.volume24hUsdt} is not ${state.volume24hUsd}`,
    );
    const given = figures.get(truth.venueSymbol);
    const tick = 10 ** -truth.priceDecimals;
    const { markPrice, indexPrice, openInterestContracts } = { ...state, ...published };
    checkFigure(venue, 'mark price', given?.markPrice, markPrice, tick, name);
    checkFigure(venue, 'index price', given?.indexPrice, indexPrice, tick, name);
    const priceUsdt = markPrice * state.quoteCoinUsd;
    const wantedUsdt = usdtFromContracts(contract, openInterestContracts, priceUsdt);
    const oneContractUsdt = usdtFromContracts(contract, 1, priceUsdt);
    const roundedUsdt = 0.01 * wantedUsdt + oneContractUsdt;
    checkFigure(venue, 'open interest', given?.openInterestUsdt, wantedUsdt, roundedUsdt, name);
  }
  return observed;
}

const PAST_MS = Date.UTC(2026, 2, 3, 4, 5);
/** A venue at one time, read through its wire format. */
async function observePast(venue: Venue, universe: Universe) {
  const sim = simOf(venue.slug);
  const view = viewAt(universe, sim.profile, PAST_MS);
  return { sim, view, ...(await observeSim(venue, sim, view)) };
}

/** What every venue must show, for a number of coins of which the prints of some are walked. */
export function testRoundTrips({ coins, walked }: { coins: number; walked: number }): void {
  const pastUniverse = new Universe(3, coins);
  for (const venue of VENUES) {
    let past: ReturnType<typeof observePast> | null = null;
    /** Two tests read it, and neither changes it. */
    const observedPast = () => {
      past ??= observePast(venue, pastUniverse);
      return past;
    };

    test(`${venue.facts.exchange}: random states come back from the wire`, async () => {
      await fc.assert(
        fc.asyncProperty(randomMoment, fc.integer({ min: 1, max: 50 }), async (atMs, seed) => {
          await checkMoment(venue.slug, atMs, seed, coins);
        }),
        { numRuns: 6 },
      );
    });

    test(`${venue.facts.exchange}: settled prints are walked page by page without hole or error`, async () => {
      const { sim, view, contracts, context } = await observedPast();
      const nowMs = PAST_MS;
      const days = Math.min(venue.settlementDepthDays ?? 120, 120);
      const fromMs = nowMs - (days - 1) * DAY_MS;
      for (const truth of view.open.filter((contract) => contract.listedAtMs < fromMs).slice(0, walked)) {
        const contract = contracts.get(truth.venueSymbol);
        assert.ok(contract);
        const found = new Map<number, Settlement>();
        let window: { fromMs: number; toMs: number } | null = { fromMs, toMs: nowMs };
        for (let pages = 0; window !== null; pages++) {
          assert.ok(pages < 3000, 'paging ends');
          const page = await venue.settlements(contract, window, context);
          assert.deepEqual(page.rejected, []);
          for (const print of page.settlements) found.set(Math.round(print.settledAtMs / 60_000), print);
          window = page.next;
        }
        const inside = [...found].filter(([minute]) => minute * 60_000 >= fromMs).sort(([a], [b]) => a - b);
        const wanted =
          sim.settledPrints?.(truth, view, fromMs, nowMs) ??
          view
            .settlements(truth, fromMs, nowMs)
            .map((s) => ({ settledAtMs: s.settledAtMs, ratePct: s.rateE8 / 1e6 }));
        assert.deepEqual(
          inside.map(([minute, print]) => [minute * 60_000, print.ratePct]),
          wanted.map((print) => [print.settledAtMs, print.ratePct]),
          `${venue.slug} ${truth.venueSymbol}`,
        );
      }
    });

    if (venue.facts.noBook !== undefined) continue;
    test(`${venue.facts.exchange}: order books come back from the wire`, async () => {
      const { sim, view, contracts, depthOf } = await observedPast();
      for (const truth of view.open.slice(0, 25)) {
        const contract = contracts.get(truth.venueSymbol);
        assert.ok(contract);
        const depth = await depthOf(contract);
        const book = view.book(truth, depth.bids.length);
        const least = sim.bookLevels ?? 2;
        assert.ok(Math.min(depth.bids.length, depth.asks.length) >= least, `${truth.venueSymbol} has levels`);
        for (const [name, levels, sideOfBook] of [
          ['bid', depth.bids, book.bids],
          ['ask', depth.asks, book.asks],
        ] as const) {
          for (const [i, [price, size]] of levels.entries()) {
            const level = sideOfBook[i];
            assert.ok(level);
            close(price, level[0], `${truth.venueSymbol} ${name} ${i} price`);
            close(size, baseSize(contract, level[1], level[0]), `${truth.venueSymbol} ${name} ${i} size`);
          }
        }
      }
    });
  }
}
