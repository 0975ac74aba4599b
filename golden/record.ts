import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Caller } from './calling.ts';
import { followAlert, recordStreams } from './live.ts';
import { type Recording, writeRecording } from './recording.ts';
import { allRequests, type Wanted } from './requests.ts';
import { recordStored } from './stored.ts';
import { type Form, fill, START_MS, World } from './world.ts';

interface RecordOptions {
  folder: string;
  /** A recording on whose data the service is started; null: on that of this run. */
  reopened: string | null;
  venues: readonly string[];
  forms: readonly string[];
  coins: number;
  minutes: number;
  say(text: string): void;
}

const DATA = 'data';
const END = 'end.json';

/** Runs the service in each form and writes what it answers. */
export async function record(options: RecordOptions): Promise<void> {
  const { folder, say } = options;
  rmSync(folder, { recursive: true, force: true });
  for (const form of options.forms as Form[]) {
    const { venues, coins, minutes } = options;
    const world = await World.start({ form, venues, coins, startMs: START_MS });
    const alert = await followAlert(world);
    try {
      await fill(world, minutes, say);
      const wanted = allRequests();
      say(`${form}: ${wanted.length} requests`);
      write(folder, form, await callerOf(world).record(wanted));
      write(folder, form, await recordStreams(world));
      write(folder, form, alert.messages());
      if (form === 'one process') {
        await world.saveData(join(folder, DATA));
        writeFileSync(join(folder, END), JSON.stringify({ endMs: world.nowMs }));
      }
    } finally {
      await alert.close();
      await world.stop();
    }
  }
  if (options.forms.includes('one process')) await recordReopened(options);
}

/** Starts the service on stored data, and reads what it has of the past. */
async function recordReopened({ folder, reopened, venues, coins, say }: RecordOptions): Promise<void> {
  const source = reopened ?? folder;
  const { endMs } = JSON.parse(readFileSync(join(source, END), 'utf8')) as { endMs: number };
  const copy = mkdtempSync(join(tmpdir(), 'perpwire-golden-data-'));
  say('stored data');
  try {
    cpSync(join(source, DATA), copy, { recursive: true });
    write(folder, DATA, await recordStored(copy, join(copy, 'lake'), endMs));
    const world = await World.start({ form: 'one process', venues, coins, startMs: endMs, dataFolder: copy });
    try {
      write(folder, DATA, await callerOf(world).record(allRequests().filter(isOfPast)));
    } finally {
      await world.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const isOfPast = ({ group }: Wanted) => /^rest\/.*(history|running|interest|listings|accuracy)/.test(group);

function callerOf(world: World): Caller {
  return new Caller({ address: world.address, newKey: (plan) => world.newKey(plan) });
}

function write(folder: string, part: string, recording: Recording): void {
  writeRecording(folder, new Map([...recording].map(([group, answers]) => [`${part}/${group}`, answers])));
}
