import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

export const PACKAGE = join(root, 'clients/typescript');
export const TSC = join(root, 'node_modules/.bin/tsc');

/** Copies the TypeScript client into a folder and builds it there, as `npm run build` does. */
export async function buildPackage(folder: string): Promise<void> {
  cpSync(PACKAGE, folder, {
    recursive: true,
    filter: (file) => !/node_modules|dist$/.test(file.slice(PACKAGE.length)),
  });
  // As after `npm install` in the folder of the client: the build needs the types of Node.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const config of ['tsconfig.json', 'tsconfig.cli.json']) await run(TSC, ['-p', join(folder, config)]);
}
