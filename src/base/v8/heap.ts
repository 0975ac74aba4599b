import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow over what was alive after the last garbage collection. */
const GROWTH_PERCENT = 25;

/**
 * Replies of venues are megabytes of short-lived objects. By default V8 lets the heap grow to a multiple of the live
 * data before it collects: here hundreds of megabytes of garbage. Collecting more often costs little, most of it on other
 * threads.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
