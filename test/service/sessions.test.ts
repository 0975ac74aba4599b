import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { carryPairPath } from '../../src/doors/web/pages/arbitrage/paths.ts';
import { pairPath } from '../../src/doors/web/pages/spreads/paths.ts';
import { minuteOf, PRICE_COLUMNS } from '../../src/history/samples/model.ts';
import { openStream } from '../streams/client.ts';
import { collectOnce, type Running, rowsOf, runService, until } from '../support/service.ts';
import { markdownTables } from '../web/page-text.ts';

type Row = Record<string, unknown>;

/** The simulated market of shares closes at 20:00 UTC and opens at 13:30. The venues have no flag of their own. */
suite('a share whose market closes and opens, from the venues’ replies to answers and pages', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 18, 19, 41));
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-sessions-'));
  let running: Running;
  const start = () => runService({ clock, dataDir, coins: 6, venues: ['tradexyz', 'paragon', 'binance'] });
  before(async () => {
    running = await start();
    await collectOnce(running);
  });
  after(async () => {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const minutes = async (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      clock.advanceMs(MINUTE_MS);
      await collectOnce(running);
    }
  };
  const funding = async (query = '') => rowsOf(await running.get(`/api/v1/funding?limit=500${query}`));
  const ofShares = (rows: readonly Row[]) => rows.filter((row) => row.asset_class === 'stock');
  const sessions = (rows: readonly Row[]) => new Set(rows.map((row) => row.session));
  const coins = (rows: readonly Row[]) => new Set(rows.map((row) => String(row.coin)));
  const spreads = async (query = '') => rowsOf(await running.get(`/api/v1/spreads?limit=500${query}`));
  const arbitrage = async (query = ''): Promise<Row[]> => {
    const reply = await running.get(`/api/v1/arbitrage?limit=500${query}`);
    assert.equal(reply.status, 200, reply.text.slice(0, 300));
    return (reply.body as { data: { pairs: Row[] } }).data.pairs;
  };
  const notice = (text: string) =>
    /id="closed" data-live>(.*?)<div class="arb /s.exec(text)?.[1] ?? 'no notice';
  const table = (text: string) => /id="results"(.*?)id="pager"/s.exec(text)?.[1] ?? '';
  const hidden = async (path: string, query: string) => {
    const reply = await running.get(`/api/v1${path}?leg_closed=true&limit=1${query}`, { plan: 'demo' });
    return (reply.body as { meta: { total: number } }).meta.total;
  };

  /** The page of a spread needs a first backtest; that of one minute will do. */
  const testSpreads = async () => {
    const { samples, backtest } = running.service;
    const names = { exchange: 'Binance', venueSymbol: 'BTCUSDT', coin: 'BTC', quote: 'USDT' };
    const ids = Uint32Array.from(await samples.store.idsOf([names]));
    const prices = new Float32Array(PRICE_COLUMNS).fill(100);
    await samples.store.add({
      minute: minuteOf(clock.nowMs()),
      ids,
      prices,
      volumesUsdt: Float32Array.of(1),
    });
    await backtest.catchUp();
  };

  test('the first snapshot does not know the session of any contract', async () => {
    const rows = await funding();
    assert.ok(ofShares(rows).length > 20, `${ofShares(rows).length} shares`);
    assert.deepEqual(sessions(rows), new Set([null]));
  });

  test('in market hours shares are open, and coins have no session', async () => {
    await minutes(9);
    const rows = await funding();
    assert.deepEqual(sessions(ofShares(rows)), new Set(['open']));
    assert.deepEqual(sessions(rows.filter((row) => row.asset_class === 'crypto')), new Set([null]));
    assert.ok([...(await spreads()), ...(await arbitrage())].every((row) => row.leg_closed === false));
  });

  test('a quarter of an hour after the closing they are closed, and not before', async () => {
    await minutes(24);
    assert.deepEqual(sessions(ofShares(await funding())), new Set(['open']), '14 minutes after');
    await minutes(3);
    assert.deepEqual(sessions(ofShares(await funding())), new Set(['closed']), '17 minutes after');
  });

  test('filters keep and drop them', async () => {
    const all = await funding();
    const closed = await funding('&session=closed');
    assert.deepEqual(
      closed.map((row) => row.venue_symbol).sort(),
      all
        .filter((row) => row.asset_class !== 'crypto')
        .map((row) => row.venue_symbol)
        .sort(),
    );
    assert.deepEqual(await funding('&session=open'), []);
    await until(async () => {
      await minutes(1);
      return coins(await spreads()).has('TSLA') && coins(await arbitrage()).has('TSLA');
    }, 'quotes of both venues');
    for (const list of [spreads, arbitrage]) {
      const [every, only, without] = [
        await list(),
        await list('&leg_closed=true'),
        await list('&leg_closed=false'),
      ];
      assert.equal(only.length + without.length, every.length);
      assert.ok(coins(only).has('TSLA') && only.every((row) => row.leg_closed === true));
      assert.ok(coins(without).has('BTC') && !coins(without).has('TSLA'));
    }
  });

  test('/funding/{coin}, CSV and the stream of a list have them too', async (t) => {
    const { data } = (await running.get('/api/v1/funding/TSLA')).body as { data: { rates: Row[] } };
    assert.deepEqual(sessions(data.rates), new Set(['closed']));
    const ofSession = async (session: string) =>
      (await running.get(`/api/v1/funding/TSLA?session=${session}`)).body as {
        data: { venue_count: number; rates: Row[] };
      };
    assert.deepEqual((await ofSession('closed')).data, data);
    const open = (await ofSession('open')).data;
    assert.deepEqual([open.venue_count, open.rates], [0, []]);
    assert.equal((await running.get('/api/v1/funding/TSLA?session=shut')).status, 400);
    const csv = await running.get('/api/v1/funding?format=csv&coin=TSLA&fields=coin,session');
    assert.match(csv.text, /^coin,session\r?\nTSLA,closed\r?\n/);
    const address = `${running.service.baseUrl}/api/v1/stream/spreads?leg_closed=true&limit=500`;
    const stream = await openStream(address, running.keys.business);
    t.after(() => stream.close());
    await until(() => stream.events.some(({ id }) => id !== null), 'the first rows');
    const [first] = stream.events.filter(({ id }) => id !== null);
    assert.deepEqual(first?.data.data, await spreads('&leg_closed=true'));
  });

  test('readers without a plan see it a quarter of an hour later', async () => {
    assert.doesNotMatch(notice((await running.get('/spreads')).text), /hidden/);
    await testSpreads();
    await minutes(14);
    // Quotes are streamed, so a snapshot may lack those of the last seconds.
    await until(async () => {
      await minutes(1);
      const pages = [await running.get('/spreads'), await running.get('/arbitrage')];
      return pages.every(({ text }) => /hidden/.test(notice(text)) && /BTC/.test(table(text)));
    }, 'pages with hidden pairs');
  });

  for (const [path, usual] of [
    ['/spreads', ''],
    ['/arbitrage', '&min_possible_capacity_usd=50000'],
  ] as const)
    test(`${path} hides such pairs, says how many, and shows them at the address that it links to`, async () => {
      const count = await hidden(path, usual);
      assert.ok(count > 0);
      const page = (await running.get(path)).text;
      assert.match(table(page), /BTC/);
      assert.doesNotMatch(table(page), /TSLA|NVDA|XAU/);
      assert.match(
        notice(page),
        new RegExp(`${count} pairs? (is|are) hidden: the market of a leg is closed`),
      );
      const [, link = ''] = /href="([^"]+)">Show them/.exec(notice(page)) ?? [];
      assert.equal(link, `${path}?closed=shown`);
      const whole = (await running.get(`${link}&view=pairs`)).text;
      assert.match(table(whole), /TSLA|NVDA|XAU/);
      assert.equal(table(whole).match(/<span class="badge"[^>]*>closed<\/span>/g)?.length, count);
      assert.match(
        notice(whole),
        new RegExp(`${count} pairs? (has|have) a leg .*${path}\\?view=pairs">Hide them`, 's'),
      );
      assert.match((await running.get(`${path}.md`)).text, /hidden: the market of a leg is closed/);
      const only = (await running.get(`${path}?leg_closed=true${usual}`)).text;
      assert.doesNotMatch(table(only), /BTC/);
      assert.match(only, /Market of a leg: Closed/);
    });

  const pages = {
    'the page of a spread': (coin: string) =>
      pairPath({ coin, exchange_a: 'Paragon', exchange_b: 'trade.xyz' }),
    'the page of a carry': async (coin: string) => {
      const [row] = await arbitrage(`&coin=${coin}`);
      return carryPairPath(row ?? {});
    },
  };
  for (const [name, pathOf] of Object.entries(pages))
    test(`${name} and its Markdown say that a leg is closed and what it means, and nothing of a coin`, async () => {
      const words = /is closed at one of the venues or at both: its index stands still.* may not be tradable/;
      const address = await pathOf('TSLA');
      let page = '';
      // A snapshot may lack quotes of the last seconds.
      await until(async () => {
        await minutes(1);
        page = (await running.get(address)).text;
        return words.test(page);
      }, `a notice on ${address}`);
      assert.match(page, /id="closed" data-live>\s*<div class="ban mb">.*?>closed<\/span>/s);
      assert.match((await running.get(address.replace('?', '.md?'))).text, words);
      const coin = await pathOf('BTC');
      for (const path of [coin, coin.replace('?', '.md?')]) {
        const reply = await running.get(path);
        assert.equal(reply.status, 200, path);
        assert.doesNotMatch(reply.text, /is closed at one/, path);
      }
    });

  test('the page of the share marks its contracts, its pairs and the venues of the calculator', async () => {
    const page = (await running.get('/funding/TSLA')).text;
    const closed = (id: string) =>
      new RegExp(`id="${id}".*?</section>`, 's').exec(page)?.[0].match(/>closed<\/span>/g)?.length ?? 0;
    assert.deepEqual([closed('ranking'), closed('pairs'), closed('calculator')], [2, 1, 2]);
    assert.doesNotMatch((await running.get('/funding/BTC')).text, />closed<\/span>/);
    const markdown = (await running.get('/funding/TSLA.md')).text;
    const results = markdownTables(markdown).at(-1);
    assert.deepEqual(new Set(results?.map(({ session }) => session)), new Set(['closed']));
  });

  test('a restart changes no session', async () => {
    const before = await funding('&session=closed');
    await running.stop();
    running = await start();
    await collectOnce(running);
    const now = await funding('&session=closed');
    assert.deepEqual(
      now.map((row) => row.venue_symbol),
      before.map((row) => row.venue_symbol),
    );
  });

  test('before the opening they are closed, and open with the second change of the index', async () => {
    clock.setMs(Date.UTC(2026, 10, 19, 13, 28));
    await collectOnce(running);
    await minutes(1);
    assert.deepEqual(sessions(ofShares(await funding())), new Set(['closed']));
    await minutes(6);
    assert.deepEqual(sessions(ofShares(await funding())), new Set(['open']));
    assert.deepEqual(await spreads('&leg_closed=true'), []);
    await minutes(15);
    await until(async () => {
      await minutes(1);
      const page = (await running.get('/spreads?view=pairs&coin=TSLA')).text;
      return /TSLA/.test(table(page)) && !/hidden/.test(notice(page));
    }, 'the pairs of the share on the page');
  });
});

