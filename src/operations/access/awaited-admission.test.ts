import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Caller } from '../../accounts/keys/directory.ts';
import { PLANS } from '../../accounts/plans.ts';
import type { Take, TakeListener, WindowState, Windows } from '../../accounts/windows/windows.ts';
import { ManualClock } from '../../base/clock.ts';
import { Problem } from '../../base/problems.ts';
import type { AnyOperation } from '../operation.ts';
import type { Admission } from './admission.ts';
import { Entrance, type EntranceOptions } from './entrance.ts';

const OPERATION = { scope: 'funding:read' } as unknown as AnyOperation;
const CALLER: Caller = {
  ...{ accountId: 'a', plan: PLANS.demo, scopes: ['funding:read'], keyPrefix: '', keyId: 'k', slotId: 's' },
};
const STATE: WindowState = { limit: 1, used: 1, remaining: 0, resetsAtMs: 60_000, resetSeconds: 60 };
const STATES = { minute: STATE, month: STATE };
const PASSED: Take = {
  allowed: true,
  states: STATES,
  receipt: { holder: CALLER, atMs: 0, monthStartMs: 0, refunded: false },
};

/** An entrance whose windows decide when the test says so. */
function entranceWith(later: Partial<Windows>, options: Partial<EntranceOptions> = {}) {
  const asked: { holder: unknown; listener: TakeListener }[] = [];
  const windows = {
    takeFor: (holder: unknown, listener: TakeListener) => void asked.push({ holder, listener }),
    ...later,
  } as unknown as Windows;
  const entrance = new Entrance({ windows, clock: new ManualClock(0), ...options } as EntranceOptions);
  const heard: (Admission | Error)[] = [];
  const listener = {
    onAdmitted: (admission: Admission) => void heard.push(admission),
    onError: (error: unknown) => void heard.push(error as Error),
  };
  return { entrance, asked, heard, listener };
}

/** All microtasks. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

function codeOf(heard: Admission | Error | undefined): string {
  assert.ok(heard instanceof Problem);
  return heard.code;
}

describe('a request that shared windows decide', () => {
  test('is admitted when they have counted it, and not before', () => {
    const { entrance, asked, heard, listener } = entranceWith({});
    entrance.admitFor(OPERATION, CALLER, listener);
    assert.deepEqual([asked[0]?.holder, heard], [CALLER, []]);
    asked[0]?.listener.onTake(PASSED);
    assert.deepEqual(heard, [{ caller: CALLER, states: STATES, receipt: PASSED.receipt }]);
  });

  test('is refused when a window is spent', () => {
    const { entrance, asked, heard, listener } = entranceWith({});
    entrance.admitFor(OPERATION, CALLER, listener);
    asked[0]?.listener.onTake({ allowed: false, spent: 'minute', retryAfterSeconds: 60, states: STATES });
    assert.equal(codeOf(heard[0]), 'rate-limited');
  });

  test('is refused when another process has revoked its key', () => {
    const { entrance, asked, heard, listener } = entranceWith({});
    entrance.admitFor(OPERATION, CALLER, listener);
    asked[0]?.listener.onTake({ allowed: false, spent: 'revoked' });
    assert.equal(codeOf(heard[0]), 'unauthenticated');
  });

  test('is counted for the caller as another process has changed it', async () => {
    const changed = { ...CALLER, plan: PLANS.business };
    const { entrance, asked, heard, listener } = entranceWith(
      { take: async (holder) => (holder === changed ? PASSED : assert.fail()) },
      { lookAgain: () => ({ ok: true, caller: changed }) },
    );
    entrance.admitFor(OPERATION, CALLER, listener);
    asked[0]?.listener.onTake({ allowed: false, spent: 'outdated' });
    await turn();
    assert.deepEqual(heard, [{ caller: changed, states: STATES, receipt: PASSED.receipt }]);
  });

  test('fails with the error of the windows', () => {
    const { entrance, asked, heard, listener } = entranceWith({});
    entrance.admitFor(OPERATION, CALLER, listener);
    const error = new Error('ERR');
    asked[0]?.listener.onError(error);
    assert.deepEqual(heard, [error]);
  });

  test('is not counted without the scope', async () => {
    const { entrance, asked, heard, listener } = entranceWith({ read: async () => STATES });
    entrance.admitFor(OPERATION, { ...CALLER, scopes: [] }, listener);
    await turn();
    assert.deepEqual([asked.length, codeOf(heard[0])], [0, 'scope-missing']);
  });

  test('waits for a caller who is looked up', async () => {
    const { entrance, asked, heard, listener } = entranceWith({ take: async () => PASSED });
    entrance.admitFor(OPERATION, Promise.resolve(CALLER), listener);
    assert.equal(heard.length, 0);
    await turn();
    assert.deepEqual([asked.length, heard.length], [0, 1]);
  });
});

describe('a request that windows in memory decide', () => {
  test('is admitted at once', () => {
    const { heard, listener } = entranceWith({});
    const windows = { take: () => PASSED } as unknown as Windows;
    const entrance = new Entrance({ windows } as unknown as EntranceOptions);
    entrance.admitFor(OPERATION, CALLER, listener);
    assert.equal(heard.length, 1);
  });
});
