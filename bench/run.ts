import '../src/compile-cache.js';
import { writeFileSync } from 'node:fs';
import type { BenchResult } from './harness.ts';
import { loadCases, type NamedCase } from './load-cases.ts';
import { readOptions } from './options.ts';
import { runOnOneCoreEach } from './side-by-side.ts';
import { SIZE } from './size.ts';
import { endLasting } from './support/lasting.ts';

/** `npm run bench`: see bench/options.ts for its flags. */
const values = readOptions();
/** A case that prints nothing for so long says that it still runs. */
const STILL_RUNNING_MS = 20_000;

const cases = await loadCases(values.case ?? null);
const wanted = cases.filter(({ name }) =>
  values.only || values.exactly
    ? values.only?.some((part) => name.includes(part)) || values.exactly?.includes(name)
    : true,
);
if (values.list || wanted.length === 0) {
  console.log(
    `${wanted.length === 0 ? `no case matches "${[...(values.only ?? []), ...(values.exactly ?? [])].join(', ')}"; there are` : 'cases'}: ${cases.map((one) => one.name).join(', ')}`,
  );
  process.exit(wanted.length === 0 ? 1 : 0);
}

const startedMs = performance.now();
const results: BenchResult[] = [];
const failed: string[] = [];
const secondsSince = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

function print({ name, value, unit, baseline, baseline_value, ratio, target, ok }: BenchResult): void {
  const aim = target === null ? '' : `  (target ${target}: ${ok ? 'ok' : 'MISSED'})`;
  console.log(`  ${name}: ${value} ${unit}; ${baseline}: ${baseline_value} ${unit}; ratio ${ratio}${aim}`);
}

/** A case that fails must not take the figures of the others with it. Its figures come in one piece, beside another case. */
async function runHere({ name, run }: NamedCase): Promise<void> {
  const fromMs = performance.now();
  const telling = setInterval(
    () => console.error(`  ${name}: ${secondsSince(fromMs)} so far`),
    STILL_RUNNING_MS,
  );
  try {
    const measured = await run();
    console.log(`\n${name}`);
    for (const one of measured) print(one);
    results.push(...measured);
    if (values.case === undefined) console.error(`  ${name} took ${secondsSince(fromMs)}`);
  } catch (error) {
    failed.push(name);
    console.error(`  ${name} FAILED:`, error);
  } finally {
    clearInterval(telling);
  }
}

const isAside = ({ isOneCore }: NamedCase) => SIZE === 'quick' && wanted.length > 1 && isOneCore === true;
const leavesRoom = ({ hasRoom }: NamedCase) => hasRoom === true && wanted.some(isAside);
const isAlone = (one: NamedCase) => !isAside(one) && !leavesRoom(one);
// First, and alone: another case uses their data.
for (const one of wanted.filter((each) => isAlone(each) && each.leavesData)) await runHere(one);
await runOnOneCoreEach(
  wanted.filter(isAside),
  ({ name, measured, seconds }) => {
    console.log(`\n${name}`);
    for (const one of measured ?? []) print(one);
    results.push(...(measured ?? []));
    if (measured === null) failed.push(name);
    console.error(`  ${name} ${measured === null ? 'FAILED after' : 'took'} ${seconds.toFixed(1)} s`);
  },
  async () => {
    for (const one of wanted.filter(leavesRoom)) await runHere(one);
  },
);
for (const one of wanted.filter((each) => isAlone(each) && !each.leavesData)) await runHere(one);
await endLasting();

if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
const missed = results.filter((result) => !result.ok);
if (values.case === undefined)
  console.log(
    `\n${results.length} figures in ${secondsSince(startedMs)}, ${missed.length} below target${missed.length ? `: ${missed.map((m) => m.name).join(', ')}` : ''}`,
  );
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 || (missed.length > 0 && SIZE === 'full') ? 1 : 0);
