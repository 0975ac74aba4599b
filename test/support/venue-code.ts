import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of a venue, with those of the venue whose adapter it shares, to look up field names that documents state. */
export function venueCode(slug: string): string {
  const folder = join(import.meta.dirname, '../../src/venues', slug);
  const own = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const shared = own.match(/from '\.\.\/(?!counting\/)(\w+)\//)?.[1];
  return shared ? own + venueCode(shared) : own;
}
