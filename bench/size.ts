/**
 * How much a run measures: `--quick` takes a few minutes and shows every ratio, `--tiny` only proves that a case runs. Cases
 * read it when they are loaded.
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
