import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, suite, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { MOST_PAYERS, type Payer, Payers } from './payers.ts';
import { TimeBudget } from './time-budget.ts';
import { MOST_ACCEPTED, MOST_WAITING, MOST_WAITING_OF_ALL, Turns } from './turns.ts';

let [nowMs, workedMs] = [0, 0];
let done: string[];
let turns: Turns;
let payers: Payers;
const LIMITS = { visitorMsPerSecond: 100, accountMsPerSecond: 100 };

/** A request that works for so long when it is started. `answer` false: it then waits, for the database for example. */
function request(
  name: string,
  payer: Payer,
  { takesMs = 1, isCall = false, answers = true, isGone = false } = {},
) {
  const response = Object.assign(new EventEmitter(), { headersSent: false });
  turns.add(
    {
      payer,
      request: { socket: { destroyed: isGone } } as unknown as IncomingMessage,
      response: response as unknown as ServerResponse,
      start: () => {
        done.push(name);
        workedMs += takesMs;
        response.headersSent = answers;
      },
      refuse: (seconds) => done.push(`${name}: 429 after ${seconds} s`),
    },
    isCall,
  );
  return response;
}

const visitor = (name: string) => payers.visitor(name, nowMs);
const key = (name: string) => payers.account(name, nowMs);
const turnsPass = async (count: number) => {
  for (let i = 0; i < count; i++) await endOfTurn();
};

beforeEach(() => {
  [nowMs, workedMs, done] = [0, 0, []];
  payers = new Payers(LIMITS);
  turns = new Turns({ visitorsMsPerSecond: 1_000, nowMs: () => nowMs, workedMs: () => workedMs });
});

