import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { assetPath } from '../../src/doors/web/markup/assets.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { seriousFaults } from '../support/axe.ts';
import { screenshot, startBrowser, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const LIST_PATH = '/developers/reference';
const PATH = `${LIST_PATH}/try`;
const PHONE_WIDTH = 380;
const STILL_MS = 250;
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
    const reply = await page.goto(at(PATH), { waitUntil: 'load' });
    await page.locator('text=Test Request').first().waitFor();
    return reply;
  };
  /** Waits until the markup has not changed for a while: Scalar renders in steps and has no event for the last one. */
  const settled = (page: Page) =>
    page.evaluate(`new Promise((done) => {
      let timer;
      const observer = new MutationObserver(() => rest());
      const rest = () => {
        clearTimeout(timer);
        timer = setTimeout(() => { observer.disconnect(); done(); }, ${STILL_MS});
      };
      observer.observe(document, { subtree: true, childList: true, characterData: true });
      requestAnimationFrame(() => requestAnimationFrame(rest));
    })`);
  /** Sections are rendered when they come into view. */
  const toTheEnd = async (page: Page) => {
    for (let y = 0; y < Number(await page.evaluate('document.body.scrollHeight')); y += 800) {
      await page.evaluate(`scrollTo(0, ${y})`);
      await settled(page);
    }
    await page.evaluate('scrollTo(0, 0)');
    await settled(page);
  };
  const openForm = async (page: Page) => {
    await page.locator('text=Test Request').first().click();
    const form = page.getByRole('dialog');
    await form.getByPlaceholder('Token').waitFor();
    return form;
  };
  const inTheDark = async (page: Page, work: () => Promise<void>) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('body.dark-mode').waitFor();
    await settled(page);
    await work();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('body.light-mode').waitFor();
    await settled(page);
  };
  /** All rules in light mode; in dark mode only the colours differ. */
  const assertAccessible = async (page: Page, what: string) => {
    assert.deepEqual(await seriousFaults(page), [], what);
    await inTheDark(page, async () =>
      assert.deepEqual(await seriousFaults(page, ['color-contrast']), [], `${what} in the dark`),
    );
  };
  const pictures = async (page: Page, name: string) => {
    await screenshot(page, `${name}-light`, { isWhole: false });
    await inTheDark(page, () => screenshot(page, `${name}-dark`, { isWhole: false }));
  };

  test('tries a request with the key that the visitor types in, sends nothing to other hosts, fits a phone', async () => {
    const { page, context, complaints } = await visit(real());
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const reply = await opened(page);
    const policy = reply?.headers()['content-security-policy'] ?? '';
    assert.match(policy, /script-src 'self';.*connect-src 'self';/);
    await pictures(page, 'developers-reference');

    const form = await openForm(page);
    await form.getByPlaceholder('Token').fill(running.keys.pro);
    const answered = page.waitForResponse((one) => new URL(one.url()).pathname === '/api/v1/funding');
    await form.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    assert.equal(answer.status(), 200);
    assert.equal(new URL(answer.url()).search, '', 'no filter that nobody chose');
    assert.equal(answer.request().headers().authorization, `Bearer ${running.keys.pro}`);
    await form.locator('text=200 OK').first().waitFor();
    await pictures(page, 'developers-reference-tried');
    const others = requested.filter(
      (url) => /^https?:/.test(url) && !url.startsWith(running.service.baseUrl),
    );
    assert.deepEqual(others, []);
    assert.deepEqual(complaints, []);
    const stored = String(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    );
    assert.ok(!stored.includes(running.keys.pro), 'the key is not stored');

    await page.setViewportSize({ width: PHONE_WIDTH, height: 900 });
    await page.reload();
    await page.locator('text=Test Request').first().waitFor();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= PHONE_WIDTH, `it is ${width} wide`);
    await screenshot(page, 'developers-reference-phone', { isWhole: false });
    await context.close();
  });

  test('no serious accessibility fault in light and dark, down to its end and in the form that tries a request', async () => {
    const { page, context } = await visit(real());
    await opened(page);
    await toTheEnd(page);
    await assertAccessible(page, 'the page');
    await openForm(page);
    await settled(page);
    await assertAccessible(page, 'the form');
    await context.close();
  });

  test('every link has an address: that of its endpoint, which the click leads to', async () => {
    const { page, context } = await visit(real());
    await opened(page);
    const endpoint = page.locator('a.endpoint[href]').first();
    await endpoint.waitFor();
    assert.equal(await page.locator('a:not([href])').count(), 0);
    const href = (await endpoint.getAttribute('href')) ?? '';
    assert.match(href, /^#tag\/funding\/GET\/api\/v1\/funding$/);
    await endpoint.click();
    await page.waitForURL((url) => url.hash === href);
    await page
      .locator(`section[id$="${href.slice(1)}"]`)
      .first()
      .waitFor();
    await context.close();
  });

  test('each repair of the markup is still needed', async () => {
    const { page, context } = await visit(real());
    const script = await (await fetch(at(assetPath('reference-repairs.js')))).text();
    const repaired = [...script.matchAll(/rule: '([\w-]+)'/g)].map(([, rule = '']) => rule).sort();
    assert.ok(repaired.length > 0);
    await page.route('**/reference-repairs.js', (route) => route.abort());
    await opened(page);
    await toTheEnd(page);
    const onThePage = await seriousFaults(page, repaired);
    await openForm(page);
    await settled(page);
    const found = new Set([...onThePage, ...(await seriousFaults(page, repaired))].map(({ id }) => id));
    assert.deepEqual([...found].sort(), repaired);
    assert.ok((await page.locator('a.endpoint:not([href])').count()) > 0, 'links without an address');
    await context.close();
  });

  test('is one click from the reference, which loads none of it', async () => {
    const { page, context, complaints } = await visit(real());
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(at(LIST_PATH), { waitUntil: 'networkidle' });
    assert.ok(!requested.some((path) => path.includes('scalar')), 'nothing of Scalar');
    assert.deepEqual(await seriousFaults(page), []);
    await page.setViewportSize({ width: PHONE_WIDTH, height: 900 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH);
    await page.getByRole('link', { name: 'Try requests with your key' }).click();
    await page.waitForURL(at(PATH));
    await page.locator('text=Test Request').first().waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('without scripts the reference lists every endpoint with its parameters, and the form leads to it', async () => {
    const { page, context, complaints } = await visit(real(), { javaScriptEnabled: false });
    await page.goto(at(PATH));
    await page.locator('main a').click();
    await page.waitForURL(at(LIST_PATH));
    const text = (await page.locator('main').textContent()) ?? '';
    for (const { path, parameters } of OPERATIONS) {
      assert.ok(text.includes(`GET /api/v1${path}`), path);
      for (const { name } of Object.values(parameters)) assert.ok(text.includes(name), name);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
