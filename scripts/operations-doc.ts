import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from '../src/operations/description/tables.ts';
import type { AnyOperation } from '../src/operations/operation.ts';
import { OPERATIONS } from '../src/operations/registry.ts';

/** `npm run docs:operations` writes the tables of endpoints and tools into the documents that have their markers. */
export const OPERATIONS_DOCS = ['assistants.md', 'developers.md', 'streams.md'].map((file) =>
  join(import.meta.dirname, '../docs', file),
);

/** The document as it should be for these operations. */
export function operationsDoc(file: string, operations: readonly AnyOperation[] = OPERATIONS): string {
  return withTables(readFileSync(file, 'utf8'), operations);
}

if (import.meta.main) {
  for (const file of OPERATIONS_DOCS) writeFileSync(file, operationsDoc(file));
}
