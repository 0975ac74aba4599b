import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { flagOf, readSettings, SETTINGS, SettingError, settingsHelp } from './settings.ts';

suite('settings', () => {
  test('defaults, environment and flags, each winning over the one before', () => {
    assert.equal(readSettings([], {}).port, 8080);
    assert.equal(readSettings([], { PORT: '9000' }).port, 9000);
    assert.equal(readSettings(['--port', '9001'], { PORT: '9000' }).port, 9001);
  });

  test('lists, switches, addresses and grants are typed', () => {
    const settings = readSettings([], {
      VENUES: 'okx, gate',
      API_ENABLED: 'false',
      BASE_URL: 'https://x.example/',
      HOST_TIER_PLANS: 'top=pro',
    });
    assert.deepEqual(settings.venues, ['okx', 'gate']);
    assert.equal(settings.apiEnabled, false);
    assert.equal(settings.baseUrl, 'https://x.example');
    assert.equal(settings.hostTierPlans.get('top'), 'pro');
  });

  for (const [name, value] of [
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['API_ENABLED', 'yes'],
    ['BASE_URL', 'ftp://x'],
    ['DATABASE_URL', 'sqlite://x'],
    ['REDIS_URL', 'http://x'],
    ['REDIS_URL', 'redis://a,http://b'],
    ['REDIS_URL', 'redis://a,redis://'],
    ['REDIS_URL', 'redis://a,redis://b/zero'],
    ['REDIS_URL', 'redis://a,redis://b#gone'],
    ['REDIS_URL', 'redis://a,redis://a'],
    ['REDIS_URL', 'redis://a,redis://user:other@a:6379/0'],
    ['HOST_TIER_PLANS', 'top=gold'],
    ['PLAN_PRICES', 'gold=$5'],
    ['PLAN_PRICES', 'pro='],
    ['CONTACT', 'javascript:alert(1)'],
    ['CONTACT', 'ftp://example.com'],
    ['LOG_LEVEL', ''],
  ] as const) {
    test(`${name}="${value}" is refused by name`, () => {
      assert.throws(
        () => readSettings([], { [name]: value }),
        (error) => error instanceof SettingError && error.message.startsWith(`${name} `),
      );
    });
  }

  test('prices and the contact of plans', () => {
    const read = (env: Record<string, string>) => readSettings([], env);
    const { planPrices, contact } = read({
      PLAN_PRICES: 'developer=$29 a month; pro=$1,000 a year',
      CONTACT: 'sales@example.com',
    });
    assert.deepEqual(
      [...planPrices],
      [
        ['developer', '$29 a month'],
        ['pro', '$1,000 a year'],
      ],
    );
    assert.equal(contact, 'mailto:sales@example.com');
    assert.equal(read({ CONTACT: 'https://example.com/buy' }).contact, 'https://example.com/buy');
    assert.equal(read({}).contact, null);
  });

  test('a list of Redis servers is split, and a wrong entry is named by its number, without passwords', () => {
    const read = (text: string) => readSettings([], { REDIS_URL: text }).redisUrls;
    assert.deepEqual(read(''), []);
    assert.deepEqual(read('redis://a'), ['redis://a']);
    assert.deepEqual(read('redis://a, rediss://b:7000/1#leaving'), [
      'redis://a',
      'rediss://b:7000/1#leaving',
    ]);
    assert.throws(() => read('redis://a,b:secret@b'), /number 2 of the list is none; it is "…"/);
    assert.throws(
      () => read('redis://a,redis://b,redis://:secret@b'),
      /names the server b:6379\/0 twice; it is "…"/,
    );
  });

  test('an unknown flag is refused', () => {
    assert.throws(() => readSettings(['--colour', 'red'], {}), SettingError);
  });

  test('a password in DATABASE_URL is not repeated', () => {
    assert.throws(
      () => readSettings([], { DATABASE_URL: 'mysql://u:secret@h/d' }),
      (error) => error instanceof SettingError && !error.message.includes('secret'),
    );
  });

  test('the help names every setting', () => {
    for (const { name } of Object.values(SETTINGS)) {
      assert.ok(settingsHelp().includes(name));
      assert.ok(settingsHelp().includes(`--${flagOf(name)}`));
    }
  });
});
