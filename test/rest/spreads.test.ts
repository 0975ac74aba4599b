import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SPREADS_TABLE } from '../../src/engines/spreads/table.ts';
import { spreads } from '../../src/operations/spreads.ts';
import { collectOnce, rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/spreads';
const FIELDS = SPREADS_TABLE.columns.map((column) => column.name);
const SORTS = (spreads.parameters.sort?.schema.enum ?? []) as string[];

suite('GET /spreads', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest();
  });
  after(() => rest.stop());
  const refused = async (query: string, status: number, code: Parameters<typeof problemOf>[3]) =>
    problemOf(rest, await rest.get(`${PATH}?${query}`), status, code);

  commonStatuses(() => rest, { path: PATH, scope: 'spreads:read' });

  suite('200', () => {
    test('rows have the fields of the contract, in its order, then our own, nulls written out', async () => {
      assert.deepEqual(FIELDS, [
        'symbol',
        'coin',
        'exchange_a',
        'exchange_b',
        'spread_pct',
        'direction',
        'long_a_short_b_pct',
        'short_a_long_b_pct',
        'bid_a',
        'ask_a',
        'bid_b',
        'ask_b',
        'volume_a_usdt',
        'volume_b_usdt',
        'funding_rate_a_pct',
        'funding_rate_b_pct',
        'funding_interval_hours_a',
        'funding_interval_hours_b',
        'next_funding_at_a',
        'next_funding_at_b',
        'strength',
        'updated_at',
        'net_spread_pct',
        'taker_fee_a_pct',
        'taker_fee_b_pct',
        'covers_fees',
        'both_volumes_1m',
        'both_fresh_15s',
        'both_fill_500_usd',
        'steady_3_prints',
        'leg_closed',
      ]);
      const rows = rowsOf(await rest.get(`${PATH}?limit=500`));
      assert.ok(rows.length > 20, `${rows.length} rows`);
      for (const row of rows) {
        assert.deepEqual(Object.keys(row), FIELDS);
        assert.match(String(row.updated_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
        assert.ok(Number.isInteger(row.strength) && Number(row.strength) >= 0 && Number(row.strength) <= 5);
      }
    });

    test('best first by default', async () => {
      const sizes = rowsOf(await rest.get(`${PATH}?limit=500`)).map((row) => Number(row.spread_pct));
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
    });

    test('live on paid plans, the print of at least 900 s ago on Demo, 50 rows a page', async () => {
      const live = metaOf(await rest.get(PATH, { plan: 'developer' }));
      assert.equal(live.delayed_seconds, 0);
      const late = await rest.get(PATH, { plan: 'demo' });
      assert.equal(metaOf(late).delayed_seconds, 900);
      assert.ok(rest.clock.nowMs() - Date.parse(metaOf(late).as_of) >= 900_000);
      assert.ok(rowsOf(late).length <= 50);
      assert.equal(late.headers.get('cache-control'), 'max-age=300');
    });

    test('is the new print as soon as there is one', async () => {
      const before = metaOf(await rest.get(PATH)).as_of;
      rest.clock.advanceMs(5000);
      await rest.service.spreads.publish(rest.clock.nowMs());
      assert.equal(Date.parse(metaOf(await rest.get(PATH)).as_of), rest.clock.nowMs());
      assert.notEqual(metaOf(await rest.get(PATH)).as_of, before);
    });

    test('links the human page with the same filters', async () => {
      const reply = await rest.get(`${PATH}?coin=btc&sort=coin_asc&limit=3&fields=coin`);
      assert.equal(metaOf(reply).url, `${rest.service.baseUrl}/spreads?coin=btc&sort=coin_asc`);
    });

    test('fields keeps only the named ones', async () => {
      const reply = await rest.get(`${PATH}?limit=3&fields=spread_pct,coin`);
      for (const row of rowsOf(reply)) assert.deepEqual(Object.keys(row), ['coin', 'spread_pct']);
    });

    test('a coin that nobody quotes just matches nothing', async () => {
      const reply = await rest.get(`${PATH}?coin=NOSUCHCOIN`);
      assert.deepEqual([reply.status, rowsOf(reply), metaOf(reply).total], [200, [], 0]);
    });

    test('pages come from one print while new ones arrive, none repeated or skipped', async () => {
      const whole = rowsOf(await rest.get(`${PATH}?limit=500&sort=coin_asc`));
      const got: unknown[] = [];
      let cursor = '';
      for (const size of [7, 1, 10, 500]) {
        const page = await rest.get(`${PATH}?sort=coin_asc&limit=${size}${cursor}`);
        assert.equal(page.status, 200, page.text);
        got.push(...rowsOf(page));
        const next = metaOf(page).next_cursor;
        if (next === undefined) break;
        cursor = `&cursor=${next}`;
        rest.clock.advanceMs(5000);
        await rest.service.spreads.publish(rest.clock.nowMs());
      }
      assert.deepEqual(got, whole);
      rest.clock.advanceMs(60_000);
      await collectOnce(rest);
    });
  });

  suite('400', () => {
    for (const [query, message] of [
      ['min_strength=6', /"min_strength" must be an integer from 0 to 5; got "6"/],
      ['min_strength=-1', /"min_strength" must be an integer from 0 to 5/],
      ['min_strength=2.5', /"min_strength" must be an integer/],
      ['max_age_seconds=0', /"max_age_seconds" must be an integer from 1 to 120; got "0"/],
      ['max_age_seconds=121', /"max_age_seconds" must be an integer from 1 to 120/],
      ['direction=up', /"direction" must be one of long_a_short_b, short_a_long_b; got "up"/],
      ['exchange=OKX&exchange_match=both', /"exchange_match" must be one of any, all/],
      ['min_spread_pct=much', /"min_spread_pct" must be a number/],
      ['min_spread_pct=2&max_spread_pct=1', /"min_spread_pct" .* "max_spread_pct"/],
      ['min_volume_usdt=', /"min_volume_usdt" is empty/],
      ['direction=long_a_short_b&direction=short_a_long_b', /"direction" was sent 2 times/],
      [
        `coin=${Array.from({ length: 21 }, (_, i) => `C${i}`).join()}`,
        /"coin" takes at most 20 values; got 21/,
      ],
      ['limit=501', /"limit" must be an integer from 1 to 500/],
      ['cursor=abc', /^"cursor" is not one that this service gave/],
    ] as const) {
      test(`${query.slice(0, 60)} says what to change`, async () => {
        assert.match((await refused(query, 400, 'invalid-parameter')).detail, message);
      });
    }

    test('an unknown sort repeats the list of the contract and our own', async () => {
      assert.deepEqual(SORTS, [
        'spread_desc',
        'spread_asc',
        'net_spread_desc',
        'net_spread_asc',
        'volume_desc',
        'volume_asc',
        'strength_desc',
        'updated_desc',
        'coin_asc',
        ...['entry_cost_asc', 'entry_cost_desc', 'exit_cost_asc', 'exit_cost_desc'],
        ...['exit_cost_worst_asc', 'exit_cost_worst_desc', 'book_age_asc', 'book_age_desc'],
      ]);
      const { detail } = await refused('sort=profit_desc', 400, 'invalid-parameter');
      for (const sort of SORTS) assert.ok(detail.includes(sort), sort);
    });

    test('an unknown field lists the row’s', async () => {
      const { detail } = await refused('fields=coin,profit', 400, 'invalid-parameter');
      for (const name of ['profit', ...FIELDS]) assert.ok(detail.includes(name), name);
    });

    test('a cursor of another endpoint', async () => {
      const cursor = metaOf(await rest.get('/api/v1/funding?limit=2')).next_cursor ?? '';
      assert.match(
        (await refused(`cursor=${cursor}`, 400, 'invalid-parameter')).detail,
        /^"cursor" belongs to another endpoint/,
      );
    });

    test('a live cursor on Demo', async () => {
      const cursor = metaOf(await rest.get(`${PATH}?limit=2`)).next_cursor ?? '';
      const { text: key } = await rest.newKey('demo');
      const reply = await rest.getWith(key, `${PATH}?cursor=${cursor}`);
      assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, /^"cursor" .*another plan/);
    });
  });

  suite('403', () => {
    test('more than 50 rows on Demo', async () => {
      const { text: key } = await rest.newKey('demo');
      const reply = await rest.getWith(key, `${PATH}?limit=51`);
      assert.match(
        problemOf(rest, reply, 403, 'plan-limit').detail,
        /"limit" is 51; the Demo plan .* 50 rows/,
      );
    });
  });

  suite('404', () => {
    for (const query of ['exchange=okx', 'exclude_exchange=NYSE']) {
      test(`${query} is no venue, with suggestions`, async () => {
        const { suggestions } = await refused(query, 404, 'unknown-exchange');
        assert.ok(suggestions && suggestions.length > 0);
        if (query === 'exchange=okx') assert.equal(suggestions[0], 'OKX');
      });
    }
  });
});
