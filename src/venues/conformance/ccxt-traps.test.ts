import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type SimContract, Universe } from '../../../sim/contracts.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { type SimView, viewAt } from '../../../sim/view.ts';
import { observeSim, sendToSim } from '../../../test/support/observe.ts';
import { type Opinion, secondOpinion } from '../../../test/support/second-opinion.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import type { Contract, Settlement } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { CollectContext, SettlementWindow, Venue } from '../venue.ts';

/** Known faults of ccxt as a whole, shown on the simulator's replies; ours must be right on the same ones. */
const AT_MS = Date.UTC(2026, 10, 14, 9, 31, 7);

function stage(slug: string, coins = 40) {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === slug);
  if (!venue || !sim) throw new Error(`no venue ${slug}`);
  const view = viewAt(new Universe(1, coins), sim.profile, AT_MS);
  return { venue, sim, view, opinion: () => secondOpinion(venue, sim, view) };
}

async function walk(venue: Venue, contract: Contract, fromMs: number, context: CollectContext) {
  const prints = new Map<number, Settlement>();
  let window: SettlementWindow | null = { fromMs, toMs: AT_MS };
  while (window !== null) {
    const page = await venue.settlements(contract, window, context);
    for (const print of page.settlements) prints.set(print.settledAtMs, print);
    window = page.next;
  }
  return prints.size;
}

function marketOf(opinion: Opinion, contract: Contract) {
  const market = opinion.market(contract);
  assert.ok(market, `ccxt knows ${contract.venueSymbol}`);
  return market;
}

const hourly = (view: SimView): SimContract | undefined =>
  view.open.find((one) => !one.isInverse && one.seed % 4 !== 0 && view.quote(one).intervalHours === 1);

suite('ccxt as a whole', () => {
  test('its paged history of an hourly contract has holes, because pages are guessed in steps of 8 h; ours has none', async () => {
    const { venue, sim, view, opinion } = stage('okx');
    const truth = hourly(view);
    assert.ok(truth, 'there is an hourly contract');
    const { contracts, context } = await observeSim(venue, sim, view);
    const contract = contracts.get(truth.venueSymbol);
    assert.ok(contract);
    const theirs = await opinion();
    const fromMs = AT_MS - 60 * DAY_MS;
    const wanted = view.settlements(truth, fromMs, AT_MS).length;
    assert.ok(wanted >= (60 * DAY_MS) / HOUR_MS - 1);
    const paged = await theirs.exchange.fetchFundingRateHistory(
      marketOf(theirs, contract).symbol,
      fromMs,
      undefined,
      { paginate: true },
    );
    assert.ok(paged.length < wanted, `ccxt has ${paged.length} of ${wanted}`);
    assert.equal(await walk(venue, contract, fromMs, context), wanted);
  });

  test('a listing that its market list lacks makes it lose WOOX’s whole reply; ours loses that row only', async () => {
    const { venue, sim, view, opinion } = stage('woox');
    const theirs = await opinion();
    const { contracts } = await observeSim(venue, sim, view);
    const [unknown] = contracts.keys();
    assert.ok(unknown !== undefined);
    const { exchange } = theirs;
    const left = Object.values(exchange.markets ?? {}).filter((market) => market?.id !== unknown);
    exchange.setMarkets(left);
    await assert.rejects(exchange.fetchFundingRates(), { name: 'BadSymbol' });

    const fewer = new Map(contracts);
    fewer.delete(unknown);
    const poll = venue.polls.find((candidate) => candidate.gives.includes('rate'));
    assert.ok(poll?.kind === 'bulk');
    const batch = await poll.collect({ send: sendToSim(sim, view), contracts: fewer });
    assert.equal(batch.fundingQuotes.length, view.open.length - 1);
  });

  test('Bybit’s coin-margined volumes are swapped by it: its quote volume is in coins, ours is in dollars', async () => {
    const { venue, sim, view, opinion } = stage('bybit');
    const theirs = await opinion();
    const { contracts, batch } = await observeSim(venue, sim, view);
    const tickers = await theirs.exchange.fetchTickers(undefined, { subType: 'inverse' });
    let compared = 0;
    for (const contract of [...contracts.values()].filter((one) => one.isInverse)) {
      const ticker = tickers[theirs.market(contract)?.symbol ?? ''];
      const ours = batch.dayVolumes.find((row) => row.venueSymbol === contract.venueSymbol);
      if (!ticker || !ours) continue;
      compared++;
      assert.equal(ours.volume24hUsdt, ticker.baseVolume, contract.venueSymbol);
      const inCoins = ours.volume24hUsdt / Number(ticker.last);
      assert.ok(Math.abs(Number(ticker.quoteVolume) / inCoins - 1) < 0.01, contract.venueSymbol);
    }
    assert.ok(compared >= 5);
  });

  test('OKX’s base volume counts contracts in it', async () => {
    const { venue, sim, view, opinion } = stage('okx');
    const theirs = await opinion();
    const { contracts, batch } = await observeSim(venue, sim, view);
    const tickers = await theirs.exchange.fetchTickers();
    const contract = contracts.get('BTC-USDT-SWAP');
    assert.ok(contract);
    const ticker = tickers[marketOf(theirs, contract).symbol];
    const ours = batch.dayVolumes.find((row) => row.venueSymbol === contract.venueSymbol);
    const top = batch.bookTops.find((row) => row.venueSymbol === contract.venueSymbol);
    assert.ok(ticker && ours && top);
    const oursInBase = ours.volume24hUsdt / top.bidPrice;
    const theirsInBase = Number(ticker.baseVolume) * contract.contractSize;
    assert.ok(Math.abs(oursInBase / theirsInBase - 1) < 0.01, `${oursInBase} and ${theirsInBase}`);
  });

  test('MEXC’s dated future takes the perpetual’s place in its market list; ours keeps the perpetual', async () => {
    const { venue, sim, view, opinion } = stage('mexc');
    const theirs = await opinion();
    const { contracts } = await observeSim(venue, sim, view);
    const contract = contracts.get('BTC_USDT');
    assert.ok(contract);
    assert.equal(theirs.market(contract), undefined);
  });
});
