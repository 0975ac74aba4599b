import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { BACKTEST_TABLES } from '../../src/engines/backtest/rows.ts';
import { minuteOf, SIZES_USD } from '../../src/history/samples/model.ts';
import { spreadBacktest } from '../../src/operations/spread-backtest.ts';
import { storeMarket } from '../backtest/stored-market.ts';
import type { Reply } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/spreads/backtest';
const FIELDS = BACKTEST_TABLES[100].columns.map((column) => column.name);
const SORTS = (spreadBacktest.parameters.sort?.schema.enum ?? []) as string[];
const EXCHANGES = ['Binance', 'Kraken', 'OKX'];
const TWO_DAYS = 2 * 1440;

interface Body {
  size_usd: number;
  withheld_top: number;
  spreads: Record<string, unknown>[];
}

function dataOf(reply: Reply): Body {
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  return (reply.body as { data: Body }).data;
}

suite('GET /spreads/backtest', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ isEmpty: true });
    const nowMinute = minuteOf(rest.clock.nowMs());
    await storeMarket(rest.service.samples.store, EXCHANGES, nowMinute - TWO_DAYS, nowMinute);
    await rest.service.backtest.catchUp();
  });
  after(() => rest.stop());
  const rows = async (query: string) => dataOf(await rest.get(`${PATH}?limit=500&${query}`)).spreads;
  const refused = async (query: string, status: number, code: Parameters<typeof problemOf>[3]) =>
    problemOf(rest, await rest.get(`${PATH}?${query}`), status, code);

  commonStatuses(() => rest, { path: PATH, scope: 'spreads:read' });

  suite('200', () => {
    test('rows have the fields of the contract, in its order', async () => {
      assert.deepEqual(FIELDS, [
        'symbol',
        'coin',
        'exchange_a',
        'exchange_b',
        'est_profit_pct',
        'avg_profit_pct',
        'fee_pct_cycle',
        'spread_range_pct',
        'cycles',
        'confidence',
        'volume_a_usdt',
        'volume_b_usdt',
        'last_cycle_at',
        'taker_fee_a_pct',
        'taker_fee_b_pct',
        'long_a_cycles',
      ]);
      const all = await rows('');
      assert.ok(all.length > 20, `${all.length} rows`);
      for (const row of all) {
        assert.deepEqual(Object.keys(row), FIELDS);
        assert.ok(String(row.exchange_a) < String(row.exchange_b));
        assert.ok(Number(row.cycles) >= 1);
        const fee = 2 * (Number(row.taker_fee_a_pct) + Number(row.taker_fee_b_pct));
        assert.ok(Math.abs(Number(row.fee_pct_cycle) - fee) < 2e-8, JSON.stringify(row));
        assert.ok(Number(row.confidence) >= 0 && Number(row.confidence) <= 100);
        assert.match(String(row.last_cycle_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
      }
    });

    test('size_usd is 100 by default, and every size has its own rows', async () => {
      assert.equal(dataOf(await rest.get(PATH)).size_usd, 100);
      const counts: number[] = [];
      for (const sizeUsd of SIZES_USD) {
        const data = dataOf(await rest.get(`${PATH}?size_usd=${sizeUsd}&limit=500`));
        assert.deepEqual([data.size_usd, data.withheld_top], [sizeUsd, 0]);
        counts.push(data.spreads.length);
      }
      const [at25 = 0, at100 = 0, at500 = 0] = counts;
      assert.equal(at25, at100);
      assert.ok(at500 > 0 && at500 < at100, `books too thin for 500 USD make fewer rows: ${counts}`);
    });

    const orders: Record<string, (row: Record<string, unknown>) => number | string> = {
      profit_desc: (row) => -Number(row.est_profit_pct),
      profit_asc: (row) => Number(row.est_profit_pct),
      avg_profit_desc: (row) => -Number(row.avg_profit_pct),
      cycles_desc: (row) => -Number(row.cycles),
      confidence_desc: (row) => -Number(row.confidence),
      volume_desc: (row) => -Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt)),
      spread_range_desc: (row) => -Number(row.spread_range_pct),
      last_cycle_desc: (row) => -Date.parse(String(row.last_cycle_at)),
      coin_asc: (row) => String(row.coin),
    };
    for (const [sort, keyOf] of Object.entries(orders)) {
      test(`sort=${sort}`, async () => {
        const keys = (await rows(`sort=${sort}`)).map(keyOf);
        assert.deepEqual(
          keys,
          keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        );
        if (sort === 'profit_desc')
          assert.deepEqual(await rows(''), await rows(`sort=${sort}`), 'the default');
      });
    }

    const filters: Record<string, (row: Record<string, unknown>, asOfMs: number) => boolean> = {
      'coin=eth,LINK': (row) => ['ETH', 'LINK'].includes(String(row.coin)),
      'exchange=OKX': (row) => [row.exchange_a, row.exchange_b].includes('OKX'),
      'exchange=OKX,Binance&exchange_match=all': (row) =>
        row.exchange_a === 'Binance' && row.exchange_b === 'OKX',
      'exclude_exchange=Kraken': (row) => ![row.exchange_a, row.exchange_b].includes('Kraken'),
      'min_profit_pct=1&max_profit_pct=2': (row) =>
        Number(row.est_profit_pct) >= 1 && Number(row.est_profit_pct) <= 2,
      'min_avg_profit_pct=0.9': (row) => Number(row.avg_profit_pct) >= 0.9,
      'min_cycles=12': (row) => Number(row.cycles) >= 12,
      'min_confidence=19': (row) => Number(row.confidence) >= 19,
      'min_volume_usdt=8000000': (row) =>
        Number(row.volume_a_usdt) >= 8e6 && Number(row.volume_b_usdt) >= 8e6,
      'active_within_hours=2': (row, asOfMs) => Date.parse(String(row.last_cycle_at)) >= asOfMs - 7_200_000,
    };
    for (const [query, keeps] of Object.entries(filters)) {
      test(`${query} keeps just those`, async () => {
        const all = await rest.get(`${PATH}?limit=500`);
        const asOfMs = Date.parse(metaOf(all).as_of);
        const expected = dataOf(all).spreads.filter((row) => keeps(row, asOfMs));
        assert.ok(expected.length > 0 && expected.length < dataOf(all).spreads.length, `${expected.length}`);
        assert.deepEqual(await rows(query), expected);
      });
    }

    test('Demo: 900 s late, and the five best rows of each size are withheld before any filter', async () => {
      for (const sizeUsd of SIZES_USD) {
        const { text: key } = await rest.newKey('demo');
        const dataFor = async (query: string) =>
          await rest.getWith(key, `${PATH}?size_usd=${sizeUsd}&limit=50${query}`);
        const seen = await dataFor('');
        assert.equal(metaOf(seen).delayed_seconds, 900);
        assert.ok(rest.clock.nowMs() - Date.parse(metaOf(seen).as_of) >= 900_000);
        const { withheld_top, spreads } = dataOf(seen);
        assert.equal(withheld_top, 5);
        const all = await rows(`size_usd=${sizeUsd}`);
        const best = all.slice(0, 5);
        assert.equal(spreads.length, all.length - 5);
        for (const row of best) {
          const hidden = dataOf(
            await dataFor(
              `&coin=${row.coin}&exchange=${row.exchange_a},${row.exchange_b}&exchange_match=all`,
            ),
          );
          assert.deepEqual(hidden.spreads, [], `${row.coin} stays withheld whatever the filters`);
          assert.equal(hidden.withheld_top, 5);
        }
      }
    });

    test('Demo: fewer are withheld when the ranking is shorter', async (t) => {
      const small = await startRest({ isEmpty: true, venues: ['binance'] });
      t.after(() => small.stop());
      const nowMinute = minuteOf(small.clock.nowMs());
      const { store } = small.service.samples;
      await storeMarket(store, ['Binance', 'OKX'], nowMinute - TWO_DAYS, nowMinute, 3);
      await small.service.backtest.catchUp();
      const all = dataOf(await small.get(`${PATH}?limit=500`));
      assert.equal(all.spreads.length, 3);
      const { text: key } = await small.newKey('demo');
      const seen = dataOf(await small.getWith(key, PATH));
      assert.deepEqual([seen.withheld_top, seen.spreads], [3, []]);
    });

    test('a ticker that nobody quotes matches nothing', async () => {
      const reply = await rest.get(`${PATH}?coin=NOSUCH`);
      assert.deepEqual(dataOf(reply).spreads, []);
      assert.equal(metaOf(reply).total, 0);
    });

    test('fields keeps only the named ones on rows, and the rest of data as it is', async () => {
      const data = dataOf(await rest.get(`${PATH}?limit=3&fields=cycles,coin`));
      assert.deepEqual(Object.keys(data), ['size_usd', 'withheld_top', 'spreads']);
      for (const row of data.spreads) assert.deepEqual(Object.keys(row), ['coin', 'cycles']);
    });

    test('pages come from one result while a new one arrives, none repeated or skipped', async () => {
      const whole = await rows('sort=coin_asc');
      const first = await rest.get(`${PATH}?sort=coin_asc&limit=7`);
      const nextMinute = minuteOf(rest.clock.nowMs()) + 1;
      rest.clock.advanceMs(60_000);
      await storeMarket(rest.service.samples.store, EXCHANGES, nextMinute, nextMinute);
      await rest.service.backtest.catchUp();
      const second = await rest.get(`${PATH}?sort=coin_asc&limit=500&cursor=${metaOf(first).next_cursor}`);
      assert.equal(metaOf(second).as_of, metaOf(first).as_of);
      assert.deepEqual([...dataOf(first).spreads, ...dataOf(second).spreads], whole);
      assert.equal(
        Date.parse(metaOf(await rest.get(PATH)).as_of),
        nextMinute * 60_000,
        'new without a cursor',
      );
    });

    test('links the human page with the same filters', async () => {
      const reply = await rest.get(`${PATH}?coin=btc&size_usd=25&limit=3`);
      assert.equal(metaOf(reply).url, `${rest.service.baseUrl}/spreads/backtest?size_usd=25&coin=btc`);
    });
  });

  suite('400', () => {
    for (const [query, message] of [
      ['size_usd=50', /"size_usd" must be one of 25, 100, 500; got "50"/],
      ['size_usd=100.0', /"size_usd" must be one of 25, 100, 500/],
      ['size_usd=', /"size_usd" is empty/],
      ['size_usd=25&size_usd=100', /"size_usd" was sent 2 times/],
      ['min_confidence=101', /"min_confidence" must be an integer from 0 to 100; got "101"/],
      ['min_confidence=-1', /"min_confidence" must be an integer from 0 to 100/],
      ['min_cycles=1.5', /"min_cycles" must be an integer/],
      ['min_cycles=-1', /"min_cycles" must be an integer/],
      ['active_within_hours=0', /"active_within_hours" must be an integer from 1 to 720; got "0"/],
      ['active_within_hours=721', /"active_within_hours" must be an integer from 1 to 720/],
      ['min_profit_pct=much', /"min_profit_pct" must be a number/],
      ['min_profit_pct=2&max_profit_pct=1', /"min_profit_pct" .* "max_profit_pct"/],
      ['min_avg_profit_pct=NaN', /"min_avg_profit_pct" must be a number/],
      ['min_volume_usdt=', /"min_volume_usdt" is empty/],
      ['exchange=OKX&exchange_match=both', /"exchange_match" must be one of any, all/],
      [
        `coin=${Array(21)
          .fill('BTC')
          .map((coin, i) => coin + i)}`,
        /"coin" .*20/,
      ],
      ['limit=0', /"limit" must be an integer from 1 to 500/],
      ['limit=501', /"limit" must be an integer from 1 to 500/],
      ['cursor=abc', /^"cursor" is not one that this service gave/],
    ] as const) {
      test(`${query} says what to change`, async () => {
        assert.match((await refused(query, 400, 'invalid-parameter')).detail, message);
      });
    }

    test('an unknown sort repeats the list of the contract', async () => {
      assert.deepEqual(SORTS, [
        'profit_desc',
        'profit_asc',
        'avg_profit_desc',
        'cycles_desc',
        'confidence_desc',
        'volume_desc',
        'spread_range_desc',
        'last_cycle_desc',
        'coin_asc',
      ]);
      const { detail } = await refused('sort=spread_desc', 400, 'invalid-parameter');
      for (const sort of SORTS) assert.ok(detail.includes(sort), sort);
    });

    test('an unknown field lists the row’s', async () => {
      const { detail } = await refused('fields=coin,spread_pct', 400, 'invalid-parameter');
      for (const name of FIELDS) assert.ok(detail.includes(name), name);
    });

    test('a cursor of another size', async () => {
      const cursor = metaOf(await rest.get(`${PATH}?limit=2&size_usd=25`)).next_cursor ?? '';
      assert.match((await refused(`cursor=${cursor}`, 400, 'invalid-parameter')).detail, /^"cursor" belongs/);
      const same = await rest.get(`${PATH}?limit=2&size_usd=25&cursor=${cursor}`);
      assert.equal(same.status, 200);
    });
  });

  suite('403', () => {
    test('more than 50 rows on Demo', async () => {
      const { text: key } = await rest.newKey('demo');
      const reply = await rest.getWith(key, `${PATH}?limit=51`);
      assert.match(problemOf(rest, reply, 403, 'plan-limit').detail, /"limit" is 51; the Demo plan/);
    });
  });

  suite('404', () => {
    for (const query of ['exchange=okx', 'exclude_exchange=NYSE']) {
      test(`${query} is no venue, with suggestions`, async () => {
        const { suggestions } = await refused(query, 404, 'unknown-exchange');
        assert.ok(suggestions && suggestions.length > 0);
      });
    }
  });
});
