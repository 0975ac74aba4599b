import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '../package.json');

export interface StartOptions {
  /** Of V8. */
  flags: string[];
  /** Of the C library. */
  variables: Record<string, string>;
}

/** How `npm start` starts Node. Tests, benches and chaos runs start the service in the same way. */
export function startOptions(): StartOptions {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } };
  return optionsOf(scripts.start);
}

/** Of a command such as `NAME=1 exec node --flag=2 src/perpwire.js serve`. */
export function optionsOf(command: string): StartOptions {
  const words = command.split(/\s+/);
  const program = words.findIndex((word) => word.endsWith('src/perpwire.js'));
  const before = words.slice(0, program);
  const pairs = before.flatMap((word) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return { flags: before.filter((word) => word.startsWith('--')), variables: Object.fromEntries(pairs) };
}
