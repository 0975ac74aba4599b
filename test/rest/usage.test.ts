import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { PLANS } from '../../src/accounts/plans.ts';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { isoTime } from '../../src/base/times.ts';
import { commonStatuses } from './common-statuses.ts';
import { metaOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/usage';

interface UsageBody {
  data: {
    plan: string;
    key_prefix: string;
    scopes: string[];
    month: { used: number; limit: number; remaining: number; resets_at: string };
    minute: { used: number; limit: number; remaining: number; resets_at: string };
    history_days: number | null;
    delay_seconds: number;
    commercial_use: boolean;
    upgrade_url: string;
  };
}

suite('GET /usage', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ isEmpty: true });
  });
  after(() => rest.stop());
  const usageOf = async (key: string) => ((await rest.getWith(key, PATH)).body as UsageBody).data;

  commonStatuses(() => rest, { path: PATH, scope: 'usage:read', isLive: true });

  suite('200', () => {
    for (const plan of Object.values(PLANS)) {
      test(`shows what the ${plan.title} plan includes`, async () => {
        const { text, key } = await rest.newKey(plan.name);
        assert.deepEqual(await usageOf(text), {
          plan: plan.name,
          key_prefix: key.keyPrefix,
          scopes: [...SCOPES],
          month: {
            used: 1,
            limit: plan.requestsPerMonth,
            remaining: plan.requestsPerMonth - 1,
            resets_at: '2026-12-01T00:00:00Z',
          },
          minute: {
            used: 1,
            limit: plan.requestsPerMinute,
            remaining: plan.requestsPerMinute - 1,
            resets_at: isoTime(rest.clock.nowMs() + 60_000),
          },
          history_days: plan.historyDays,
          delay_seconds: plan.delaySeconds,
          commercial_use: plan.commercialUse,
          upgrade_url: `${rest.service.baseUrl}/plans`,
        });
      });
    }

    test('counts itself and everything before, per key', async () => {
      const { text: key } = await rest.newKey('developer');
      const { text: other } = await rest.newKey('developer');
      for (let sent = 0; sent < 3; sent++) await rest.getWith(key, '/api/v1/usage?x=1');
      assert.equal((await usageOf(key)).minute.used, 4);
      assert.equal((await usageOf(other)).minute.used, 1);
    });

    test('never shows the key itself', async () => {
      const { text: key } = await rest.newKey('pro');
      const reply = await rest.getWith(key, PATH);
      assert.ok(!reply.text.includes(key.slice(16)), 'only its first characters');
    });

    test('is as of now, for every plan', async () => {
      const { text: key } = await rest.newKey('demo');
      const meta = metaOf(await rest.getWith(key, PATH));
      assert.equal(meta.as_of, isoTime(rest.clock.nowMs()));
      assert.equal(meta.delayed_seconds, 0);
    });

    test('lists only the scopes that the key has', async () => {
      const { text: key } = await rest.newKey('pro', { scopes: ['usage:read', 'funding:read'] });
      assert.deepEqual((await usageOf(key)).scopes, ['funding:read', 'usage:read']);
    });
  });
});
