/**
 * autocannon ends a run at a sample. At its default of one a second, a round of a few hundred requests would wait for half a
 * second, which is longer than it takes.
 */
export const SAMPLE_MS = 20;
