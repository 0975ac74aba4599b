import { createRequire } from 'node:module';

type Row = Record<string, unknown>;

/** What the tests use of @duckdb/node-api. */
interface DuckDb {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): Row[] }>;
        closeSync(): void;
      }>;
    }>;
  };
}

/** The rows that DuckDB answers: a reader of Parquet that we did not write. Times are dates. */
export async function duckRows(sql: string): Promise<Row[]> {
  const { DuckDBInstance } = createRequire(import.meta.url)('@duckdb/node-api') as DuckDb;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}
