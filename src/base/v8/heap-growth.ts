import { setFlagsFromString } from 'node:v8';

/**
 * Most of what a process allocates while it starts stays alive, so each full collection finds little to free. V8 reads this
 * flag after every full collection: how much the heap may grow later can be said later.
 */
export const GROWTH_AT_START_PERCENT = 100;

export function heapGrowthFlag(percent: number): string {
  return `--heap-growing-percent=${percent}`;
}

/** How much the heap of each thread may grow, from its next full collection on. Only in a process that began with more. */
export function limitHeapGrowth(percent: number): void {
  if (process.execArgv.includes(heapGrowthFlag(GROWTH_AT_START_PERCENT)))
    setFlagsFromString(heapGrowthFlag(percent));
}
