import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import { openMailTokens } from '../../src/accounts/people/mail-tokens.ts';
import { openSessions } from '../../src/accounts/people/sessions.ts';
import { storedSecret } from '../../src/accounts/secrets.ts';
import { fixedRing } from '../../src/accounts/vault/ring.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { recordId, storedRecords } from '../../src/oauth/adapter.ts';
import { openConnections } from '../../src/oauth/connections.ts';
import { onBothDatabases, openFor } from '../storage/databases.ts';

const RESOURCE = 'https://perpwire.example/mcp';

suite('records of users and assistants in the database', () => {
  onBothDatabases((fresh) => {
    test('concurrent readers create a secret once', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const made = await Promise.all(Array.from({ length: 5 }, () => storedSecret(db, 'deployment')));
      assert.equal(new Set(made).size, 1);
      assert.notEqual(await storedSecret(db, 'other'), made[0]);
    });

    test('records: stored by hash, found by value, consumed once, deleted with their grant', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const clock = new ManualClock(Date.now());
      const codes = storedRecords(db, clock)('AuthorizationCode');
      const tokens = storedRecords(db, clock)('AccessToken');
      const shared = { grantId: 'g1', accountId: 'a1', clientId: 'c1' };
      await codes.upsert('the-code', { jti: 'the-code', ...shared }, 60);
      await tokens.upsert(
        'the-token',
        { jti: 'the-token', aud: RESOURCE, scope: 'usage:read', ...shared },
        3600,
      );
      assert.equal((await codes.find('the-code'))?.jti, 'the-code');
      assert.equal(await codes.find('the-token'), undefined, 'each kind for itself');
      await codes.consume('the-code');
      assert.ok((await codes.find('the-code'))?.consumed);
      await assert.rejects(codes.consume('the-code'));

      const connections = openConnections(db, clock, RESOURCE);
      assert.deepEqual(await connections.findToken('the-token'), { accountId: 'a1', scopes: ['usage:read'] });
      assert.equal(await connections.findToken('another'), 'unknown');
      assert.equal(
        await openConnections(db, clock, 'https://other.example').findToken('the-token'),
        'unknown',
      );
      clock.advanceMs(HOUR_MS + 1);
      assert.equal(await connections.findToken('the-token'), 'expired');
      assert.equal(await tokens.find('the-token'), undefined);
      await tokens.revokeByGrantId('g1');
      assert.equal(await connections.findToken('the-token'), 'unknown');
      const stored = JSON.stringify(await db.selectFrom('oauth_records').selectAll().execute());
      assert.doesNotMatch(stored, /the-code|the-token/);
    });

    test('connections: one per client over all its grants; ending one leaves the others', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const clock = new ManualClock(Date.now());
      const adapter = storedRecords(db, clock);
      await adapter('Client').upsert('c1', { client_id: 'c1', client_name: 'First' });
      const grant = (id: string, accountId: string, clientId: string, scope: string, refused?: string) =>
        adapter('Grant').upsert(
          id,
          {
            accountId,
            clientId,
            resources: { [RESOURCE]: scope },
            ...(refused ? { rejected: { resources: { [RESOURCE]: refused } } } : {}),
          },
          DAY_MS,
        );
      await grant('g1', 'a1', 'c1', 'usage:read funding:read', 'funding:read');
      await grant('g2', 'a1', 'c1', 'spreads:read');
      await grant('g3', 'a1', 'https://assistant.example/client.json', 'usage:read');
      await grant('g4', 'a2', 'c1', 'usage:read');
      const connections = openConnections(db, clock, RESOURCE);
      const mine = await connections.of('a1');
      assert.deepEqual(
        mine.map(({ clientName, scopes }) => [clientName, scopes]),
        [
          ['First', ['spreads:read', 'usage:read']],
          ['assistant.example', ['usage:read']],
        ],
      );
      await connections.end('a1', 'c1');
      assert.equal((await connections.of('a1')).length, 1);
      assert.equal((await connections.of('a2')).length, 1);
    });

    test('the sweep deletes expired records and clients without a grant, and nothing else', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const clock = new ManualClock(Date.now());
      const adapter = storedRecords(db, clock);
      await adapter('Client').upsert('unused', { client_id: 'unused' });
      await adapter('Client').upsert('used', { client_id: 'used' });
      await adapter('Grant').upsert('g1', { accountId: 'a1', clientId: 'used' }, (30 * DAY_MS) / 1000);
      const models = ['AccessToken', 'Interaction', 'AuthorizationCode', 'Session', 'RefreshToken'];
      for (const model of models)
        await adapter(model).upsert('old', { accountId: 'a1', clientId: 'used' }, 3600);
      clock.advanceMs(HOUR_MS);
      await openConnections(db, clock, RESOURCE).sweep();
      const expired = await db
        .selectFrom('oauth_records')
        .select('model')
        .where('expires_at_ms', '<=', clock.nowMs())
        .execute();
      const kept = expired.map(({ model }) => model);
      assert.deepEqual(kept, ['AccessToken'], 'an expired token is told from an unknown one');
      await adapter('Client').upsert('young', { client_id: 'young' });
      clock.advanceMs(DAY_MS - HOUR_MS / 2);
      await openConnections(db, clock, RESOURCE).sweep();
      const left = await db.selectFrom('oauth_records').select(['model', 'id']).orderBy('id').execute();
      assert.deepEqual(
        left.map(({ id }) => id).filter((id) => id !== recordId('AccessToken', 'old')),
        ['g1', 'used', 'young'],
      );
    });

    test('sessions and mailed links: found until they end or expire', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const { db } = storage;
      const clock = new ManualClock(Date.now());
      const accounts = createAccountStore(storage, clock, async () => undefined);
      const account = await accounts.create({ name: 'Ann', email: 'ann@example.com' });
      const sessions = openSessions(db, clock, fixedRing('key'));
      const [first, second] = [await sessions.start(account.id), await sessions.start(account.id)];
      assert.equal((await sessions.find(first))?.email, 'ann@example.com');
      await sessions.end(first);
      assert.equal(await sessions.find(first), null);
      assert.equal((await sessions.find(second))?.accountId, account.id);
      assert.equal(
        await openSessions(db, clock, fixedRing('another key')).find(second),
        null,
        'signed with another key',
      );
      await sessions.endAll(account.id);
      assert.equal(await sessions.find(second), null);

      const tokens = openMailTokens(db, clock);
      const link = { email: 'ann@example.com', password_hash: null, return_path: null };
      const token = await tokens.issue({ purpose: 'reset', ...link });
      assert.equal(await tokens.take('sign-up', token), null, 'for its purpose only');
      const both = await Promise.all([tokens.take('reset', token), tokens.take('reset', token)]);
      assert.equal(both.filter((one) => one !== null).length, 1, 'once');
      const late = await tokens.issue({ purpose: 'reset', ...link });
      clock.advanceMs(HOUR_MS + 1);
      assert.equal(await tokens.take('reset', late), null);
    });
  });
});