suite('turns of requests', () => {
  test('calls with a key are answered before pages that came first, all of them in one turn', async () => {
    request('page', visitor('a'));
    for (let i = 0; i < 20; i++) request(`call ${i}`, key('k'), { isCall: true });
    await endOfTurn();
    await turnsPass(2);
    assert.deepEqual(done, [...Array.from({ length: 20 }, (_, i) => `call ${i}`), 'page']);
  });

  test('one page is answered in a turn, so a call that comes meanwhile waits behind one', async () => {
    for (let i = 0; i < 5; i++) request(`page ${i}`, visitor('a'), { takesMs: 12 });
    while (done.length < 2) await endOfTurn();
    const pages = done.length;
    request('call', key('k'), { isCall: true });
    await turnsPass(8);
    assert.ok(done.indexOf('call') <= pages + 1, done.join());
    assert.equal(done.length, 6, 'and all are answered');
  });

  test('calls do not wait for more than 32 others', async () => {
    for (let i = 0; i < 33; i++) request(`call ${i}`, key('k'), { isCall: true });
    assert.equal(done.length, 32);
    await turnsPass(3);
    assert.equal(done.length, 33);
  });

  test('a key whose calls take long waits in turn, behind the calls of others', async () => {
    const slow = key('slow');
    request('slow 1', slow, { isCall: true, takesMs: 40 });
    await turnsPass(3);
    request('slow 2', slow, { isCall: true, takesMs: 40 });
    request('slow 3', slow, { isCall: true, takesMs: 40 });
    request('quick', key('k'), { isCall: true });
    await turnsPass(6);
    assert.deepEqual(done, ['slow 1', 'quick', 'slow 2', 'slow 3']);
  });

  test('of pages, accounts come before visitors, and who has used least before who has used more', async () => {
    request('used', visitor('busy'), { takesMs: 500 });
    await turnsPass(3);
    request('busy', visitor('busy'));
    request('new', visitor('new'));
    request('signed in', key('account'));
    await turnsPass(6);
    assert.deepEqual(done, ['used', 'signed in', 'new', 'busy']);
  });

  test('visitors with equal budgets take turns', async () => {
    payers = new Payers({ visitorMsPerSecond: 0, accountMsPerSecond: 0 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) request(name, visitor(name[0] as string));
    await turnsPass(8);
    assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('pages wait while connections are accepted, one in each turn, but not for ever', async () => {
    request('page', visitor('a'));
    for (let i = 0; i < 20; i++) {
      turns.accepted();
      await endOfTurn();
    }
    request('call', key('k'), { isCall: true });
    await turnsPass(4);
    assert.deepEqual(done, ['call', 'page']);
    request('another', visitor('a'));
    for (let i = 0; i <= MOST_ACCEPTED + 4; i++) {
      turns.accepted();
      await endOfTurn();
    }
    assert.equal(done.at(-1), 'another');
  });

  test('a request on a connection that is gone is not answered', async () => {
    request('a', visitor('a'), { isGone: true });
    request('b', key('b'), { isGone: true, isCall: true });
    await turnsPass(3);
    assert.deepEqual(done, []);
  });
});

suite('budgets of computing time', () => {
  test('requests of clients that have gone take no turns from others', async () => {
    payers = new Payers({ visitorMsPerSecond: 0, accountMsPerSecond: 0 });
    for (let i = 0; i < 1_000; i++) request(`gone ${i}`, visitor('a'), { isGone: true });
    request('page', visitor('a'));
    await turnsPass(3);
    assert.deepEqual(done, ['page']);
  });

  test('who has used all of it is refused before any work, with the seconds until some is left', async () => {
    request('first', visitor('a'), { takesMs: 2_450 });
    await turnsPass(3);
    request('second', visitor('a'));
    assert.deepEqual(done, ['first', 'second: 429 after 5 s']);
    assert.equal(workedMs, 2_450);
    nowMs += 5_000;
    request('third', visitor('a'));
    await turnsPass(3);
    assert.equal(done.at(-1), 'third');
  });

  test('what waits when it is used up is refused too', async () => {
    for (const name of ['a', 'b', 'c']) request(name, visitor('v'), { takesMs: 2_001 });
    await turnsPass(6);
    assert.deepEqual(done, ['a', 'b: 429 after 1 s', 'c: 429 after 1 s']);
  });

  test('a key, an account and an address each have their own', async () => {
    request('page', visitor('a'), { takesMs: 3_000 });
    request('call', key('k'), { isCall: true, takesMs: 3_000 });
    await turnsPass(3);
    request('page', visitor('b'));
    request('call', key('l'), { isCall: true });
    request('spent', key('k'), { isCall: true });
    await turnsPass(3);
    assert.deepEqual(done, ['call', 'page', 'spent: 429 after 11 s', 'call', 'page']);
  });

  test('twenty people behind one address open a page in the same moment', async () => {
    for (let i = 0; i < 20; i++) request(`${i}`, visitor('office'), { takesMs: 20 });
    await turnsPass(24);
    assert.deepEqual(
      done,
      Array.from({ length: 20 }, (_, i) => `${i}`),
    );
  });

  test('of one address at most 32 requests wait', async () => {
    for (let i = 0; i <= MOST_WAITING; i++) request(`${i}`, visitor('a'));
    assert.deepEqual(done, [`${MOST_WAITING}: 429 after 1 s`]);
    await turnsPass(MOST_WAITING + 4);
    assert.equal(done.length, MOST_WAITING + 1, 'the others are answered');
  });

  test('of all at most 256 wait, and then the last of who has most of them is refused', async () => {
    for (let i = 0; i < 30; i++) request(`busy ${i}`, visitor('busy'));
    for (let i = 30; i < MOST_WAITING_OF_ALL; i++) request(`other ${i}`, visitor(`${i >> 4}`));
    request('new', visitor('new'));
    assert.deepEqual(done, ['busy 29: 429 after 1 s']);
    request('busy again', visitor('busy'));
    assert.equal(done.at(-1), 'busy again: 429 after 1 s');
    await turnsPass(MOST_WAITING_OF_ALL + 4);
    assert.equal(done.length, 2 + MOST_WAITING_OF_ALL);
  });

  test('all visitors together have one too: theirs wait, calls and accounts go on, and after 5 s they are refused', async () => {
    turns = new Turns({ visitorsMsPerSecond: 50, nowMs: () => nowMs, workedMs: () => workedMs });
    request('a', visitor('a'), { takesMs: 1_300 });
    await turnsPass(3);
    request('b', visitor('b'));
    request('signed in', key('account'));
    request('call', key('k'), { isCall: true });
    await turnsPass(5);
    assert.deepEqual(done, ['a', 'call', 'signed in']);
    nowMs += 5_001;
    request('c', visitor('c'));
    await turnsPass(5);
    assert.deepEqual(done.slice(3), ['b: 429 after 1 s'], 'the budget of all is still negative');
    nowMs += 2_000;
    request('signed in', key('account'));
    await turnsPass(5);
    assert.deepEqual(done.slice(4), ['signed in', 'c']);
  });

  test('work that goes on after the first turn is charged to what still runs', async () => {
    const [waits, other] = [visitor('waits'), visitor('other')];
    const response = request('waits', waits, { answers: false, takesMs: 10 });
    await turnsPass(3);
    assert.equal(waits.running, 1);
    workedMs += 500;
    request('other', other, { takesMs: 1 });
    await turnsPass(3);
    assert.equal(waits.budget.leftMs(nowMs), 2_000 - 510);
    assert.equal(other.budget.leftMs(nowMs), 2_000 - 1);
    response.emit('close');
    assert.equal(waits.running, 0);
  });

  test('an open stream does not count as running', async () => {
    const reader = visitor('a');
    const response = request('stream', reader, { answers: false });
    await turnsPass(3);
    response.headersSent = true;
    request('page', visitor('b'));
    await turnsPass(3);
    assert.equal(reader.running, 0);
  });

  test('refills evenly, up to 20 s of it', () => {
    const budget = new TimeBudget(100, 0);
    assert.equal(budget.leftMs(1_000_000), 2_000);
    budget.spend(2_500, 1_000_000);
    assert.equal(budget.waitSeconds(1_000_000), 6);
    assert.equal(budget.leftMs(1_004_000), -100);
    assert.equal(budget.leftMs(1_006_000), 100);
  });

  test('0 is no limit', () => {
    const budget = new TimeBudget(0, 0);
    budget.spend(1e9, 0);
    assert.equal(budget.leftMs(0), Number.POSITIVE_INFINITY);
  });

  test('of at most 20,000 payers: more drop those who came least lately', () => {
    for (let i = 0; i < MOST_PAYERS; i++) visitor(`${i}`);
    const first = visitor('0');
    visitor('one more');
    assert.equal(payers.count, MOST_PAYERS);
    assert.equal(visitor('0'), first);
    assert.equal(payers.count, MOST_PAYERS);
  });
});
