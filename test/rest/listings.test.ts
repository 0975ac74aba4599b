import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { LISTINGS_TABLE } from '../../src/engines/listings/table.ts';
import { type Contract, emptyBatch } from '../../src/venues/observations.ts';
import { contract } from '../listings/made.ts';
import { callTool } from '../mcp/rpc.ts';
import { type Reply, rowsOf } from '../support/service.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/listings';
const FIELDS = LISTINGS_TABLE.columns.map((column) => column.name);

type Row = Record<string, unknown>;

/** Contract lists of this test in addition to the simulator's: a part of Binance that only this test serves. */
class OwnLists {
  readonly #rest: Rest;
  #contracts: Contract[] = [];

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  show(...contracts: Contract[]): void {
    const { service, clock } = this.#rest;
    const names = new Set(contracts.map((one) => one.venueSymbol));
    this.#contracts = [...this.#contracts.filter((one) => !names.has(one.venueSymbol)), ...contracts];
    const [collector] = service.collectors;
    assert.ok(collector);
    const batch = {
      ...emptyBatch(),
      contractList: { part: 'own', contracts: this.#contracts },
      // Shows that the clock of the venue is right; without it lists are held for 20 seconds.
      depths: [{ venueSymbol: 'OLD1', bids: [], asks: [], venueTimeMs: clock.nowMs() }],
    };
    service
      .collectorOptions(collector.venue)
      .accept(collector.venue, batch, clock.nowMs(), collector.contracts);
  }
}

suite('GET /listings', () => {
  let rest: Rest;
  let lists: OwnLists;
  let startMs: number;
  const publish = async () => {
    rest.clock.advanceMs(1000);
    await rest.service.listings.publish(rest.clock.nowMs());
  };
  const rows = async (query: string): Promise<Row[]> => rowsOf(await rest.get(`${PATH}?limit=500&${query}`));
  const symbols = async (query: string) => (await rows(query)).map((row) => row.symbol);
  const refused = async (query: string, status: number, code: Parameters<typeof problemOf>[3]) =>
    problemOf(rest, await rest.get(`${PATH}?${query}`), status, code);

  before(async () => {
    rest = await startRest();
    startMs = rest.clock.nowMs();
    lists = new OwnLists(rest);
    lists.show(
      contract('OLD1', { listedAtMs: startMs - 400 * DAY_MS }),
      contract('SOON', { status: 'preopen', listedAtMs: startMs + 3 * HOUR_MS }),
      contract('LATER', { status: 'preopen', listedAtMs: startMs + 3 * DAY_MS }),
      contract('FAR', { status: 'preopen', listedAtMs: startMs + 40 * DAY_MS }),
      contract('UNDATED', { status: 'preopen' }),
      contract('YESTERDAY', { listedAtMs: startMs - DAY_MS }),
      contract('LASTWEEK', { listedAtMs: startMs - 7 * DAY_MS }),
      contract('GOING', { status: 'delisting', delistsAtMs: startMs + 2 * DAY_MS }),
    );
    await publish();
    rest.clock.advanceMs(16 * MINUTE_MS);
    await publish();
  });
  after(() => rest.stop());

  commonStatuses(() => rest, { path: PATH, scope: 'listings:read' });

  suite('200', () => {
    test('rows have the fields of the contract, in its order, nulls written out', async () => {
      assert.deepEqual(FIELDS, [
        'exchange',
        'symbol',
        'coin',
        'kind',
        'status',
        'effective_at',
        'source',
        'announcement_url',
        'detected_at',
      ]);
      const found = await rows('');
      assert.ok(found.length >= 7, `${found.length} rows`);
      for (const row of found) assert.deepEqual(Object.keys(row), FIELDS);
      assert.deepEqual(
        found.find((row) => row.symbol === 'SOON-USDT'),
        {
          exchange: 'Binance',
          symbol: 'SOON-USDT',
          coin: 'SOON',
          kind: 'listing',
          status: 'preopen',
          effective_at: isoTime(startMs + 3 * HOUR_MS),
          source: 'instruments',
          announcement_url: null,
          detected_at: found.find((row) => row.symbol === 'SOON-USDT')?.detected_at,
        },
      );
    });

    test('nearest: upcoming soonest first, then past most recent first, undated last', async () => {
      const found = await rows('');
      const asOfMs = Date.parse(metaOf(await rest.get(PATH)).as_of);
      const times = found.map((row) =>
        row.effective_at === null ? null : Date.parse(String(row.effective_at)),
      );
      const dated = times.filter((timeMs) => timeMs !== null);
      const upcoming = dated.filter((timeMs) => timeMs > asOfMs).toSorted((a, b) => a - b);
      const past = dated.filter((timeMs) => timeMs <= asOfMs).toSorted((a, b) => b - a);
      assert.ok(upcoming.length >= 4 && past.length >= 2 && times.length > dated.length);
      assert.deepEqual(times, [...upcoming, ...past, ...times.filter((timeMs) => timeMs === null)]);
      assert.deepEqual(await rows('sort=nearest'), found);
    });

    for (const [sort, field, direction] of [
      ['effective_asc', 'effective_at', 1],
      ['effective_desc', 'effective_at', -1],
      ['detected_asc', 'detected_at', 1],
      ['detected_desc', 'detected_at', -1],
      ['coin_asc', 'coin', 1],
    ] as const) {
      test(`sort=${sort}`, async () => {
        const values = (await rows(`sort=${sort}`))
          .map((row) => row[field])
          .filter((value) => value !== null);
        const key = (value: unknown) => (field === 'coin' ? String(value) : Date.parse(String(value)));
        assert.deepEqual(
          values,
          values.toSorted((a, b) => (key(a) < key(b) ? -direction : key(a) > key(b) ? direction : 0)),
        );
      });
    }

    test('undated rows are last in both directions of effective_at', async () => {
      for (const sort of ['effective_asc', 'effective_desc'])
        assert.equal((await rows(`sort=${sort}`)).at(-1)?.effective_at, null);
    });

    test('type, status and source keep exactly what they name', async () => {
      const all = await rows('');
      for (const [query, field, value] of [
        ['type=listing', 'kind', 'listing'],
        ['type=delisting', 'kind', 'delisting'],
        ['status=preopen', 'status', 'preopen'],
        ['status=newly%20listed', 'status', 'newly listed'],
        ['status=newly+listed', 'status', 'newly listed'],
        ['status=delisting', 'status', 'delisting'],
        ['status=delisted', 'status', 'delisted'],
        ['source=instruments', 'source', 'instruments'],
        ['source=diff', 'source', 'diff'],
        ['source=announcement', 'source', 'announcement'],
      ] as const) {
        assert.deepEqual(
          await rows(query),
          all.filter((row) => row[field] === value),
          query,
        );
      }
      assert.ok((await rows('status=newly+listed')).length >= 2);
    });

    test('a status that no row has is an empty list', async () => {
      for (const status of ['Preopen', 'x', 'newly', 'newly listed,delisting', 'a'.repeat(100), 'ü&<'])
        assert.deepEqual(await rows(`status=${encodeURIComponent(status)}`), [], status);
    });

    test('coin in any case, exchange and exclude_exchange', async () => {
      assert.deepEqual(await symbols('coin=soon,GOING'), ['SOON-USDT', 'GOING-USDT']);
      assert.deepEqual(await symbols('coin=soon&exchange=OKX'), []);
      assert.deepEqual(await symbols('coin=soon&exclude_exchange=Binance'), []);
      assert.deepEqual(await symbols('coin=soon&exchange=Binance'), ['SOON-USDT']);
    });

    test('[from, to) is half-open and drops undated rows', async () => {
      const soon = isoTime(startMs + 3 * HOUR_MS);
      const later = isoTime(startMs + 3 * DAY_MS);
      const own = 'coin=SOON,LATER,FAR,UNDATED,GOING';
      assert.deepEqual(await symbols(`${own}&from=${soon}&to=${later}`), ['SOON-USDT', 'GOING-USDT']);
      assert.deepEqual(await symbols(`${own}&from=${later}`), ['LATER-USDT', 'FAR-USDT']);
      assert.deepEqual(await symbols(`${own}&to=${soon}`), []);
      assert.deepEqual(await symbols(`${own}&from=${soon}&to=${soon}`), []);
    });

    test('days_ahead counts from as_of', async () => {
      const own = 'coin=SOON,LATER,FAR,UNDATED,GOING,YESTERDAY';
      assert.deepEqual(await symbols(`${own}&days_ahead=1`), ['SOON-USDT']);
      assert.deepEqual(await symbols(`${own}&days_ahead=2`), ['SOON-USDT', 'GOING-USDT']);
      assert.deepEqual(await symbols(`${own}&days_ahead=365`), [
        'SOON-USDT',
        'GOING-USDT',
        'LATER-USDT',
        'FAR-USDT',
      ]);
    });

    for (const range of ['from=2020-01-01', 'to=2030-01-01', 'from=2020-01-01&to=2030-01-01'])
      for (const [what, daysAhead, argument] of [
        ['a good one', 'days_ahead=1', 1],
        ['a word', 'days_ahead=abc', 'abc'],
        ['an empty one', 'days_ahead=', ''],
        ['0', 'days_ahead=0', 0],
        ['one above the most', 'days_ahead=366', 366],
        ['a repeated one', 'days_ahead=1&days_ahead=2', [1, 2]],
      ] as const) {
        test(`days_ahead is ignored with ${range}: ${what}`, async () => {
          const alone = await rest.get(`${PATH}?${range}`);
          assert.ok(rowsOf(alone).some(({ symbol }) => symbol === 'FAR-USDT'));
          assert.ok(rowsOf(alone).some(({ symbol }) => symbol === 'YESTERDAY-USDT'));
          assert.deepEqual((await rest.get(`${PATH}?${range}&${daysAhead}`)).body, alone.body);
          const args = { ...Object.fromEntries(new URLSearchParams(range)), days_ahead: argument };
          const tool = await callTool(rest.service.baseUrl, rest.keys.business, 'svc_get_listings', args);
          assert.deepEqual(tool.structuredContent, alone.body);
          const page = await fetch(`${rest.service.baseUrl}/listings?${range}&${daysAhead}`);
          assert.equal(page.status, 200);
          assert.equal(page.url, `${rest.service.baseUrl}/listings?${range}`, 'without what is ignored');
          const csv = await fetch(`${rest.service.baseUrl}/listings.csv?${range}&${daysAhead}`);
          assert.equal(csv.status, 200);
        });
      }

    test('fields keeps only the named ones', async () => {
      const [first] = await rows('fields=symbol,detected_at');
      assert.deepEqual(Object.keys(first ?? {}), ['symbol', 'detected_at']);
    });

    test('Demo sees what was known 900 s ago, states included', async () => {
      lists.show(contract('FRESH', { status: 'preopen', listedAtMs: rest.clock.nowMs() + 5 * MINUTE_MS }));
      await publish();
      rest.clock.advanceMs(10 * MINUTE_MS);
      await publish();
      const demo = async () => rowsOf(await rest.get(`${PATH}?coin=FRESH`, { plan: 'demo' }));
      assert.deepEqual(
        (await rows('coin=FRESH')).map((row) => row.status),
        ['newly listed'],
      );
      assert.deepEqual(await demo(), [], 'not known 900 s ago');
      rest.clock.advanceMs(6 * MINUTE_MS);
      await publish();
      assert.deepEqual(
        (await demo()).map((row) => row.status),
        ['preopen'],
        'known, and not open 900 s ago',
      );
      rest.clock.advanceMs(6 * MINUTE_MS);
      await publish();
      assert.deepEqual(
        (await demo()).map((row) => row.status),
        ['newly listed'],
      );
    });

    test('a date that moves moves effective_at, never detected_at', async () => {
      const [before] = await rows('coin=LATER');
      lists.show(contract('LATER', { status: 'preopen', listedAtMs: startMs + 9 * DAY_MS }));
      await publish();
      const [moved] = await rows('coin=LATER');
      assert.deepEqual(moved, { ...before, effective_at: isoTime(startMs + 9 * DAY_MS) });
    });
  });

  suite('polling', () => {
    test('an inserted row comes with the next poll, once, and then nothing', async () => {
      const poll = (reply: Reply) => `detected_after=${metaOf(reply).as_of}&sort=detected_asc`;
      const first = await rest.get(`${PATH}?sort=detected_asc&limit=500`);
      lists.show(contract('POLLED', { status: 'preopen', listedAtMs: rest.clock.nowMs() + DAY_MS }));
      const early = await rest.get(`${PATH}?${poll(first)}`);
      assert.deepEqual(rowsOf(early), [], 'seen, but not published');
      await publish();
      const second = await rest.get(`${PATH}?${poll(early)}`);
      assert.deepEqual(
        rowsOf(second).map((row) => row.symbol),
        ['POLLED-USDT'],
      );
      await publish();
      const third = await rest.get(`${PATH}?${poll(second)}`);
      assert.deepEqual(rowsOf(third), []);
    });

    test('rows inserted while pages are walked come with the next poll, none twice', async () => {
      const first = await rest.get(`${PATH}?sort=detected_asc&limit=3`);
      const asOf = metaOf(first).as_of;
      const walked = rowsOf(first);
      let cursor = metaOf(first).next_cursor;
      for (let page = 0; cursor !== undefined; page++) {
        lists.show(contract(`DURING${page}`, { status: 'preopen', listedAtMs: rest.clock.nowMs() + DAY_MS }));
        await publish();
        const next = await rest.get(`${PATH}?sort=detected_asc&limit=3&cursor=${cursor}`);
        assert.equal(metaOf(next).as_of, asOf, 'all pages are of one snapshot');
        walked.push(...rowsOf(next));
        cursor = metaOf(next).next_cursor;
      }
      const rest2 = rowsOf(await rest.get(`${PATH}?sort=detected_asc&limit=500&detected_after=${asOf}`));
      assert.ok(rest2.length > 2);
      const all = await rows('sort=detected_asc');
      assert.deepEqual(
        [...walked, ...rest2].map((row) => row.detected_at),
        all.map((row) => row.detected_at),
      );
    });
  });

  suite('400', () => {
    for (const [what, query, name] of [
      ['an unknown type', 'type=both', 'type'],
      ['a status of 101 characters', `status=${'x'.repeat(101)}`, 'status'],
      ['an empty status', 'status=', 'status'],
      ['an unknown source', 'source=guess', 'source'],
      ['an unknown sort', 'sort=date', 'sort'],
      ['days_ahead of 0', 'days_ahead=0', 'days_ahead'],
      ['days_ahead over 365', 'days_ahead=366', 'days_ahead'],
      ['days_ahead in words', 'days_ahead=ten', 'days_ahead'],
      ['a malformed from', 'from=yesterday', 'from'],
      ['a malformed to', 'to=2026-13-01', 'to'],
      ['a malformed detected_after', 'detected_after=now', 'detected_after'],
      ['an empty detected_after', 'detected_after=', 'detected_after'],
      ['from after to', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'from'],
      ['an unknown field', 'fields=price', 'fields'],
      ['a limit over 500', 'limit=501', 'limit'],
      ['a cursor that we did not give', 'cursor=abc', 'cursor'],
      ['type sent twice', 'type=listing&type=delisting', 'type'],
      ['21 coins', `coin=${Array.from({ length: 21 }, (_, i) => `C${i}`).join(',')}`, 'coin'],
    ] as const) {
      test(`${what}, naming ${name}`, async () => {
        const { detail } = await refused(query, 400, 'invalid-parameter');
        assert.ok(detail.includes(`"${name}"`), detail);
      });
    }

    test('an unknown sort repeats what is allowed', async () => {
      const sort = await refused('sort=date', 400, 'invalid-parameter');
      for (const name of [
        'nearest',
        'effective_asc',
        'effective_desc',
        'detected_desc',
        'detected_asc',
        'coin_asc',
      ])
        assert.ok(sort.detail.includes(name), sort.detail);
    });

    test('a cursor with other filters', async () => {
      const { next_cursor: cursor } = metaOf(await rest.get(`${PATH}?limit=2`));
      await refused(`limit=2&type=listing&cursor=${cursor}`, 400, 'invalid-parameter');
    });

    test('a cursor older than snapshots are held', async () => {
      const { next_cursor: cursor } = metaOf(await rest.get(`${PATH}?limit=2`));
      rest.clock.advanceMs(HOUR_MS);
      await publish();
      await refused(`limit=2&cursor=${cursor}`, 400, 'invalid-parameter');
    });
  });

  test('403: a Demo page over 50 rows', async () => {
    problemOf(rest, await rest.get(`${PATH}?limit=51`, { plan: 'demo' }), 403, 'plan-limit');
  });

  test('404: a venue in the wrong case, with the right one first', async () => {
    for (const name of ['exchange', 'exclude_exchange']) {
      const { suggestions } = await refused(`${name}=binance`, 404, 'unknown-exchange');
      assert.equal(suggestions?.[0], 'Binance');
    }
  });
});
