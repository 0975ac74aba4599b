import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';

const SAMPLE_EVERY_MS = 2000;
/** The resident size moves with every garbage collection, so the last ones are averaged. */
const AVERAGED_SAMPLES = 15;

export interface Resident {
  /** Mean of the last half minute. */
  endMb: number;
  peakMb: number;
  /** From the middle of the time to its end. */
  grownMb: number;
}

/** Resident memory of a process: what is shared with others, such as the program itself, is included. Linux only. */
function residentMb(pid: number): number {
  const kilobytes = /^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Samples processes for a time, and meanwhile asks for something once a second. */
export async function residentOver(
  pids: readonly number[],
  minutes: number,
  ask: () => Promise<unknown>,
): Promise<Resident[]> {
  const samples: number[][] = pids.map(() => []);
  const endMs = systemClock.nowMs() + minutes * 60_000;
  while (systemClock.nowMs() < endMs) {
    for (const [i, pid] of pids.entries()) samples[i]?.push(residentMb(pid));
    await Promise.all([ask(), systemClock.sleep(SAMPLE_EVERY_MS)]);
  }
  return samples.map((list) => {
    const endMb = mean(list.slice(-AVERAGED_SAMPLES));
    const middle = list.length >> 1;
    return {
      endMb,
      peakMb: Math.max(...list),
      grownMb: endMb - mean(list.slice(middle, middle + AVERAGED_SAMPLES)),
    };
  });
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
}
