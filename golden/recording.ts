import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer as it is compared: without what differs between two runs of the same code. */
export interface Answered {
  /** What was requested, as a person reads it. Unique within its group. */
  name: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Answers by group, such as "one process/rest/funding". A group is a file. */
export type Recording = ReadonlyMap<string, readonly Answered[]>;

const ENDING = '.jsonl';
const fileOf = (group: string) => `${group.replaceAll('/', '~').replaceAll(' ', '-')}${ENDING}`;

export function writeRecording(folder: string, recording: Recording): void {
  mkdirSync(folder, { recursive: true });
  for (const [group, answers] of recording) {
    const lines = [{ group }, ...answers].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(folder, fileOf(group)), lines.join(''));
  }
}

export function readRecording(folder: string): Recording {
  const recording = new Map<string, readonly Answered[]>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(ENDING))) {
    const [head = '', ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const { group } = JSON.parse(head) as { group: string };
    recording.set(
      group,
      lines.map((line) => JSON.parse(line) as Answered),
    );
  }
  if (recording.size === 0) throw new Error(`${folder} has no recording; "record ${folder}" makes one`);
  return recording;
}
