import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { addressGroup, createRejectedKeys } from './rejected-keys.ts';

const ADDRESS = '203.0.113.7';

function wrongTimes(count: number, address = ADDRESS, clock = new ManualClock(0)) {
  const guard = createRejectedKeys(clock);
  for (let index = 0; index < count; index++) guard.noteWrong(address);
  return { guard, clock };
}

describe('the rejected-key guard', () => {
  test('30 wrong keys in a minute are tolerated', () => {
    const { guard } = wrongTimes(30);
    assert.equal(guard.blockOf(ADDRESS), null);
  });

  test('the 31st is refused, and the whole address with it', () => {
    const { guard } = wrongTimes(30);
    assert.deepEqual(guard.noteWrong(ADDRESS), { retryAfterSeconds: 60 });
    assert.deepEqual(guard.blockOf(ADDRESS), { retryAfterSeconds: 60 });
  });

  test('another address is not blocked', () => {
    const { guard } = wrongTimes(31);
    assert.equal(guard.blockOf('203.0.113.8'), null);
  });

  test('the block ends at the announced second, however often the address tries again', () => {
    const { guard, clock } = wrongTimes(31);
    clock.setMs(30_500);
    for (let index = 0; index < 100; index++)
      assert.deepEqual(guard.noteWrong(ADDRESS), { retryAfterSeconds: 30 });
    clock.setMs(60_500);
    assert.equal(guard.blockOf(ADDRESS), null);
  });

  test('wrong keys spread over more than a minute never block', () => {
    const { guard, clock } = wrongTimes(0);
    for (let index = 0; index < 200; index++) {
      clock.advanceMs(2_001);
      assert.equal(guard.noteWrong(ADDRESS), null);
    }
  });

  test('addresses of one IPv6 /64 count together', () => {
    const { guard } = wrongTimes(20, '2001:db8:1:2::1');
    for (let index = 0; index < 11; index++) guard.noteWrong(`2001:db8:1:2:ffff::${index}`);
    assert.notEqual(guard.blockOf('2001:0db8:0001:0002:0:0:0:9'), null);
    assert.equal(guard.blockOf('2001:db8:1:3::1'), null);
  });

  test('of too many addresses the oldest are dropped', () => {
    const { guard } = wrongTimes(31);
    for (let index = 0; index < 20_000; index++)
      guard.noteWrong(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    assert.equal(guard.blockOf(ADDRESS), null);
    assert.equal(guard.blockOf('10.0.78.31'), null);
  });
});

describe('addressGroup', () => {
  const cases: [string, string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unix', 'unix'],
  ];
  for (const [address, group] of cases)
    test(`"${address}"`, () => assert.equal(addressGroup(address), group));
});
