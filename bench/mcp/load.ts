import autocannon from 'autocannon';
import { sized } from '../size.ts';
import { SAMPLE_MS } from '../support/autocannon-samples.ts';
import { runWrk } from '../support/wrk.ts';

export interface Load {
  url: string;
  key: string;
  connections: number;
  /** Returns the body of the next request. */
  nextBody: () => string;
}

/** More than a server answers in one round: a filter that comes again would be cached. */
const BODIES = sized(20_000, 8_000, 100);

/** Sends calls until `isEnough`, and returns how many were answered. */
export async function loadByWrk(
  wrk: string,
  { url, key, connections, nextBody }: Load,
  isEnough: () => Promise<boolean>,
): Promise<number> {
  const made = { method: 'POST' as const, lines: Array.from({ length: BODIES }, nextBody) };
  const { requests, bad } = await runWrk(wrk, { url, headers: headersOf(key), connections, made }, isEnough);
  if (bad > 0 || requests === 0) throw new Error(`${bad} bad answers of ${requests} from ${url}`);
  return requests;
}

/** Where wrk is not installed. It needs more CPU time for an answer than the server, which then waits for requests. */
export async function loadByAutocannon(
  { url, key, connections, nextBody }: Load,
  requests: number,
): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    amount: requests,
    sampleInt: SAMPLE_MS,
    // A busy machine answers late, but it answers.
    timeout: 120,
    requests: [
      {
        method: 'POST',
        headers: headersOf(key),
        setupRequest: (request) => ({ ...request, body: nextBody() }),
      },
    ],
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${result.errors} errors, ${result.non2xx} refusals from ${url}`);
  return result.requests.total;
}

function headersOf(key: string): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${key}` };
}