suite('venues with a flag of their own', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 18, 19, 58));
  let running: Running;
  before(async () => {
    running = await runService({ clock, coins: 4, venues: ['ondo', 'arcus'] });
  });
  after(() => running.stop());

  for (const [when, timeMs, session] of [
    ['before the closing', Date.UTC(2026, 10, 18, 19, 58), 'open'],
    ['after the closing', Date.UTC(2026, 10, 18, 20, 1), 'closed'],
    ['before the opening', Date.UTC(2026, 10, 19, 13, 29), 'closed'],
    ['after the opening', Date.UTC(2026, 10, 19, 13, 31), 'open'],
  ] as const)
    test(`the next snapshot ${when} is ${session}, whatever the index did`, async () => {
      clock.setMs(timeMs);
      await collectOnce(running);
      for (const exchange of ['Ondo', 'Arcus']) {
        const rows = rowsOf(await running.get(`/api/v1/funding?exchange=${exchange}&limit=500`));
        const shares = rows.filter((row) => row.asset_class === 'stock');
        assert.ok(shares.length > 5, `${shares.length} shares at ${exchange}`);
        assert.deepEqual(new Set(shares.map((row) => row.session)), new Set([session]), exchange);
        const coins = rows.filter((row) => row.asset_class === 'crypto');
        assert.ok(coins.length > 0 && coins.every((row) => row.session === null), exchange);
      }
    });
});
