import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MINUTE_MS } from '../base/times.ts';
import { tokenRecognition } from './token-recognition.ts';

const TOKEN = 'a-Token_'.padEnd(43, 'x');
const EXPIRED = 'expired'.padEnd(43, 'x');
const GARBAGE = 'garbage'.padEnd(43, 'x');

suite('recognising access tokens', () => {
  let clock: ManualClock;
  let lookedUp: string[];
  let isToken: ReturnType<typeof tokenRecognition>;
  beforeEach(() => {
    clock = new ManualClock(0);
    lookedUp = [];
    const findToken = async (token: string) => {
      lookedUp.push(token);
      if (token === TOKEN) return { accountId: 'a1', scopes: [] };
      return token === EXPIRED ? 'expired' : 'unknown';
    };
    isToken = tokenRecognition({ findToken }, clock);
  });

  test('a token is looked up once a minute, however often it is sent', async () => {
    for (let sent = 0; sent < 5; sent++) assert.equal(await isToken(TOKEN), true);
    assert.deepEqual(lookedUp, [TOKEN]);
    clock.advanceMs(MINUTE_MS);
    assert.equal(await isToken(TOKEN), true);
    assert.deepEqual(lookedUp, [TOKEN, TOKEN]);
  });

  test('an expired token is one too', async () => {
    assert.equal(await isToken(EXPIRED), true);
  });

  test('a text of the same form that is none is looked up each time', async () => {
    assert.equal(await isToken(GARBAGE), false);
    assert.equal(await isToken(GARBAGE), false);
    assert.deepEqual(lookedUp, [GARBAGE, GARBAGE]);
  });

  for (const text of [TOKEN.slice(1), `${TOKEN}x`, TOKEN.replace('_', '.'), '', 'pw_test_x'])
    test(`"${text}" has another form and is not looked up`, () => {
      assert.equal(isToken(text), false);
      assert.deepEqual(lookedUp, []);
    });
});
