import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readStarred } from '../../src/accounts/starred-coins.ts';
import { signedUp } from '../oauth/person.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';
import { tablesOf } from './page-text.ts';

/** Coins with a filled star on the page. */
const starredOn = (page: string) =>
  [...page.matchAll(/name="remove" value="([^"]+)" aria-pressed="true"/g)].map(([, coin]) => coin);

suite('starred coins', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12, heldAtMs: HELD_AT_MS });
  });
  after(() => market.stop());

  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const open = async (path: string, cookie = '') => {
    const reply = await fetch(at(path), { headers: { cookie } });
    return await reply.text();
  };
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(at('/stars'), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      redirect: 'manual',
    });
  const cookieIn = (reply: Response) => reply.headers.get('set-cookie')?.split(';')[0] ?? '';

  test('a visitor: the form returns to the page, and the cookie fills the star on every page', async () => {
    const reply = await send({ add: 'BTC', back: '/funding?view=table' });
    assert.equal(reply.status, 303);
    assert.equal(reply.headers.get('location'), '/funding?view=table');
    const cookie = cookieIn(reply);
    for (const path of ['/funding', '/funding?view=table', '/coins', '/funding/BTC', '/']) {
      const page = await open(path, cookie);
      assert.ok(starredOn(page).includes('BTC'), path);
      assert.match(page, /<form id="stars" method="post" action="\/stars" hidden>/, path);
      assert.deepEqual(starredOn(await open(path)), [], `${path} of another reader`);
    }
    const removed = await send({ remove: 'BTC', back: '/' }, { cookie });
    assert.deepEqual(starredOn(await open('/funding', cookieIn(removed))), []);
  });

  test('the filter of /funding shows starred coins only, and is part of the address', async () => {
    const first = await send({ add: 'BTC' });
    const cookie = cookieIn(await send({ add: 'ETH' }, { cookie: cookieIn(first) }));
    const page = await open('/funding?starred=1', cookie);
    const coins = (tablesOf(page)[0] ?? []).map(([coin]) => coin?.replace(/\$.*/, ''));
    assert.deepEqual(coins.toSorted(), ['BTC', 'ETH']);
    assert.match(page, /aria-checked="true" href="\/funding" aria-label="Starred">/);
    assert.match(await open('/funding', cookie), /aria-checked="false" href="\/funding\?starred=1"/);
    const table = tablesOf(await open('/funding?view=table&starred=1', cookie))[0] ?? [];
    assert.deepEqual([...new Set(table.map(([coin]) => coin))].toSorted(), ['BTC', 'ETH']);
  });

  test('a reader without stars has no such filter, and an address with it is cleaned', async () => {
    assert.doesNotMatch(await open('/funding'), /starred=1/);
    const reply = await fetch(at('/funding?starred=1'), { redirect: 'manual' });
    assert.equal(reply.headers.get('location'), '/funding');
  });

  for (const [name, headers] of [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    [
      'another origin in a browser without fetch metadata',
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ],
  ] as const)
    test(`a form of ${name} changes nothing`, async () => {
      const reply = await send({ add: 'BTC' }, headers);
      assert.equal(reply.headers.get('set-cookie'), null);
    });

  test('the way back stays on this site', async () => {
    const reply = await send({ add: 'BTC', back: 'https://evil.example/' });
    assert.equal(reply.headers.get('location'), '/');
  });

  test('a text that is no ticker is not stored', async () => {
    assert.equal(cookieIn(await send({ add: 'BTC,<script>' })), 'pw_stars=');
  });

  test('a damaged cookie counts as none', async () => {
    assert.deepEqual(starredOn(await open('/funding', 'pw_stars=%E0%A4%A')), []);
  });

  test('signed in, stars are stored in the account and not in a cookie', async () => {
    const person = await signedUp(market.service, 'stars@example.com');
    const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await send({ add: 'ETH' }, { cookie });
    assert.equal(reply.headers.get('set-cookie'), null, 'no cookie');
    assert.ok(starredOn(await open('/funding', cookie)).includes('ETH'));
    const { accounts } = market.service.accounts;
    const stored = (await accounts.find(person.accountId))?.starredCoins;
    assert.deepEqual(readStarred(stored), ['ETH']);
  });
});
