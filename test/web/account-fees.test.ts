import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { text } from '../oauth/browser.ts';
import { type Person, signedUp } from '../oauth/person.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const KEY = /pw_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/;
const SCOPES = ['funding:read', 'history:read', 'spreads:read', 'listings:read', 'usage:read'];

interface Answer {
  status: number;
  body: { data: { pairs: Record<string, unknown>[] }; detail?: string };
}

suite('own fees in the account area', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance', 'okx', 'coinex'], coins: 8, clock });
    await collectOnce(running);
    // A new account has the Demo plan, whose data is 15 minutes old.
    clock.advanceMs(901_000);
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const feesPage = ({ browser }: Person) => browser.open(`${baseUrl}/account/fees`);
  /** `fees` as the API takes them; each is typed into the field of its venue. */
  const save = async (person: Person, fees: string) => {
    const fields = fees.split(',').flatMap((entry) => {
      const [name = '', fee = ''] = entry.split(':').map((part) => part.trim());
      return name === '' ? [] : [[`fee_${name}`, fee] as const];
    });
    return await person.browser.submit(await feesPage(person), Object.fromEntries(fields), '/account/fees');
  };
  const keyOf = async (person: Person): Promise<string> => {
    const page = await person.browser.open(`${baseUrl}/account/keys`);
    const made = await person.browser.submit(page, { name: 'robot', scope: SCOPES }, '/account/keys/create');
    return KEY.exec(made.html)?.[0] ?? assert.fail(text(made));
  };
  const pairs = async (key: string, query: string): Promise<Answer> => {
    const reply = await fetch(`${baseUrl}/api/v1/arbitrage?limit=5&${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: reply.status, body: (await reply.json()) as Answer['body'] };
  };

  test('saved fees are those of fees=account, for their owner only', async () => {
    const [mine, other] = [
      await signedUp(running.service, 'mine@example.com'),
      await signedUp(running.service, 'other@example.com'),
    ];
    const [myKey, otherKey] = [await keyOf(mine), await keyOf(other)];
    await save(mine, 'Binance:0.01, OKX:0.02');
    await save(other, 'Binance:0.04');
    const explicit = await pairs(myKey, 'fees=Binance:0.01,OKX:0.02');
    assert.equal(explicit.body.data.pairs[0]?.fee_pct_round_trip, 0.06);
    // Twice, so that the second may come from a cache.
    for (let i = 0; i < 3; i++) {
      assert.deepEqual((await pairs(myKey, 'fees=account')).body.data, explicit.body.data);
      const theirs = await pairs(otherKey, 'fees=account');
      assert.equal(theirs.body.data.pairs[0]?.fee_pct_round_trip, 0.18);
    }
  });

  test('pages use them, unless the address names others', async () => {
    const person = await signedUp(running.service, 'reads@example.com');
    await save(person, 'Binance:0,OKX:0');
    const fees = async (query: string) => {
      const { html } = await person.browser.open(`${baseUrl}/arbitrage?min_possible_capacity_usd=0${query}`);
      const shown = [...html.matchAll(/data-l="Fees">([^<]*)</g)].map(([, fee = '']) => fee.trim());
      const [, tier] = /<option value="(\w+)" selected>[^<]*fees?…?</.exec(html) ?? [];
      return { shown: new Set(shown), tier };
    };
    assert.deepEqual(await fees(''), { shown: new Set(['0.00\u00a0%']), tier: 'account' });
    assert.deepEqual(await fees('&fees=Binance:1,OKX:1'), { shown: new Set(['4.00\u00a0%']), tier: 'own' });
    assert.ok(!(await fees('&tier=base')).shown.has('0.00\u00a0%'), 'the usual fees can be chosen');
  });

  test('a venue that has ended is not in the grid, and takes no fee', async () => {
    const person = await signedUp(running.service, 'late@example.com');
    const page = await feesPage(person);
    const fields = [...page.html.matchAll(/name="fee_(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual(fields.toSorted(), ['Binance', 'OKX']);
    assert.equal((await save(person, 'CoinEx:0.01')).status, 400);
  });

  test('the form shows what is saved, and an empty form forgets it', async () => {
    const person = await signedUp(running.service, 'forgets@example.com');
    await save(person, 'OKX:0.03');
    assert.match((await feesPage(person)).html, /name="fee_OKX" value="0\.03"/);
    assert.match((await feesPage(person)).html, /name="fee_Binance" value="" placeholder="0\.05"/);
    assert.match(text(await save(person, '')), /The usual fees count again\./);
    assert.match((await feesPage(person)).html, /name="fee_OKX" value=""/);
    const answer = await pairs(await keyOf(person), 'fees=account');
    assert.equal(answer.status, 400);
    assert.match(answer.body.detail ?? '', /\/account\/fees/);
  });

  for (const [i, [fees = '', named = '']] of [
    ['Binanc:0.02', 'Binanc'],
    ['Binance:6', 'Binance'],
    ['Binance:-1', 'Binance'],
    ['Binance:cheap', 'Binance'],
    ['Binance:account', 'Binance'],
    ['"><script>alert(1)</script>:1', 'script'],
    ['OKX:0.02,Binance:<script>alert(1)</script>', 'Binance'],
  ].entries())
    test(`refused, with the form as it was sent: ${fees}`, async () => {
      const person = await signedUp(running.service, `refused-${i}@example.com`);
      const page = await save(person, fees);
      assert.equal(page.status, 400);
      assert.ok(text(page).includes(named), text(page));
      assert.match(text(page), /a fee is a percent from 0 to 5, such as 0\.02\. Nothing was saved\./);
      if (named === 'Binance')
        assert.match(page.html, /name="fee_Binance"[^>]*aria-invalid="true" aria-describedby="fault"/);
      assert.ok(!page.html.includes('<script>alert'));
    });
});
