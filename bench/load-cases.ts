import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchCase } from './harness.ts';

export interface NamedCase extends BenchCase {
  /** The file of bench/cases that has it. */
  file: string;
}

const FOLDER = join(import.meta.dirname, 'cases');

/** All cases, or the one that `FILE/NAME` names, whose file is then the only one that is loaded. */
export async function loadCases(only: string | null): Promise<NamedCase[]> {
  const files = only === null ? readdirSync(FOLDER).sort() : [only.slice(0, only.indexOf('/'))];
  const cases: NamedCase[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const module = (await import(join(FOLDER, file))) as { cases: BenchCase[] };
    cases.push(...module.cases.map((one) => ({ ...one, file })));
  }
  return only === null ? cases : cases.filter(({ file, name }) => `${file}/${name}` === only);
}
