import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { assetPath } from '../../src/doors/web/assets.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { seriousFaults } from '../support/axe.ts';
import { screenshot, startBrowser, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const PATH = '/developers/reference';
const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('the interactive reference', { skip }, () => {
  let running: Running;
  const real = () => browser as Browser;
  const at = (path: string) => `${running.service.baseUrl}${path}`;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
    await collectOnce(running);
  });
  after(() => running.stop());

  const opened = async (page: Page) => {
    await page.goto(at(PATH), { waitUntil: 'load' });
    await page.locator('text=Test Request').first().waitFor();
  };
  /** Until the markup has stood still for two frames: Scalar renders bit by bit. */
  const settled = async (page: Page) => {
    for (let before = -1; ; ) {
      const now = Number(
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(document.body.innerHTML.length), 250)))',
        ),
      );
      if (now === before) return;
      before = now;
    }
  };
  /** Parts are made when they come into sight. */
  const toTheEnd = async (page: Page) => {
    for (let y = 0; y < Number(await page.evaluate('document.body.scrollHeight')); y += 800) {
      await page.evaluate(`scrollTo(0, ${y})`);
      await settled(page);
    }
    await page.evaluate('scrollTo(0, 0)');
    await settled(page);
  };

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`tries a request with the key that the visitor types in, and asks nobody else (${colorScheme})`, async () => {
      const { page, context, complaints } = await visit(real(), { colorScheme });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const reply = await page.goto(at(PATH), { waitUntil: 'load' });
      const policy = reply?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /script-src 'self';.*connect-src 'self';/);
      await page.locator('text=Test Request').first().waitFor();
      await screenshot(page, `developers-reference-${colorScheme}`, { isWhole: false });
      await page.locator('text=Test Request').first().click();
      const client = page.getByRole('dialog');
      await client.getByPlaceholder('Token').fill(running.keys.pro);
      const answered = page.waitForResponse((one) => new URL(one.url()).pathname === '/api/v1/funding');
      await client.getByRole('button', { name: /^Send/ }).first().click();
      const answer = await answered;
      assert.equal(answer.status(), 200);
      assert.equal(new URL(answer.url()).search, '', 'no filter that nobody chose');
      assert.equal(answer.request().headers().authorization, `Bearer ${running.keys.pro}`);
      await client.locator('text=200 OK').first().waitFor();
      await screenshot(page, `developers-reference-tried-${colorScheme}`, { isWhole: false });
      const others = asked.filter((url) => /^https?:/.test(url) && !url.startsWith(running.service.baseUrl));
      assert.deepEqual(others, []);
      assert.deepEqual(complaints, []);
      const kept = String(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
      );
      assert.ok(!kept.includes(running.keys.pro), 'the key is not kept');
      await context.close();
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no serious accessibility fault in ${colorScheme}, down to its end and in the form that tries a request`, async () => {
      const { page, context } = await visit(real(), { colorScheme });
      // In the dark only the colours differ.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : null;
      await opened(page);
      await toTheEnd(page);
      assert.deepEqual(await seriousFaults(page, rules), []);
      await page.locator('text=Test Request').first().click();
      await page.getByRole('dialog').getByPlaceholder('Token').waitFor();
      await settled(page);
      assert.deepEqual(await seriousFaults(page, rules), []);
      await context.close();
    });
  }

  test('each repair of the markup is still needed, and none is missing', async () => {
    const { page, context } = await visit(real());
    const script = await (await fetch(at(assetPath('reference-repairs.js')))).text();
    const repaired = [...script.matchAll(/rule: '([\w-]+)'/g)].map(([, rule]) => rule);
    await page.route('**/reference-repairs.js', (route) => route.abort());
    await opened(page);
    await toTheEnd(page);
    const onThePage = await seriousFaults(page);
    await page.locator('text=Test Request').first().click();
    await page.getByRole('dialog').getByPlaceholder('Token').waitFor();
    await settled(page);
    const found = new Set([...onThePage, ...(await seriousFaults(page))].map(({ id }) => id));
    assert.deepEqual([...found].sort(), repaired.sort());
    await context.close();
  });

  test('on a phone nothing is wider than the screen', async () => {
    const { page, context } = await visit(real(), { width: 380 });
    await page.goto(at(PATH));
    await page.locator('text=Test Request').first().waitFor();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 380, `it is ${width} wide`);
    await screenshot(page, 'developers-reference-phone', { isWhole: false });
    await context.close();
  });

  test('without scripts it lists every endpoint with its parameters', async () => {
    const { page, context, complaints } = await visit(real(), { javaScriptEnabled: false });
    await page.goto(at(PATH));
    const text = (await page.locator('main').textContent()) ?? '';
    for (const { path, parameters } of OPERATIONS) {
      assert.ok(text.includes(`GET /api/v1${path}`), path);
      for (const { name } of Object.values(parameters)) assert.ok(text.includes(name), name);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
