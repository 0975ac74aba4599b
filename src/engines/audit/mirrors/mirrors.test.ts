import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket } from '../../../../test/support/made-market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/times.ts';
import { SettlementSums } from '../../../history/settlements/sums.ts';
import { VENUES } from '../../../venues/registry.ts';
import { type Notice, Notices } from '../notices.ts';
import { Mirrors } from './mirrors.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 16, 5);
const LAST_MS = Date.UTC(2026, 10, 14, 16);
const COINS = Array.from({ length: 12 }, (_, i) => `COIN${String.fromCharCode(65 + i)}`);

/** A rate of its own for each coin and settlement, with more digits than a baseline. */
const ratePct = (coin: string, atMs: number, seed = 0) =>
  ((COINS.indexOf(coin) + 1) * 977 + (atMs / HOUR_MS) * 31 + seed) / 1e6;

interface MadeVenue {
  volume24hUsdt: number;
  rate: (coin: string, atMs: number) => number;
  hours?: number;
  intervalHours?: number;
  coins?: readonly string[];
}

class Made {
  readonly sums = new SettlementSums();
  readonly changes: [exchange: string, isOn: boolean][] = [];
  readonly notices = new Notices(({ exchange }, isOn) => this.changes.push([exchange, isOn]));
  readonly #market = new MadeMarket();
  readonly mirrors: Mirrors;

  constructor() {
    this.mirrors = new Mirrors({ notices: this.notices, sums: this.sums, venues: VENUES });
  }

  /** The venues with the prints of the last hours, judged. */
  async judge(
    venues: Readonly<Record<string, MadeVenue>>,
    nowMs = NOW_MS,
    lastMs = LAST_MS,
  ): Promise<[string, string][]> {
    for (const [exchange, made] of Object.entries(venues)) {
      const { rate, hours = 48, intervalHours = 8, coins = COINS, volume24hUsdt } = made;
      for (const base of coins) {
        const prints: { minute: number; ratePct: number }[] = [];
        for (let atMs = lastMs; atMs > lastMs - hours * HOUR_MS; atMs -= intervalHours * HOUR_MS)
          prints.push({ minute: atMs / MINUTE_MS, ratePct: rate(base, atMs) });
        this.sums.put(`${exchange}/${base}USDT`, prints.toReversed());
      }
      this.#market.hear(
        coins.map((base) => ({ exchange, base, bid: 10, ask: 10.01, volume24hUsdt })),
        nowMs,
      );
    }
    const market = this.#market.freezer.freeze(nowMs);
    for (const { key } of market.contracts) assert.ok(this.sums.versionOf(key) > 0, key);
    await this.mirrors.judge(market);
    return [...this.mirrors.all];
  }
}

const ORIGINAL: MadeVenue = { volume24hUsdt: 9e6, rate: ratePct };
const COPY: MadeVenue = { volume24hUsdt: 1e6, rate: ratePct };

