import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createLog } from '../base/log.ts';
import type { Settings } from '../settings.ts';
import { type BackupHeader, openBackup } from '../storage/backup/file.ts';
import { databaseInUse, restore } from '../storage/backup/restore.ts';
import { openPostgres, postgresAddress } from '../storage/postgres.ts';
import type { Schema } from '../storage/schema.ts';
import { isSqliteInUse, openSqlite } from '../storage/sqlite.ts';
import { storeSettings } from './backup.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf } from './flags.ts';
import { rowProgress } from './history/row-progress.ts';
import { STORAGE_HELP, STORE_OPTIONS } from './stores.ts';

const HELP = `perpwire restore FILE [--force]
perpwire restore FILE --check

Puts the content of a file that "perpwire backup" made into the database, whichever kind it came from. Stop the service
first. All of it is one step: if the file is damaged, the database stays as it was. A backup of an older version is
brought up to this one; one of a newer version is refused.

  --force         throw away what the database holds; without it, only an empty database is taken
  --check         only read the file to its end and say what is in it
${STORAGE_HELP}

Exit code 0: restored (or whole, with --check). 1: nothing was changed.`;

export const restoreCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      force: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError(`restore takes one file\n\n${HELP}`);
    if (values.check) return await check(file);
    // A wrong file is told before the database is opened.
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
  console.log(`${file} is whole: ${count.toLocaleString('en-US')} rows, ${madeOf(header)}`);
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
