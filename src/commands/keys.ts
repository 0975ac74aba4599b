import type { CreatedKey, KeyStore } from '../accounts/keys/key-store.ts';
import { SCOPES } from '../accounts/scopes.ts';
import { systemClock } from '../base/clock.ts';
import { DAY_MS } from '../base/times.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf, table, timeText } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, withStores } from './stores.ts';

const HELP = `perpwire keys create --account ACCOUNT [--name NAME] [--scopes LIST] [--days N] [--test]
perpwire keys list --account ACCOUNT
perpwire keys rotate KEY
perpwire keys revoke KEY

  --account  id or e-mail address of the account
  --name     what the key is for (default "key")
  --scopes   of ${SCOPES.join(', ')} (default all)
  --days     days until it expires (default 365)
  --test     a pw_test_ key, which works only on a loopback address
  KEY        the key itself, its shown start, or its id
${STORAGE_HELP}

A key is shown once, when it is made. After a rotation the old key works for another 24 hours; a revoked one stops
at once, also in a service that is running.`;

export const keysCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      account: { type: 'string' },
      name: { type: 'string', default: 'key' },
      scopes: { type: 'string' },
      days: { type: 'string' },
      test: { type: 'boolean', default: false },
    });
    const [action, reference] = positionals;
    await withStores(values, async ({ accounts, keys }) => {
      const account = async () => {
        if (values.account === undefined) throw new UsageError(`keys ${action} needs --account`);
        const found = await accounts.find(values.account);
        if (!found)
          throw new UsageError(`there is no account "${values.account}"; see: perpwire accounts list`);
        return found;
      };
      if (action === 'create') {
        const created = await keys.create({
          accountId: (await account()).id,
          name: values.name,
          kind: values.test ? 'test' : 'live',
          ...(values.scopes === undefined
            ? {}
            : { scopes: values.scopes.split(',').map((scope) => scope.trim()) }),
          ...(values.days === undefined
            ? {}
            : { expiresAtMs: systemClock.nowMs() + daysOf(values.days) * DAY_MS }),
        });
        printKey(created);
      } else if (action === 'list') {
        const rows = (await keys.list((await account()).id)).map((key) => [
          key.id,
          key.name,
          `${key.keyPrefix}…`,
          key.state,
          timeText(key.expiresAtMs),
          timeText(key.lastUsedAtMs),
          key.scopes.join(' '),
        ]);
        console.log(table(['id', 'name', 'key', 'state', 'expires', 'last used', 'scopes'], rows));
      } else if (action === 'rotate') {
        printKey(await keys.rotate((await keyOf(keys, reference)).id));
        console.log('The old key works for another 24 hours.');
      } else if (action === 'revoke') {
        const key = await keys.revoke((await keyOf(keys, reference)).id);
        console.log(`key ${key.keyPrefix}… is revoked; it no longer works`);
      } else {
        throw new UsageError(`keys has create, list, rotate and revoke\n\n${HELP}`);
      }
    });
  },
};

async function keyOf(keys: KeyStore, reference: string | undefined) {
  if (reference === undefined) throw new UsageError('name the key: itself, its shown start, or its id');
  const key = await keys.find(reference);
  if (!key)
    throw new UsageError(
      `there is no key "${reference.slice(0, 16)}…"; see: perpwire keys list --account ACCOUNT`,
    );
  return key;
}

function daysOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--days takes a whole number above 0; it is "${text}"`);
  return Number(text);
}

function printKey({ text, key }: CreatedKey): void {
  console.log(text);
  console.log(
    `Shown once: keep it now. It expires ${timeText(key.expiresAtMs)} and has ${key.scopes.join(' ')}.`,
  );
}
