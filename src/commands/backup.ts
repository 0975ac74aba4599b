import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../base/log.ts';
import type { Settings } from '../settings.ts';
import { backup } from '../storage/backup/backup.ts';
import { type BackupSource, postgresSource, sqliteSource } from '../storage/backup/source.ts';
import { postgresAddress } from '../storage/postgres/address.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf } from './flags.ts';
import { rowProgress } from './history/row-progress.ts';
import { STORAGE_HELP, STORE_OPTIONS, storeSettings } from './stores.ts';

const HELP = `perpwire backup FILE [--force]

Writes the whole database into one file: accounts, hashes of keys, usage, prints, samples and listings. The service may
keep running: the file is a consistent snapshot. It can be restored on SQLite and on PostgreSQL, so a backup is also the
way to move from one to the other. The file contains password hashes and encrypted secrets, not their
key (SECRET_KEY or the key file): keep that elsewhere. It is readable only by its owner.

  --force         replace FILE if it exists
${STORAGE_HELP}

Exit code 0: the file is complete and on the disk. 1: nothing was written under that name.`;

export const backupCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      force: { type: 'boolean', default: false },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('backup takes one file: perpwire backup FILE');
    if (existsSync(file) && !values.force)
      throw new UsageError(`${file} exists already; choose another name, or replace it with --force`);
    const source = await sourceOf(storeSettings(values));
    try {
      const done = await backup({
        source,
        file,
        log: createLog('error'),
        onProgress: rowProgress(process.stderr),
      });
      const megabytes = (statSync(file).size / 1e6).toFixed(1);
      console.log(
        `${file}: ${done.rows.toLocaleString('en-US')} rows of ${done.tables} tables, ${megabytes} MB`,
      );
    } finally {
      await source.close();
    }
  },
};

async function sourceOf({ databaseUrl, dataDir }: Settings): Promise<BackupSource> {
  return databaseUrl === null
    ? sqliteSource(join(dataDir, 'perpwire.sqlite'))
    : await postgresSource(postgresAddress(databaseUrl));
}
