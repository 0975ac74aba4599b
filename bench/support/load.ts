import autocannon from 'autocannon';
import { type Endpoint, pathOf, queriesOf } from './rest-queries.ts';

/** What to send. With `endpoint` every request asks something else, else all ask for `path`. */
export interface Load {
  port: number;
  requests: number;
  headers: Record<string, string>;
  path: string;
  endpoint: Endpoint | null;
  /** Another one asks other questions. */
  seed: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  p99Ms: number;
  /** Answers with another status than 200 and 304, and broken connections. */
  bad: number;
}

const CONNECTIONS = 16;
/** Per connection; far more than the answer cache holds, should a run come round to the first again. */
const QUERIES = 2_000;

process.on('message', async ({ port, requests, headers, path, endpoint, seed }: Load) => {
  let connection = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections: CONNECTIONS,
    amount: requests,
    headers,
    ...(endpoint === null
      ? {}
      : {
          setupClient: (client) => {
            const queries = queriesOf(endpoint, QUERIES, seed + connection++);
            client.setRequests(queries.map((query) => ({ path: pathOf(endpoint, query) })));
          },
        }),
  });
  const good = result['2xx'] + result['3xx'];
  const told: LoadResult = {
    requests: good,
    seconds: result.duration,
    p99Ms: result.latency.p99,
    bad: result.requests.total - good + result.errors,
  };
  process.send?.(told);
});
process.on('disconnect', () => process.exit(0));
