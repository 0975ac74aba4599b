import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '../src/operations/registry.ts';
import { typescriptClient } from './typescript-client.ts';

/** `npm run clients` writes the generated files of the clients, here by path. A test compares them with the tree. */
export function clientFiles(): ReadonlyMap<string, string> {
  const clients = join(import.meta.dirname, '../clients');
  return new Map([[join(clients, 'typescript/src/generated.ts'), typescriptClient(OPERATIONS)]]);
}

if (import.meta.main) {
  for (const [file, text] of clientFiles()) writeFileSync(file, text);
}
