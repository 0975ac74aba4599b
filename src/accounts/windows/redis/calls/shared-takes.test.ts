import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../../../base/clock.ts';
import { type RedisArgument, RedisUnavailableError } from '../../../../storage/redis/redis.ts';
import type { RedisNames } from '../../../redis-names.ts';
import type { Take, TakeListener, WindowHolder } from '../../windows.ts';
import { CountedRequests } from '../counted-requests.ts';
import { ALLOWED, MINUTE_SPENT } from '../scripts.ts';
import { ServerClock } from '../server-clock.ts';
import type { RedisWindowsOptions } from '../windows-options.ts';
import { HolderNames } from './holder-names.ts';
import { ScriptTimes } from './script-times.ts';
import { NO_NUMBER, SharedTakes } from './shared-takes.ts';

const HOLDER: WindowHolder = {
  slotId: 's',
  keyId: 'k',
  plan: { requestsPerMinute: 5, requestsPerMonth: 50 },
};

interface Call {
  args: readonly RedisArgument[];
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** Requests of one server whose replies the test gives. */
function newTakes() {
  const calls: Call[] = [];
  const decidedAgain: { number: number; isRepeated: boolean; attempt: number; listener: TakeListener }[] = [];
  const layout = { version: 0, serverOf: () => 'first' };
  const names = new HolderNames(layout, {
    cluster: 'c',
    minute: (slotId) => `m ${slotId}`,
    month: (slotId) => `M ${slotId}`,
    revoked: (keyId) => `r ${keyId}`,
  } as RedisNames);
  let next = 1;
  const takes = new SharedTakes({
    redis: {
      run: (_: unknown, __: unknown, args: readonly RedisArgument[]) =>
        new Promise((resolve, reject) => calls.push({ args, resolve, reject })),
    },
    redisNames: { cluster: 'c' },
    ...{ names, layout, processId: 'p', counted: new CountedRequests(), ledger: { count: () => undefined } },
    modeSwitch: { mode: 'shared', term: 1, epoch: 'e' },
    directory: { revision: () => 0 },
    clock: new ServerClock(new ManualClock(0)),
    times: new ScriptTimes(new ManualClock(0), false),
    all: {
      reserveNumbers: (count: number) => {
        next += count;
        return next - count;
      },
      decide: (_: unknown, number: number, isRepeated: boolean, attempt: number, listener: TakeListener) =>
        decidedAgain.push({ number, isRepeated, attempt, listener }),
    },
  } as unknown as RedisWindowsOptions);
  const decide = (listener: TakeListener, attempt = 0) =>
    takes.decide(HOLDER, names.of(HOLDER), NO_NUMBER, false, attempt, listener);
  return { decide, calls, decidedAgain };
}

/** Notes what it hears. */
function newListener() {
  const heard: (Take | Error)[] = [];
  const listener: TakeListener = {
    onTake: (take) => void heard.push(take),
    onError: (error) => void heard.push(error as Error),
  };
  return { heard, listener };
}

const wordsOf = (call: Call | undefined) =>
  [...JSON.stringify(call?.args).matchAll(/\d+ 5 50/g)].map(([text]) => text);
/** All microtasks. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('requests of one holder in one turn', () => {
  test('are one wish, of which the first ones pass, each told once', async () => {
    const { decide, calls } = newTakes();
    const listeners = [newListener(), newListener(), newListener()];
    for (const { listener } of listeners) decide(listener);
    await turn();
    assert.deepEqual(wordsOf(calls[0]), ['3 5 50']);
    calls[0]?.resolve([1_000, 0, 9_000, MINUTE_SPENT, 2, 5, 400, 7, 0, 0]);
    await turn();
    const told = listeners.map(({ heard }) =>
      heard.map((take) =>
        'states' in take ? [take.allowed, take.states.minute.used, take.states.month.used] : take,
      ),
    );
    assert.deepEqual(told, [[[true, 4, 6]], [[true, 5, 7]], [[false, 5, 7]]]);
  });

  test('are one wish for each number of earlier attempts', async () => {
    const { decide, calls, decidedAgain } = newTakes();
    const [first, second, again] = [newListener(), newListener(), newListener()];
    decide(first.listener);
    decide(again.listener, 3);
    decide(second.listener, 3);
    await turn();
    assert.deepEqual(wordsOf(calls[0]), ['1 5 50', '2 5 50']);
    calls[0]?.reject(new RedisUnavailableError('no reply'));
    await turn();
    assert.deepEqual(
      decidedAgain.map(({ number, isRepeated, attempt }) => [number, isRepeated, attempt]),
      [
        [1, true, 1],
        [2, true, 4],
        [3, true, 4],
      ],
    );
    assert.deepEqual(
      decidedAgain.map(({ listener }) => listener),
      [first, again, second].map(({ listener }) => listener),
    );
  });

  test('all hear of an error of the script, once', async () => {
    const { decide, calls } = newTakes();
    const listeners = [newListener(), newListener()];
    for (const { listener } of listeners) decide(listener);
    await turn();
    const error = new Error('ERR');
    calls[0]?.reject(error);
    await turn();
    assert.deepEqual(
      listeners.map(({ heard }) => heard),
      [[error], [error]],
    );
  });

  test('a request in the same turn as an answer is in the next call', async () => {
    const { decide, calls } = newTakes();
    const later = newListener();
    const { heard, listener } = newListener();
    decide({
      ...listener,
      onTake: (take) => {
        listener.onTake(take);
        decide(later.listener);
      },
    });
    await turn();
    calls[0]?.resolve([1_000, 0, 9_000, ALLOWED, 1, 1, 0, 1, 0, 0]);
    await turn();
    assert.deepEqual([heard.length, later.heard.length, wordsOf(calls[1])], [1, 0, ['1 5 50']]);
    calls[1]?.resolve([1_100, 0, 9_000, ALLOWED, 1, 2, 100, 2, 0, 0]);
    await turn();
    assert.equal(later.heard.length, 1);
  });
});
