import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { funding } from '../../src/operations/funding.ts';
import { collectOnce, rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/funding';
const FIELDS = FUNDING_TABLE.columns.map((column) => column.name);
const SORTS = (funding.parameters.sort?.schema.enum ?? []) as string[];

suite('GET /funding', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest();
  });
  after(() => rest.stop());
  const rows = async (query: string) => rowsOf(await rest.get(`${PATH}?limit=500&${query}`));
  const refused = async (query: string, status: number, code: Parameters<typeof problemOf>[3]) =>
    problemOf(rest, await rest.get(`${PATH}?${query}`), status, code);

  commonStatuses(() => rest, { path: PATH, scope: 'funding:read' });

  suite('200', () => {
    test('has one row per contract, every field written out, nulls included', async () => {
      const all = await rows('');
      assert.ok(all.length > 50, `${all.length} rows`);
      for (const row of all) assert.deepEqual(Object.keys(row), FIELDS);
      assert.equal(new Set(all.map((row) => `${row.exchange} ${row.venue_symbol}`)).size, all.length);
    });

    test('is sorted by magnitude of the rate by default', async () => {
      const sizes = (await rows('')).map((row) => Math.abs(Number(row.rate_pct)));
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
    });

    test('gives 100 rows without limit on a paid plan, 50 on Demo', async () => {
      const paid = await rest.get(PATH);
      const total = metaOf(paid).total ?? 0;
      assert.equal(metaOf(paid).count, Math.min(100, total));
      assert.equal(rowsOf(await rest.get(PATH, { plan: 'demo' })).length, 50);
    });

    test('is live on paid plans and 900 s old on Demo', async () => {
      for (const plan of ['developer', 'pro', 'business'] as const) {
        const meta = metaOf(await rest.get(PATH, { plan }));
        assert.equal(meta.delayed_seconds, 0);
        assert.ok(rest.clock.nowMs() - Date.parse(meta.as_of) < 600_000, meta.as_of);
      }
      const late = await rest.get(PATH, { plan: 'demo' });
      assert.equal(metaOf(late).delayed_seconds, 900);
      assert.ok(rest.clock.nowMs() - Date.parse(metaOf(late).as_of) >= 900_000);
      assert.equal(late.headers.get('cache-control'), 'max-age=300');
    });

    test('never gives a Demo key what was made for another plan at the same URL', async () => {
      const url = `${PATH}?coin=BTC&sort=exchange_asc`;
      const live = metaOf(await rest.get(url, { plan: 'pro' }));
      const late = metaOf(await rest.get(url, { plan: 'demo' }));
      assert.ok(late.as_of < live.as_of);
      assert.equal(metaOf(await rest.get(url, { plan: 'developer' })).as_of, live.as_of);
    });

    test('links the human page with the same filters', async () => {
      const reply = await rest.get(`${PATH}?coin=btc&sort=rate_asc&limit=3&fields=coin&nonsense=1`);
      assert.equal(metaOf(reply).url, `${rest.service.baseUrl}/funding?coin=btc&sort=rate_asc`);
    });

    for (const [name, query, holds] of [
      ['coin, in any case', 'coin=btc,Eth', (row) => row.coin === 'BTC' || row.coin === 'ETH'],
      ['exchange', 'exchange=OKX', (row) => row.exchange === 'OKX'],
      ['exchange, repeated', 'exchange=OKX&exchange=Kraken', (row) => row.exchange !== 'Binance'],
      ['exclude_exchange', 'exclude_exchange=OKX', (row) => row.exchange !== 'OKX'],
      ['is_inverse=true', 'is_inverse=true', (row) => row.is_inverse === true],
      ['is_inverse=false', 'is_inverse=false', (row) => row.is_inverse === false],
      ['min_rate_pct', 'min_rate_pct=0.01', (row) => Number(row.rate_pct) >= 0.01],
      ['max_rate_pct, signed', 'max_rate_pct=-0.001', (row) => Number(row.rate_pct) <= -0.001],
      ['min_abs_rate_pct', 'min_abs_rate_pct=0.01', (row) => Math.abs(Number(row.rate_pct)) >= 0.01],
      ['max_abs_rate_pct', 'max_abs_rate_pct=0.005', (row) => Math.abs(Number(row.rate_pct)) <= 0.005],
      ['min_apr_pct', 'min_apr_pct=5', (row) => row.apr_pct !== null && Number(row.apr_pct) >= 5],
      ['max_apr_pct, signed', 'max_apr_pct=-1', (row) => row.apr_pct !== null && Number(row.apr_pct) <= -1],
      ['interval_hours', 'interval_hours=4', (row) => row.interval_hours === 4],
      ['min_volume_usdt', 'min_volume_usdt=1e8', (row) => Number(row.volume_24h_usdt) >= 1e8],
      ['max_volume_usdt', 'max_volume_usdt=1e6', (row) => Number(row.volume_24h_usdt) <= 1e6],
    ] satisfies [string, string, (row: Record<string, unknown>) => boolean][]) {
      test(`filters by ${name}`, async () => {
        const [all, kept] = [await rows('sort=exchange_asc'), await rows(`sort=exchange_asc&${query}`)];
        assert.deepEqual(kept, all.filter(holds));
        assert.ok(kept.length > 0 && kept.length < all.length, `${kept.length} of ${all.length}`);
      });
    }

    test('filters by settles_within_minutes, counted from meta.as_of', async () => {
      const all = await rest.get(`${PATH}?limit=500&sort=next_funding_asc`);
      const asOfMs = Date.parse(metaOf(all).as_of);
      const soonest = rowsOf(all).find((row) => row.next_funding_at !== null);
      const minutes = Math.ceil((Date.parse(String(soonest?.next_funding_at)) - asOfMs) / 60_000);
      const within = (row: Record<string, unknown>) =>
        row.next_funding_at !== null && Date.parse(String(row.next_funding_at)) <= asOfMs + minutes * 60_000;
      const kept = await rows(`sort=next_funding_asc&settles_within_minutes=${minutes}`);
      assert.deepEqual(kept, rowsOf(all).filter(within));
      assert.ok(kept.length > 0);
    });

    test('a coin that nobody quotes just matches nothing', async () => {
      const reply = await rest.get(`${PATH}?coin=NOSUCHCOIN`);
      assert.deepEqual([reply.status, rowsOf(reply), metaOf(reply).total], [200, [], 0]);
    });

    for (const sort of SORTS) {
      test(`sorts by ${sort}, nulls last, ties by exchange then symbol`, async () => {
        const [, abs, name = '', direction] = /^(abs_)?(\w+)_(asc|desc)$/.exec(sort) ?? [];
        const column = FIELDS.find((field) => field.startsWith(name)) ?? '';
        const sorted = await rows(`sort=${sort}`);
        for (const [i, row] of sorted.slice(1).entries()) {
          const [x, y] = [sorted[i]?.[column], row[column]].map((value) =>
            abs && typeof value === 'number' ? Math.abs(value) : value,
          ) as [string | number | null, string | number | null];
          const where = `${sort} at ${i}: ${x} before ${y}`;
          if (x === y) {
            const [a, b] = [sorted[i] ?? {}, row].map((one) =>
              [one.exchange, one.symbol, one.venue_symbol].join('\0'),
            );
            assert.ok((a ?? '') < (b ?? ''), `${where}; ${a} before ${b}`);
          } else if (y !== null) {
            assert.ok(x !== null, where);
            assert.ok(direction === 'asc' ? x < y : x > y, where);
          }
        }
      });
    }

    test('fields keeps only the named ones, meta untouched, limit of 20 not applied', async () => {
      const reply = await rest.get(`${PATH}?limit=3&fields=rate_pct,exchange`);
      for (const row of rowsOf(reply)) assert.deepEqual(Object.keys(row).sort(), ['exchange', 'rate_pct']);
      assert.equal(metaOf(reply).count, 3);
      const everything = await rest.get(`${PATH}?limit=3&fields=${[...FIELDS, ...FIELDS].join(',')}`);
      assert.deepEqual(rowsOf(everything), rowsOf(await rest.get(`${PATH}?limit=3`)));
    });

    test('ignores parameters it does not know', async () => {
      assert.equal((await rest.get(`${PATH}?since=yesterday&__proto__=1&api_key=x`)).status, 200);
    });

    test('pages come from one snapshot while new ones arrive, none repeated or skipped', async () => {
      const whole = await rows('sort=coin_asc');
      const asOf = metaOf(await rest.get(PATH)).as_of;
      const got: unknown[] = [];
      let cursor = '';
      for (const size of [7, 1, 40, 13, 500, 500]) {
        const page = await rest.get(`${PATH}?sort=coin_asc&limit=${size}${cursor}`);
        assert.equal(page.status, 200, page.text);
        assert.equal(metaOf(page).as_of, asOf);
        assert.equal(metaOf(page).total, whole.length);
        got.push(...rowsOf(page));
        const next = metaOf(page).next_cursor;
        if (next === undefined) break;
        cursor = `&cursor=${next}`;
        rest.clock.advanceMs(60_000);
        await collectOnce(rest);
      }
      assert.deepEqual(got, whole);
      assert.notEqual(metaOf(await rest.get(PATH)).as_of, asOf);
    });
  });

  suite('400', () => {
    const cursorFor = async (query: string, plan: 'pro' | 'demo' = 'pro') =>
      metaOf(await rest.get(`${PATH}?limit=2&${query}`, { plan })).next_cursor ?? '';

    test('unknown sort, repeating the list', async () => {
      const { detail } = await refused('sort=rate', 400, 'invalid-parameter');
      for (const sort of SORTS) assert.ok(detail.includes(sort), sort);
    });
    test('unknown field, listing the row’s', async () => {
      const { detail } = await refused('fields=coin,price', 400, 'invalid-parameter');
      for (const name of ['price', ...FIELDS]) assert.ok(detail.includes(name), name);
    });
    test('limit over 500, on every plan', async () => {
      for (const plan of ['demo', 'business'] as const) {
        const reply = await rest.get(`${PATH}?limit=501`, { plan });
        assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, /"limit" .*1 to 500/);
      }
    });
    test('crossed bounds', async () => {
      const { detail } = await refused('min_apr_pct=2&max_apr_pct=1', 400, 'invalid-parameter');
      assert.match(detail, /"min_apr_pct".*"max_apr_pct"/);
    });
    test('an altered cursor', async () => {
      const cursor = await cursorFor('');
      const altered = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      assert.match((await refused(`cursor=${altered}`, 400, 'invalid-parameter')).detail, /^"cursor"/);
    });
    test('a cursor of other filters', async () => {
      const { detail } = await refused(`coin=BTC&cursor=${await cursorFor('')}`, 400, 'invalid-parameter');
      assert.match(detail, /^"cursor" belongs to other filters/);
    });
    test('a cursor of another sort', async () => {
      const { detail } = await refused(
        `sort=rate_asc&cursor=${await cursorFor('')}`,
        400,
        'invalid-parameter',
      );
      assert.match(detail, /^"cursor" .*sort/);
    });
    test('a cursor of another endpoint', async () => {
      const reply = await rest.get(`/api/v1/coins?cursor=${await cursorFor('')}`);
      assert.match(
        problemOf(rest, reply, 400, 'invalid-parameter').detail,
        /^"cursor" belongs to another endpoint/,
      );
    });
    test('a live cursor on a delayed plan, and the other way round', async () => {
      const live = await rest.get(`${PATH}?cursor=${await cursorFor('', 'pro')}`, { plan: 'demo' });
      assert.match(problemOf(rest, live, 400, 'invalid-parameter').detail, /^"cursor" .*another plan/);
      const late = await rest.get(`${PATH}?cursor=${await cursorFor('', 'demo')}`, { plan: 'pro' });
      problemOf(rest, late, 400, 'invalid-parameter');
    });
    test('a cursor whose snapshot is gone, but not before 20 minutes', async () => {
      const cursor = await cursorFor('');
      rest.clock.advanceMs(20 * 60_000);
      await collectOnce(rest);
      assert.equal((await rest.get(`${PATH}?cursor=${cursor}`)).status, 200);
      rest.clock.advanceMs(60 * 60_000);
      await collectOnce(rest);
      const { detail } = await refused(`cursor=${cursor}`, 400, 'invalid-parameter');
      assert.match(detail, /^"cursor" has expired/);
    });
  });

  suite('403', () => {
    test('more than 50 rows on Demo', async () => {
      await settleDemo();
      const { text: key } = await rest.newKey('demo');
      assert.equal((await rest.getWith(key, `${PATH}?limit=50`)).status, 200);
      const reply = await rest.getWith(key, `${PATH}?limit=51`);
      assert.match(
        problemOf(rest, reply, 403, 'plan-limit').detail,
        /"limit" is 51; the Demo plan .* 50 rows/,
      );
    });

    test('a bad cursor is reported before the plan’s limit: parameters are checked first', async () => {
      const reply = await rest.get(`${PATH}?limit=51&cursor=abc`, { plan: 'demo' });
      assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, /"cursor"/);
    });
    const settleDemo = async () => {
      rest.clock.advanceMs(900_000);
      await collectOnce(rest);
    };
  });

  suite('404', () => {
    for (const query of [
      'exchange=okx',
      'exchange=OKX,Binanse',
      'exclude_exchange=NYSE',
      'exchange=__proto__',
    ]) {
      test(`${query} is no venue, with suggestions`, async () => {
        const { suggestions } = await refused(query, 404, 'unknown-exchange');
        assert.ok(suggestions && suggestions.length > 0);
        if (query === 'exchange=okx') assert.equal(suggestions[0], 'OKX');
      });
    }
  });
});
