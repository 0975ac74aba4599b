import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchCase, BenchResult } from './harness.ts';
import { SIZE } from './size.ts';

/**
 * npm run bench -- [--only NAME]... [--quick] [--list] [--json FILE]: runs the cases whose name contains a NAME and prints
 * each figure beside its baseline. Exit code 1 if a target is missed. With --quick every ratio in a few minutes, from fewer
 * rounds and smaller data, so a missed target is only marked; --tiny is for the test that runs the cases.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    list: { type: 'boolean' },
    quick: { type: 'boolean' },
    tiny: { type: 'boolean' },
  },
});

const folder = join(import.meta.dirname, 'cases');
const cases: BenchCase[] = [];
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .sort()) {
  const module = (await import(join(folder, file))) as { cases: BenchCase[] };
  cases.push(...module.cases);
}
const isWanted = (name: string) => values.only?.some((part) => name.includes(part)) ?? true;
const wanted = cases.filter(({ name, isFullOnly }) => isWanted(name) && (SIZE === 'full' || !isFullOnly));
if (values.list || wanted.length === 0) {
  console.log(
    `${wanted.length === 0 ? `no case matches "${values.only}"; there are` : 'cases'}: ${cases.map((one) => one.name).join(', ')}`,
  );
  process.exit(wanted.length === 0 ? 1 : 0);
}

const results: BenchResult[] = [];
for (const one of wanted) {
  console.log(`\n${one.name}`);
  for (const result of await one.run()) {
    results.push(result);
    const target =
      result.target === null ? '' : `  (target ${result.target}: ${result.ok ? 'ok' : 'MISSED'})`;
    console.log(
      `  ${result.name}: ${result.value} ${result.unit}; ${result.baseline}: ${result.baseline_value} ${result.unit}; ratio ${result.ratio}${target}`,
    );
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
const missed = results.filter((result) => !result.ok);
console.log(
  `\n${results.length} figures, ${missed.length} below target${missed.length ? `: ${missed.map((m) => m.name).join(', ')}` : ''}`,
);
process.exit(missed.length === 0 || SIZE !== 'full' ? 0 : 1);
