import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import type { LocalService } from '../../src/wiring/local-service.ts';
import { Browser, text } from '../oauth/browser.ts';
import { PASSWORD, signedUp } from '../oauth/person.ts';
import { startPostgres, startRedis } from '../support/servers.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';

const FREE = 5;
const DEMO_PER_MINUTE = 20;
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const skip = [postgres, redis].find((server) => typeof server === 'string') ?? false;
after(async () => {
  for (const server of [postgres, redis]) if (typeof server !== 'string') await server.stop();
});

const open = (
  service: LocalService,
  path: string,
  { cookies }: Browser,
  headers: Record<string, string> = {},
) =>
  fetch(`${service.baseUrl}${path}`, {
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), ...headers },
  });

/** Requests of the account that its windows have counted in this minute. */
const counted = async ({ accounts }: LocalService, accountId: string): Promise<number> => {
  const caller = accounts.callerForGrant(accountId, SCOPES);
  assert.ok(caller);
  return (await accounts.windows.read(caller)).minute.used;
};

suite('pages of a signed-in account', () => {
  let running: Running;
  let clock: ManualClock;
  let service: LocalService;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({
      venues: ['binance'],
      coins: 5,
      clock,
      settings: { FREE_PAGES_PER_MINUTE: String(FREE) },
    });
    ({ service } = running);
    await collectOnce(running);
    // Demo data is late by 15 minutes; the accounts of these tests must find some.
    clock.advanceMs(16 * MINUTE_MS);
    await collectOnce(running);
  });
  after(() => running.stop());
  afterEach(() => clock.advanceMs(2 * MINUTE_MS));

  for (const path of ['/funding', '/funding.md', '/funding/BTC/history.csv', '/funding/BTC/history.md']) {
    test(`${path}: free up to the fair rate, then counted, then 429 until the window has room`, async () => {
      const { browser, accountId } = await signedUp(
        service,
        `p${path.replaceAll('/', '-').toLowerCase()}@example.com`,
        'demo',
      );
      for (let i = 0; i < FREE; i++) assert.equal((await open(service, path, browser)).status, 200);
      assert.equal(await counted(service, accountId), 0, 'free pages');
      for (let i = 0; i < DEMO_PER_MINUTE; i++)
        assert.equal((await open(service, path, browser)).status, 200);
      assert.equal(await counted(service, accountId), DEMO_PER_MINUTE, 'pages beyond the fair rate');
      const refused = await open(service, path, browser);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('retry-after'), '60');
      assert.match(await refused.text(), /Beyond 5 pages a minute, every page counts as a request/);
      assert.match(refused.headers.get('content-type') ?? '', typeOf(path));
      clock.advanceMs(MINUTE_MS);
      assert.equal((await open(service, path, browser)).status, 200);
    });
  }

  test('all formats and all browsers of an account count together, and so do its assistants', async () => {
    const { browser, email, accountId } = await signedUp(service, 'shared@example.com', 'demo');
    const second = new Browser();
    await second.submit(await second.open(`${service.baseUrl}/sign-in`), { email, password: PASSWORD });
    const paths = [
      '/funding',
      '/funding.md',
      '/spreads',
      '/coins.md',
      '/funding/BTC/history.csv',
      '/exchanges',
    ];
    const browsers = [browser, second];
    const statuses = await Promise.all(
      Array.from({ length: FREE + DEMO_PER_MINUTE + 10 }, async (_, i) => {
        const one = browsers[i % 2];
        assert.ok(one);
        return (await open(service, paths[i % paths.length] ?? '', one)).status;
      }),
    );
    assert.equal(statuses.filter((status) => status === 200).length, FREE + DEMO_PER_MINUTE);
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    assert.equal(await counted(service, accountId), DEMO_PER_MINUTE, 'the slot of the assistants');
  });

  test('a page that the browser has already is refunded; a wrong parameter counts', async () => {
    const { browser, accountId } = await signedUp(service, 'etag@example.com', 'demo');
    let etag = '';
    for (let i = 0; i < FREE; i++)
      etag = (await open(service, '/funding', browser)).headers.get('etag') ?? '';
    assert.equal((await open(service, '/funding', browser, { 'if-none-match': etag })).status, 304);
    assert.equal(await counted(service, accountId), 0);
    assert.equal((await open(service, '/funding?limit=x', browser)).status, 400);
    assert.equal(await counted(service, accountId), 1);
  });

  test('pages without data, the account and visitors count nothing', async () => {
    const { browser, accountId } = await signedUp(service, 'texts@example.com', 'demo');
    for (let i = 0; i < FREE + 3; i++) {
      for (const path of ['/plans', '/developers', '/account']) await open(service, path, browser);
      assert.equal((await open(service, '/funding', new Browser())).status, 200);
    }
    assert.equal(await counted(service, accountId), 0);
  });

  test('/plans and its twin state the fair rate and what visitors get', async () => {
    const page = await new Browser().open(`${service.baseUrl}/plans`);
    const twin = await (await fetch(`${service.baseUrl}/plans.md`)).text();
    for (const words of [text(page), twin]) {
      assert.match(words, /5 of them a minute are free, in all your browsers together/);
      assert.match(words, /Without signing in, .* Demo data: 15 minutes late, up to 50 rows/);
    }
  });
});

suite('pages at several processes', { skip }, () => {
  test('two processes with one Redis count the pages of an account together', async (t) => {
    assert.ok(typeof postgres !== 'string' && typeof redis !== 'string');
    const settings = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      SECRET_KEY: 'the same key at all processes of a test',
      FREE_PAGES_PER_MINUTE: String(FREE),
    };
    const first = await runService({ venues: ['binance'], coins: 5, settings });
    t.after(() => first.stop());
    const second = await runService({
      venues: ['binance'],
      coins: 5,
      settings: { ...settings, ROLE: 'api' },
    });
    t.after(() => second.stop());
    const { browser, accountId } = await signedUp(first.service, 'roles@example.com', 'demo');
    await until(
      () =>
        second.service.accounts.callerForGrant(accountId, []) !== null &&
        [first, second].every(({ service: { accounts } }) => accounts.degraded().length === 0),
      'the account and common counts at both processes',
    );
    await Promise.all(
      Array.from({ length: FREE + 7 }, (_, i) =>
        open(i % 2 === 0 ? first.service : second.service, '/status', browser),
      ),
    );
    assert.equal(await counted(second.service, accountId), 7);
  });
});

function typeOf(path: string): RegExp {
  if (path.endsWith('.md')) return /^text\/markdown/;
  return /\.(csv|json)$/.test(path) ? /^application\/problem\+json/ : /^text\/html/;
}
