import { parseArgs } from 'node:util';

const HELP = `Usage: npm run bench -- [flags]

Runs cases and prints each figure beside its baseline. Exit code 1 if a target is missed or a case fails.

  --list          print the names of the cases
  --only NAME     run the cases whose name contains NAME; may be given several times
  --exactly NAME  run the case of this name; may be given several times
  --quick         all ratios in three minutes, from fewer rounds and smaller data; a missed target is only marked
  --json FILE     write the figures to FILE as well
  --profile       name what ran in the longest turns (event-loop only)
  --tiny          one round on the smallest data, for the test that runs the cases
  --case FILE/NAME  load this file alone (used by --quick)
  --help          print this text
`;

/** Ends the process with one sentence if a flag is wrong. */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        exactly: { type: 'string', multiple: true },
        case: { type: 'string' },
        json: { type: 'string' },
        list: { type: 'boolean' },
        quick: { type: 'boolean' },
        tiny: { type: 'boolean' },
        profile: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    return values;
  } catch (error) {
    console.error(`bench: ${(error as Error).message}\nnpm run bench -- --help lists the flags.`);
    return process.exit(2);
  }
}
