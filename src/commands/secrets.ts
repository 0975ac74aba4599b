import { COOKIE_SECRET } from '../accounts/people/sessions.ts';
import { type Actor, openSecurityLog } from '../accounts/security-log.ts';
import {
  keysOf,
  openKeys,
  rotateSecret,
  sealAgain,
  sealPlainSecrets,
  secretStates,
} from '../accounts/vault/stored-secrets.ts';
import { PAUSE_LINK_SECRET } from '../alerts/pause-links.ts';
import { systemClock } from '../base/clock.ts';
import { OAUTH_COOKIE_SECRET, SIGNING_SECRET } from '../oauth/secrets.ts';
import { keySourceOf } from '../wiring/key-source.ts';
import { type Command, UsageError } from './command.ts';
import { actionOf, flagsOf, refuseMore, table } from './flags.ts';
import { BY_HELP, OPERATOR_OPTIONS, STORAGE_HELP, storeSettings, userName, withStorage } from './stores.ts';

const HELP = `perpwire secrets status
perpwire secrets rotate
perpwire secrets rotate --signing [--discard-old --yes]

The secrets with which cookies and tokens are signed are stored encrypted. The key is SECRET_KEY, or is in
SECRET_KEY_FILE, or in secret.key of the data folder. Running processes follow a rotation within seconds.

status            lists the stored secrets and the id of the key of each
rotate            encrypts all secrets with the first key. In a key file it first puts a new key before the others; for
                  SECRET_KEY the operator does: SECRET_KEY=NEW,OLD at all processes, rotate, then SECRET_KEY=NEW.
rotate --signing  makes new signing secrets. What was signed before stays valid for its lifetime.
  --discard-old   what was signed before is invalid at once: everybody must sign in again. For a leaked or lost key.
  --yes           confirms --discard-old

${BY_HELP}
${STORAGE_HELP}

Exit code 0: done. 1: nothing was changed.`;

const SIGNING_SECRETS = [COOKIE_SECRET, OAUTH_COOKIE_SECRET, SIGNING_SECRET, PAUSE_LINK_SECRET];

export const secretsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...OPERATOR_OPTIONS,
      signing: { type: 'boolean', default: false },
      'discard-old': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    });
    const action = actionOf('secrets', positionals[0], ['status', 'rotate']);
    refuseMore(`secrets ${action}`, positionals.slice(1));
    const isDiscarding = values['discard-old'];
    if (isDiscarding && !values.signing) throw new UsageError('--discard-old goes with --signing; add it');
    if (isDiscarding && !values.yes)
      throw new UsageError('--discard-old signs everybody out at once; confirm it with --yes');
    const settings = storeSettings(values);
    const source = keySourceOf(settings);
    await withStorage(settings, async (storage) => {
      const { db } = storage;
      const by: Actor = { actor: 'operator', name: values.by ?? userName() };
      const note = (detail: string) =>
        openSecurityLog(db, systemClock).note(by, 'secrets-rotated', null, detail);
      if (action === 'status') {
        const rows = (await secretStates(db)).map(({ name, keyId }) => [name, keyId ?? 'not encrypted']);
        return console.log(table(['secret', 'key'], rows));
      }
      if (values.signing) {
        // With a lost key the stored secrets cannot be read, but they can be replaced.
        if (isDiscarding && source.read() === null) source.create?.();
        const keys = isDiscarding ? keysOf(source) : await openKeys(db, source);
        if (!isDiscarding) await sealPlainSecrets(storage, keys);
        for (const secret of SIGNING_SECRETS)
          await rotateSecret(db, keys, secret, systemClock.nowMs(), isDiscarding);
        await note(isDiscarding ? 'signing secrets, old ones discarded' : 'signing secrets');
        return console.log(
          isDiscarding
            ? 'The signing secrets are new and the old ones are gone: everybody must sign in again.'
            : 'The signing secrets are new; what was signed before stays valid for its lifetime.',
        );
      }
      const { isNew } = await openKeys(db, source);
      if (!isNew) source.addKey?.();
      const keys = keysOf(source);
      const plain = await sealPlainSecrets(storage, keys);
      const count = plain + (await sealAgain(db, keys));
      if (count === 0)
        throw new UsageError(
          `all secrets are encrypted with the first key of ${source.label} already; put a new key before it`,
        );
      await note(`encrypted with the key ${keys.first.id}`);
      console.log(`${count} secrets are now encrypted with the key ${keys.first.id}.`);
      console.log(
        `Older keys of ${source.label} are needed only to restore backups that were made before; remove them when you have a new backup.`,
      );
    });
  },
};
