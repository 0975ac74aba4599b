import type { KeyRecord } from '../accounts/keys/key-rows.ts';
import type { CreatedKey, KeyStore } from '../accounts/keys/key-store.ts';
import { SCOPES } from '../accounts/scopes.ts';
import { systemClock } from '../base/clock.ts';
import { DAY_MS } from '../base/times.ts';
import { type Command, UsageError } from './command.ts';
import { actionOf, flagsOf, refuseMore, table, timeText } from './flags.ts';
import { BY_HELP, OPERATOR_OPTIONS, STORAGE_HELP, withStores } from './stores.ts';

const HELP = `perpwire keys create --account ACCOUNT [--name NAME] [--scopes LIST] [--days N] [--test]
perpwire keys list --account ACCOUNT
perpwire keys rotate KEY
perpwire keys revoke KEY

create  creates a key and prints it. It is printed only once: store it now.
list    lists the keys of an account
rotate  creates a new key in place of KEY. The old key works for another 24 hours.
revoke  makes KEY invalid at once, also in a running service

  --account  id or e-mail address of the account
  --name     what the key is for (default "key")
  --scopes   comma-separated scopes: ${SCOPES.join(', ')} (default all)
  --days     days until the key expires (default 365)
  --test     create a pw_test_ key, which works only on a loopback address
  KEY        the key itself, its shown start, or its id
${BY_HELP}
${STORAGE_HELP}`;

export const keysCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...OPERATOR_OPTIONS,
      account: { type: 'string' },
      name: { type: 'string', default: 'key' },
      scopes: { type: 'string' },
      days: { type: 'string' },
      test: { type: 'boolean', default: false },
    });
    const action = actionOf('keys', positionals[0], ['create', 'list', 'rotate', 'revoke']);
    if (action === 'create' || action === 'list') {
      refuseMore(`keys ${action}`, positionals.slice(1));
      const reference = values.account;
      if (reference === undefined) throw new UsageError(`keys ${action} needs --account ACCOUNT`);
      const days = values.days === undefined ? null : daysOf(values.days);
      return await withStores(values, async ({ accountOf, keys, note }) => {
        const account = await accountOf(reference);
        if (action === 'list') return await printKeys(keys, account.id);
        const created = await keys.create({
          accountId: account.id,
          name: values.name,
          kind: values.test ? 'test' : 'live',
          ...(values.scopes === undefined
            ? {}
            : { scopes: values.scopes.split(',').map((scope) => scope.trim()) }),
          ...(days === null ? {} : { expiresAtMs: systemClock.nowMs() + days * DAY_MS }),
        });
        await note('key-created', account.id, keyText(created.key));
        printKey(created);
      });
    }
    refuseMore(`keys ${action} KEY`, positionals.slice(2));
    const reference = positionals[1];
    if (reference === undefined)
      throw new UsageError(`keys ${action} needs KEY: the key itself, its shown start, or its id`);
    await withStores(values, async ({ keys, note }) => {
      const { id, accountId } = await keyOf(keys, reference);
      if (action === 'rotate') {
        const created = await keys.rotate(id);
        await note('key-rotated', accountId, keyText(created.key));
        printKey(created);
        console.log('The old key works for another 24 hours.');
      } else {
        const key = await keys.revoke(id);
        await note('key-revoked', accountId, keyText(key));
        console.log(`key ${key.keyPrefix}… is revoked; it no longer works`);
      }
    });
  },
};

function keyText({ name, keyPrefix }: KeyRecord): string {
  return `${name} (${keyPrefix}…)`;
}

async function keyOf(keys: KeyStore, reference: string) {
  const key = await keys.find(reference);
  if (!key)
    throw new UsageError(
      `there is no key "${reference.slice(0, 16)}…"; see perpwire keys list --account ACCOUNT`,
    );
  return key;
}

function daysOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--days takes a whole number from 1 to 99999; it is "${text}"`);
  return Number(text);
}

async function printKeys(keys: KeyStore, accountId: string): Promise<void> {
  const rows = (await keys.list(accountId)).map((key) => [
    key.id,
    key.name,
    `${key.keyPrefix}…`,
    key.state,
    timeText(key.expiresAtMs),
    timeText(key.lastUsedAtMs),
    key.scopes.join(' '),
  ]);
  console.log(table(['id', 'name', 'key', 'state', 'expires', 'last used', 'scopes'], rows));
}

function printKey({ text, key }: CreatedKey): void {
  console.log(text);
  console.log(
    `Store the key now: it is not shown again. It expires ${timeText(key.expiresAtMs)}; scopes: ${key.scopes.join(' ')}.`,
  );
}
