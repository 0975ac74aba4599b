import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../src/base/log.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/base/times.ts';
import { Freezer } from '../src/market/freeze.ts';
import { LatestMarket } from '../src/market/latest.ts';
import { HeldTops } from '../src/venues/held-tops.ts';
import { type Contract, emptyBatch } from '../src/venues/observations.ts';
import { VENUES } from '../src/venues/registry.ts';
import { observeSim } from '../test/support/observe.ts';
import { Universe } from './contracts.ts';
import { SIM_VENUES } from './venues/registry.ts';
import { viewAt } from './view.ts';

/** What venues were seen to do in September 2026, and what the market makes of it. */
const AT_MS = Date.UTC(2026, 8, 10, 9, 30);
const universe = new Universe(1, 60);

function simOf(slug: string, ofCoins = universe) {
  const sim = SIM_VENUES.find((one) => one.profile.slug === slug);
  const venue = VENUES.find((one) => one.slug === slug);
  if (!sim || !venue) throw new Error(`no venue ${slug}`);
  return { sim, venue, at: (atMs: number) => viewAt(ofCoins, sim.profile, atMs) };
}

function newMarket() {
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, createLog('silent'));
  return { market, freezer: new Freezer(market, metrics, createLog('silent')) };
}

suite('settlements off the grid from midnight', () => {
  for (const { slug, hours, everyMinutes } of [
    { slug: 'kucoin', hours: [4, 8], everyMinutes: 10 },
    { slug: 'mexc', hours: [24], everyMinutes: 20 },
  ]) {
    const { sim, venue, at } = simOf(slug);
    const offGrid = at(AT_MS).open.filter((contract) => {
      const { nextFundingAtMs, intervalHours } = at(AT_MS).quote(contract);
      return nextFundingAtMs % (intervalHours * HOUR_MS) !== 0;
    });

    test(`${slug} has contracts of ${hours.join(' and ')} h whose settlements are off the grid`, () => {
      const intervals = new Set(offGrid.map((contract) => at(AT_MS).quote(contract).intervalHours));
      assert.deepEqual([...intervals].sort(), hours);
    });

    test(`${slug}: their stated interval is published over a day`, async () => {
      const { market, freezer } = newMarket();
      for (let minute = 0; minute < 24 * 60; minute += everyMinutes) {
        const atMs = AT_MS + minute * MINUTE_MS;
        const { batch, contracts } = await observeSim(venue, sim, at(atMs));
        const contractList = { part: 'all', contracts: [...contracts.values()] };
        market.accept(venue, { ...batch, contractList }, atMs, contracts);
        const rows = new Map(freezer.freeze(atMs).contracts.map((row) => [row.venueSymbol, row]));
        for (const contract of offGrid) {
          const { intervalHours, nextFundingAtMs } = at(atMs).quote(contract);
          const row = rows.get(contract.venueSymbol);
          const name = `${contract.venueSymbol} ${new Date(atMs).toISOString()}`;
          assert.equal(row?.intervalHours, intervalHours, name);
          if (atMs % HOUR_MS !== 0) assert.equal(row?.nextFundingAtMs, nextFundingAtMs, name);
        }
      }
    });
  }
});

suite('contracts quoted in a coin', () => {
  test('Binance ETHBTC: prices and turnover are in BTC; the row has its volume in USDT', async () => {
    const { sim, venue, at } = simOf('binance');
    const view = at(AT_MS);
    const truth = view.find('ETHBTC');
    assert.ok(truth);
    const { batch, contracts } = await observeSim(venue, sim, view);
    const top = batch.bookTops.find(({ venueSymbol }) => venueSymbol === 'ETHBTC');
    assert.ok(top && top.askPrice > 0.02 && top.askPrice < 0.06, `${top?.askPrice} BTC`);
    const { market, freezer } = newMarket();
    const contractList = { part: 'all', contracts: [...contracts.values()] };
    market.accept(venue, { ...batch, contractList }, AT_MS, contracts);
    const row = freezer.freeze(AT_MS).contracts.find(({ venueSymbol }) => venueSymbol === 'ETHBTC');
    assert.deepEqual([row?.coin, row?.quote, row?.isPriceOutlier], ['ETH', 'BTC', false]);
    const { volume24hUsd } = view.quote(truth);
    assert.ok(Math.abs((row?.volume24hUsdt ?? 0) / volume24hUsd - 1) < 0.005, `${row?.volume24hUsdt}`);
  });
});

