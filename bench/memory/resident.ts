import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { SECOND_MS } from '../../src/base/times.ts';

const SAMPLE_EVERY_MS = 2 * SECOND_MS;
/** The resident size moves with every garbage collection, so the last ones are averaged. */
const AVERAGED_SAMPLES = 15;
/** How often the sizes are said meanwhile. */
const SAYS = 4;
/** A service on an overloaded machine answers late; sampling goes on meanwhile. */
const LONGEST_ANSWER_MS = 60 * SECOND_MS;

export interface Resident {
  /** Mean of the last half minute. */
  endMb: number;
  /** Since the process began. */
  peakMb: number;
  /** From the middle of the time to its end. */
  grownMb: number;
  /** CPU time that the process had meanwhile. Little of it on a busy machine means that little was measured. */
  cpuSeconds: number;
  /** How long it was measured. */
  seconds: number;
}

/** Resident memory of a process: what is shared with others, such as the program itself, is included. Linux only. */
function residentMb(pid: number): number {
  const kilobytes = /^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** The most that was resident since the process began, as the kernel has noted it. */
function mostResidentMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Linux counts in hundredths of a second. */
function cpuSeconds(pid: number | 'self', userField: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userField]) + Number(fields[userField + 1])) / 100;
}

/** Of all threads of a process. */
export function cpuSecondsOf(pid: number): number {
  return cpuSeconds(pid, 11);
}

/** Of the processes that this one has started and waited for, with those that they have started. */
export function endedCpuSeconds(): number {
  return cpuSeconds('self', 13);
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/**
 * Samples processes for a time, and meanwhile asks for something every two seconds, one request at a time. Throws if
 * none of them was answered.
 */
export async function residentOver(
  pids: readonly number[],
  seconds: number,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<Resident[]> {
  const samples: number[][] = pids.map(() => []);
  const before = pids.map(cpuSecondsOf);
  const startMs = systemClock.nowMs();
  const passedMs = () => systemClock.nowMs() - startMs;
  let [answered, isAsking, said] = [0, false, 0];
  let lastFault: unknown = 'no request was sent';
  const askOnce = async () => {
    isAsking = true;
    try {
      await ask(AbortSignal.timeout(LONGEST_ANSWER_MS));
      answered++;
    } catch (error) {
      lastFault = error;
    }
    isAsking = false;
  };
  while (passedMs() < seconds * SECOND_MS || (answered === 0 && isAsking)) {
    for (const [i, pid] of pids.entries()) samples[i]?.push(residentMb(pid));
    if (passedMs() >= (said * seconds * SECOND_MS) / SAYS) {
      const sizes = samples.map((list) => `${Math.round(list.at(-1) ?? 0)} MB`).join(' and ');
      console.error(`  ${Math.round(passedMs() / SECOND_MS)} of ${seconds} s: ${sizes}`);
      said++;
    }
    if (!isAsking) void askOnce();
    await systemClock.sleep(SAMPLE_EVERY_MS);
  }
  if (answered === 0) throw new Error('no request was answered', { cause: lastFault });
  return samples.map((list, i) => {
    const endMb = mean(list.slice(-AVERAGED_SAMPLES));
    const middle = list.length >> 1;
    return {
      endMb,
      peakMb: mostResidentMb(pids[i] ?? 0),
      grownMb: endMb - mean(list.slice(middle, middle + AVERAGED_SAMPLES)),
      cpuSeconds: cpuSecondsOf(pids[i] ?? 0) - (before[i] ?? 0),
      seconds: passedMs() / SECOND_MS,
    };
  });
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
}
