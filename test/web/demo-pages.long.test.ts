import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser, type Visit, visit } from '../support/browser.ts';
import { killStarted, startPerpwire } from '../support/process.ts';
import { until } from '../support/until.ts';
import { onEachScreen } from './screens.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-demo-'));
const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  killStarted();
  rmSync(folder, { recursive: true, force: true });
  if (typeof browser !== 'string') await browser.close();
});

suite('pages of a fresh demo, for visitors', { skip }, () => {
  let visitor: Visit;
  let baseUrl: string;
  before(async () => {
    const args = ['--port', '0', '--coins', '6', '--venues', 'binance,okx,gate', '--data', folder];
    const running = startPerpwire(['demo', ...args], { LOG_LEVEL: 'silent' });
    const ready = await running.line((line) => line.startsWith('{"ready"'));
    baseUrl = (JSON.parse(ready) as { base_url: string }).base_url;
    visitor = await visit(browser as Browser);
  });

  test('/spreads/backtest answers at once', async () => {
    const { page } = visitor;
    const reply = await page.goto(`${baseUrl}/spreads/backtest`);
    assert.equal(reply?.status(), 200);
    await onEachScreen(page, async (where) => {
      assert.equal(await page.locator('h1').textContent(), 'Spread backtest', where);
      assert.ok(await page.locator('#results').isVisible(), where);
    });
  });

  test('the seeded past carries the sums of 7 and 30 days', async () => {
    const { page } = visitor;
    /** The cells of both columns, without coins that were listed in the meantime. */
    const sums = async () => {
      await page.goto(`${baseUrl}/funding?view=table&min_volume_usdt=0`);
      const heads = await page.locator('#results thead th').allTextContents();
      const [week, month] = [
        heads.findIndex((one) => one.startsWith('7 d%')),
        heads.findIndex((one) => one.startsWith('30 d%')),
      ];
      assert.ok(week > 0 && month > 0, heads.join('|'));
      const rows = await page
        .locator('#results tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
      const old = rows.filter(([coin = '']) => !/NEW/.test(coin));
      return old.flatMap((row) => [row[week] ?? '', row[month] ?? '']);
    };
    let shown: string[] = [];
    await until(async () => {
      shown = await sums();
      return shown.length > 0 && shown.every((text) => text !== '–');
    }, 'the sums of every contract');
    for (const text of shown) assert.match(text, /^[+−]?\d+\.\d{3}$/);
    assert.ok(shown.length > 20, `${shown.length} sums`);
  });
});
