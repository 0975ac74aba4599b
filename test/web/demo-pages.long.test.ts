import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/commands/demo/keys.ts';
import { Browser as FormBrowser, text } from '../oauth/browser.ts';
import { startBrowser, type Visit, visit } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { killStarted, startPerpwire } from '../support/process.ts';
import { until } from '../support/until.ts';
import { ALERTS, boxOf, CHANNELS, NEW } from './alerts-site.ts';
import { onEachScreen } from './screens.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-demo-'));
const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  killStarted();
  rmSync(folder, { recursive: true, force: true });
  if (typeof browser !== 'string') await browser.close();
});

let baseUrl: string;
before(async () => {
  const args = ['--port', '0', '--coins', '6', '--venues', 'binance,okx,gate', '--data', folder];
  const running = startPerpwire(['demo', ...args], { LOG_LEVEL: 'silent' });
  const ready = await running.line((line) => line.startsWith('{"ready"'));
  baseUrl = (JSON.parse(ready) as { base_url: string }).base_url;
});

/** As examples/README.md says. */
suite('an alert of the demo', () => {
  test('arrives at examples/alert-receiver.ts, signed and verified', async (t) => {
    const port = String(await freePort());
    const person = new FormBrowser();
    const at = (path: string) => person.open(`${baseUrl}${path}`);
    await person.submit(await at('/sign-in'), {
      email: 'pro@demo.perpwire.invalid',
      password: DEMO_PASSWORD,
    });
    const address = { kind: 'webhook', url: `http://127.0.0.1:${port}/` };
    const added = await person.submit(await at(CHANNELS), address, `${CHANNELS}/new`);
    const secret = /whsec_[\w-]+/.exec(added.html)?.[0] ?? assert.fail(text(added));

    const program = join(import.meta.dirname, '../../examples/alert-receiver.ts');
    const receiver = spawn(process.execPath, [program, port], {
      env: { PERPWIRE_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => receiver.kill());
    let printed = '';
    receiver.stdout.on('data', (part) => {
      printed += part;
    });
    await until(() => printed.includes('Waiting for alerts'), 'the receiver');
    const confirmed = await person.submit(await at(ALERTS), {}, `${CHANNELS}/code`);
    assert.match(text(confirmed), /The channel is confirmed\./);
    assert.match(printed, /confirmed the address/);
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    await until(() => printed.includes('refused a request with a wrong signature'), 'the refusal');

    const list = await at('/spreads?max_age_seconds=5');
    const [, link = ''] =
      /href="(\/account\/alerts\/new\?[^"]*max_age_seconds=5[^"]*)"/.exec(list.html) ?? [];
    const form = await at(link.replaceAll('&amp;', '&'));
    const created = await person.submit(
      form,
      {
        ...{ kind: 'enters', every_minutes: '15', endpoint: boxOf(form) },
        'filter.max_age_seconds': '5',
      },
      NEW,
    );
    assert.match(text(created), /The alert is active\./);
    await until(() => /^entered, signature verified: .* As of /m.test(printed), 'the alert');
  });
});

suite('pages of a fresh demo, for visitors', { skip }, () => {
  let visitor: Visit;
  before(async () => {
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
