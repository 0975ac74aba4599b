import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { DAY_MS } from '../../src/base/times.ts';
import { temporaryFolder, until } from '../storage/databases.ts';
import { killStarted, startPerpwire } from '../support/process.ts';

interface Ready {
  base_url: string;
  admin_url: string;
  keys: Record<'business' | 'pro', string>;
}

interface Series {
  held_since: string;
  daily: { apr_pct: number | null }[];
}

interface Row {
  coin: string;
  exchange: string;
  venue_symbol: string;
  covered_until: string | null;
  sum_7d_pct: number | null;
  sum_30d_pct: number | null;
}

interface Print {
  time: string;
  rate_pct: number;
}

after(killStarted);

suite('npm run demo', () => {
  test('stores 180 days of every contract, also of a venue with a shorter history, and serves meanwhile', async (t) => {
    const folder = temporaryFolder(t);
    const venues = 'binance,okx,paradex';
    const args = ['--port', '0', '--coins', '5', '--seed', '3', '--venues', venues, '--data', folder];
    const running = startPerpwire(['demo', ...args], { LOG_LEVEL: 'silent' });
    const ready = JSON.parse(await running.line((line) => line.startsWith('{"ready"'))) as Ready;
    const get = async (path: string) => {
      const reply = await fetch(`${ready.base_url}/api/v1${path}`, {
        headers: { 'x-api-key': ready.keys.business },
      });
      return { status: reply.status, body: (await reply.json()) as { data: unknown } };
    };
    assert.equal((await get('/funding?limit=1')).status, 200, 'serves at once');
    const rows = (await get('/funding?limit=500')).body.data as Record<string, string>[];
    await until(async () => {
      const text = await (await fetch(`${ready.admin_url}/metrics`)).text();
      const count = (state: string) =>
        [...text.matchAll(/^perpwire_backfill_contracts\{exchange="\w+",state="(\w+)"\} (\d+)$/gm)]
          .filter(([, name]) => name === state)
          .reduce((sum, [, , contracts]) => sum + Number(contracts), 0);
      return count('left') === 0 && count('done') >= rows.length;
    });
    assert.ok(rows.length > 15, `${rows.length} contracts`);
    const youngest: string[] = [];
    for (const row of rows) {
      const query = `coin=${row.coin}&exchange=${row.exchange}&symbol=${row.venue_symbol}&days=180`;
      const seriesNow = async () => {
        const { status, body } = await get(`/funding/history?${query}`);
        // Many questions at once may exceed the minute of the plan.
        if (status === 429) return null;
        assert.equal(status, 200, query);
        return (body as { data: { series: Series[] } }).data.series[0] ?? assert.fail(query);
      };
      // Coins of simulated listings are younger than the window.
      if (row.coin?.startsWith('NEW')) {
        await until(async () => (await seriesNow()) !== null, query);
        youngest.push(query);
        continue;
      }
      // What the venue no longer returns is fetched in the background, a while after the start.
      await until(async () => {
        const series = await seriesNow();
        if (series === null) return false;
        const { held_since, daily } = series;
        const points = daily.slice(0, -1).filter(({ apr_pct }) => apr_pct !== null);
        return (Date.now() - Date.parse(held_since)) / DAY_MS > 179 && points.length >= 178;
      }, `180 days of ${query}`);
    }
    assert.ok(youngest.length > 0 && youngest.length < rows.length / 2);
    running.child.kill('SIGINT');
    assert.equal(await running.ended, 0, 'stops cleanly');
  });

  test('a young demo of all venues: every sum is the sum of the prints that history serves', async (t) => {
    const args = ['--port', '0', '--coins', '3', '--seed', '5', '--data', temporaryFolder(t)];
    const running = startPerpwire(['demo', ...args], { LOG_LEVEL: 'silent' });
    const ready = JSON.parse(await running.line((line) => line.startsWith('{"ready"'))) as Ready;
    let sent = 0;
    const get = async (path: string) => {
      // One request for each row. The two plans allow 600 and 300 in a minute.
      const plan = ++sent % 3 === 0 ? 'pro' : 'business';
      const reply = await fetch(`${ready.base_url}/api/v1${path}`, {
        headers: { 'x-api-key': ready.keys[plan] },
      });
      assert.equal(reply.status, 200, path);
      return (await reply.json()) as { data: unknown; meta: { next_cursor?: string } };
    };
    const rows: Row[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { data, meta } = await get(`/funding?limit=500${cursor && `&cursor=${cursor}`}`);
      rows.push(...(data as Row[]));
      cursor = meta.next_cursor;
    }
    assert.ok(new Set(rows.map(({ exchange }) => exchange)).size > 45, 'all venues');
    assert.ok(rows.length < 850, `${rows.length} rows are too many for one minute`);
    const wrong: string[] = [];
    let sums = 0;
    const compare = async (row: Row) => {
      const { coin, exchange, venue_symbol, covered_until } = row;
      if (covered_until === null) {
        assert.deepEqual([row.sum_7d_pct, row.sum_30d_pct], [null, null], `${exchange} ${venue_symbol}`);
        return;
      }
      const untilMs = Date.parse(covered_until);
      const query = new URLSearchParams({
        ...{ coin, exchange, symbol: venue_symbol, resolution: 'settlement' },
        ...{ from: new Date(untilMs - 30 * DAY_MS).toISOString(), to: covered_until },
      });
      const { series } = (await get(`/funding/history?${query}`)).data as {
        series: { settlements: Print[] }[];
      };
      for (const days of [7, 30] as const) {
        const stated = row[`sum_${days}d_pct`];
        const inside = (series[0]?.settlements ?? []).filter(
          ({ time }) => Date.parse(time) > untilMs - days * DAY_MS,
        );
        if (stated === null) continue;
        sums++;
        const sum = inside.reduce((total, { rate_pct }) => total + rate_pct, 0);
        if (Math.abs(sum - stated) > 1e-7)
          wrong.push(`${exchange} ${venue_symbol} ${days} d: ${stated}, ${inside.length} prints: ${sum}`);
      }
    };
    const queue = [...rows];
    const worker = async () => {
      for (let row = queue.shift(); row; row = queue.shift()) await compare(row);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    assert.deepEqual(wrong, []);
    assert.ok(sums > rows.length, `${sums} sums of ${rows.length} contracts`);
    running.child.kill('SIGINT');
    assert.equal(await running.ended, 0, 'stops cleanly');
  });
});
