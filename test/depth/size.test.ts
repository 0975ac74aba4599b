import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { bookAt } from '../../sim/market.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { callTool } from '../mcp/rpc.ts';
import { collectOnce, type Reply, type Running, rowsOf, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
/** The venue's name in the simulator, and the levels that it sends. */
const VENUES = {
  Binance: ['binance', 100],
  Bybit: ['bybit', 100],
  Hyperliquid: ['hyperliquid', 20],
} as const;
const SIZES = [100, 7_300, 20_000, 90_000, 250_000];

type Row = Record<string, unknown>;
type Side = 'buy' | 'sell';

/** Figures of the rows that a size adds, in their order. */
const ADDED = ['entry_cost_pct', 'exit_cost_pct', 'exit_cost_worst_pct', 'fills', 'book_age_seconds'];

suite('size_usd on /arbitrage, /spreads and /funding/{coin}', () => {
  let running: Running;
  const clock = new ManualClock(START_MS);
  /** Without `size_usd`, by path. */
  const plain = new Map<string, string>();

  const pairsIn = (reply: Reply): Row[] => {
    const { data } = reply.body as { data: Row[] | { pairs: Row[] } };
    assert.ok(data, reply.text);
    return 'pairs' in data ? data.pairs : data;
  };
  const pairsOf = async (path: string, query = '') =>
    pairsIn(await running.get(`${path}?limit=500&${query}`));
  const arbitrage = (query = '') => pairsOf('/api/v1/arbitrage', query);
  const spreads = (query = '') => pairsOf('/api/v1/spreads', query);

  before(async () => {
    running = await runService({ venues: Object.values(VENUES).map(([slug]) => slug), coins: 30, clock });
    await collectOnce(running);
    // The clock stands still meanwhile, so every book is of the same time.
    await running.service.samples.fetchBooks(clock.nowMs() + 30_000);
    // The first snapshot stores a sample of the costs, the next reads the day, and the third publishes it.
    for (let minute = 0; minute < 3; minute++) {
      await running.service.publisher.publish(clock.nowMs());
      clock.advanceMs(MINUTE_MS);
    }
    await collectOnce(running);
    await running.service.publisher.publish(clock.nowMs());
    await running.service.spreads.publish(clock.nowMs());
    for (const path of ['/api/v1/arbitrage', '/api/v1/spreads', '/api/v1/funding/BTC'])
      plain.set(path, (await running.get(path)).text);
  });
  after(() => running.stop());

  /** What the book of the simulator would cost an order, in percent of its mid; null if its levels do not fill it. */
  function filledPct(exchange: unknown, venueSymbol: string, side: Side, sizeUsd: number): number | null {
    const [slug, levels] = VENUES[exchange as keyof typeof VENUES];
    const contract = running.sim.view(slug).find(venueSymbol);
    assert.ok(contract, `${exchange} ${venueSymbol}`);
    const { bids, asks } = bookAt(contract, START_MS, levels);
    const mid = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2;
    let [left, coins] = [sizeUsd, 0];
    for (const [price, contracts] of side === 'buy' ? asks : bids) {
      const spent = Math.min(left, price * contracts * contract.contractSize);
      coins += spent / price;
      left -= spent;
      if (left <= 0) return Math.abs(sizeUsd / coins / mid - 1) * 100;
    }
    return null;
  }

  /** The figures of a pair as the simulator would fill them; null where a side does not. */
  function exactOf(bought: [unknown, string], sold: [unknown, string], sizeUsd: number) {
    const cost = (leg: [unknown, string], side: Side) => filledPct(...leg, side, sizeUsd);
    const [buy, sell] = [cost(bought, 'buy'), cost(sold, 'sell')];
    const [sellBack, buyBack] = [cost(bought, 'sell'), cost(sold, 'buy')];
    if (buy === null || sell === null || sellBack === null || buyBack === null) return null;
    return { entry: buy + sell, exit: sellBack + buyBack };
  }

  async function venueSymbols(): Promise<Map<string, string>> {
    const depth = rowsOf(await running.get('/api/v1/depth?limit=500')) as Row[];
    return new Map(
      depth.map(({ exchange, symbol, venue_symbol }) => [`${exchange} ${symbol}`, String(venue_symbol)]),
    );
  }

  function assertCosts(row: Row, exact: { entry: number; exit: number } | null): void {
    const name = JSON.stringify(row);
    assert.equal(row.fills, exact ? 'full' : 'partial', name);
    assert.ok(Number(row.book_age_seconds) >= 180 && Number(row.book_age_seconds) < 183, name);
    if (!exact) {
      assert.deepEqual([row.entry_cost_pct, row.exit_cost_pct, row.exit_cost_worst_pct], [null, null, null]);
      return;
    }
    // Two legs: 2 % or 0.1 basis points each by the curve, for the day 1 % by the stored step and a few by the size between
    // two stored ones, and 1 % because a USDC is worth about a USDT.
    const isNear = (got: unknown, of: number, share: number) =>
      Math.abs(Number(got) - of) <= share * of + 0.002;
    assert.ok(isNear(row.entry_cost_pct, exact.entry, 0.03), `entry ${exact.entry} in ${name}`);
    assert.ok(isNear(row.exit_cost_pct, exact.exit, 0.12), `exit ${exact.exit} in ${name}`);
    // There is one sample, so the worst is the median.
    assert.equal(row.exit_cost_worst_pct, row.exit_cost_pct, name);
  }

  test('/arbitrage: costs are those of the books that the simulator would fill, and net figures follow', async () => {
    const symbols = await venueSymbols();
    const before = new Map((await arbitrage()).map((row) => [nameOf(row), row]));
    let [full, partial] = [0, 0];
    for (const sizeUsd of SIZES)
      for (const row of await arbitrage(`size_usd=${sizeUsd}`)) {
        if (![row.long_symbol, row.short_symbol].every((symbol) => String(symbol).endsWith('-USDT')))
          continue;
        const leg = (side: 'long' | 'short'): [unknown, string] => [
          row[`${side}_exchange`],
          symbols.get(`${row[`${side}_exchange`]} ${row[`${side}_symbol`]}`) ?? '',
        ];
        const exact = exactOf(leg('long'), leg('short'), sizeUsd);
        assertCosts(row, exact);
        const base = before.get(nameOf(row)) ?? {};
        for (const name of ['carry_pct_day', 'fee_pct_round_trip', 'entry_spread_pct', 'capacity_usd'])
          assert.equal(row[name], base[name], `${name} has no size`);
        if (!exact) {
          partial++;
          for (const name of ['cost_pct_round_trip', 'net_apr_pct', 'break_even_hours'])
            assert.equal(row[name], null, name);
          assert.equal(row.expected_net_apr_pct, null);
          assert.equal(row.probability_net_positive, null);
          continue;
        }
        full++;
        const cost = Number(row.fee_pct_round_trip) + Number(row.entry_cost_pct) + Number(row.exit_cost_pct);
        assertNear(row.cost_pct_round_trip, cost);
        assertNear(row.net_apr_pct, ((Number(row.carry_pct_day) * 30 - cost) / 30) * 365);
        if (row.expected_carry_30d_pct !== null)
          assertNear(row.expected_net_apr_pct, ((Number(row.expected_carry_30d_pct) - cost) / 30) * 365);
      }
    assert.ok(full > 40 && partial > 3, `${full} full, ${partial} partial`);
  });

  test('/spreads: from mid to mid, less both costs and four fees; covers_fees and strength follow', async () => {
    const symbols = await venueSymbols();
    const before = new Map((await spreads()).map((row) => [nameOf(row), row]));
    let [full, partial] = [0, 0];
    for (const sizeUsd of SIZES)
      for (const row of await spreads(`size_usd=${sizeUsd}`)) {
        const isLongA = row.direction === 'long_a_short_b';
        const leg = (side: 'a' | 'b'): [unknown, string] | null => {
          // The row does not name the contracts: those with a multiplier are not compared. Hyperliquid quotes in USDC.
          const quote = row[`exchange_${side}`] === 'Hyperliquid' ? 'USDC' : 'USDT';
          const symbol = symbols.get(`${row[`exchange_${side}`]} ${row.coin}-${quote}`);
          const isChosen = !/-USDC$/.test(String(row.symbol)) || quote === 'USDC';
          return symbol === undefined || !isChosen ? null : [row[`exchange_${side}`], symbol];
        };
        const [bought, sold] = isLongA ? [leg('a'), leg('b')] : [leg('b'), leg('a')];
        if (!bought || !sold) continue;
        const exact = exactOf(bought, sold, sizeUsd);
        assertCosts(row, exact);
        const base = before.get(nameOf(row)) ?? {};
        assert.equal(row.spread_pct, base.spread_pct, 'is of the best prices');
        const others = Number(base.strength) - Number(base.covers_fees);
        assert.equal(row.strength, others + Number(row.covers_fees));
        if (!exact) {
          partial++;
          assert.deepEqual([row.net_spread_pct, row.covers_fees], [null, false]);
          continue;
        }
        full++;
        const mid = (side: 'a' | 'b') => (Number(row[`bid_${side}`]) + Number(row[`ask_${side}`])) / 2;
        const gap = isLongA ? mid('b') / mid('a') - 1 : mid('a') / mid('b') - 1;
        const fees = 2 * (Number(row.taker_fee_a_pct) + Number(row.taker_fee_b_pct));
        const net = gap * 100 - Number(row.entry_cost_pct) - Number(row.exit_cost_pct) - fees;
        assertNear(row.net_spread_pct, net);
        assert.equal(row.covers_fees, Number(row.net_spread_pct) >= 0);
      }
    assert.ok(full > 40 && partial > 3, `${full} full, ${partial} partial`);
  });

  test('no cost falls and no net figure rises as the size grows', async () => {
    for (const [list, net] of [
      [arbitrage, ['net_apr_pct', 'expected_net_apr_pct', 'probability_net_positive']],
      [spreads, ['net_spread_pct']],
    ] as const) {
      let before = new Map<string, Row>();
      for (const sizeUsd of SIZES) {
        const rows = new Map((await list(`size_usd=${sizeUsd}`)).map((row) => [nameOf(row), row]));
        for (const [name, row] of rows) {
          const smaller = before.get(name);
          if (!smaller || row.fills !== 'full') continue;
          assert.equal(smaller.fills, 'full', `a smaller size fills too: ${name}`);
          for (const cost of ADDED.slice(0, 3))
            if (row[cost] !== null) assert.ok(Number(row[cost]) >= Number(smaller[cost]) - 1e-6, cost);
          for (const figure of net)
            if (row[figure] !== null)
              assert.ok(Number(row[figure]) <= Number(smaller[figure]) + 1e-6, figure);
        }
        before = rows;
      }
    }
  });

  test('without size_usd no row has a field of it, and the bytes are the same after requests with it', async () => {
    for (const [path, text] of plain) {
      assert.equal((await running.get(path)).text, text, path);
      for (const name of ADDED) assert.ok(!text.includes(`"${name}"`), `${name} in ${path}`);
    }
  });

  test('rows that do not fill stay, and fills=full leaves them out', async () => {
    for (const list of [arbitrage, spreads]) {
      const [all, full, partial] = [
        await list('size_usd=250000'),
        await list('size_usd=250000&fills=full'),
        await list('size_usd=250000&fills=partial'),
      ];
      assert.equal(all.length, (await list()).length);
      assert.deepEqual(full.map(nameOf), all.filter(({ fills }) => fills === 'full').map(nameOf));
      assert.equal(full.length + partial.length, all.length);
      assert.ok(full.length > 0 && partial.length > 0, `${full.length} and ${partial.length}`);
    }
  });

  test('bounds, sorts, fields, paging and own fees work on the figures of the size', async () => {
    for (const list of [arbitrage, spreads]) {
      const all = await list('size_usd=20000');
      const costs = all.flatMap(({ entry_cost_pct: pct }) => (pct === null ? [] : [Number(pct)]));
      const middle = costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? 0;
      const cheap = await list(`size_usd=20000&max_entry_cost_pct=${middle}&sort=entry_cost_asc`);
      assert.deepEqual(
        cheap.map((row) => row.entry_cost_pct),
        costs.filter((pct) => pct <= middle).toSorted((a, b) => a - b),
      );
    }
    const fees = 'fees=Binance:0,Bybit:0,Hyperliquid:0';
    for (const row of await spreads(`size_usd=20000&${fees}&fills=full`)) {
      const usual = (await spreads(`size_usd=20000&coin=${row.coin}`)).find(
        (one) => nameOf(one) === nameOf(row),
      );
      assertNear(
        row.net_spread_pct,
        Number(usual?.net_spread_pct) + 2 * (Number(usual?.taker_fee_a_pct) + Number(usual?.taker_fee_b_pct)),
      );
    }
    const free = await arbitrage(`size_usd=20000&${fees}&fills=full`);
    assert.ok(free.length > 0);
    for (const row of free)
      assertNear(row.cost_pct_round_trip, Number(row.entry_cost_pct) + Number(row.exit_cost_pct));
    const nets = (await arbitrage('size_usd=20000&sort=net_apr_desc')).map((row) => row.net_apr_pct);
    const known = nets.filter((net) => net !== null).map(Number);
    assert.deepEqual(
      nets.slice(0, known.length),
      known.toSorted((a, b) => b - a),
      'nulls come last',
    );
    const first = await running.get('/api/v1/arbitrage?size_usd=20000&limit=7&sort=expected_net_desc');
    const cursor = (first.body as { meta: { next_cursor: string } }).meta.next_cursor;
    const query = `size_usd=20000&limit=7&sort=expected_net_desc&cursor=${cursor}`;
    const paged = [...pairsIn(first), ...pairsIn(await running.get(`/api/v1/arbitrage?${query}`))];
    const whole = await arbitrage('size_usd=20000&sort=expected_net_desc');
    assert.deepEqual(paged.map(nameOf), whole.slice(0, 14).map(nameOf));
    const other = await running.get(`/api/v1/arbitrage?${query.replace('20000', '20001')}`);
    assert.equal(other.status, 400, 'a cursor is of one size');
    const csv = await running.get(
      '/api/v1/spreads?size_usd=20000&fields=coin,fills,entry_cost_pct&format=csv',
    );
    assert.match(csv.text, /^coin,entry_cost_pct,fills\r\n(?:\w+,[\d.]*,(?:full|partial|unknown)\r\n)+$/);
    const whole2 = await running.get('/api/v1/arbitrage?size_usd=20000&format=csv');
    assert.ok(whole2.text.split('\r\n')[0]?.endsWith(ADDED.join()), 'CSV has them last');
  });

  for (const column of ADDED.filter((name) => name !== 'fills'))
    for (const side of ['min', 'max'])
      test(`svc_get_spreads filters by ${side}_${column} as /spreads does`, async () => {
        const known = (await spreads('size_usd=20000')).flatMap((row) => row[column] ?? []).map(Number);
        const middle = known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)];
        // The ages of all books are the same.
        const bound = column === 'book_age_seconds' ? Number(middle) + (side === 'min' ? 1 : -1) : middle;
        const rows = await spreads(`size_usd=20000&${side}_${column}=${bound}`);
        assert.ok(rows.length < known.length, 'the filter leaves rows out');
        const { structuredContent } = await callTool(
          running.service.baseUrl,
          running.keys.business,
          'svc_get_spreads',
          { size_usd: 20_000, limit: 500, [`${side}_${column}`]: bound },
        );
        assert.deepEqual(structuredContent?.data, rows);
      });

  const BAD: readonly (readonly [string, string, RegExp])[] = [
    ['below the smallest size', 'size_usd=99', /"size_usd" must be an integer from 100 to 250000/],
    ['above the largest size', 'size_usd=250001', /"size_usd" must be an integer from 100 to 250000/],
    ['no number', 'size_usd=abc', /"size_usd" must be an integer/],
    ['a fraction', 'size_usd=100.5', /"size_usd" must be an integer/],
    ['empty', 'size_usd=', /"size_usd"/],
    ['twice', 'size_usd=100&size_usd=200', /"size_usd"/],
  ];
  const BAD_IN_LISTS: typeof BAD = [
    ['fills without a size', 'fills=full', /"fills" needs "size_usd"/],
    [
      'fills of no such state',
      'size_usd=100&fills=nonsense',
      /"fills" must be one of full, partial, unknown/,
    ],
    ['a bound without a size', 'max_entry_cost_pct=1', /"max_entry_cost_pct" needs "size_usd"/],
    ['a sort without a size', 'sort=exit_cost_asc', /"sort" needs "size_usd"/],
    ['a field without a size', 'fields=coin,fills', /"fields" needs "size_usd"/],
  ];
  for (const path of ['/api/v1/arbitrage', '/api/v1/spreads', '/api/v1/funding/BTC'])
    for (const [what, query, words] of path.includes('BTC') ? BAD : [...BAD, ...BAD_IN_LISTS])
      test(`${path}: ${what} is refused`, async () => {
        const reply = await running.get(`${path}?${query}`);
        assert.equal(reply.status, 400, reply.text);
        const { error } = reply.body as { error?: { code: string; message: string } };
        const text = JSON.stringify(error ?? reply.body);
        assert.match(text.replaceAll('\\"', '"'), words);
      });
});

function nameOf(row: Row): string {
  return [row.coin, row.long_exchange ?? row.exchange_a, row.short_exchange ?? row.exchange_b].join(' ');
}

function assertNear(got: unknown, expected: number): void {
  const off = Math.abs(Number(got) - expected);
  assert.ok(got !== null && off < 1e-5, `${got}, not ${expected}`);
}
