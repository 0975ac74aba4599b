import { rmSync } from 'node:fs';

let left: string | null = null;

/** Leaves the data of a demo for another case of the run: to fill it takes as long as to measure. It is deleted in the end. */
export function leaveDemoData(data: string): void {
  left = data;
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
}

/** Null if no case of this run has left any. */
export function demoDataLeft(): string | null {
  return left;
}
