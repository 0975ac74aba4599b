/**
 * How much a run measures: `--quick` takes a few minutes and shows every ratio, `--tiny` only proves that a case runs. Cases
 * read it when they are loaded.
 */
export const SIZE: 'full' | 'quick' | 'tiny' = process.argv.includes('--tiny')
  ? 'tiny'
  : process.argv.includes('--quick')
    ? 'quick'
    : 'full';

/**
 * Venues whose first answers come at once, for services of smaller runs: some venues are asked so slowly that a service
 * waits for them for half a minute. None: all venues.
 */
export const FEWER_VENUES: readonly string[] =
  SIZE === 'full' ? [] : ['binance', 'okx', 'bybit', 'gate', 'kraken', 'hyperliquid'];

/** The number for the size of this run. */
export function sized(full: number, quick: number, tiny: number): number {
  return { full, quick, tiny }[SIZE];
}
