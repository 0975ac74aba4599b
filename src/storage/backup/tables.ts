import { sql } from 'kysely';
import type { Log } from '../../base/log.ts';
import { type Migration, migrate } from '../migrate.ts';
import { openMemorySqlite } from '../sqlite.ts';

export interface TableModel {
  name: string;
  columns: readonly string[];
}

/** The tables that the migrations create, each after the tables it references. */
export async function tablesAfter(migrations: readonly Migration[], log: Log): Promise<TableModel[]> {
  const db = openMemorySqlite();
  try {
    await migrate(db, 'sqlite', migrations, log);
    const found = await sql<{ name: string }>`select name from sqlite_master
      where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migrations'
      order by name`.execute(db);
    const left = new Map<string, { model: TableModel; parents: string[] }>();
    for (const { name } of found.rows) {
      const columns = await sql<{ name: string }>`select name from pragma_table_info(${name})
        order by cid`.execute(db);
      const parents = await sql<{
        table: string;
      }>`select "table" from pragma_foreign_key_list(${name})`.execute(db);
      left.set(name, {
        model: { name, columns: columns.rows.map((column) => column.name) },
        parents: parents.rows.map((parent) => parent.table),
      });
    }
    return parentsFirst(left);
  } finally {
    await db.destroy();
  }
}

function parentsFirst(left: Map<string, { model: TableModel; parents: string[] }>): TableModel[] {
  const ordered: TableModel[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(({ parents }) => !parents.some((parent) => left.has(parent)));
    if (free.length === 0) throw new Error(`tables reference each other: ${[...left.keys()].join(', ')}`);
    for (const { model } of free) {
      ordered.push(model);
      left.delete(model.name);
    }
  }
  return ordered;
}
