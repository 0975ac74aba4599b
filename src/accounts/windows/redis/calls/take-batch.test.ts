import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../../../base/clock.ts';
import {
  EncodedArguments,
  encodeArguments,
  type Redis,
  type RedisArgument,
  RedisUnavailableError,
} from '../../../../storage/redis/redis.ts';
import type { RedisNames } from '../../../redis-names.ts';
import type { TakeListener, WindowHolder } from '../../windows.ts';
import type { WindowsMode } from '../mode-options.ts';
import { ALLOWED, MINUTE_SPENT } from '../scripts.ts';
import { type NamesOfHolder, requestsText } from './holder-names.ts';
import { ScriptTimes } from './script-times.ts';
import { MAX_REQUESTS, TakeBatch, type Wish, type WishReply } from './take-batch.ts';

/** KEYS has the cluster first, then three keys of each holder. ARGV has nine arguments of all holders and a number first. */
const HEAD_COUNT = 9;

interface Call {
  keys: readonly string[];
  firstNumber: number;
  wishes: readonly string[];
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** The arguments as Redis reads them. */
function decoded(args: readonly RedisArgument[]): string[] {
  return args.flatMap((argument) => {
    if (!(argument instanceof EncodedArguments)) return String(argument);
    const texts = [...argument.text.matchAll(/\$(\d+)\r\n(.*)\r\n/g)].map(([, length, text = '']) => {
      assert.equal(Number(length), Buffer.byteLength(text));
      return text;
    });
    assert.equal(texts.length, argument.count);
    return texts;
  });
}

function newBatch() {
  const calls: Call[] = [];
  const heads: string[][] = [];
  const run = (_: unknown, keys: readonly RedisArgument[], args: readonly RedisArgument[]) =>
    new Promise((resolve, reject) => {
      const [firstNumber, ...wishes] = decoded(args).slice(HEAD_COUNT);
      heads.push(decoded(args).slice(0, HEAD_COUNT));
      calls.push({ keys: decoded(keys), firstNumber: Number(firstNumber), wishes, resolve, reject });
    });
  const modeSwitch = { mode: 'shared' as WindowsMode, term: 1, epoch: 'epoch' };
  const layout = { version: 0 };
  const unreadable: string[] = [];
  let next = 1;
  const batch = new TakeBatch({
    redis: { run } as unknown as Redis,
    redisNames: { cluster: 'cluster' } as RedisNames,
    ...{ modeSwitch, layout, directory: { revision: () => 7 }, processId: 'p' },
    times: new ScriptTimes(new ManualClock(Date.UTC(2026, 10, 15)), false),
    all: {
      reserveNumbers: (count) => {
        next += count;
        return next - count;
      },
    },
    reportUnreadable: (kind) => unreadable.push(kind),
  });
  return { batch, calls, heads, modeSwitch, layout, unreadable };
}

const holderNamed = (slotId: string): WindowHolder => ({
  slotId,
  keyId: null,
  plan: { requestsPerMinute: 5, requestsPerMonth: 50 },
});
const listener = (): TakeListener => ({ onTake: () => undefined, onError: () => undefined });

const keysOf = (slotId: string) => [`m ${slotId}`, `M ${slotId}`, `r ${slotId}`];

/** A wish with that many requests; none only reads. Notes what it hears. */
function wishOf(holder: WindowHolder, requestCount: number) {
  const heard: (WishReply['outcome'] | Error)[] = [];
  const { slotId } = holder;
  const names = {
    layoutVersion: 0,
    keys: encodeArguments(keysOf(slotId)),
    oneRequest: encodeArguments([requestsText(holder, 1)]),
  };
  const wish: Wish = {
    holder,
    names: names as NamesOfHolder,
    listeners: Array.from({ length: requestCount }, listener),
    attempt: 0,
    firstNumber: 0,
    isRepeated: false,
    onReply: (_, reply) => heard.push(reply.outcome),
    onError: (_, error) => heard.push(error as Error),
  };
  return { wish, heard };
}

const replyOf = (...outcomes: number[]) => [
  ...[9_000, 0, 10_000],
  ...outcomes.flatMap((code) => [code, 1, 1, 1_000, 1, 0, 0]),
];
/** All microtasks, and no timer. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

suite('a batch of requests', () => {
  test('is one call for all holders of a turn, in their order, each with all its requests', async () => {
    const { batch, calls } = newBatch();
    const [first, second, read] = [holderNamed('a'), holderNamed('b'), holderNamed('c')];
    batch.add(wishOf(first, 1).wish);
    batch.add(wishOf(second, 1).wish);
    batch.join(batch.openWish(first) ?? assert.fail(), listener());
    batch.add(wishOf(read, 0).wish);
    assert.equal(calls.length, 0);
    await Promise.resolve();
    assert.equal(calls.length, 1, 'sent when the code that ran has finished');
    assert.deepEqual(calls[0]?.keys, ['cluster', ...['a', 'b', 'c'].flatMap(keysOf)]);
    assert.deepEqual(calls[0]?.wishes, ['2 5 50', '1 5 50', '0 5 50']);
    assert.equal(batch.openWish(first), undefined, 'a later request starts a new wish');
  });

  test('gives each holder its own outcome', async () => {
    const { batch, calls } = newBatch();
    const [one, two] = [wishOf(holderNamed('a'), 1), wishOf(holderNamed('b'), 1)];
    batch.add(one.wish);
    batch.add(two.wish);
    await turn();
    calls[0]?.resolve(replyOf(ALLOWED, MINUTE_SPENT));
    await turn();
    assert.deepEqual([one.heard, two.heard], [['allowed'], ['minute-spent']]);
  });

  test('is sent at once when it is full, also while a call is under way', async () => {
    const { batch, calls } = newBatch();
    const addMany = (count: number) => {
      for (let place = 0; place < count; place++) batch.add(wishOf(holderNamed(`${place}`), 1).wish);
    };
    const sizes = () => calls.map(({ wishes }) => wishes.length);
    addMany(MAX_REQUESTS);
    assert.deepEqual(sizes(), [MAX_REQUESTS]);
    addMany(MAX_REQUESTS + 1);
    assert.deepEqual(sizes(), [MAX_REQUESTS, MAX_REQUESTS]);
    await turn();
    assert.deepEqual(sizes(), [MAX_REQUESTS, MAX_REQUESTS], 'the last one waits for a reply');
    calls[1]?.resolve(['any']);
    await turn();
    assert.deepEqual(sizes(), [MAX_REQUESTS, MAX_REQUESTS, 1]);
  });

  for (const [name, end] of [
    ['a reply', ({ resolve }: Call) => resolve(replyOf(ALLOWED))],
    ['an unreadable reply', ({ resolve }: Call) => resolve('?')],
    ['a lost reply', ({ reject }: Call) => reject(new RedisUnavailableError('no reply'))],
    ['an error of the script', ({ reject }: Call) => reject(new Error('ERR'))],
  ] as const)
    test(`waits for the call under way, and is sent after ${name} with the requests of later turns`, async () => {
      const { batch, calls } = newBatch();
      batch.add(wishOf(holderNamed('a'), 1).wish);
      await turn();
      for (const slotId of ['b', 'c']) {
        batch.add(wishOf(holderNamed(slotId), 1).wish);
        await turn();
      }
      assert.equal(calls.length, 1);
      end(calls[0] ?? assert.fail());
      await turn();
      assert.deepEqual(calls[1]?.wishes.length, 2);
      batch.add(wishOf(holderNamed('d'), 1).wish);
      await turn();
      assert.equal(calls.length, 2, 'the second call is under way');
      end(calls[1] ?? assert.fail());
      await turn();
      assert.equal(calls.length, 3);
      end(calls[2] ?? assert.fail());
      await turn();
      batch.add(wishOf(holderNamed('e'), 1).wish);
      await turn();
      assert.equal(calls.length, 4, 'without a call under way it does not wait');
    });

  test('that has waited is not sent if the mode has changed meanwhile', async () => {
    const { batch, calls, modeSwitch } = newBatch();
    batch.add(wishOf(holderNamed('a'), 1).wish);
    await turn();
    const { wish, heard } = wishOf(holderNamed('b'), 1);
    batch.add(wish);
    await turn();
    modeSwitch.mode = 'switching';
    calls[0]?.reject(new RedisUnavailableError('no reply'));
    await turn();
    assert.deepEqual([calls.length, heard], [1, ['unsent']]);
  });

  test('of one key is sent at once when it is full', async () => {
    const { batch, calls } = newBatch();
    const holder = holderNamed('a');
    batch.add(wishOf(holder, 1).wish);
    for (let count = 1; count < MAX_REQUESTS; count++)
      batch.join(batch.openWish(holder) ?? assert.fail(), listener());
    assert.deepEqual(calls[0]?.wishes, [`${MAX_REQUESTS} 5 50`]);
  });

  test('a repeated request keeps its number, and no other joins it', async () => {
    const { batch, calls } = newBatch();
    const { wish } = wishOf(holderNamed('a'), 1);
    batch.add({ ...wish, firstNumber: 99, isRepeated: true });
    assert.equal(batch.openWish(wish.holder), undefined);
    await turn();
    assert.deepEqual(calls[0]?.wishes, ['1 5 50 99']);
  });

  test('numbers its requests as the script does, without those that are repeated', async () => {
    const { batch, calls } = newBatch();
    const wishes = [1, 2, 1, 0, 3].map((count, place) => wishOf(holderNamed(`${place}`), count).wish);
    wishes[2] = { ...(wishes[2] as Wish), firstNumber: 99, isRepeated: true };
    for (const wish of wishes) batch.add(wish);
    await turn();
    assert.deepEqual(calls[0]?.wishes, ['1 5 50', '2 5 50', '1 5 50 99', '0 5 50', '3 5 50']);
    assert.equal(calls[0]?.firstNumber, 1);
    assert.deepEqual(
      wishes.map(({ firstNumber }) => firstNumber),
      [1, 2, 99, 4, 4],
    );
    calls[0]?.resolve(replyOf(...wishes.map(() => ALLOWED)));
    await turn();
    batch.add(wishOf(holderNamed('later'), 1).wish);
    await turn();
    assert.equal(calls[1]?.firstNumber, 7);
  });

  test('says the epoch and the revision of this moment', async () => {
    const { batch, heads, calls, modeSwitch } = newBatch();
    for (const epoch of ['first', 'first', 'second']) {
      modeSwitch.epoch = epoch;
      batch.add(wishOf(holderNamed('a'), 1).wish);
      await turn();
      calls.at(-1)?.resolve(replyOf(ALLOWED));
      await turn();
    }
    assert.deepEqual(
      heads.map((head) => head.slice(5)),
      ['first', 'first', 'second'].map((epoch) => [epoch, '7', '0', 'p']),
    );
  });

  const lost: [string, (call: Call, parts: ReturnType<typeof newBatch>) => void][] = [
    ['a call that fails', ({ reject }) => reject(new RedisUnavailableError('no reply'))],
    ['a reply of another shape', ({ resolve }) => resolve(['unreadable'])],
    ['a reply for fewer holders', ({ resolve }) => resolve(replyOf(ALLOWED))],
    [
      'a reply of an earlier term',
      ({ resolve }, { modeSwitch }) => {
        modeSwitch.term++;
        resolve(replyOf(ALLOWED, ALLOWED));
      },
    ],
    [
      'a reply by an earlier layout',
      ({ resolve }, { layout }) => {
        layout.version++;
        resolve(replyOf(ALLOWED, ALLOWED));
      },
    ],
  ];
  for (const [name, lose] of lost)
    test(`after ${name} every request is decided again`, async () => {
      const parts = newBatch();
      const [one, two] = [wishOf(holderNamed('a'), 1), wishOf(holderNamed('b'), 1)];
      parts.batch.add(one.wish);
      parts.batch.add(two.wish);
      await turn();
      lose(parts.calls[0] ?? assert.fail(), parts);
      await turn();
      assert.deepEqual([one.heard, two.heard], [['lost'], ['lost']]);
      assert.equal(parts.unreadable.length, name.includes('shape') || name.includes('fewer') ? 1 : 0);
    });

  test('after an error of the script every request fails', async () => {
    const { batch, calls } = newBatch();
    const [one, two] = [wishOf(holderNamed('a'), 1), wishOf(holderNamed('b'), 1)];
    batch.add(one.wish);
    batch.add(two.wish);
    await turn();
    const error = new Error('ERR');
    calls[0]?.reject(error);
    await turn();
    assert.deepEqual([one.heard, two.heard], [[error], [error]]);
  });

  test('an error of one holder leaves the others their answers', async () => {
    const { batch, calls } = newBatch();
    const [one, two] = [wishOf(holderNamed('a'), 1), wishOf(holderNamed('b'), 1)];
    const error = new Error('of one');
    batch.add({
      ...one.wish,
      onReply: () => {
        throw error;
      },
    });
    batch.add(two.wish);
    await turn();
    calls[0]?.resolve(replyOf(ALLOWED, ALLOWED));
    await turn();
    assert.deepEqual([one.heard, two.heard], [[error], ['allowed']]);
  });

  for (const [name, change] of [
    ['the mode', ({ modeSwitch }: ReturnType<typeof newBatch>) => (modeSwitch.mode = 'switching')],
    ['the layout', ({ layout }: ReturnType<typeof newBatch>) => (layout.version = 1)],
  ] as const)
    test(`is not sent if ${name} has changed since its first request`, async () => {
      const parts = newBatch();
      const { wish, heard } = wishOf(holderNamed('a'), 1);
      parts.batch.add(wish);
      change(parts);
      await turn();
      assert.deepEqual([parts.calls.length, heard], [0, ['unsent']]);
    });
});
