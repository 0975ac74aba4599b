import '../src/compile-cache.js';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CASES } from './cases.ts';
import { type Figure, isMet, tableOf } from './figure.ts';
import { SIZE } from './size.ts';

const HELP = `Usage: npm run bench -- [flags]

Measures the service and prints each figure with its baseline and its target. Exit code 1 if a target is missed or a
case fails.

  --only NAME   run this case; may be given several times
  --quick       all cases in less than five minutes, with fewer rounds; a missed target is only marked
  --tiny        the smallest size, for the test that runs the cases
  --json FILE   write the figures to FILE as well
  --help        print this text

Cases:
${CASES.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}
`;

const options = readOptions();
const only = options.only ?? CASES.map(({ name }) => name);
const startedMs = performance.now();
const figures: Figure[] = [];
const failed: string[] = [];

for (const { name, load } of CASES.filter((one) => only.includes(one.name))) {
  const fromMs = performance.now();
  try {
    const { bench } = await load();
    const measured = await bench.run();
    console.log(`\n${name} (${secondsSince(fromMs)})\n\n${tableOf(measured)}`);
    figures.push(...measured);
  } catch (error) {
    // The figures of the other cases are still of use.
    failed.push(name);
    console.error(`\n${name} FAILED:`, error);
  }
}

if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
const missed = figures.filter((figure) => isMet(figure) === false);
console.log(
  `\n${figures.length} figures in ${secondsSince(startedMs)}, ${missed.length} beyond their target`,
);
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 || (missed.length > 0 && SIZE === 'full') ? 1 : 0);

function secondsSince(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;
}

/** Ends the process with one sentence if a flag is wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        json: { type: 'string' },
        quick: { type: 'boolean' },
        tiny: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    const unknown = values.only?.find((wanted) => !CASES.some(({ name }) => name === wanted));
    if (unknown !== undefined) throw new Error(`there is no case "${unknown}"`);
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    return values;
  } catch (error) {
    console.error(
      `bench: ${(error as Error).message}\nnpm run bench -- --help lists the flags and the cases.`,
    );
    return process.exit(2);
  }
}
