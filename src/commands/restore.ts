import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createLog } from '../base/log.ts';
import type { Settings } from '../settings.ts';
import { type BackupHeader, openBackup } from '../storage/backup/file.ts';
import { databaseInUse, restore } from '../storage/backup/restore.ts';
import { postgresAddress } from '../storage/postgres/address.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import type { Schema } from '../storage/schema.ts';
import { isSqliteInUse, openSqlite } from '../storage/sqlite.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf } from './flags.ts';
import { rowProgress } from './history/row-progress.ts';
import { STORAGE_HELP, STORE_OPTIONS, storeSettings } from './stores.ts';

const HELP = `perpwire restore FILE [--force]
perpwire restore FILE --check

Restores a file of "perpwire backup" into the database, SQLite or PostgreSQL. Stop the service first. The restore is one
transaction: if the file is damaged, the database stays unchanged. A backup of an older version is migrated to this one;
a backup of a newer version is refused.

  --force         delete what the database contains; without this flag the database must be empty
  --check         only read the whole file and print what it contains
${STORAGE_HELP}

Exit code 0: restored (with --check: the file is complete). 1: nothing was changed.`;

export const restoreCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      force: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('restore takes one file: perpwire restore FILE');
    if (values.check) return await check(file);
    // Checks the file before it opens the database.
    await openBackup(file);
    const { db, kind } = await openDatabase(storeSettings(values));
    try {
      const { rows, header } = await restore({
        db,
        kind,
        file,
        isForced: values.force,
        log: createLog('error'),
        onProgress: rowProgress(process.stderr),
      });
      console.log(`${rows.toLocaleString('en-US')} rows restored from ${file}, ${madeOf(header)}`);
    } finally {
      await db.destroy();
    }
  },
};

async function check(file: string): Promise<void> {
  const { header, rows } = await openBackup(file);
  let count = 0;
  for await (const _row of rows()) count++;
  console.log(`${file} is complete: ${count.toLocaleString('en-US')} rows, ${madeOf(header)}`);
}

function madeOf({ created_at, from }: BackupHeader): string {
  return `made ${created_at} of ${from === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`;
}

async function openDatabase({
  databaseUrl,
  dataDir,
}: Settings): Promise<{ db: Kysely<Schema>; kind: 'sqlite' | 'postgres' }> {
  if (databaseUrl !== null)
    return { db: await openPostgres(postgresAddress(databaseUrl), createLog('error')), kind: 'postgres' };
  const file = join(dataDir, 'perpwire.sqlite');
  if (existsSync(file) && isSqliteInUse(file)) throw databaseInUse();
  return { db: openSqlite(file), kind: 'sqlite' };
}
