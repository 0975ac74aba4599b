import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { roundPercent } from '../../src/base/numbers.ts';
import { callTool } from '../mcp/rpc.ts';
import { rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/funding/BTC';

interface Rate {
  exchange: string;
  symbol: string;
  coin: string;
  is_inverse: boolean;
  rate_pct: number;
  interval_hours: number | null;
  volume_24h_usdt: number;
}

interface Ranked {
  exchange: string;
  symbol: string;
  rate_pct: number;
  interval_hours: number | null;
}

interface CoinFunding {
  coin: string;
  venue_count: number;
  spread_pct: number | null;
  highest: Ranked | null;
  lowest: Ranked | null;
  best_short_exchange: string | null;
  best_short_would_pay: boolean | null;
  best_long_would_pay: boolean | null;
  best_long_exchange: string | null;
  total_volume_24h_usdt: number;
  inverse_venues: string[];
  rates: Rate[];
}

suite('GET /funding/{coin}', () => {
  let rest: Rest;
  before(async () => {
    // Hourly and eight-hourly venues, with and without inverse contracts.
    rest = await startRest({ venues: ['binance', 'okx', 'kraken', 'dydx'] });
  });
  after(() => rest.stop());
  const dataAt = async (path: string) => {
    const reply = await rest.get(path);
    assert.equal(reply.status, 200, reply.text);
    return (reply.body as { data: CoinFunding }).data;
  };

  commonStatuses(() => rest, { path: PATH, scope: 'funding:read' });

  suite('200', () => {
    test('compares the linear contracts and lists the inverse venues separately', async () => {
      const data = await dataAt(PATH);
      const linear = data.rates.filter((rate) => !rate.is_inverse);
      const byRate = linear.toSorted((a, b) => b.rate_pct - a.rate_pct);
      assert.equal(data.coin, 'BTC');
      assert.equal(data.venue_count, new Set(linear.map((rate) => rate.exchange)).size);
      assert.equal(data.highest?.rate_pct, byRate[0]?.rate_pct);
      assert.equal(data.lowest?.rate_pct, byRate.at(-1)?.rate_pct);
      assert.equal(
        data.spread_pct,
        roundPercent((byRate[0]?.rate_pct ?? 0) - (byRate.at(-1)?.rate_pct ?? 0)),
      );
      const inverse = data.rates.filter((rate) => rate.is_inverse).map((rate) => rate.exchange);
      assert.ok(inverse.length > 0);
      assert.deepEqual(data.inverse_venues, [...new Set(inverse)].sort());
    });

    test('every rate is quoted with its venue and its interval, as fields and in words', async () => {
      const words = ({ exchange, rate_pct, interval_hours }: Ranked) =>
        `${rate_pct > 0 ? '+' : ''}${rate_pct} % per ${interval_hours} h on ${exchange}`;
      const seen = new Set<number | null>();
      for (const coin of ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE']) {
        const { highest, lowest, rates } = await dataAt(`/api/v1/funding/${coin}`);
        assert.ok(highest && lowest);
        for (const one of [highest, lowest]) {
          const row = rates.find(
            ({ exchange, symbol }) => exchange === one.exchange && symbol === one.symbol,
          );
          assert.equal(one.interval_hours, row?.interval_hours, `${coin} on ${one.exchange}`);
          seen.add(one.interval_hours);
        }
        const tool = await callTool(rest.service.baseUrl, rest.keys.business, 'svc_get_coin_funding', {
          coin,
        });
        const [sentence = ''] = tool.content[0]?.text.split('\n') ?? [];
        assert.ok(sentence.includes(`highest ${words(highest)}, lowest ${words(lowest)},`), sentence);
        const twin = await rest.get(`/funding/${coin}.md`);
        assert.match(twin.text, /\| highest_rate_pct \| highest_interval_hours \|/);
        for (const said of twin.text.matchAll(/%\/h([^:]*):/g))
          assert.match(said[1] ?? '', /^, every \d+ h$/, twin.text.slice(0, 400));
      }
      assert.ok(seen.size > 1, 'hourly and eight-hourly contracts');
    });

    test('ranks linear contracts before inverse ones', async () => {
      const kinds = (await dataAt(PATH)).rates.map((rate) => rate.is_inverse);
      assert.deepEqual(kinds, kinds.toSorted());
    });

    test('names the best venues by rate per hour', async () => {
      for (const coin of ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE']) {
        const data = await dataAt(`/api/v1/funding/${coin}`);
        const perHour = data.rates
          .filter((rate) => !rate.is_inverse && rate.interval_hours !== null)
          .map((rate) => ({ exchange: rate.exchange, rate: rate.rate_pct / (rate.interval_hours ?? 1) }));
        const best = Math.max(...perHour.map(({ rate }) => rate));
        const worst = Math.min(...perHour.map(({ rate }) => rate));
        const venuesAt = (rate: number) =>
          perHour.filter((one) => one.rate === rate).map((one) => one.exchange);
        assert.ok(venuesAt(best).includes(data.best_short_exchange ?? ''), coin);
        assert.ok(venuesAt(worst).includes(data.best_long_exchange ?? ''), coin);
        assert.deepEqual([data.best_short_would_pay, data.best_long_would_pay], [best < 0, worst > 0], coin);
      }
    });

    test('its rows and volume are those of /funding', async () => {
      const data = await dataAt(PATH);
      const rows = rowsOf(await rest.get('/api/v1/funding?coin=BTC&limit=500')).filter(
        (row) => !row.price_outlier,
      );
      const byName = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      // The forecasts and what recomputes them are only here.
      const isAdded = (name: string) => /^expected_|^sum_1d_pct$|^absolute_30d_pct$/.test(name);
      const rates = data.rates.map((rate) =>
        Object.fromEntries(Object.entries(rate).filter(([name]) => !isAdded(name))),
      ) as typeof data.rates;
      assert.deepEqual(rates.toSorted(byName), rows.toSorted(byName));
      const volume = rows.reduce((sum, row) => sum + Number(row.volume_24h_usdt), 0);
      assert.ok(Math.abs(data.total_volume_24h_usdt - volume) < 0.01);
    });

    test('takes the ticker in any case', async () => {
      assert.deepEqual(await dataAt('/api/v1/funding/btc'), await dataAt(PATH));
    });

    test('exchange ranks only these', async () => {
      const data = await dataAt(`${PATH}?exchange=OKX,Kraken`);
      assert.deepEqual([...new Set(data.rates.map((rate) => rate.exchange))].sort(), ['Kraken', 'OKX']);
    });

    test('exclude_exchange leaves these out', async () => {
      assert.ok(
        (await dataAt(`${PATH}?exclude_exchange=OKX`)).rates.every((rate) => rate.exchange !== 'OKX'),
      );
    });

    test('min_volume_usdt leaves out venues below it, all of their contracts together', async () => {
      const all = await dataAt(PATH);
      const volumes = Map.groupBy(all.rates, (rate) => rate.exchange);
      const sums = [...volumes.values()].map((rates) =>
        rates.reduce((sum, rate) => sum + rate.volume_24h_usdt, 0),
      );
      const limit = sums.toSorted((a, b) => a - b)[1] ?? 0;
      const data = await dataAt(`${PATH}?min_volume_usdt=${limit}`);
      assert.equal(new Set(data.rates.map((rate) => rate.exchange)).size, sums.length - 1);
    });

    test('with nothing left to rank it says so', async () => {
      const data = await dataAt(`${PATH}?min_volume_usdt=1e18`);
      assert.deepEqual(
        [data.venue_count, data.rates, data.highest, data.best_short_exchange],
        [0, [], null, null],
      );
    });

    test('fields keeps only these on every row of rates, in their usual order; the rest of data stays', async () => {
      const whole = await dataAt(PATH);
      const reply = await rest.get(`${PATH}?fields=rate_pct,exchange`);
      const { rates, ...others } = (reply.body as { data: CoinFunding }).data;
      const { rates: wholeRates, ...wholeRest } = whole;
      assert.deepEqual(others, wholeRest);
      assert.deepEqual(
        rates,
        wholeRates.map(({ exchange, rate_pct }) => ({ exchange, rate_pct })),
      );
    });

    test('meta counts the rates', async () => {
      const reply = await rest.get(`${PATH}?exchange=OKX`);
      const { rates } = (reply.body as { data: CoinFunding }).data;
      assert.ok(rates.length > 0);
      assert.deepEqual([metaOf(reply).count, metaOf(reply).total], [rates.length, rates.length]);
    });

    test('links the coin’s page', async () => {
      assert.equal(metaOf(await rest.get(PATH)).url, `${rest.service.baseUrl}/funding/BTC`);
    });
  });

  suite('400', () => {
    for (const [query, detail] of [
      [
        'fields=rate_pct,price',
        /"fields" has an unknown name "price"; the row's fields are exchange, symbol,/,
      ],
      ['min_volume_usdt=much', /"min_volume_usdt" must be a number/],
      ['exchange=', /"exchange" is empty/],
      [`exchange=${'OKX,'.repeat(20)}OKX`, /"exchange" takes at most 20 values/],
    ] as const) {
      test(query.slice(0, 30), async () => {
        const reply = await rest.get(`${PATH}?${query}`);
        assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, detail);
      });
    }
  });

  suite('404', () => {
    test('an unknown ticker, with up to 8 that share its first two letters', async () => {
      const reply = await rest.get('/api/v1/funding/btx');
      const { suggestions = [] } = problemOf(rest, reply, 404, 'unknown-coin');
      assert.ok(suggestions.includes('BTC'));
      assert.ok(suggestions.length <= 8 && suggestions.every((coin) => coin.startsWith('BT')));
    });
    for (const [sent, coin] of [
      ['1000PEPE', 'PEPE'],
      ['kPEPE', 'PEPE'],
      ['1000PEPE-USDT', 'PEPE'],
      ['1000PEPEUSDT', 'PEPE'],
      ['BTC-USDT', 'BTC'],
      ['btc_usdt', 'BTC'],
      ['BTCUSDT', 'BTC'],
      ['BTCUSDC', 'BTC'],
      ['BTC/USDT:USDT', 'BTC'],
      ['BTC-USDT-SWAP', 'BTC'],
      ['PF_XBTUSD', 'BTC'],
    ] as const) {
      test(`${sent} names a contract: ${coin} is the first suggestion, at every door`, async () => {
        const name = encodeURIComponent(sent);
        for (const path of [`/api/v1/funding/${name}`, `/api/v1/funding/history?coin=${name}`]) {
          const { suggestions = [] } = problemOf(rest, await rest.get(path), 404, 'unknown-coin');
          assert.equal(suggestions[0], coin, path);
          assert.ok(suggestions.length <= 8, path);
        }
        for (const tool of ['svc_get_coin_funding', 'svc_get_funding_history']) {
          const outcome = await callTool(rest.service.baseUrl, rest.keys.business, tool, { coin: sent });
          assert.ok(outcome.isError);
          assert.match(JSON.stringify(outcome.content), new RegExp(`Close matches: ${coin}\\b`));
        }
        const page = await fetch(`${rest.service.baseUrl}/funding/${name}`);
        assert.equal(page.status, 404);
        assert.match(await page.text(), new RegExp(`Did you mean:.*?href="/funding/${coin}"`));
      });
    }
    for (const ticker of ['__proto__', 'constructor', 'x'.repeat(300), '%F0%9F%9A%80', '%3Cscript%3E']) {
      test(`${ticker.slice(0, 20)} is no ticker`, async () => {
        problemOf(rest, await rest.get(`/api/v1/funding/${ticker}`), 404, 'unknown-coin');
      });
    }
    test('an unknown venue', async () => {
      problemOf(rest, await rest.get(`${PATH}?exchange=okx`), 404, 'unknown-exchange');
    });
  });
});
