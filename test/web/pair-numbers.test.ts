import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { roundPercent } from '../../src/base/numbers.ts';
import type { PairName } from '../../src/engines/backtest/pair-view.ts';
import { PairCharts } from '../../src/engines/backtest/running/pair-charts.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';
import { pairPath } from './market-paths.ts';
import { tablesOf, words } from './page-text.ts';
import { assertShown, dataOf, demoAnswer, digits, type Row, textAt } from './shown.ts';

const HOURS_PER_DAY = 24;

/** The texts of the elements of a class, in the order of the page. */
function textsOf(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, one = '']) => words(one));
}

suite('pages of pairs show the numbers of the API', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ heldAtMs: HELD_AT_MS });
  });
  after(() => market.stop());
  const textOf = (path: string) => textAt(market, path);
  const api = (path: string) => demoAnswer(market, path);

  test('the chart of a pair holds exactly the cycles that its row counts', async () => {
    const [row] = (dataOf(await api('/api/v1/spreads/backtest')) as { spreads: Row[] }).spreads;
    assert.ok(row);
    const query = new URLSearchParams({
      coin: String(row.coin),
      exchange_a: String(row.exchange_a),
      exchange_b: String(row.exchange_b),
    });
    const { data, meta } = JSON.parse(await textOf(`/spreads/backtest/pair.json?${query}`)) as {
      data: { from: string; spread_pct: (number | null)[]; cycles: Row[]; row: Row };
      meta: { as_of: string };
    };
    assert.deepEqual(data.row, row);
    assert.equal(data.cycles.length, row.cycles);
    const mean = data.cycles.reduce((sum, cycle) => sum + Number(cycle.profit_pct), 0) / data.cycles.length;
    assert.ok(Math.abs(mean - Number(row.avg_profit_pct)) < 1e-5);
    assert.equal(data.cycles.at(-1)?.closed_at, row.last_cycle_at);
    for (const cycle of data.cycles) assert.ok(String(cycle.opened_at) < String(cycle.closed_at));
    const lastMs = Date.parse(data.from) + (data.spread_pct.length - 1) * 60_000;
    assert.equal(lastMs, Date.parse(meta.as_of), 'nothing newer than what a visitor may see');
  });

  test('a process that does not compute the backtest draws the same charts from the stored samples', async (t) => {
    const { context, backtest } = market.service;
    const { storage, log, settings } = context;
    const { backtestDays, dataDir } = settings;
    const charts = new PairCharts({ storage, log, windowDays: backtestDays, folder: dataDir });
    t.after(() => charts.close());
    const { spreads } = dataOf(await api('/api/v1/spreads/backtest')) as { spreads: Row[] };
    for (const { coin, exchange_a, exchange_b } of spreads.slice(0, 3)) {
      const name = { coin, exchangeA: exchange_a, exchangeB: exchange_b, sizeUsd: 100 } as PairName;
      // Null while it still reads the samples.
      await until(async () => (await charts.pair(name)) !== null, 'the chart');
      assert.deepEqual(await charts.pair(name), await backtest.pair(name));
    }
    const unknown = { coin: 'NONE', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 } as const;
    assert.equal(await charts.pair(unknown), null);
  });

  test('the page of a pair shows the figures of its row and its cycles', async () => {
    const path = await pairPath(market);
    const { data } = JSON.parse(await textOf(path.replace('/pair?', '/pair.json?'))) as {
      data: { cycles: Row[]; row: Row };
    };
    const page = await textOf(`${path}&cycles=all`);
    const [, strip = ''] = /<dl class="stats card"[^>]*>(.*?)<\/dl>/s.exec(page) ?? [];
    const figures = [...strip.matchAll(/<div><dt>.*?<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, one = '']) =>
      words(one),
    );
    assertShown(figures[0], digits(data.row.est_profit_pct, 3), 'median');
    assertShown(figures[1], digits(data.row.avg_profit_pct, 3), 'mean');
    assert.equal(figures[2], String(data.row.cycles));
    assertShown(figures[4], digits(data.row.fee_pct_cycle, 2), 'fees');
    assert.equal(figures[5], `${data.row.confidence} of 100`);
    const [shown = []] = tablesOf(page);
    assert.equal(shown.length, data.cycles.length);
    for (const [i, cycle] of data.cycles.toReversed().entries()) {
      const cells = shown[i] ?? [];
      assert.equal(cells[0], String(data.cycles.length - i));
      assertShown(cells[4], digits(cycle.spread_in_pct, 3), `cycle ${i}, in`);
      assertShown(cells[5], digits(cycle.spread_out_pct, 3), `cycle ${i}, out`);
      assertShown(cells[8], digits(cycle.profit_pct, 3), `cycle ${i}`);
      const [first = '', second = ''] = [data.row.exchange_a, data.row.exchange_b].map(String);
      const [long, short] = cycle.direction === 'long_a_short_b' ? [first, second] : [second, first];
      assert.equal(cells[1], `Long ${long}, short ${short}`);
      const moved = Number(cycle.spread_in_pct) - Number(cycle.spread_out_pct);
      const gross = cycle.direction === 'long_a_short_b' ? moved : -moved;
      assertShown(cells[6], digits(Number(cycle.profit_pct) - gross, 3), `cycle ${i}, costs`);
    }
    const total = data.cycles.reduce((sum, cycle) => sum + Number(cycle.profit_pct), 0);
    const [said = ''] = textsOf(page, /(?:together|1 cycle): <b[^>]*>(.*?)<\/b>/g);
    assertShown(said, digits(total, 3), 'the total of the week');
    const counts = textsOf(page, /<svg class="hist".*?<\/svg>/gs);
    assert.equal(counts.length, 1);
    const bars = [
      ...page.matchAll(
        /<rect class="[pn]" x="[\d.]+" y="[\d.]+" width="[\d.]+" height="[\d.]+" rx="2"\/><text[^>]*>(\d+)/g,
      ),
    ];
    assert.equal(
      bars.reduce((sum, [, count]) => sum + Number(count), 0),
      data.cycles.length,
      'every cycle is in a bar',
    );
  });

  const isSamePair = (one: Row, other: Row) =>
    ['coin', 'exchange_a', 'exchange_b'].every((name) => one[name] === other[name]);
  const pairQuery = (row: Row) =>
    `coin=${row.coin}&exchange_a=${row.exchange_a}&exchange_b=${row.exchange_b}`;
  /** The quotes of the sampled coins. Which venues quote a coin depends on the time of the market. */
  const quotes = async () => dataOf(await api('/api/v1/spreads?coin=BTC,ETH,PEPE&limit=50')) as Row[];

  test('the page of a pair has the live quotes of both legs by name, and the spread between them', async () => {
    const { spreads } = dataOf(await api('/api/v1/spreads/backtest?limit=50')) as { spreads: Row[] };
    const row = (await quotes()).find((one) => spreads.some((tested) => isSamePair(one, tested)));
    assert.ok(row, 'a pair with quotes and results');
    const path = `/spreads/backtest/pair?${pairQuery(row)}`;
    const [a, b] = [row.exchange_a, row.exchange_b];
    const page = await textOf(path);
    const [, legs = ''] = /<div class="legs card"[^>]*>(.*?)<dl class="stats/s.exec(page) ?? [];
    assert.deepEqual(textsOf(legs, /<h2>(.*?)(?:<small>.*?)?<\/h2>/g), [a, b]);
    const mid = (side: 'a' | 'b') => (Number(row[`bid_${side}`]) + Number(row[`ask_${side}`])) / 2;
    const spread = ((mid('b') - mid('a')) / mid('a')) * 100;
    const [said = ''] = textsOf(legs, /<p class="big">(.*?)<\/p>/g);
    assertShown(said, digits(spread, 3), 'the spread of mid prices');
    assert.match(legs, spread < 0 ? /is below/ : /is above/);
    const figures = textsOf(legs, /<dd>(.*?)<\/dd>/g);
    for (const [offset, side] of [
      [0, 'a'],
      [6, 'b'],
    ] as const) {
      const buy = Number(figures[offset]);
      const sell = Number(figures[offset + 1]);
      // The stored samples cost about 100. Once they are two minutes old, the page has the quotes instead.
      const isExpected = [100, mid(side)].some((price) => Math.abs(sell / price - 1) < 0.1);
      assert.ok(buy >= sell && isExpected, `an order of $100 buys at ${buy} and sells at ${sell}`);
      assertShown(figures[offset + 3], digits(row[`funding_rate_${side}_pct`], 4), `funding ${side}`);
      assertShown(figures[offset + 5], { about: row[`volume_${side}_usdt`] }, `volume ${side}`);
    }
  });

  test('/spreads: one row per coin with its best pair; an opened coin has all of them', async () => {
    const rows = dataOf(await api('/api/v1/spreads?sort=net_spread_desc&limit=50')) as Row[];
    const best = new Map<string, Row>();
    for (const row of rows) if (!best.has(String(row.coin))) best.set(String(row.coin), row);
    const [shown = []] = tablesOf(await textOf('/spreads'));
    assert.ok(best.size > 5 && shown.length >= best.size);
    for (const [i, [coin, row]] of [...best].entries()) {
      const cells = shown[i] ?? [];
      assert.match(cells[1] ?? '', new RegExp(`^${coin}\\d+ pairs?$`));
      assertShown(cells[4], digits(row.net_spread_pct, 3), coin);
      assertShown(cells[5], digits(row.spread_pct, 3), coin);
    }
    const pairs = dataOf(await api('/api/v1/spreads?coin=BTC&sort=net_spread_desc&limit=50')) as Row[];
    assert.ok(pairs.length > 2);
    const opened = tablesOf(await textOf('/spreads?open=BTC&coin=BTC'))[0] ?? [];
    assert.equal(opened.length, pairs.length);
    for (const [i, row] of pairs.entries())
      assertShown(opened[i]?.[4], digits(row.net_spread_pct, 3), `pair ${i} of BTC`);
  });

  test('/spreads: legs are in the order buy and sell, with prices, rates and the funding of a day', async () => {
    const rows = dataOf(await api('/api/v1/spreads?limit=50&sort=net_spread_desc')) as Row[];
    const page = await textOf('/spreads?view=pairs');
    const [shown = []] = tablesOf(page);
    assert.equal(shown.length, rows.length);
    const dots = [...page.matchAll(/class="checks" role="img" aria-label="(\d) of 5/g)].map(([, count]) =>
      Number(count),
    );
    assert.deepEqual(
      dots,
      rows.map((row) => row.strength),
      'as many dots as the strength',
    );
    for (const [i, row] of rows.entries()) {
      const legs = row.direction === 'long_a_short_b' ? ['a', 'b'] : ['b', 'a'];
      for (const [column, side] of legs.entries()) {
        const said = /^(\D*?)([\d.]+) · (?:([+−]?[\d.]+).% \/ (\d+).h|–)$/.exec(shown[i]?.[column + 2] ?? '');
        assert.ok(said, String(shown[i]?.[column + 2]));
        assert.equal(said[1], row[`exchange_${side}`]);
        const price = Number(row[`${column === 0 ? 'ask' : 'bid'}_${side}`]);
        assert.ok(Math.abs(Number(said[2]) / price - 1) < 1e-5, `${said[2]} for ${price}`);
        assertShown(said[3], digits(row[`funding_rate_${side}_pct`], 4), 'the rate of the same leg');
        assert.equal(said[4], String(row[`funding_interval_hours_${side}`]));
      }
      const perDay = (side: string) =>
        (Number(row[`funding_rate_${side}_pct`]) * HOURS_PER_DAY) /
        Number(row[`funding_interval_hours_${side}`]);
      assertShown(shown[i]?.[6], digits(perDay(legs[1] ?? '') - perDay(legs[0] ?? ''), 3), 'funding a day');
    }
  });

  test('the chart of a withheld pair is not shown, its files are refused, and a missing parameter is named', async () => {
    const paid = (await market.get('/api/v1/spreads/backtest?limit=500')).body as {
      data: { spreads: Row[] };
    };
    const { withheld_top } = dataOf(await api('/api/v1/spreads/backtest')) as { withheld_top: number };
    const quoted = await quotes();
    // The best five of fifteen minutes ago, so not always the best five of now.
    const withheld: Row[] = [];
    for (const row of paid.data.spreads) {
      const refused = await fetch(`${market.service.baseUrl}/spreads/backtest/pair.json?${pairQuery(row)}`);
      if (refused.status === 404 && /which a plan shows/.test(await refused.text())) withheld.push(row);
    }
    assert.equal(withheld.length, withheld_top);
    for (const best of withheld) {
      const query = pairQuery(best);
      const refused = await fetch(`${market.service.baseUrl}/spreads/backtest/pair.csv?${query}`);
      assert.equal(refused.status, 404);
      assert.match(await refused.text(), /which a plan shows/);
      const isQuoted = quoted.some((one) => isSamePair(one, best));
      for (const ending of ['', '.md']) {
        const reply = await fetch(`${market.service.baseUrl}/spreads/backtest/pair${ending}?${query}`);
        assert.equal(reply.status, isQuoted ? 200 : 404, `${ending} of ${query}`);
        const text = await reply.text();
        assert.match(text, /which a plan shows/);
        assert.doesNotMatch(
          text,
          /<figure class="chart" id="spread"|<dl class="stats|est_profit_pct|opened_at/,
          'only quotes',
        );
      }
    }
    const missing = await fetch(`${market.service.baseUrl}/spreads/backtest/pair?coin=BTC`);
    assert.equal(missing.status, 400);
    assert.match(await missing.text(), /exchange_a&quot; is missing/);
  });

  test('/arbitrage/pair lists the payments of the next 24 hours, with the line at which they cover the costs', async () => {
    const listed = async (query: string) =>
      (await api(`/api/v1/arbitrage?limit=4&${query}`)).body as {
        data: { pairs: Row[] };
        meta: { as_of: string };
      };
    const [soon, late] = [await listed('max_break_even_hours=12'), await listed('sort=break_even_desc')];
    const fromMs = Date.parse(soon.meta.as_of);
    const seen = { covered: 0, later: 0 };
    for (const row of [...soon.data.pairs, ...late.data.pairs]) {
      const wanted: { at: number; exchange: string; rate: number; pct: number }[] = [];
      for (const leg of ['short', 'long']) {
        const everyMs = Number(row[`${leg}_interval_hours`]) * 3_600_000;
        const next = row[`${leg}_next_funding_at`];
        const firstMs = next === null ? fromMs + everyMs : Date.parse(String(next));
        const rate = Number(row[`${leg}_rate_pct`]);
        for (let at = firstMs; at <= fromMs + HOURS_PER_DAY * 3_600_000; at += everyMs)
          wanted.push({
            at,
            exchange: String(row[`${leg}_exchange`]),
            rate,
            pct: leg === 'short' ? rate : -rate,
          });
      }
      wanted.sort((a, b) => a.at - b.at);
      const query = new URLSearchParams(
        ['coin', 'long_exchange', 'short_exchange'].map((name) => [name, String(row[name])]),
      );
      const page = await textOf(`/arbitrage/pair?${query}`);
      const [, card = ''] = /id="payments".*?<tbody>(.*?)<\/tbody>/s.exec(page) ?? [];
      const lines = [...card.matchAll(/<tr data-key="([^"]*)".*?<\/tr>/gs)].map(([line, key = '']) => ({
        key,
        cells: textsOf(line, /<t[hd][^>]*>(.*?)<\/t[hd]>/gs),
      }));
      const cost = Number(row.cost_pct_round_trip);
      let [total, covering] = [0, -1];
      const payments = lines.filter(({ key }) => key !== 'costs');
      assert.equal(payments.length, wanted.length, String(query));
      for (const [i, { at, exchange, rate, pct }] of wanted.entries()) {
        const { key = '', cells = [] } = payments[i] ?? {};
        assert.equal(Date.parse(key.split(' ')[0] ?? ''), at, String(query));
        assert.ok((cells[1] ?? '').endsWith(exchange), `${query} line ${i}`);
        total = roundPercent(total + pct);
        for (const [place, value, decimals] of [
          [2, rate, 4],
          [3, pct, 4],
          [4, (pct / 100) * 10_000, 2],
          [5, total, 4],
        ] as const)
          assertShown(cells[place]?.replace('$', ''), digits(value, decimals), `${query} line ${i}`);
        if (covering < 0 && total >= cost - 1e-9 && wanted[i + 1]?.at !== at) covering = i;
      }
      const place = lines.findIndex(({ key }) => key === 'costs');
      assert.equal(place, covering < 0 ? payments.length : covering + 1, 'the line of the costs');
      assertShown(lines[place]?.cells[3], digits(-cost, 4), 'costs');
      const words = lines[place]?.cells[1] ?? '';
      if (covering >= 0) {
        seen.covered++;
        assert.match(words, /covered here$/);
        const hours = ((wanted[covering]?.at ?? 0) - fromMs) / 3_600_000;
        assert.ok(Math.abs(Number(row.break_even_hours) - hours) < 1e-3, 'the break-even of the row');
      } else {
        seen.later++;
        assert.match(words, /covered after|not covered within a year/);
      }
    }
    assert.ok(seen.covered > 0 && seen.later > 0, JSON.stringify(seen));
  });

  test('/arbitrage: an opened row adds up the settled payments of the API', async () => {
    const { pairs } = dataOf(
      await api('/api/v1/arbitrage?coin=BTC&exchange=Binance,Bybit&exchange_match=all'),
    ) as { pairs: Row[] };
    const [row] = pairs;
    assert.ok(row);
    const settled = async (exchange: unknown) => {
      const { series } = dataOf(
        await api(`/api/v1/funding/history?coin=BTC&exchange=${exchange}&resolution=settlement&days=7`),
      ) as { series: { settlements: { rate_pct: number }[] }[] };
      return (series[0]?.settlements ?? []).reduce((sum, print) => sum + print.rate_pct, 0);
    };
    const [long, short] = [await settled(row.long_exchange), await settled(row.short_exchange)];
    const name = `BTC-${row.long_exchange}-${row.short_exchange}`;
    const page = await textOf(`/arbitrage?open=${name}`);
    const [, receipt = ''] = /each leg, 7 days<\/h3>(<dl class="rcpt">.*?<\/dl>)/s.exec(page) ?? [];
    const lines = textsOf(receipt, /<dd[^>]*>(.*?)<\/dd>/g);
    const fee = Number(row.fee_pct_round_trip);
    const crossing = Number(row.entry_spread_pct) + Number(row.exit_spread_pct);
    for (const [i, pct] of [short, -long, -fee, crossing, short - long - fee + crossing].entries())
      assertShown(lines[i], digits(pct * 100, 2), `line ${i} of the receipt`);
    const [, risks = ''] = /Before you trade it<\/h3>(<dl class="rcpt">.*?<\/dl>)/s.exec(page) ?? [];
    const names = textsOf(risks, /<dt[^>]*>(.*?)<\/dt>/g);
    const values = textsOf(risks, /<dd[^>]*>(.*?)<\/dd>/g);
    assert.match(names[1] ?? '', /^Price gap, (30 d|since \d+ [A-Z][a-z]{2})$/);
    assert.deepEqual(names.slice(3, 5), [
      'Worst UTC day of funding, 30 d',
      'Largest fall of the funding, 30 d',
    ]);
    assertShown(values[0], digits(row.price_gap_pct, 3), 'price gap now');
    const [low, high] = (values[1] ?? '').split(' to ');
    assertShown(low, digits(row.price_gap_30d_low_pct, 3), 'lowest price gap');
    assertShown(high, digits(row.price_gap_30d_high_pct, 3), 'highest price gap');
    assert.match(
      page,
      new RegExp(
        `<a class="ex"[^>]+ aria-expanded="true" aria-label="Details of BTC, long ${row.long_exchange}, short ${row.short_exchange}">`,
      ),
    );
  });
});
