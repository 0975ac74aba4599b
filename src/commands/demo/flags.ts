import { join } from 'node:path';
import { UsageError } from '../command.ts';
import { flagsOf, refuseMore } from '../flags.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface DemoFlags {
  port: string;
  coins: string;
  venues: string;
  seed: string;
  data: string;
}

export function readFlags(args: readonly string[]): DemoFlags {
  const option = (value: string) => ({ type: 'string' as const, default: value });
  const { values, positionals } = flagsOf(args, {
    port: option('8080'),
    coins: option('32'),
    venues: option(''),
    seed: option('1'),
    data: option(join(ROOT, 'data', 'demo')),
  });
  refuseMore('demo', positionals);
  for (const name of ['coins', 'seed'] as const) {
    if (!/^[1-9]\d{0,5}$/.test(values[name]))
      throw new UsageError(`--${name} takes a whole number from 1 to 999999; it is "${values[name]}"`);
  }
  return values;
}
