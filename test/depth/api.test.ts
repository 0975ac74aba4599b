import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { bookAt } from '../../sim/market.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { BANDS_BP } from '../../src/market/depth/side-curve.ts';
import { collectOnce, type Reply, type Running, rowsOf, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
/** Levels that the venues send here, and the venue's name in the simulator. */
const VENUES = {
  Binance: ['binance', 100],
  Bybit: ['bybit', 100],
  Hyperliquid: ['hyperliquid', 20],
} as const;

type Levels = readonly [price: number, size: number][];
type Row = Record<string, unknown>;

suite('GET /depth on simulated venues', () => {
  let running: Running;
  let rows: Row[];
  let beforeBooks: Reply;
  let booksMs = 0;
  const clock = new ManualClock(START_MS);

  before(async () => {
    const venues = Object.values(VENUES).map(([slug]) => slug);
    running = await runService({ venues, coins: 12, clock });
    await collectOnce(running);
    beforeBooks = await running.get('/api/v1/depth');
    // The clock stands still meanwhile, so every book is of the same time.
    booksMs = clock.nowMs();
    await running.service.samples.fetchBooks(booksMs + 30_000);
    clock.advanceMs(1);
    await running.service.publisher.publish(clock.nowMs());
    rows = rowsOf(await running.get('/api/v1/depth?limit=500'));
  });
  after(() => running.stop());

  test('after a first start the list is empty until there are books, and never a 503', () => {
    assert.equal(beforeBooks.status, 200, beforeBooks.text);
    assert.deepEqual(rowsOf(beforeBooks), []);
  });

  test('every linear contract in a dollar quote has a row', async () => {
    const funding = rowsOf(await running.get('/api/v1/funding?limit=500&is_inverse=false'));
    const isDollar = ({ symbol }: Row) => /-(?:USDT|USDC|USD|USDE|USDH|FDUSD)$/.test(String(symbol));
    assert.deepEqual(rows.map(nameOf).sort(), funding.filter(isDollar).map(nameOf).sort());
    assert.ok(rows.length > 30, `${rows.length} rows`);
  });

  test('bands, mid and reach are those of the book that the simulator would fill', () => {
    let [compared, known] = [0, 0];
    for (const row of rows.filter(
      ({ symbol }) => String(symbol).endsWith('-USDT') || String(symbol).endsWith('-USDC'),
    )) {
      const [slug, levels] = VENUES[row.exchange as keyof typeof VENUES];
      const contract = running.sim.view(slug).find(String(row.venue_symbol));
      assert.ok(contract);
      const book = bookAt(contract, booksMs, levels);
      const [bids, asks] = [book.bids, book.asks].map(
        (side): Levels => side.map(([price, contracts]) => [price, contracts * contract.contractSize]),
      ) as [Levels, Levels];
      const mid = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2;
      assert.ok(Math.abs(Number(row.mid_price) / mid - 1) < 1e-9, `${JSON.stringify(row)}: ${mid}`);
      // One USDC is worth about one USDT.
      const tolerance = String(row.symbol).endsWith('-USDT') ? 1e-6 : 0.01;
      for (const [side, sent] of [
        ['bid', bids],
        ['ask', asks],
      ] as const)
        for (const bp of BANDS_BP) {
          const isWithin = (price: number) => Math.abs(price / mid - 1) * 10_000 <= bp + 1e-6;
          const value = sent
            .filter(([price]) => isWithin(price))
            .reduce((sum, [price, size]) => sum + price * size, 0);
          const got = row[`${side}_${bp}bp_usd`];
          if (sent.every(([price]) => isWithin(price)))
            assert.equal(got, null, `${side} ${bp} of ${nameOf(row)}`);
          else {
            const off = Math.abs(Number(got) - value);
            assert.ok(
              got !== null && off <= value * tolerance + 0.01,
              `${side} ${bp} of ${nameOf(row)}: ${got}, ${value}`,
            );
            known++;
          }
          compared++;
        }
    }
    assert.ok(compared > 400 && known > 100, `${compared} compared, ${known} known`);
  });

  test('buy_cost_pct and sell_cost_pct of any size are within 2 % of what the simulator would fill', async () => {
    let compared = 0;
    for (const sizeUsd of [100, 7_300, 20_000, 250_000]) {
      const ofSize = rowsOf(await running.get(`/api/v1/depth?limit=500&size_usd=${sizeUsd}`));
      for (const row of ofSize.filter(({ symbol }) => String(symbol).endsWith('-USDT'))) {
        const [slug, levels] = VENUES[row.exchange as keyof typeof VENUES];
        const contract = running.sim.view(slug).find(String(row.venue_symbol));
        assert.ok(contract);
        const book = bookAt(contract, booksMs, levels);
        for (const [name, side] of [
          ['buy_cost_pct', book.asks],
          ['sell_cost_pct', book.bids],
        ] as const) {
          const exact = filledPct(side, contract.contractSize, sizeUsd, Number(row.mid_price));
          const got: unknown = row[name];
          if (exact === null) assert.equal(got, null, `${name} of ${nameOf(row)}`);
          else {
            const off = Math.abs(Number(got) - exact);
            assert.ok(
              got !== null && (off <= 0.02 * exact || off <= 0.001),
              `${nameOf(row)}: ${got}, not ${exact}`,
            );
            compared++;
          }
        }
      }
    }
    assert.ok(compared > 200, `${compared} compared`);
    const cheap = rowsOf(
      await running.get('/api/v1/depth?limit=500&size_usd=250000&max_buy_cost_pct=0.05&sort=buy_cost_asc'),
    );
    const costs = cheap.map((row) => Number(row.buy_cost_pct));
    assert.ok(costs.length > 0 && costs.every((pct) => pct <= 0.05));
    assert.deepEqual(
      costs,
      costs.toSorted((a, b) => a - b),
    );
  });

  test('/depth/history: what an order would have cost in the books of the simulator', async () => {
    let compared = 0;
    for (const row of rows.filter(({ symbol, coin }) => symbol === `${coin}-USDT`)) {
      const [slug, levels] = VENUES[row.exchange as keyof typeof VENUES];
      const contract = running.sim.view(slug).find(String(row.venue_symbol));
      assert.ok(contract);
      const book = bookAt(contract, booksMs, levels);
      const mid = Number(row.mid_price);
      for (const sizeUsd of [100, 20_000]) {
        const reply = await running.get(
          `/api/v1/depth/history?coin=${row.coin}&exchange=${row.exchange}&symbol=${row.symbol}&days=1&size_usd=${sizeUsd}`,
        );
        assert.equal(reply.status, 200, reply.text);
        const { data } = reply.body as { data: { points: Row[]; symbol: string; size_usd: number } };
        assert.deepEqual([data.symbol, data.size_usd, data.points.length], [row.symbol, sizeUsd, 1]);
        const [point] = data.points;
        assert.equal(point?.at, '2026-11-14T09:30:00Z');
        for (const [name, side] of [
          ['buy_cost_pct', book.asks],
          ['sell_cost_pct', book.bids],
        ] as const) {
          const exact = filledPct(side, contract.contractSize, sizeUsd, mid);
          const got: unknown = point?.[name];
          if (exact === null) assert.equal(got, null, `${name} of ${nameOf(row)}`);
          else {
            // 2 % or 0.1 basis points by the curve, 1 % by the stored step.
            const off = Math.abs(Number(got) - exact);
            assert.ok(
              got !== null && off <= 0.0301 * exact + 0.001,
              `${name} of ${nameOf(row)}: ${got}, not ${exact}`,
            );
            compared++;
          }
        }
      }
    }
    assert.ok(compared > 30, `${compared} compared`);
  });

  test('/depth/history takes from and to, ends with its newest sample, and stays the same until there is another', async () => {
    const path = '/api/v1/depth/history?coin=BTC&exchange=Bybit';
    const of = async (query: string) => {
      const reply = await running.get(`${path}${query}`);
      assert.equal(reply.status, 200, reply.text);
      const { data, meta } = reply.body as {
        data: { from: string; to: string; points: Row[] };
        meta: { as_of: string; url: string };
      };
      return { ...data, ...meta, etag: reply.headers.get('etag') ?? '' };
    };
    const usual = await of('&symbol=BTC-USDT&size_usd=500');
    const newest = String(usual.points.at(-1)?.at);
    assert.equal(usual.as_of, newest);
    assert.equal(Date.parse(usual.to), Date.parse(newest) + 1000);
    assert.equal(Date.parse(usual.to) - Date.parse(usual.from), 7 * 86_400_000);
    const { pathname, search } = new URL(usual.url);
    assert.equal(`${pathname}${search}`, '/depth/BTC/Bybit?symbol=BTC-USDT&size_usd=500');
    const inside = await of(`&from=2026-11-14T00:00:00Z&to=${newest}`);
    assert.deepEqual(
      [inside.from, inside.to, inside.points.length],
      ['2026-11-14T00:00:00Z', newest, usual.points.length],
    );
    assert.deepEqual((await of('&from=2026-11-13T00:00:00Z&to=2026-11-14T00:00:00Z')).points, []);
    assert.equal((await of('&days=99&from=2026-11-14T00:00:00Z')).from, '2026-11-14T00:00:00Z');
    const startMs = clock.nowMs();
    clock.setMs(startMs + 31_000);
    const again = await running.get(`${path}&symbol=BTC-USDT&size_usd=500`, {
      headers: { 'if-none-match': usual.etag },
    });
    clock.setMs(startMs);
    assert.equal(again.status, 304);
  });

  for (const [query, detail] of [
    ['exchange=OKX,Bybit', /"exchange" takes one venue; got "OKX,Bybit"/],
    ['exchange=Bybit&from=2026-11-14&to=2026-11-13', /"from" .* must not be after "to"/],
    [
      'exchange=Bybit&from=2026-07-01',
      /"from" asks for more than 92 days, the most that one call gives; start at/,
    ],
    ['exchange=Bybit&to=soon', /"to" must be an ISO 8601/],
  ] as const)
    test(`/depth/history 400: ${query}`, async () => {
      const reply = await running.get(`/api/v1/depth/history?coin=BTC&${query}`);
      assert.equal(reply.status, 400, reply.text);
      assert.match((reply.body as { detail: string }).detail, detail);
    });

  test('filters, sorts and CSV', async () => {
    const of = async (query: string) => rowsOf(await running.get(`/api/v1/depth?limit=500&${query}`));
    const least = 50_000;
    const deep = rows.filter((row) => Number(row.ask_10bp_usd ?? -1) >= least);
    assert.ok(deep.length > 0 && deep.length < rows.length, `${deep.length} of ${rows.length}`);
    assert.deepEqual((await of(`min_ask_10bp_usd=${least}`)).map(nameOf), deep.map(nameOf));
    assert.ok(
      (await of('coin=BTC&exchange=Bybit')).every(
        ({ coin, exchange }) => coin === 'BTC' && exchange === 'Bybit',
      ),
    );
    const spreads = (await of('sort=bid_ask_spread_asc')).map((row) => Number(row.bid_ask_spread_pct));
    assert.deepEqual(
      spreads,
      spreads.toSorted((a, b) => a - b),
    );
    const smaller = (row: Row) =>
      Math.min(Number(row.bid_10bp_usd ?? Number.NaN), Number(row.ask_10bp_usd ?? Number.NaN));
    const deepest = (await of('sort=depth_10bp_desc')).map(smaller).filter((value) => !Number.isNaN(value));
    assert.deepEqual(
      deepest,
      deepest.toSorted((a, b) => b - a),
    );
    const csv = await running.get('/api/v1/depth?coin=BTC&fields=exchange,symbol,ask_5bp_usd&format=csv');
    assert.match(csv.text, /^exchange,symbol,ask_5bp_usd\r\n(?:\w+,BTC-\w+,[\d.]*\r\n)+$/);
  });

  test('a venue that fails keeps its books, and their age grows; the others have new ones', async () => {
    running.sim.setFaults('bybit', { errorStatus: 500 });
    clock.advanceMs(2 * MINUTE_MS);
    await collectOnce(running);
    const fetchedMs = clock.nowMs();
    // A failed call is repeated after a pause on the clock.
    const pump = setInterval(() => clock.advanceMs(20), 5);
    await running.service.samples.fetchBooks(clock.nowMs() + 30_000);
    clearInterval(pump);
    running.sim.setFaults('bybit', {});
    // A table is published once a minute.
    clock.advanceMs(MINUTE_MS);
    await running.service.publisher.publish(clock.nowMs());
    const later = rowsOf(await running.get('/api/v1/depth?limit=500'));
    const isNew = ({ book_at }: Row) => Date.parse(String(book_at)) >= Math.floor(fetchedMs / 1000) * 1000;
    assert.ok(later.filter(isNew).length > 5);
    for (const row of later.filter(({ exchange }) => exchange === 'Bybit')) {
      assert.equal(isNew(row), false);
      assert.ok(Number(row.book_age_seconds) > 120, JSON.stringify(row));
    }
    const young = rowsOf(await running.get('/api/v1/depth?limit=500&max_age_seconds=100'));
    assert.deepEqual(young.map(nameOf).sort(), later.filter(isNew).map(nameOf).sort());
  });
});

function nameOf(row: Row): string {
  return `${row.exchange}/${row.venue_symbol}`;
}

/** How far the average price of an order is from the mid, in percent; null if the levels do not fill it. */
function filledPct(levels: Levels, contractSize: number, sizeUsd: number, mid: number): number | null {
  let [left, coins] = [sizeUsd, 0];
  for (const [price, contracts] of levels) {
    const spent = Math.min(left, price * contracts * contractSize);
    coins += spent / price;
    left -= spent;
    if (left <= 0) return Math.abs(sizeUsd / coins / mid - 1) * 100;
  }
  return null;
}
