import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import { systemClock } from '../../src/base/clock.ts';
import { loadMigrations } from '../../src/storage/migrate.ts';
import { onBothDatabases, openFor } from './databases.ts';

const MIGRATION = '0072-security-log';

describe('stored e-mail addresses', () => {
  onBothDatabases((fresh) => {
    test('get their normal form; a conflict leaves the address as it is and is logged', async (t) => {
      const options = await fresh(t);
      const all = await loadMigrations();
      const before = all.filter(({ name }) => name < MIGRATION);
      const old = await openFor(t, { ...options, migrations: before });
      const emails = {
        acc_plain: 'ada@example.com',
        acc_idn: 'eva@müller.example',
        // Both spellings of one address, and two spellings that become the same.
        acc_ascii: 'max@xn--mller-kva.example',
        acc_same: 'max@müller.example',
        acc_first: 'zoe@bücher.example',
        acc_second: 'zoe@ｂücher.example',
        acc_none: null,
      };
      let createdAtMs = 1_700_000_000_000;
      for (const [id, email] of Object.entries(emails))
        await sql`insert into accounts (id, name, email, plan, created_at_ms, revision)
          values (${id}, 'x', ${email}, 'demo', ${createdAtMs++}, 1)`.execute(old.db);
      await sql`insert into mail_tokens (hash, purpose, email, expires_at_ms)
        values ('h', 'reset', 'eva@müller.example', 1)`.execute(old.db);
      await old.close();

      const storage = await openFor(t, options);
      const { db } = storage;
      const rows = await db.selectFrom('accounts').select(['id', 'email']).execute();
      const stored = Object.fromEntries(rows.map(({ id, email }) => [id, email]));
      assert.equal(stored.acc_plain, 'ada@example.com');
      assert.equal(stored.acc_idn, 'eva@xn--mller-kva.example');
      assert.equal(stored.acc_ascii, 'max@xn--mller-kva.example');
      assert.equal(stored.acc_same, 'max@müller.example', 'the other account keeps the address');
      assert.equal(stored.acc_first, 'zoe@xn--bcher-kva.example');
      assert.equal(stored.acc_none, null);
      assert.equal(stored.acc_second, 'zoe@ｂücher.example', 'the older of the two has the normal form');
      const log = await db
        .selectFrom('security_log')
        .select(['account_id', 'actor'])
        .where('action', '=', 'address-conflict')
        .orderBy('account_id')
        .execute();
      assert.deepEqual(
        log.map(({ account_id: id, actor }) => `${actor} ${id}`),
        ['system acc_same', 'system acc_second'],
      );
      const [token] = await db.selectFrom('mail_tokens').select('email').execute();
      assert.equal(token?.email, 'eva@xn--mller-kva.example');

      const accounts = createAccountStore(storage, systemClock, async () => undefined);
      assert.equal((await accounts.find('Eva@MÜLLER.example'))?.id, 'acc_idn', 'is found as it was typed');
      assert.equal((await accounts.find('max@müller.example'))?.id, 'acc_ascii');
    });
  });
});
