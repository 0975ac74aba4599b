import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/base/times.ts';
import { coinsOf } from './coins.ts';
import { Universe } from './contracts.ts';
import { roundTo } from './market.ts';
import { binance } from './venues/binance.ts';
import { okx } from './venues/okx.ts';
import { SIM_VENUES } from './venues/registry.ts';
import { viewAt } from './view.ts';

const AT_MS = Date.UTC(2026, 10, 14, 9, 30);
/** Midnight: every contract settles then. */
const SETTLED_MS = Date.UTC(2026, 10, 14);

suite('the simulated market', () => {
  test('rounds prices as toFixed does, at and beside every tie', () => {
    for (const decimals of [0, 1, 2, 5, 8])
      for (const number of [0, 1, 7, 12_345, 999_999_999, 4_294_967_295, 87_654_321_012])
        for (const part of [0, 0.25, 0.499999999, 0.5, 0.500000001, 0.75]) {
          const value = (number + part) / 10 ** decimals;
          const name = `${value} to ${decimals} decimals`;
          assert.equal(roundTo(value, decimals), Number(value.toFixed(decimals)), name);
        }
  });

  test('is a function of seed and time: the past is reproducible', () => {
    const states = [1, 2].map(() => {
      const view = viewAt(new Universe(7, 30), binance.profile, AT_MS - 40 * DAY_MS);
      return view.open.map((contract) => [view.quote(contract), view.book(contract, 10)]);
    });
    assert.deepEqual(states[0], states[1]);
    const other = viewAt(new Universe(8, 30), binance.profile, AT_MS - 40 * DAY_MS);
    assert.notDeepEqual(
      states[0],
      other.open.map((contract) => [other.quote(contract), other.book(contract, 10)]),
    );
  });

  for (const slug of ['gate', 'kucoin'])
    test(`${slug} shows the charged rate beside the next settlement for a minute, and then the new estimate`, () => {
      const sim = SIM_VENUES.find(({ profile }) => profile.slug === slug);
      assert.ok(sim?.publishes);
      const { publishes, profile } = sim;
      const universe = new Universe(7, 30);
      const shownAt = (atMs: number) => {
        const view = viewAt(universe, profile, atMs);
        const [contract] = view.open;
        assert.ok(contract);
        const quote = view.quote(contract);
        const [charged] = view.settlements(contract, SETTLED_MS, SETTLED_MS);
        return { ratePct: publishes(contract, quote, view).ratePct, quote, chargedE8: charged?.rateE8 };
      };
      const after = shownAt(SETTLED_MS + 30 * SECOND_MS);
      assert.ok(after.chargedE8 !== undefined && after.quote.nextFundingAtMs > SETTLED_MS);
      assert.equal(after.ratePct, after.chargedE8 / 1e6);
      const later = shownAt(SETTLED_MS + 90 * SECOND_MS);
      assert.equal(later.ratePct, later.quote.rateE8 / 1e6);
    });

  test('most of a coin trades in the first quote of a venue, at every hour', () => {
    for (const venue of SIM_VENUES) {
      const universe = new Universe(7, 30);
      for (let hour = 0; hour < 48; hour++) {
        const view = viewAt(universe, venue.profile, AT_MS + hour * HOUR_MS);
        const mainUsd = new Map<string, number>();
        for (const contract of view.open)
          if (contract.isMain) mainUsd.set(contract.coin.id, view.quote(contract).volume24hUsd);
        for (const contract of view.open) {
          const most = mainUsd.get(contract.coin.id) ?? Number.POSITIVE_INFINITY;
          if (!contract.isMain) assert.ok(view.quote(contract).volume24hUsd < most, contract.venueSymbol);
        }
      }
    }
  });

  test('spreads between two venues open beyond the fees and close again', () => {
    const universe = new Universe(1, 60);
    let [opened, closed] = [0, 0];
    const coins = viewAt(universe, binance.profile, AT_MS).open.filter(
      (c) => !c.isInverse && c.multiplier === 1 && c.quote === 'USDT',
    );
    for (const coin of coins) {
      let isOpen = false;
      for (let minute = 0; minute < 2 * 24 * 60; minute += 10) {
        const [a, b] = [binance, okx].map((sim) => {
          const view = viewAt(universe, sim.profile, AT_MS + minute * MINUTE_MS);
          const contract = view.open.find(
            (c) => c.coin.id === coin.coin.id && c.quote === 'USDT' && c.multiplier === 1,
          );
          return contract ? view.quote(contract) : null;
        });
        if (!a || !b) break;
        const spread = Math.abs((a.bidPrice - b.askPrice) / b.askPrice) * 100;
        if (!isOpen && spread > 0.3) {
          isOpen = true;
          opened++;
        } else if (isOpen && spread < 0.1) {
          isOpen = false;
          closed++;
        }
      }
      if (opened > 5 && closed > 5) break;
    }
    assert.ok(opened > 5 && closed > 5, `${opened} opened, ${closed} closed`);
  });

  test('two years of settlements are held, within the cap, with interval changes', () => {
    const view = viewAt(new Universe(1, 60), binance.profile, AT_MS);
    let changed = 0;
    for (const contract of view.open.filter((c) => c.listedAtMs < AT_MS - 730 * DAY_MS).slice(0, 40)) {
      const prints = view.settlements(contract, AT_MS - 730 * DAY_MS, AT_MS);
      assert.ok(prints.length >= 730 * 3 - 1, contract.venueSymbol);
      assert.ok(prints.every((print) => Math.abs(print.rateE8) <= contract.rateCap * 1e8 + 1));
      const gaps = new Set(
        prints.slice(1).map((print, i) => (print.settledAtMs - (prints[i]?.settledAtMs ?? 0)) / HOUR_MS),
      );
      if (gaps.size > 1) changed++;
      assert.ok(
        [...gaps].every((gap) => contract.intervals.includes(gap)),
        `${contract.venueSymbol} ${[...gaps]}`,
      );
    }
    assert.ok(changed > 0, 'some contracts change their interval');
  });

  test('settlements counted from the newest are the same as those of a range, for every venue', () => {
    const universe = new Universe(3, 8);
    let [changed, ended, offGrid] = [0, 0, 0];
    for (const { profile } of SIM_VENUES) {
      const scheduled = universe.scheduled(profile, AT_MS - 150 * DAY_MS, AT_MS);
      const view = viewAt(universe, profile, AT_MS);
      for (const contract of [...view.contracts.slice(0, 3), ...scheduled]) {
        const newest = view.settlements(contract, 0, AT_MS).toReversed();
        const name = `${profile.slug} ${contract.venueSymbol}`;
        assert.equal(view.settlementCount(contract, 0, AT_MS), newest.length, name);
        const [fromMs, toMs] = [AT_MS - 90 * DAY_MS, AT_MS - 10 * DAY_MS];
        const between = newest.filter(({ settledAtMs: atMs }) => atMs >= fromMs && atMs <= toMs);
        assert.equal(view.settlementCount(contract, fromMs, toMs), between.length, name);
        assert.deepEqual(view.newestSettlements(contract, AT_MS + DAY_MS, 30), newest.slice(0, 30), name);
        assert.deepEqual(view.newestSettlements(contract, AT_MS, 700, 250), newest.slice(250, 950), name);
        const last = Math.max(0, newest.length - 3);
        assert.deepEqual(view.newestSettlements(contract, AT_MS, 10, last), newest.slice(last), name);
        if (between[0])
          assert.deepEqual(
            view.newestSettlements(contract, between[0].settledAtMs, 5),
            newest.filter(({ settledAtMs }) => settledAtMs <= toMs).slice(0, 5),
            name,
          );
        if (new Set(newest.map(({ intervalHours }) => intervalHours)).size > 1) changed++;
        if ((contract.delistsAtMs ?? AT_MS) < AT_MS) ended++;
        if (Object.keys(contract.offGridHours).length > 0) offGrid++;
      }
    }
    assert.ok(
      Math.min(changed, ended, offGrid) > 0,
      `${changed} changed, ${ended} ended, ${offGrid} off the grid`,
    );
  });

  test('two coins share the ticker NEIRO, most venues list the same one', () => {
    const prices = SIM_VENUES.flatMap(({ profile }) => {
      const view = viewAt(new Universe(1, 40), profile, AT_MS);
      return view.open
        .filter((c) => c.coin.ticker === 'NEIRO')
        .slice(0, 1)
        .map((c) => view.quote(c).indexPrice / c.multiplier);
    });
    const low = prices.filter((price) => price < 0.002).length;
    assert.ok(low > prices.length / 2, `${low} of ${prices.length}`);
    assert.ok(low < prices.length, 'but not all');
  });

  test('listings and delistings follow a schedule, with notices before them', () => {
    const universe = new Universe(1, 20);
    const seen = new Set<string>();
    for (let day = 0; day < 120; day++) {
      for (const contract of viewAt(universe, binance.profile, AT_MS + day * DAY_MS).contracts)
        seen.add(contract.venueSymbol);
    }
    const now = viewAt(universe, binance.profile, AT_MS).contracts.length;
    assert.ok(seen.size > now + 4, `${seen.size} over time, ${now} at once`);
    const view = viewAt(universe, binance.profile, AT_MS + 120 * DAY_MS);
    const notices = view.notices(AT_MS, AT_MS + 120 * DAY_MS);
    for (const kind of ['listing', 'delisting', 'other'])
      assert.ok(
        notices.some((notice) => notice.kind === kind),
        kind,
      );
    assert.ok(
      notices.every((notice, i) => i === 0 || (notices[i - 1]?.publishedAtMs ?? 0) <= notice.publishedAtMs),
    );
  });

  test('thin books sometimes cannot fill 500 USD, deep ones can', () => {
    const view = viewAt(new Universe(1, 120), binance.profile, AT_MS);
    const depthUsd = view.open
      .filter((c) => !c.isInverse)
      .map((c) => view.book(c, 50).asks.reduce((sum, [price, size]) => sum + price * size, 0));
    assert.ok(depthUsd.some((usd) => usd < 500));
    assert.ok(depthUsd.some((usd) => usd > 100_000));
  });

  test('700 coins on every venue work', () => {
    const universe = new Universe(1, 700);
    let contracts = 0;
    for (const { profile } of SIM_VENUES) {
      const view = viewAt(universe, profile, AT_MS);
      contracts += view.open.length;
      assert.equal(
        new Set(view.contracts.map((c) => c.venueSymbol)).size,
        view.contracts.length,
        `${profile.slug} symbols are unique`,
      );
    }
    assert.ok(contracts > 7000, String(contracts));
  });
});

suite('the coins', () => {
  test('the 120 of the demo have real tickers, which no seed changes; invented ones only follow them', () => {
    const real = coinsOf(1, 120);
    assert.deepEqual(coinsOf(2, 120), real);
    assert.equal(new Set(real.map((coin) => coin.ticker)).size, 120);
    assert.deepEqual([...new Set(real.map((coin) => coin.tier))].sort(), [0, 1, 2, 3]);
    assert.notDeepEqual(coinsOf(2, 300), coinsOf(1, 300));
  });
});
