import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SimContract, Universe } from '../../sim/contracts.ts';
import type { SimQuote } from '../../sim/market.ts';
import type { Namesake } from '../../sim/namesakes.ts';
import type { SimVenue } from '../../sim/venue.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { type SimView, viewAt } from '../../sim/view.ts';
import { DAY_MS } from '../../src/base/times.ts';
import {
  type AssetClass,
  type Batch,
  type BookTop,
  type Contract,
  type FundingQuote,
  isLive,
  type Settlement,
} from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { baseSize, usdtFromContracts } from '../../src/venues/units.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { type Observed, observeSim } from '../support/observe.ts';

/** Encodes simulator states and parses them back: rates, intervals, times, prices, sizes, volumes, figures, prints. */
const START_MS = Date.UTC(2025, 5, 1);
const randomMoment = fc
  .integer({ min: 0, max: 400 * 24 * 60 })
  .map((minutes) => START_MS + minutes * 60_000 + 1234);

/** What is no coin at venues that have a few of these, under their own names of it. */
const TRADITIONAL_NAMES: readonly Namesake[] = (
  [
    // Bitfinex has codes instead of classes: SPAIN35IX is ES35.
    ['ES35', 15_400, 'index', ['bitfinex']],
    ['BVIV', 45.2, 'index', ['bitfinex']],
    ['EUR', 1.1624, 'forex', ['bitfinex']],
    ['UKOIL', 103.1, 'commodity', ['bitfinex']],
    ['USTECH100', 29_040, 'index', ['sodex']],
    // Tickers of coins too, or of shares.
    ['CL', 96.15, 'commodity', ['sodex', 'deribit']],
    ['QNT', 48.73, 'stock', ['deribit']],
    ['TSLA', 412, 'stock', ['deribit']],
  ] satisfies [ticker: string, priceUsd: number, assetClass: AssetClass, slugs: string[]][]
).map(([ticker, anchorPriceUsd, assetClass, slugs]) => ({
  coin: { id: `${ticker}/${assetClass}`, ticker, anchorPriceUsd, tier: 1, assetClass, swing: 0.02 },
  bases: Object.fromEntries(slugs.map((slug) => [slug, ticker])),
}));

function simOf(slug: string): SimVenue {
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === slug);
  if (!sim) throw new Error(`no simulator for ${slug}`);
  return sim;
}

function close(actual: number | null | undefined, wanted: number, what: string, tolerance = 1e-9): void {
  assert.ok(typeof actual === 'number', `${what}: ${actual} is not a number`);
  assert.ok(Math.abs(actual - wanted) <= Math.abs(wanted) * tolerance, `${what}: ${actual} is not ${wanted}`);
}

/** A figure is there exactly if one of the venue's calls says that it gives it. */
function checkFigure(
  { polls, streams }: Venue,
  topic: 'mark price' | 'index price' | 'open interest',
  given: readonly (number | null)[],
  wanted: number,
  tolerance: number,
  name: string,
): void {
  const isGiven = [...polls, ...streams].some(({ gives }) => gives.includes(topic));
  const values = given.filter((value) => value !== null);
  assert.equal(values.length > 0, isGiven, `${name}: a call says that it gives the ${topic}: ${isGiven}`);
  for (const value of values)
    assert.ok(Math.abs(value - wanted) <= tolerance * 1.001, `${name} ${topic} ${value} is not ${wanted}`);
}

/** Nothing is said of contracts that are not open, such as one that is halted and has figures of 0. */
function checkAllOpen(rows: readonly { venueSymbol: string }[], { open }: SimView, what: string): void {
  const symbols = new Set(open.map(({ venueSymbol }) => venueSymbol));
  const others = rows.filter(({ venueSymbol }) => !symbols.has(venueSymbol));
  assert.deepEqual(others, [], `${what} of contracts that are not open`);
}

function bySymbolOf<Row extends { venueSymbol: string }>(rows: readonly Row[]) {
  const bySymbol = Map.groupBy(rows, ({ venueSymbol }) => venueSymbol);
  return (symbol: string) => bySymbol.get(symbol) ?? [];
}

function checkContract(contract: Contract, truth: SimContract, { profile, givesClasses = true }: SimVenue) {
  const name = `${profile.slug} ${truth.venueSymbol}`;
  assert.equal(contract.base, truth.base, name);
  assert.equal(contract.quote, truth.quote, name);
  assert.equal(contract.settle, truth.settle, name);
  assert.equal(contract.isInverse, truth.isInverse, name);
  close(contract.contractSize, truth.contractSize, `${name} contract size`);
  const { assetClass = 'crypto' } = truth.coin;
  const isUnknownShare = !givesClasses && assetClass === 'stock' && contract.assetClass === 'crypto';
  if (!isUnknownShare) assert.equal(contract.assetClass, assetClass, `${name} class`);
}

interface WantedQuote {
  ratePct: number;
  intervalHours: number | null;
  nextFundingAtMs: number | null;
  /** Compared where the simulator states it. */
  venueTimeMs?: number;
}

