import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { OPERATIONS } from '../../src/operations/registry.ts';
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

  test('on a phone nothing is wider than the screen', async () => {
    const { page, context } = await visit(real(), { width: 380 });
    await page.goto(at(PATH));
    await page.locator('text=Test Request').first().waitFor();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 380, `it is ${width} wide`);
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
