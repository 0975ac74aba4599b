import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assistantFiles } from '../src/doors/mcp/discovery/assistant-files.ts';
import { OPERATIONS } from '../src/operations/registry.ts';
import { commandLine } from './clients/command-line.ts';
import { postmanCollection } from './clients/postman-collection.ts';
import { pythonClient } from './clients/python-client.ts';
import { typescriptClient } from './clients/typescript-client.ts';

/** The address in the files for assistants. `perpwire assistants` writes them for another one. */
const EXAMPLE_URL = 'https://perpwire.example';

/** `npm run clients` writes the generated files of the clients, here by path. A test compares them with the tree. */
export function clientFiles(): ReadonlyMap<string, string> {
  const clients = join(import.meta.dirname, '../clients');
  const python = Object.entries(pythonClient(OPERATIONS));
  const suggestions = join(import.meta.dirname, '../src/query/suggestions.ts');
  return new Map([
    [join(clients, 'typescript/src/generated.ts'), typescriptClient(OPERATIONS)],
    [join(clients, 'typescript/src/cli/generated.ts'), commandLine(OPERATIONS)],
    [
      join(clients, 'typescript/src/cli/suggestions.ts'),
      `// Made by \`npm run clients\` from src/query/suggestions.ts. Do not edit.\n${readFileSync(suggestions, 'utf8')}`,
    ],
    [join(clients, 'postman/perpwire.postman_collection.json'), postmanCollection(OPERATIONS, EXAMPLE_URL)],
    ...[...assistantFiles(EXAMPLE_URL)].map(
      ([path, text]) => [join(clients, 'assistants', path), text] as const,
    ),
    ...python.map(([name, text]) => [join(clients, 'python/src/perpwire', name), text] as const),
  ]);
}

if (import.meta.main) {
  for (const [file, text] of clientFiles()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
