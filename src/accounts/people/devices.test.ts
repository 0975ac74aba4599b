import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { fixedRing } from '../vault/ring.ts';
import { DEVICE_LIFETIME_MS, openDevices } from './devices.ts';

suite('known devices', () => {
  const clock = new ManualClock(1_800_000_000_000);
  const devices = openDevices(clock, fixedRing('the key'));
  const cookie = devices.issue('ada@example.com', '$hash');
  const [token = '', expiry = '', signature = ''] = cookie.split('.');

  test('a cookie names its device for the account that signed in, always the same', () => {
    const name = devices.nameOf(cookie, 'ada@example.com', '$hash');
    assert.match(name ?? '', /^[0-9a-f]{64}$/);
    assert.equal(devices.nameOf(cookie, 'ada@example.com', '$hash'), name);
    assert.notEqual(
      devices.nameOf(devices.issue('ada@example.com', '$hash'), 'ada@example.com', '$hash'),
      name,
    );
  });

  for (const [attack, forged, email] of [
    ['a cookie of another account', cookie, 'bob@example.com'],
    ['a forged signature', `${token}.${expiry}.${'A'.repeat(43)}`, 'ada@example.com'],
    ['a prolonged expiry', `${token}.${Number(expiry) + 1}.${signature}`, 'ada@example.com'],
    [
      'a cookie signed with another key',
      openDevices(clock, fixedRing('other')).issue('ada@example.com', '$hash'),
      'ada@example.com',
    ],
    ['no cookie', null, 'ada@example.com'],
    ['an empty cookie', '', 'ada@example.com'],
  ] as const) {
    test(`${attack} is no known device`, () => {
      assert.equal(devices.nameOf(forged, email, '$hash'), null);
    });
  }

  test('a cookie from before a new password is no known device', () => {
    assert.equal(devices.nameOf(cookie, 'ada@example.com', '$hash of the new password'), null);
  });

  test('a device is forgotten after 180 days', () => {
    clock.advanceMs(DEVICE_LIFETIME_MS - 1);
    assert.notEqual(devices.nameOf(cookie, 'ada@example.com', '$hash'), null);
    clock.advanceMs(1);
    assert.equal(devices.nameOf(cookie, 'ada@example.com', '$hash'), null);
  });
});
