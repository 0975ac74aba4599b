import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isoTime } from '../../base/times.ts';
import { StorageError } from '../errors.ts';
import { loadMigrations, type Migration, refuseNewer } from '../migrate.ts';
import { BackupWriter, backupHeader } from './file.ts';
import type { BackupSource } from './source.ts';
import { tablesAfter } from './tables.ts';

export interface BackupProgress {
  table: string;
  rows: number;
  totalRows: number;
}

interface BackupOptions {
  source: BackupSource;
  file: string;
  log: Log;
  onProgress: (progress: BackupProgress) => void;
  /** Set by tests only. */
  migrations?: readonly Migration[];
}

const PROGRESS_EVERY_ROWS = 200;

/** Writes all data of the database into one file. The database may be in use. */
export async function backup({
  source,
  file,
  log,
  onProgress,
  migrations,
}: BackupOptions): Promise<{ rows: number; tables: number }> {
  const known = migrations ?? (await loadMigrations());
  const applied = await source.applied();
  if (applied === null)
    throw new StorageError('this database holds nothing of Perpwire: there is nothing to back up');
  refuseNewer(applied, known);
  const models = await tablesAfter(
    known.filter(({ name }) => applied.includes(name)),
    log,
  );
  const tables = [];
  for (const model of models) tables.push({ ...model, rows: await source.count(model.name) });
  const totalRows = tables.reduce((sum, { rows }) => sum + rows, 0);
  const header = backupHeader({
    created_at: isoTime(systemClock.nowMs()),
    from: source.kind,
    migrations: applied,
    tables,
  });
  const writer = await BackupWriter.create(file, header);
  try {
    let rows = 0;
    for (const model of models) {
      await writer.table(model.name);
      for await (const row of source.rows(model)) {
        await writer.row(row);
        if (++rows % PROGRESS_EVERY_ROWS === 0) onProgress({ table: model.name, rows, totalRows });
      }
    }
    await writer.finish();
    onProgress({ table: '', rows, totalRows });
    return { rows, tables: tables.length };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
