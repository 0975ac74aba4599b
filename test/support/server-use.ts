import { getTestContext } from 'node:test';

const users = new Set<string>();

/** Records that the current test file uses a server or a process of its own. */
export function noteServerUse(): void {
  const file = getTestContext()?.filePath;
  // Code at the top of a file runs in no test: there is only one candidate if the process runs only one file.
  const candidates = process.argv.slice(1);
  if (file !== undefined) users.add(file);
  else if (candidates[0] !== undefined && candidates.length === 1) users.add(candidates[0]);
}

export function usesServer(file: string): boolean {
  return [...users].some((user) => user.endsWith(file));
}
