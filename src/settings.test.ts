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
    ['LAKE_URL', 'ftp://x'],
    ['LAKE_URL', 'file://host/lake'],
    ['LAKE_URL', 's3://'],
    ['LAKE_URL', 's3://Bucket'],
    ['LAKE_URL', 's3://bucket/../other'],
    ['LAKE_URL', 's3://bucket/a prefix'],
    ['AWS_ENDPOINT_URL', 's3.example.com'],
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

  suite('REDIS_URL', () => {
    const read = (text: string) => readSettings([], { REDIS_URL: text }).redisUrl;

    for (const good of [
      'redis://a',
      'rediss://ada:p%40ss@b:7000/1',
      'redis://[::1]:6379/0',
      'redis+cluster://a:7000,b:7001,c',
      'rediss+cluster://ada:p%2Css@a:7000,b:7001/0',
    ])
      test(`takes ${good}`, () => assert.equal(read(good), good));

    test('is none if it is empty', () => assert.equal(read(''), null));

    const bad: [string, string, RegExp][] = [
      ['another protocol', 'http://:secret@a', /takes an address like redis:/],
      ['no host', 'redis://', /takes an address like redis:/],
      ['a host without a name', 'redis+cluster://a,,b', /takes an address like redis:/],
      ['a port that is no number', 'redis://:secret@a:port', /takes an address like redis:/],
      ['a database that is no number', 'redis://a/zero', /takes an address like redis:/],
      ['a numbered database of a cluster', 'redis+cluster://:secret@a/1', /takes an address like redis:/],
      ['several hosts that are no cluster', 'redis://a,b', /takes an address like redis:/],
      ['a mark of earlier versions', 'redis://a#leaving', /takes an address like redis:/],
      ['a list of servers', 'redis://a,redis://:secret@b', /names several servers; .* use a Redis Cluster/],
    ];
    for (const [name, text, message] of bad)
      test(`refuses ${name}, without repeating a password`, () =>
        assert.throws(
          () => read(text),
          (error) =>
            error instanceof SettingError && message.test(error.message) && !error.message.includes('secret'),
        ));
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
