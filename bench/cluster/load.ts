import autocannon from 'autocannon';
import { SAMPLE_MS } from '../support/autocannon-samples.ts';

/** Sends requests to each target on one connection per key. */
export interface ClusterLoad {
  targets: readonly { port: number; keys: readonly string[] }[];
  path: string;
  requests: number;
}

export interface ClusterLoadResult {
  requestsPerSecond: number;
  p99Ms: number;
  bad: number;
}

process.on('message', async ({ targets, path, requests }: ClusterLoad) => {
  const startedMs = performance.now();
  const results = await Promise.all(
    targets.map(({ port, keys }) => {
      let connection = 0;
      return autocannon({
        url: `http://127.0.0.1:${port}${path}`,
        connections: keys.length,
        amount: Math.floor(requests / targets.length),
        sampleInt: SAMPLE_MS,
        headers: {},
        setupClient: (client) => client.setHeaders({ 'x-api-key': keys[connection++ % keys.length] ?? '' }),
      });
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const good = results.reduce((sum, one) => sum + one['2xx'], 0);
  const result: ClusterLoadResult = {
    requestsPerSecond: good / seconds,
    p99Ms: Math.max(...results.map((one) => one.latency.p99)),
    bad: results.reduce((sum, one) => sum + one.requests.total + one.errors, 0) - good,
  };
  process.send?.(result);
});
process.on('disconnect', () => process.exit(0));
