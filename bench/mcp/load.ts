import autocannon from 'autocannon';
import { SAMPLE_MS } from '../support/autocannon-samples.ts';

export interface Load {
  url: string;
  key: string;
  requests: number;
  /** Returns the body of the next request. */
  nextBody: () => string;
}

const CONNECTIONS = 16;

/** Sends requests one after the other on each connection and returns how many were answered. */
export async function runLoad({ url, key, requests, nextBody }: Load): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount: requests,
    sampleInt: SAMPLE_MS,
    // A busy machine answers late, but it answers.
    timeout: 120,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        setupRequest: (request) => ({ ...request, body: nextBody() }),
      },
    ],
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${result.errors} errors, ${result.non2xx} refusals from ${url}`);
  return result.requests.total;
}
