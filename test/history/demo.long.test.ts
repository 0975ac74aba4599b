import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { DAY_MS } from '../../src/base/times.ts';
import { temporaryFolder, until } from '../storage/databases.ts';
import { killStarted, startPerpwire } from '../support/process.ts';

interface Ready {
  base_url: string;
  admin_url: string;
  keys: Record<'business', string>;
}

interface Series {
  held_since: string;
  daily: { apr_pct: number | null }[];
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
});