suite('the charged rate after a settlement', () => {
  for (const [slug, chargedUntil] of [
    ['gate', 60],
    ['kucoin', 70],
  ] as const)
    test(`${slug} shows it beside the next time; it is not published as an estimate`, async () => {
      const { sim, venue, at } = simOf(slug);
      const settledMs = AT_MS - (AT_MS % (8 * HOUR_MS)) + 8 * HOUR_MS;
      const { market, freezer } = newMarket();
      const { contracts } = await observeSim(venue, sim, at(settledMs - MINUTE_MS));
      const truths = at(settledMs).open.filter(
        (contract) => at(settledMs).quote(contract).lastFundingAtMs === settledMs,
      );
      assert.ok(truths.length > 20);
      let shown = 0;
      const estimates = new Map<string, number | undefined>();
      for (let second = -30; second <= 120; second += 5) {
        const atMs = settledMs + second * SECOND_MS;
        const { batch } = await observeSim(venue, sim, at(atMs));
        const contractList = { part: 'all', contracts: [...contracts.values()] };
        market.accept(venue, { ...batch, contractList }, atMs, contracts);
        const rows = new Map(freezer.freeze(atMs).contracts.map((row) => [row.venueSymbol, row]));
        for (const truth of truths) {
          const { venueSymbol } = truth;
          const quote = at(atMs).quote(truth);
          const ratePct = rows.get(venueSymbol)?.ratePct;
          if (second < 0) estimates.set(venueSymbol, ratePct);
          else if (second < chargedUntil)
            assert.equal(ratePct, estimates.get(venueSymbol), `${venueSymbol} after ${second} s`);
          if (second >= 10 && second < 60 && quote.rateE8 === quote.lastRateE8) shown++;
        }
        if (second > 90)
          for (const truth of truths)
            assert.equal(rows.get(truth.venueSymbol)?.ratePct, at(atMs).quote(truth).rateE8 / 1e6);
      }
      assert.ok(shown > truths.length, 'the simulator shows charged rates');
    });
});

suite('the row of the past settlement', () => {
  test('toobit repeats it with the charged rate for 75 s; until then the row stays as it was', async () => {
    const { sim, venue, at } = simOf('toobit');
    const settledMs = AT_MS - (AT_MS % (8 * HOUR_MS)) + 8 * HOUR_MS;
    const { market, freezer } = newMarket();
    const { contracts } = await observeSim(venue, sim, at(settledMs - MINUTE_MS));
    const truths = at(settledMs).open.filter(
      (contract) => at(settledMs).quote(contract).lastFundingAtMs === settledMs,
    );
    assert.ok(truths.length > 20);
    const before = new Map<string, number | null | undefined>();
    for (let second = -10; second <= 90; second += 5) {
      const atMs = settledMs + second * SECOND_MS;
      const { batch } = await observeSim(venue, sim, at(atMs));
      const contractList = { part: 'all', contracts: [...contracts.values()] };
      market.accept(venue, { ...batch, contractList }, atMs, contracts);
      const rows = new Map(freezer.freeze(atMs).contracts.map((row) => [row.venueSymbol, row]));
      for (const { venueSymbol, ...truth } of truths) {
        const ratePct = rows.get(venueSymbol)?.ratePct;
        if (second < 0) before.set(venueSymbol, ratePct);
        else if (second < 75) assert.equal(ratePct, before.get(venueSymbol), `${venueSymbol} ${second} s`);
        else assert.equal(ratePct, at(atMs).quote({ venueSymbol, ...truth }).rateE8 / 1e6, `${second} s`);
      }
    }
  });
});

suite('quiet books', () => {
  /** Few are quiet. */
  const manyCoins = new Universe(1, 120);
  for (const slug of ['hyperliquid', 'dydx', 'lighter', 'woox', 'phemex'])
    test(`${slug}: a book that stands still for four minutes stays young while the connection answers`, async () => {
      const { sim, venue, at } = simOf(slug, manyCoins);
      const quiet = at(AT_MS).open.filter((contract) => contract.isQuiet);
      assert.ok(quiet.length > 0, 'there are quiet contracts');
      const [stream] = venue.streams;
      const socket = stream && sim.socket?.({ host: stream.host, path: stream.path });
      assert.ok(stream && socket);
      const { contracts } = await observeSim(venue, sim, at(AT_MS));
      const { market } = newMarket();
      const contractList = { part: 'all', contracts: [...contracts.values()] };
      market.accept(venue, { ...emptyBatch(), contractList }, AT_MS, contracts);
      const wanted: Contract[] = quiet.flatMap((truth) => contracts.get(truth.venueSymbol) ?? []);
      const session = stream.open(wanted.slice(0, stream.contractsPerSocket));
      const held = stream.sendsOnlyChanges ? new HeldTops() : null;
      let messages = 0;
      for (let second = 0; second <= 230; second++) {
        const atMs = AT_MS + second * SECOND_MS;
        const view = at(atMs);
        const beat = stream.heartbeat;
        const sent = second === 0 ? session.opening : [];
        const pings = beat && second % beat.everySeconds === 0 ? [beat.message(atMs)] : [];
        const inbox = [...sent, ...pings].flatMap((text) => socket.receive(parsed(text), view));
        for (const text of [...inbox, ...socket.tick(view)]) {
          const context = { receivedAtMs: atMs, contracts };
          const { batch } = session.receive(parsed(text), context);
          if (batch.bookTops.length > 0 && second > 20) messages++;
          held?.follow(batch, context);
          market.accept(venue, { ...batch, isStreamed: true }, atMs, contracts);
        }
      }
      for (const { venueSymbol } of wanted.slice(0, stream.contractsPerSocket)) {
        const state = market.stateOf(venue, venueSymbol);
        const ageMs = AT_MS + 230 * SECOND_MS - (state?.topAtMs ?? 0);
        assert.ok(ageMs <= 30 * SECOND_MS, `${venueSymbol} is ${ageMs} ms old after ${messages} messages`);
      }
    });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
