import { DatabaseSync } from 'node:sqlite';

/**
 * Run as a process of its own, because SQLite cannot be interrupted here: checks each table with its indexes, and writes one
 * line of JSON first with the names of all tables, then for each table. Each table is one read transaction, so the
 * write-ahead log grows only while one table is read.
 */
const FINDINGS_PER_TABLE = 3;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** What SQLite refused to read; other errors end the process. */
function damageOf(error: unknown): string[] {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
  if (error instanceof Error && (code === CORRUPT || code === NOT_A_DATABASE)) return [error.message];
  throw error;
}

function tablesOf(database: DatabaseSync): string[] {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return tables.map(({ name }) => String(name));
}

function findingsIn(database: DatabaseSync, table: string): string[] {
  try {
    const lines = database.prepare(`pragma quick_check("${table.replaceAll('"', '""')}")`).all();
    const texts = lines.flatMap((line) => Object.values(line).map(String)).filter((text) => text !== 'ok');
    return texts.slice(0, FINDINGS_PER_TABLE);
  } catch (error) {
    return damageOf(error);
  }
}

try {
  const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 10_000 });
  const tables = tablesOf(database);
  say({ tables });
  for (const table of tables) say({ table, findings: findingsIn(database, table) });
  database.close();
} catch (error) {
  say({ tables: [], findings: damageOf(error) });
}
