import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, report } from './compare.ts';
import { record } from './record.ts';
import { readRecording } from './recording.ts';

const HELP = `npm run golden -- record DIR
npm run golden -- compare DIR
npm run golden -- against REV

Records what the service answers: the whole service runs on the simulator of all venues, with a fixed seed and a clock that
the run moves, as one process and as two. The recording has every operation with each of its parameters, pages in all their
formats, MCP, documents, streams, alerts, stored frames and the lake. Two recordings of the same code are equal.

record   writes the recording and the data of the run to a folder
compare  records again with the code as it is, and prints what differs. It also starts the service on the data of DIR.
         Exit code 1 if something differs
against  records with a clean clone of a commit, and compares

  --venues LIST   simulate these venues only, by folder name (binance,okx)
  --coins N       coins that the simulated venues trade (4)
  --minutes N     simulated minutes before the recording (156); the backtest of Demo has rows after about 150
  --forms LIST    "one process", "two processes"; both by default, the second needs PostgreSQL and Redis`;

const ROOT = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    venues: { type: 'string', default: '' },
    coins: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '156' },
    forms: { type: 'string', default: 'one process,two processes' },
    help: { type: 'boolean', default: false },
  },
});

process.exit(await main());

async function main(): Promise<number> {
  const [action = '', target = '', ...more] = positionals;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (!['record', 'compare', 'against'].includes(action) || target === '' || more.length > 0) {
    console.error('golden takes an action and its folder or commit: record DIR, compare DIR or against REV');
    return 2;
  }
  const [coins, minutes] = [Number(values.coins), Number(values.minutes)];
  if (![coins, minutes].every((number) => Number.isInteger(number) && number > 2)) {
    console.error('--coins and --minutes take a whole number above 2');
    return 2;
  }
  const options = {
    venues: values.venues === '' ? [] : values.venues.split(','),
    forms: values.forms.split(','),
    ...{ coins, minutes, say: (text: string) => console.error(text) },
  };
  if (action === 'record') {
    await record({ ...options, folder: resolve(target), reopened: null });
    console.log(`Recorded in ${target}.`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-golden-'));
  try {
    const before = action === 'compare' ? resolve(target) : recordAt(target, join(folder, 'before'));
    if (!existsSync(before)) {
      console.error(`${target} is no folder; "golden record ${target}" records one`);
      return 2;
    }
    const after = join(folder, 'after');
    await record({ ...options, folder: after, reopened: before });
    const found = differences(readRecording(before), readRecording(after));
    console.log(found.length === 0 ? 'No difference.' : report(found));
    return found.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records with a clean clone of a commit, which has its own packages. */
function recordAt(revision: string, folder: string): string {
  const clone = `${folder}-clone`;
  run('git', ['clone', '--quiet', '--shared', ROOT, clone], ROOT);
  run('git', ['checkout', '--quiet', '--detach', revision], clone);
  const flags = ['venues', 'coins', 'minutes', 'forms'] as const;
  const sent = flags.flatMap((flag) => (values[flag] === '' ? [] : [`--${flag}`, values[flag]]));
  run('npm', ['run', '--silent', 'golden', '--', 'record', folder, ...sent], clone);
  return folder;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`);
}
