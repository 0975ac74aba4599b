import autocannon from 'autocannon';

/** Where to send how much, with which keys: one connection for each. */
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
        headers: {},
        setupClient: (client) => client.setHeaders({ 'x-api-key': keys[connection++ % keys.length] ?? '' }),
      });
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const good = results.reduce((sum, result) => sum + result['2xx'], 0);
  const told: ClusterLoadResult = {
    requestsPerSecond: good / seconds,
    p99Ms: Math.max(...results.map((result) => result.latency.p99)),
    bad: results.reduce((sum, result) => sum + result.requests.total + result.errors, 0) - good,
  };
  process.send?.(told);
});
process.on('disconnect', () => process.exit(0));
