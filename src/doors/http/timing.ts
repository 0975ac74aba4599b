import type { ServerResponse } from 'node:http';
import type { Metrics } from '../../base/metrics.ts';

/** Timing one request costs as much as a part of answering it, so only one in this many is timed. */
export const TIMED_ONE_IN = 64;

/** Call it with every response that begins; the path must be one of few. */
export function responseTimer({ requestSeconds }: Pick<Metrics, 'requestSeconds'>) {
  let begun = 0;
  return (response: ServerResponse, path: string): void => {
    if (++begun % TIMED_ONE_IN !== 0) return;
    const startedMs = performance.now();
    response.once('finish', () => requestSeconds.observe({ path }, (performance.now() - startedMs) / 1000));
  };
}
