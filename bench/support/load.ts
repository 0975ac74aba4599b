import autocannon from 'autocannon';
import { SAMPLE_MS } from './autocannon-samples.ts';
import { type Endpoint, pathOf, queriesOf } from './rest-queries.ts';

/** What to send. With `endpoint` every request has another query, else all request `path`. */
export interface Load {
  port: number;
  requests: number;
  headers: Record<string, string>;
  path: string;
  endpoint: Endpoint | null;
  /** Seed of the random queries. */
  seed: number;
  /** Requests at the same time; 16 if absent. */
  connections?: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  p99Ms: number;
  /** Answers with a status other than 2xx and 3xx, and broken connections. */
  bad: number;
}

const CONNECTIONS = 16;
/** Per connection: far more than the answer cache holds, in case a run starts over. */
const QUERIES = 2_000;

process.on('message', async (wanted: Load) => {
  const { port, requests, headers, path, endpoint, seed, connections = CONNECTIONS } = wanted;
  let connection = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    amount: requests,
    sampleInt: SAMPLE_MS,
    // A busy machine answers late, but it answers.
    timeout: 120,
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
  const loaded: LoadResult = {
    requests: good,
    seconds: result.duration,
    p99Ms: result.latency.p99,
    bad: result.requests.total - good + result.errors,
  };
  process.send?.(loaded);
});
process.on('disconnect', () => process.exit(0));