function checkQuotes(
  quotes: readonly FundingQuote[],
  schedules: Batch['fundingSchedules'],
  contract: Contract,
  wanted: WantedQuote,
): void {
  const name = contract.venueSymbol;
  for (const quote of quotes) {
    assert.equal(quote.ratePct, wanted.ratePct, `${name} rate`);
    // What the quote does not say, each schedule says, or the contract list.
    for (const schedule of schedules.length === 0 ? [null] : schedules) {
      const hours: number | null = quote.intervalHours ?? schedule?.intervalHours ?? contract.intervalHours;
      assert.equal(hours, wanted.intervalHours, `${name} interval`);
      const nextMs: number | null = quote.nextFundingAtMs ?? schedule?.nextFundingAtMs ?? null;
      assert.equal(nextMs, wanted.nextFundingAtMs, `${name} next settlement`);
    }
    if (wanted.venueTimeMs) assert.equal(quote.venueTimeMs, wanted.venueTimeMs, `${name} time`);
  }
}

function checkTop(top: BookTop, contract: Contract, state: SimQuote): void {
  const name = top.venueSymbol;
  assert.equal(top.bidPrice, state.bidPrice, `${name} bid`);
  assert.equal(top.askPrice, state.askPrice, `${name} ask`);
  if (top.bidSize !== null)
    close(top.bidSize, baseSize(contract, state.bidContracts, state.bidPrice), `${name} bid size`);
  if (top.askSize !== null)
    close(top.askSize, baseSize(contract, state.askContracts, state.askPrice), `${name} ask size`);
}

/** Every row is compared: where a call and a stream give the same figure, both must be right. */
async function checkMoment(slug: string, atMs: number, seed: number, coins: number): Promise<Observed> {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  if (!venue) throw new Error(`no venue ${slug}`);
  const sim = simOf(slug);
  const view = viewAt(new Universe(seed, coins, TRADITIONAL_NAMES), sim.profile, atMs);
  const observed = await observeSim(venue, sim, view);
  const { batch, contracts } = observed;
  assert.deepEqual(batch.rejected, [], 'nothing is rejected');
  const quotesOf = bySymbolOf(batch.fundingQuotes);
  const schedulesOf = bySymbolOf(batch.fundingSchedules);
  const topsOf = bySymbolOf(batch.bookTops);
  const volumesOf = bySymbolOf(batch.dayVolumes);
  const figuresOf = bySymbolOf(batch.marketFigures);
  checkAllOpen(batch.fundingQuotes, view, 'rates');
  checkAllOpen(batch.bookTops, view, 'tops');
  checkAllOpen(batch.dayVolumes, view, 'volumes');
  checkAllOpen(batch.marketFigures, view, 'figures');
  const live = [...contracts.values()].filter(isLive).map((one) => one.venueSymbol);
  const open = view.open.map((one) => one.venueSymbol);
  assert.deepEqual(live.sort(), open.sort(), 'exactly the open contracts are live');
  assert.ok(view.open.length > 10, 'the simulator lists contracts');
  for (const truth of view.open) {
    const { venueSymbol } = truth;
    const name = `${slug} ${venueSymbol}`;
    const contract = contracts.get(venueSymbol);
    assert.ok(contract, `${name} is in the contract list`);
    checkContract(contract, truth, sim);
    const state = view.quote(truth);
    const published = sim.publishes?.(truth, state, view) ?? {};
    const quotes = quotesOf(venueSymbol);
    if (sim.showsPassedSettlement?.(truth, view))
      assert.deepEqual(quotes, [], `${name} shows the settlement that has passed`);
    else {
      assert.ok(quotes.length > 0, `${name} has a funding quote`);
      const wanted = { ...state, ratePct: state.rateE8 / 1e6, ...published };
      checkQuotes(quotes, schedulesOf(venueSymbol), contract, wanted);
    }
    const tops = topsOf(venueSymbol);
    assert.equal(tops.length > 0, venue.facts.noBook === undefined, `${name} has a book top`);
    for (const top of tops) checkTop(top, contract, state);
    const hasSizes = tops.some(({ bidSize, askSize }) => bidSize !== null && askSize !== null);
    assert.equal(hasSizes, tops.length > 0 && sim.givesSizes !== false, `${name} has sizes`);
    // Volumes pass through whole contracts and rounded prices, so they agree within a fraction of a percent.
    const volumes = volumesOf(venueSymbol);
    assert.ok(volumes.length > 0, `${name} has a volume`);
    for (const { volume24hUsdt } of volumes)
      assert.ok(
        Math.abs(volume24hUsdt - state.volume24hUsd) <=
          state.volume24hUsd * 0.01 + 2 * truth.contractSize * (truth.isInverse ? 1 : state.markPrice),
        `${name} volume ${volume24hUsdt} is not ${state.volume24hUsd}`,
      );
    const given = figuresOf(venueSymbol);
    const tick = 10 ** -truth.priceDecimals;
    const { markPrice, indexPrice, openInterestContracts } = { ...state, ...published };
    const marks = given.map((row) => row.markPrice);
    checkFigure(venue, 'mark price', marks, markPrice, tick, name);
    const indices = given.map((row) => row.indexPrice);
    checkFigure(venue, 'index price', indices, indexPrice, tick, name);
    const priceUsdt = markPrice * state.quoteCoinUsd;
    const wantedUsdt = usdtFromContracts(contract, openInterestContracts, priceUsdt);
    const oneContractUsdt = usdtFromContracts(contract, 1, priceUsdt);
    const roundedUsdt = 0.01 * wantedUsdt + oneContractUsdt;
    const interest = given.map((row) => row.openInterestUsdt);
    checkFigure(venue, 'open interest', interest, wantedUsdt, roundedUsdt, name);
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
        // The first moment is just after a settlement of every interval.
        { numRuns: 7, examples: [[START_MS + 1234, 1]] },
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
