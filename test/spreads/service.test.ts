import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { quoteInUsdt } from '../../sim/market.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { isoTime } from '../../src/base/times.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const CHECKS = ['covers_fees', 'both_volumes_1m', 'both_fresh_15s', 'both_fill_500_usd', 'steady_3_prints'];
/** Stablecoin rates come from mid prices, which differ between venues and coins. */
const CONVERTED_TOLERANCE = 0.001;

type Row = Record<string, unknown>;
const metaOf = (reply: { body: unknown }) =>
  (
    reply.body as {
      meta: { as_of: string; delayed_seconds: number; total: number | null; next_cursor?: string };
    }
  ).meta;
const pairOf = (row: Row) => `${row.coin} ${row.exchange_a} ${row.exchange_b}`;

suite('/spreads on simulated venues', () => {
  let running: Running;
  let clock: ManualClock;
  before(async () => {
    clock = new ManualClock(START_MS);
    running = await runService({ clock, venues: ['binance', 'bybit', 'okx', 'gate', 'kraken', 'bitget'] });
    // Quotes do not move while they are collected, so they can be compared exactly.
    running.sim.time.holdAt(START_MS);
    await collectOnce(running);
  });
  after(() => running.stop());

  const all = async (query = '', plan: 'business' | 'demo' = 'business'): Promise<Row[]> => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const page = `${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
      const reply = await running.get(`/api/v1/spreads?limit=${plan === 'demo' ? 50 : 500}${page}`, { plan });
      assert.equal(reply.status, 200, reply.text);
      rows.push(...rowsOf(reply));
      cursor = metaOf(reply).next_cursor;
    } while (cursor);
    return rows;
  };

  const near = (row: Row, name: string, value: number) =>
    assert.ok(
      Math.abs(Number(row[name]) - value) <= 2e-8 * Math.max(1, Math.abs(value)),
      `${name} is not ${value} in ${JSON.stringify(row)}`,
    );

  test('every row of /funding says which taker fee its APR is net of', async () => {
    const asOf = metaOf(await running.get('/api/v1/funding?limit=1')).as_of;
    const usual = new Map(
      rowsOf(await running.get('/api/v1/exchanges')).map((row) => [row.exchange, Number(row.taker_fee_pct)]),
    );
    const rows = await everyRow('/api/v1/funding', '', asOf);
    for (const row of rows) {
      const [rate, hours, fee] = [row.rate_pct, row.interval_hours, row.taker_fee_pct].map(Number) as [
        number,
        number,
        number,
      ];
      if (row.interval_hours === null) {
        assert.deepEqual([row.apr_pct, row.gross_apr_pct], [null, null]);
        continue;
      }
      near(row, 'gross_apr_pct', (rate / hours) * 8760);
      near(row, 'apr_pct', Math.sign(rate) * Math.max(0, Math.abs(rate) * (24 / hours) * 365 - 2 * fee));
    }
    const own = rows.filter((row) => row.taker_fee_pct !== usual.get(row.exchange as string));
    assert.ok(own.length > 0 && own.every((row) => row.exchange === 'Bybit'), 'Bybit has fees per contract');
  });

  for (const fees of ['', '&fees=Binance:0,Bybit:0.0123'])
    test(`every figure of a row of /spreads and /arbitrage follows from the row${fees && ' at own fees'}`, async () => {
      const asOf = metaOf(await running.get('/api/v1/spreads?limit=1')).as_of;
      const rows = await everyRow('/api/v1/spreads', fees, asOf);
      const strengths = new Set<unknown>();
      for (const row of rows) {
        const net = Number(row.spread_pct) - 2 * (Number(row.taker_fee_a_pct) + Number(row.taker_fee_b_pct));
        near(row, 'net_spread_pct', net);
        const [volumeA, volumeB] = [Number(row.volume_a_usdt), Number(row.volume_b_usdt)];
        assert.equal(row.covers_fees, Number(row.net_spread_pct) >= 0, JSON.stringify(row));
        assert.equal(row.both_volumes_1m, Math.min(volumeA, volumeB) >= 1e6, JSON.stringify(row));
        const ageMs = Date.parse(asOf) - Date.parse(String(row.updated_at));
        assert.equal(row.both_fresh_15s, ageMs < 15_000, JSON.stringify(row));
        const checks = CHECKS.map((name) => row[name]);
        assert.ok(checks.every((check) => typeof check === 'boolean'));
        assert.equal(row.strength, checks.filter(Boolean).length, JSON.stringify(row));
        strengths.add(row.strength);
        for (const leg of ['a', 'b'])
          if (fees !== '' && row[`exchange_${leg}`] === 'Binance')
            assert.equal(row[`taker_fee_${leg}_pct`], 0);
      }
      assert.ok(
        rows.length > 200 && strengths.size > 2,
        `${rows.length} rows of ${strengths.size} strengths`,
      );
      const pairs = await everyRow('/api/v1/arbitrage', fees, asOf);
      for (const row of pairs) {
        const daily = (leg: string) =>
          (Number(row[`${leg}_rate_pct`]) * 24) / Number(row[`${leg}_interval_hours`]);
        const carry = daily('short') - daily('long');
        const fee = 2 * (Number(row.long_taker_fee_pct) + Number(row.short_taker_fee_pct));
        near(row, 'carry_pct_day', carry);
        near(row, 'fee_pct_round_trip', fee);
        const cost = fee - Number(row.entry_spread_pct) - Number(row.exit_spread_pct);
        near(row, 'cost_pct_round_trip', cost);
        near(row, 'net_apr_pct', ((carry * 30 - cost) / 30) * 365);
        for (const leg of ['long', 'short'])
          if (fees !== '' && row[`${leg}_exchange`] === 'Bybit')
            assert.equal(row[`${leg}_taker_fee_pct`], 0.0123);
      }
      assert.ok(pairs.length > 200, `${pairs.length} pairs`);
    });

  test('the net spread follows the caller’s own fees, and so does its order', async () => {
    const own = await all(
      '&fees=Binance:0,Gate:0.01&sort=net_spread_desc&exchange=Binance,Gate&exchange_match=all',
    );
    assert.ok(own.length > 5, `${own.length} rows`);
    for (const row of own)
      assert.ok(Math.abs(Number(row.net_spread_pct) - (Number(row.spread_pct) - 0.02)) < 1e-7);
    const nets = own.map((row) => Number(row.net_spread_pct));
    assert.deepEqual(
      nets,
      nets.toSorted((a, b) => b - a),
    );
  });

  test('prices are those of the venues, per coin and in USDT, and the figures match them', async () => {
    const rows = await all();
    assert.ok(rows.length > 200, `${rows.length} rows`);
    let compared = 0;
    for (const row of rows) {
      const [bidA, askA, bidB, askB] = ['bid_a', 'ask_a', 'bid_b', 'ask_b'].map((name) => Number(row[name]));
      near(row, 'long_a_short_b_pct', (((bidB ?? 0) - (askA ?? 0)) / (askA ?? 1)) * 100);
      near(row, 'short_a_long_b_pct', (((bidA ?? 0) - (askB ?? 0)) / (askB ?? 1)) * 100);
      near(row, 'spread_pct', Math.max(Number(row.long_a_short_b_pct), Number(row.short_a_long_b_pct)));
      assert.equal(
        row.direction,
        row.spread_pct === row.long_a_short_b_pct ? 'long_a_short_b' : 'short_a_long_b',
      );
      assert.ok(String(row.exchange_a) < String(row.exchange_b));
      for (const leg of ['a', 'b']) {
        const exchange = String(row[`exchange_${leg}`]);
        const view = running.sim.view(exchange.toLowerCase());
        const bid = Number(row[`bid_${leg}`]);
        const inUsdt = view.open
          .filter((contract) => contract.coin.ticker === row.coin && !contract.isInverse)
          .map((contract) => ({
            isConverted: contract.quote !== 'USDT',
            price:
              (view.quote(contract).bidPrice / contract.multiplier) * quoteInUsdt(contract.quote, START_MS),
          }));
        const isOne = inUsdt.some(
          ({ isConverted, price }) => Math.abs(price / bid - 1) < (isConverted ? CONVERTED_TOLERANCE : 1e-9),
        );
        assert.ok(isOne, `${exchange} ${row.coin}: ${bid} is none of ${JSON.stringify(inUsdt)}`);
        compared++;
      }
    }
    assert.equal(compared, rows.length * 2);
    assert.equal(new Set(rows.map(pairOf)).size, rows.length, 'one row per pair and coin');
  });

  test('all legs in one stablecoin are converted with one rate, near the simulated one', async () => {
    const rows = await all('&exchange=Kraken,Binance&exchange_match=all');
    const mixed = rows.filter((row) => row.symbol === `${row.coin}-USD`);
    assert.ok(mixed.length > 10, `${mixed.length} rows`);
    const view = running.sim.view('kraken');
    const rates = mixed.map((row) => {
      const contract = view.open.find((one) => one.coin.ticker === row.coin && !one.isInverse);
      assert.ok(contract);
      return (Number(row.bid_b) * contract.multiplier) / view.quote(contract).bidPrice;
    });
    assert.ok(Math.max(...rates) - Math.min(...rates) < 1e-9, 'one rate');
    assert.equal(Number(rates[0]?.toFixed(9)), Number(rates[0]?.toFixed(5)), 'of five decimals');
    assert.ok(Math.abs((rates[0] ?? 0) - quoteInUsdt('USD', START_MS)) < CONVERTED_TOLERANCE, `${rates[0]}`);
  });

  test('quotes keep being updated', async () => {
    running.sim.time.runLive();
    clock.advanceMs(20_000);
    await collectOnce(running);
    const [row] = await all();
    assert.ok(Date.parse(String(row?.updated_at)) > START_MS + 10_000);
  });

  test('filters return the rows that a check of all rows finds', async () => {
    const rows = await all();
    const asOfMs = Date.parse(metaOf(await running.get('/api/v1/spreads')).as_of);
    const cases: [query: string, keeps: (row: Row) => boolean][] = [
      ['coin=btc,eth', (row) => ['BTC', 'ETH'].includes(String(row.coin))],
      ['exchange=OKX', (row) => row.exchange_a === 'OKX' || row.exchange_b === 'OKX'],
      [
        'exchange=OKX,Gate&exchange_match=all',
        (row) =>
          ['OKX', 'Gate'].includes(String(row.exchange_a)) &&
          ['OKX', 'Gate'].includes(String(row.exchange_b)),
      ],
      ['exclude_exchange=OKX,Kraken', (row) => !/OKX|Kraken/.test(`${row.exchange_a} ${row.exchange_b}`)],
      ['min_spread_pct=0.1', (row) => Number(row.spread_pct) >= 0.1],
      ['max_spread_pct=0', (row) => Number(row.spread_pct) <= 0],
      ['direction=long_a_short_b', (row) => row.direction === 'long_a_short_b'],
      ['direction=short_a_long_b', (row) => row.direction === 'short_a_long_b'],
      [
        'min_volume_usdt=5000000',
        (row) => Number(row.volume_a_usdt) >= 5e6 && Number(row.volume_b_usdt) >= 5e6,
      ],
      ['min_strength=4', (row) => Number(row.strength) >= 4],
      ['max_age_seconds=1', (row) => Date.parse(String(row.updated_at)) >= asOfMs - 1000],
      ['max_age_seconds=120', () => true],
    ];
    for (const [query, keeps] of cases) {
      const expected = rows.filter(keeps);
      assert.deepEqual((await all(`&${query}`)).map(pairOf), expected.map(pairOf), query);
    }
    const counts = await Promise.all(
      ['min_strength=4', 'direction=long_a_short_b'].map((query) => all(`&${query}`)),
    );
    for (const kept of counts)
      assert.ok(kept.length > 0 && kept.length < rows.length, 'the filter keeps some only');
  });

  test('every sort returns all rows in its order', async () => {
    const rows = await all();
    const smaller = (row: Row) => Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
    const keys: Record<string, (row: Row) => number | string> = {
      spread_desc: (row) => -Number(row.spread_pct),
      spread_asc: (row) => Number(row.spread_pct),
      volume_desc: (row) => -smaller(row),
      volume_asc: smaller,
      strength_desc: (row) => -Number(row.strength),
      updated_desc: (row) => -Date.parse(String(row.updated_at)),
      coin_asc: (row) => String(row.coin),
    };
    for (const [sort, key] of Object.entries(keys)) {
      const sorted = await all(`&sort=${sort}`);
      const expected = rows.toSorted((x, y) => {
        const [a, b] = [key(x), key(y)];
        return a < b ? -1 : a > b ? 1 : pairOf(x) < pairOf(y) ? -1 : 1;
      });
      assert.deepEqual(sorted.map(pairOf), expected.map(pairOf), sort);
    }
    assert.deepEqual(rows.map(pairOf), (await all('&sort=spread_desc')).map(pairOf), 'best first by default');
  });

  test('a venue without new quotes loses its rows after 120 s, the others keep theirs', async () => {
    const rowsOfOthers = (await all('&exclude_exchange=OKX')).length;
    running.sim.setFaults('okx', { errorStatus: 500 });
    clock.advanceMs(119_000);
    await collectOnce(running);
    clock.advanceMs(10_000);
    await collectOnce(running);
    assert.equal((await all('&exchange=OKX')).length, 0);
    assert.equal((await all('&exclude_exchange=OKX')).length, rowsOfOthers);
    running.sim.setFaults('okx', {});
  });

  for (const fault of ['crossedQuotes', 'zeroQuotes'] as const) {
    test(`${fault} of one venue make no rows, the others keep theirs`, async () => {
      clock.advanceMs(60_000);
      await collectOnce(running);
      const rowsOfOthers = (await all('&exclude_exchange=Gate')).length;
      running.sim.setFaults('gate', { [fault]: true });
      clock.advanceMs(125_000);
      await collectOnce(running);
      assert.equal((await all('&exchange=Gate')).length, 0);
      assert.equal((await all('&exclude_exchange=Gate')).length, rowsOfOthers);
      running.sim.setFaults('gate', {});
    });
  }

  test('Demo sees the print of 900 s ago, at most a minute older, page by page from one print', async () => {
    clock.advanceMs(60_000);
    await collectOnce(running);
    const live = metaOf(await running.get('/api/v1/spreads'));
    const first = await running.get('/api/v1/spreads?limit=50', { plan: 'business' });
    const seen = await all();
    clock.advanceMs(900_000);
    await collectOnce(running);
    const reply = await running.get('/api/v1/spreads', { plan: 'demo' });
    const meta = metaOf(reply);
    assert.equal(meta.delayed_seconds, 900);
    const lagSeconds = (clock.nowMs() - Date.parse(meta.as_of)) / 1000;
    assert.ok(lagSeconds >= 900, `${lagSeconds} s`);
    assert.equal(meta.as_of, live.as_of, 'the print that was live 900 s ago');
    assert.deepEqual(rowsOf(reply), rowsOf(first), 'the same rows');
    assert.deepEqual(await all('', 'demo'), seen);
  });

  test('a cursor of a live print works for 20 minutes while new prints are made', async () => {
    await collectOnce(running);
    const first = await running.get('/api/v1/spreads?limit=100');
    const whole = await all();
    const { next_cursor: cursor } = metaOf(first);
    assert.ok(cursor);
    for (let minute = 0; minute < 20; minute++) {
      clock.advanceMs(30_000);
      await running.service.spreads.publish(clock.nowMs());
      clock.advanceMs(30_000);
      await running.service.spreads.publish(clock.nowMs());
    }
    const second = await running.get(`/api/v1/spreads?limit=100&cursor=${encodeURIComponent(cursor)}`);
    assert.equal(second.status, 200, second.text);
    assert.deepEqual([...rowsOf(first), ...rowsOf(second)].map(pairOf), whole.slice(0, 200).map(pairOf));
    clock.advanceMs(40 * 60_000);
    await running.service.spreads.publish(clock.nowMs());
    const late = await running.get(`/api/v1/spreads?limit=100&cursor=${encodeURIComponent(cursor)}`);
    assert.equal(late.status, 400);
    assert.match(late.text, /\\"cursor\\" has expired/);
  });

  test('venues speak while tables are stored: the legs of /arbitrage and /spreads are those of /funding of the same time', async () => {
    clock.advanceMs(10_000);
    await collectOnce(running);
    clock.advanceMs(1000);
    const asOfMs = clock.nowMs();
    const { context } = running.service;
    const bids = new Map(context.market.states().map(({ key, top }) => [key, top?.bidPrice]));
    const sampled = context.market.states().filter(({ contract, top }) => !contract.isInverse && top);
    const published = running.service.publisher.publish(asOfMs);
    speak(running, clock);
    await published;
    speak(running, clock);
    const spreads = running.service.spreads.publish(asOfMs);
    speak(running, clock);
    await spreads;
    assert.ok(
      sampled.every(({ key, top }) => top?.bidPrice !== bids.get(key)),
      'every price has moved since',
    );

    const asOf = isoTime(asOfMs);
    const funding = Map.groupBy(
      await everyRow('/api/v1/funding', '&is_inverse=false', asOf),
      (row) => `${row.coin} ${row.exchange}`,
    );
    const contractsOf = (row: Row, exchange: unknown) => funding.get(`${row.coin} ${exchange}`) ?? [];
    const pairs = await everyRow('/api/v1/arbitrage', '', asOf);
    assert.ok(pairs.length > 200, `${pairs.length} pairs`);
    for (const row of pairs) {
      const [long, short] = ['long', 'short'].map((leg) =>
        contractsOf(row, row[`${leg}_exchange`]).find(({ symbol }) => symbol === row[`${leg}_symbol`]),
      );
      assert.ok(long && short, JSON.stringify(row));
      for (const [leg, contract] of [
        ['long', long],
        ['short', short],
      ] as const)
        for (const name of ['rate_pct', 'interval_hours', 'next_funding_at'])
          assert.equal(row[`${leg}_${name}`], contract[name], `${leg}_${name} of ${JSON.stringify(row)}`);
      assert.ok(Number(row.capacity_usd) < LATER_CAPACITY_USD / 2, `a later book: ${JSON.stringify(row)}`);
      assert.equal(row.volume_usdt, Math.min(Number(long.volume_24h_usdt), Number(short.volume_24h_usdt)));
      assert.ok(Date.parse(String(row.updated_at)) <= asOfMs, `updated_at of ${JSON.stringify(row)}`);
    }
    const shown = await everyRow('/api/v1/spreads', '', asOf);
    assert.ok(shown.length > 200, `${shown.length} spreads`);
    let compared = 0;
    for (const row of shown) {
      assert.ok(Date.parse(String(row.updated_at)) <= asOfMs, `updated_at of ${JSON.stringify(row)}`);
      for (const leg of ['a', 'b']) {
        const contracts = contractsOf(row, row[`exchange_${leg}`]);
        const [contract] = contracts;
        // A row does not say which contract it means where a venue has several.
        if (!contract || contracts.length > 1) continue;
        assert.equal(row[`funding_rate_${leg}_pct`], contract.rate_pct, JSON.stringify(row));
        assert.equal(row[`volume_${leg}_usdt`], contract.volume_24h_usdt, JSON.stringify(row));
        // Other contracts have a multiplier or are converted.
        if (contract.symbol !== `${row.coin}-USDT`) continue;
        const bid = bids.get(`${contract.exchange}/${contract.venue_symbol}`);
        assert.equal(row[`bid_${leg}`], bid, JSON.stringify(row));
        compared++;
      }
    }
    assert.ok(compared > 200, `${compared} bids compared`);
  });

  /** All rows of a list; every page has the given time. */
  const everyRow = async (path: string, query: string, asOf: string): Promise<Row[]> => {
    const rows: Row[] = [];
    let cursor = '';
    do {
      const reply = await running.get(`${path}?limit=500${query}${cursor}`);
      const meta = metaOf(reply);
      assert.equal(meta.as_of, asOf, path);
      const { data } = reply.body as { data: Row[] | { pairs: Row[] } };
      rows.push(...(Array.isArray(data) ? data : data.pairs));
      cursor = meta.next_cursor ? `&cursor=${encodeURIComponent(meta.next_cursor)}` : '';
    } while (cursor !== '');
    return rows;
  };
});

const LATER_CAPACITY_USD = 1e12;

/** Time goes on, and every venue says another rate, price, volume and book of all contracts. */
function speak({ service }: Running, clock: ManualClock): void {
  const { market, venues } = service.context;
  clock.advanceMs(7);
  for (const venue of venues) {
    const batch = emptyBatch();
    for (const { contract, ratePct, top, volume24hUsdt } of market.statesOf(venue)) {
      const { venueSymbol } = contract;
      if (ratePct !== null)
        batch.fundingQuotes.push({
          venueSymbol,
          ratePct: ratePct + 0.001,
          venueTimeMs: null,
          intervalHours: undefined,
          nextFundingAtMs: undefined,
        });
      if (top) {
        const [bidPrice, askPrice] = [top.bidPrice * 1.0001, top.askPrice * 1.0001];
        batch.bookTops.push({ ...top, bidPrice, askPrice });
        const [bids, asks] = [bidPrice, askPrice].map((price): [number, number][] => [
          [price, LATER_CAPACITY_USD / price],
        ]) as [[number, number][], [number, number][]];
        batch.depths.push({ venueSymbol, bids, asks, venueTimeMs: null });
      }
      if (volume24hUsdt !== null)
        batch.dayVolumes.push({ venueSymbol, volume24hUsdt: volume24hUsdt + 1, referencePrice: null });
    }
    service.collectorOptions(venue).accept(venue, batch, clock.nowMs(), new Map());
  }
}

suite('/spreads after a restart', () => {
  test('the last print is served at once, live and delayed, before any venue is polled', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-spreads-'));
    const clock = new ManualClock(START_MS);
    const options = { clock, dataDir, venues: ['binance', 'okx'], coins: 15 };
    const first = await runService(options);
    await collectOnce(first);
    clock.advanceMs(950_000);
    await collectOnce(first);
    const read = async (running: Running) => [
      (await running.get('/api/v1/spreads')).text.replaceAll(running.service.baseUrl, ''),
      (await running.get('/api/v1/spreads', { plan: 'demo' })).text.replaceAll(running.service.baseUrl, ''),
    ];
    const before = await read(first);
    await first.stop();
    const second = await runService(options);
    assert.deepEqual(await read(second), before);
    await second.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