suite('copies of rates', () => {
  test('a venue with the rates of another for a day is its copy, and the one with less volume', async () => {
    const made = new Made();
    assert.deepEqual(await made.judge({ XT: COPY, MEXC: ORIGINAL }), [['XT', 'MEXC']]);
    const [notice] = made.notices.all;
    assert.deepEqual(
      [notice?.kind, notice?.field, notice?.evidence, notice?.sinceMs],
      ['mirrors', 'last_rate_pct', '12 of 12 contracts', NOW_MS],
    );
  });

  test('what the facts state decides which of the two is the copy', async () => {
    assert.deepEqual(await new Made().judge({ Ourbit: ORIGINAL, MEXC: COPY }), [['Ourbit', 'MEXC']]);
  });

  test('two thirds of a day are too little', async () => {
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, hours: 16 }, MEXC: ORIGINAL }), []);
  });

  test('a day of prints that ended hours ago is a day', async () => {
    const made = new Made();
    assert.deepEqual(await made.judge({ XT: COPY, MEXC: ORIGINAL }, LAST_MS + 15 * HOUR_MS), [
      ['XT', 'MEXC'],
    ]);
  });

  test('rates that rest at a baseline prove nothing', async () => {
    const rate = (coin: string) => (COINS.indexOf(coin) % 3 === 0 ? 0.005 : 0.01);
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: { ...ORIGINAL, rate } }), []);
  });

  test('a rate of its own for each contract that never changes proves nothing', async () => {
    const rate = (coin: string) => ratePct(coin, LAST_MS);
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: { ...ORIGINAL, rate } }), []);
  });

  test('baselines that differ by the interval of the contract prove nothing', async () => {
    const rate = (coin: string) => [0.00125, 0.005, 0.01, 0.0025][COINS.indexOf(coin) % 4] ?? 0;
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: { ...ORIGINAL, rate } }), []);
  });

  test('venues whose rates rest at a baseline on all but a few contracts are no copies', async () => {
    const rate = (seed: number) => (coin: string, atMs: number) =>
      COINS.indexOf(coin) < 3 ? ratePct(coin, atMs, seed) : 0.01;
    assert.deepEqual(
      await new Made().judge({ XT: { ...COPY, rate: rate(0) }, MEXC: { ...ORIGINAL, rate: rate(0) } }),
      [],
    );
  });

  test('a single rate of a contract that is no baseline proves nothing', async () => {
    const rate = (coin: string, atMs: number) => (atMs === LAST_MS ? ratePct(coin, atMs) : 0.01);
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: { ...ORIGINAL, rate } }), []);
  });

  test('nine contracts are too few', async () => {
    assert.deepEqual(
      await new Made().judge({ XT: { ...COPY, coins: COINS.slice(0, 9) }, MEXC: ORIGINAL }),
      [],
    );
  });

  test('another last digit is another rate', async () => {
    const rate = (coin: string, atMs: number) => ratePct(coin, atMs) + 1e-6;
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: ORIGINAL }), []);
  });

  test('half of the contracts are not most', async () => {
    const rate = (coin: string, atMs: number) => ratePct(coin, atMs, COINS.indexOf(coin) % 2);
    assert.deepEqual(await new Made().judge({ XT: { ...COPY, rate }, MEXC: ORIGINAL }), []);
  });

  test('eight hours of an hourly venue do not cover the day', async () => {
    const hourly = { ...COPY, intervalHours: 1 };
    assert.deepEqual(await new Made().judge({ XT: hourly, MEXC: ORIGINAL }), []);
  });

  test('it ends with the first print that differs, and begins a day after the last one', async () => {
    const made = new Made();
    await made.judge({ XT: COPY, MEXC: ORIGINAL });
    const nextMs = LAST_MS + 8 * HOUR_MS;
    const rate = (coin: string, atMs: number) => ratePct(coin, atMs, atMs === nextMs ? 1 : 0);
    const venues = { XT: { ...COPY, rate }, MEXC: ORIGINAL };
    assert.deepEqual(await made.judge(venues, nextMs + 5 * MINUTE_MS, nextMs), []);
    assert.deepEqual(made.changes, [
      ['XT', true],
      ['XT', false],
    ]);
    const dayLaterMs = nextMs + DAY_MS;
    assert.deepEqual(await made.judge(venues, dayLaterMs - 8 * HOUR_MS, dayLaterMs - 8 * HOUR_MS), []);
    assert.deepEqual(await made.judge(venues, dayLaterMs, dayLaterMs), [['XT', 'MEXC']]);
  });

  test('a notice of an earlier process stays until there is a day to judge', async () => {
    const made = new Made();
    const notice: Notice = {
      exchange: 'XT',
      kind: 'mirrors',
      field: 'last_rate_pct',
      of: 'MEXC',
      sinceMs: NOW_MS - DAY_MS,
      evidence: '12 of 12 contracts',
    };
    made.notices.restore([notice]);
    assert.deepEqual(await made.judge({ XT: { ...COPY, hours: 8 }, MEXC: { ...ORIGINAL, hours: 8 } }), [
      ['XT', 'MEXC'],
    ]);
    assert.deepEqual(made.notices.all, [notice]);
    const rate = (coin: string, atMs: number) => ratePct(coin, atMs, 1);
    assert.deepEqual(await made.judge({ XT: { ...COPY, rate }, MEXC: ORIGINAL }, NOW_MS + HOUR_MS), []);
  });

  test('of two copies each names the original', async () => {
    const found = await new Made().judge({
      XT: COPY,
      Toobit: { ...COPY, volume24hUsdt: 2e6 },
      MEXC: ORIGINAL,
    });
    assert.deepEqual(found.sort(), [
      ['Toobit', 'MEXC'],
      ['XT', 'MEXC'],
    ]);
  });

  test('venues with rates of their own are no copies, however alike', async () => {
    const near = (seed: number) => ({
      ...COPY,
      rate: (coin: string, atMs: number) => ratePct(coin, atMs) * (1 + seed / 1e4),
    });
    assert.deepEqual(
      await new Made().judge({ XT: near(1), Toobit: near(2), MEXC: ORIGINAL, Gate: near(3) }),
      [],
    );
  });
});
