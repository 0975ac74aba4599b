import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { COINS_TABLE } from '../../src/engines/funding/catalogue.ts';
import { rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/coins';

interface Coin {
  coin: string;
  venue_count: number;
  exchanges: string[];
  volume_24h_usdt: number;
  funding_url: string;
}

suite('GET /coins', () => {
  let rest: Rest;
  let all: Coin[];
  before(async () => {
    rest = await startRest();
    all = await coins('');
  });
  after(() => rest.stop());
  const coins = async (query: string) =>
    rowsOf(await rest.get(`${PATH}?limit=500&${query}`)) as unknown as Coin[];

  commonStatuses(() => rest, { path: PATH, scope: null });

  suite('200', () => {
    test('lists each coin with the venues of its linear contracts and its volume', async () => {
      assert.ok(all.length > 15);
      const rows = rowsOf(await rest.get('/api/v1/funding?limit=500')).filter(
        (row) => row.price_outlier === false,
      );
      for (const coin of all) {
        assert.deepEqual(
          Object.keys(coin),
          COINS_TABLE.columns.map((column) => column.name),
        );
        const own = rows.filter((row) => row.coin === coin.coin);
        const venues = new Set(
          own.filter((row) => row.is_inverse === false).map((row) => String(row.exchange)),
        );
        assert.deepEqual(coin.exchanges, [...venues].sort());
        assert.equal(coin.venue_count, venues.size);
        const volume = own.reduce((sum, row) => sum + Number(row.volume_24h_usdt), 0);
        assert.ok(Math.abs(coin.volume_24h_usdt - volume) < 0.01, `${coin.coin}: ${volume}`);
        assert.equal(coin.funding_url, `${rest.service.baseUrl}/funding/${coin.coin}`);
      }
    });

    test('is sorted by volume by default', () => {
      assert.deepEqual(
        all,
        all.toSorted((a, b) => b.volume_24h_usdt - a.volume_24h_usdt),
      );
    });

    for (const [sort, compare] of Object.entries({
      volume_asc: (a: Coin, b: Coin) => a.volume_24h_usdt - b.volume_24h_usdt,
      venues_desc: (a: Coin, b: Coin) => b.venue_count - a.venue_count,
      venues_asc: (a: Coin, b: Coin) => a.venue_count - b.venue_count,
      coin_asc: () => 0,
    })) {
      test(`sorts by ${sort}, ties by coin`, async () => {
        const expected = all.toSorted((a, b) => compare(a, b) || (a.coin < b.coin ? -1 : 1));
        assert.deepEqual(await coins(`sort=${sort}`), expected);
      });
    }

    for (const [query, holds] of Object.entries<(coin: Coin) => boolean>({
      'q=bt': (coin) => coin.coin.startsWith('BT'),
      'q=T&match=contains': (coin) => coin.coin.includes('T'),
      'q=T&match=prefix': (coin) => coin.coin.startsWith('T'),
      'q=': () => true,
      'q=__proto__': () => false,
      'exchange=Kraken,OKX': (coin) => coin.exchanges.includes('Kraken') || coin.exchanges.includes('OKX'),
      'exchange=Kraken,OKX&exchange_match=any': (coin) =>
        coin.exchanges.includes('Kraken') || coin.exchanges.includes('OKX'),
      'exchange=Kraken,OKX&exchange_match=all': (coin) =>
        coin.exchanges.includes('Kraken') && coin.exchanges.includes('OKX'),
      'min_venues=3': (coin) => coin.venue_count >= 3,
      'min_volume_usdt=1e8': (coin) => coin.volume_24h_usdt >= 1e8,
    })) {
      test(`filters by ${query}`, async () => assert.deepEqual(await coins(query), all.filter(holds)));
    }

    test('pages through all, with the total on every page', async () => {
      const got: unknown[] = [];
      let cursor = '';
      do {
        const page = await rest.get(`${PATH}?limit=7${cursor}`);
        assert.equal(metaOf(page).total, all.length);
        got.push(...rowsOf(page));
        const next = metaOf(page).next_cursor;
        cursor = next === undefined ? '' : `&cursor=${next}`;
      } while (cursor !== '');
      assert.deepEqual(got, all);
    });

    test('fields keeps only the named ones', async () => {
      for (const row of await coins('fields=coin')) assert.deepEqual(Object.keys(row), ['coin']);
    });
  });

  suite('400', () => {
    for (const [query, detail] of [
      [`q=${'x'.repeat(25)}`, /"q" must be at most 24 characters/],
      ['match=suffix', /"match" must be one of prefix, contains/],
      ['exchange_match=both', /"exchange_match" must be one of any, all/],
      ['min_venues=-1', /"min_venues" must be an integer from 0 to/],
      ['min_volume_usdt=lots', /"min_volume_usdt" must be a number/],
      [
        'sort=volume',
        /"sort" must be one of volume_desc, volume_asc, change_desc, change_asc, venues_desc, venues_asc, coin_asc/,
      ],
      [
        'fields=price',
        /"fields" .*coin, venue_count, exchanges, volume_24h_usdt, change_24h_pct, funding_url/,
      ],
      ['limit=0', /"limit" must be an integer from 1 to 500/],
      ['cursor=AAAA', /"cursor" is not one that this service gave/],
    ] as const) {
      test(query.slice(0, 30), async () => {
        const reply = await rest.get(`${PATH}?${query}`);
        assert.match(problemOf(rest, reply, 400, 'invalid-parameter').detail, detail);
      });
    }
  });

  suite('403', () => {
    test('more than 50 rows on Demo', async () => {
      problemOf(rest, await rest.get(`${PATH}?limit=51`, { plan: 'demo' }), 403, 'plan-limit');
    });
  });

  suite('404', () => {
    test('a venue that is not served, with the right spelling first', async () => {
      const reply = await rest.get(`${PATH}?exchange=KRAKEN`);
      assert.equal(problemOf(rest, reply, 404, 'unknown-exchange').suggestions?.[0], 'Kraken');
    });
  });
});
