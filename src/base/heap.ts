import { setFlagsFromString } from 'node:v8';

/** By how much the heap may outgrow what was alive after the last collection. */
const GROWTH_PERCENT = 25;

/**
 * Replies of venues are megabytes of short-lived objects. V8 lets the heap grow to a multiple of what is alive before
 * it collects, which here is hundreds of megabytes for nothing; collecting more often costs little, most of it aside.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
