import { SettingError, type Settings } from '../../settings.ts';
import type { PostgresStorage, Storage } from '../../storage/storage.ts';

/** Throws if the role needs settings that are not given. */
export function checkRole({ role, databaseUrl, redisUrl }: Settings): void {
  if (role === 'all' || (databaseUrl !== null && redisUrl !== null)) return;
  const missing = [
    ...(databaseUrl === null ? ['DATABASE_URL (PostgreSQL)'] : []),
    ...(redisUrl === null ? ['REDIS_URL'] : []),
  ];
  throw new SettingError(
    `--role ${role} shares its work with other processes and needs ${missing.join(' and ')}; without them run --role all`,
  );
}

/**
 * The database that joins this process to the others of its deployment. Null for a single process: one with the embedded
 * database, or without Redis, which counts the requests of all processes.
 */
export function sharedDatabase(storage: Storage, { redisUrl }: Settings): PostgresStorage | null {
  return redisUrl !== null && storage.kind === 'postgres' ? storage : null;
}
