import { performance } from 'node:perf_hooks';

const { nodeTiming } = performance;

/** Shorter than any full garbage collection, longer than what arrives in a usual turn. */
const LONG_TURN_MS = 4;

/** Work that waits for a shorter turn does so at most this often, so that it goes on when all turns are long. */
export const MAX_LONG_TURNS = 3;

let turn = -1;
let startedMs = 0;
let lookedMs = Number.NEGATIVE_INFINITY;

/**
 * Whether this turn of the event loop has already taken so long that more work should come in the next one: a full garbage
 * collection and a step of some milliseconds are better two turns than one long one. To be called from immediates, which
 * end a turn. Node does not tell when a turn began, so it is counted from the last call in an earlier turn: after a
 * pause the answer is true once. An additional turn takes two microseconds.
 */
export function isTurnLong(): boolean {
  const nowMs = performance.now();
  const { loopCount } = nodeTiming.uvMetricsInfo;
  if (loopCount !== turn) {
    turn = loopCount;
    startedMs = lookedMs;
  }
  lookedMs = nowMs;
  return nowMs - startedMs > LONG_TURN_MS;
}
