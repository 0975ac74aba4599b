/**
 * How much a run measures: `--quick` has every figure in less than five minutes, `--tiny` only proves that a case runs.
 * Cases read it when they are loaded, and pass it on to the processes that they start.
 */
export const SIZE: 'full' | 'quick' | 'tiny' = process.argv.includes('--tiny')
  ? 'tiny'
  : process.argv.includes('--quick')
    ? 'quick'
    : 'full';

/** The number for the size of this run. */
export function sized(full: number, quick: number, tiny: number): number {
  return { full, quick, tiny }[SIZE];
}
