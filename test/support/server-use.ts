import { getTestContext } from 'node:test';

const users = new Set<string>();

/** Records that the current test file uses a server or a process of its own. */
export function noteServerUse(): void {
  const file = getTestContext()?.filePath;
  if (file !== undefined) {
    users.add(file);
    return;
  }
  // Code at the top of a file runs in no test, so the stack says which file it is, or there is only one.
  const candidates = process.argv.slice(1);
  const { stack = '' } = new Error('where from');
  for (const candidate of candidates)
    if (candidates.length === 1 || stack.includes(candidate)) users.add(candidate);
}

export function usesServer(file: string): boolean {
  return [...users].some((user) => user.endsWith(file));
}
