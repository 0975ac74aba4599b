import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pino } from 'pino';
import type { Reply } from '../support/service.ts';
import { FuzzConnection, type FuzzReply } from './fuzz-client.ts';
import { type HostileRequest, hostileRequest } from './hostile-requests.ts';
import { seededRandom } from './random.ts';
import { assertProblem, fillEveryPart, startRest } from './rest-service.ts';

const CONNECTIONS = 12;
/** Windows and the rejected-key guard are tested elsewhere; here they must not refuse the requests first. */
const REQUESTS_PER_MINUTE = 400;
const SEED = 20_261_114;

/** Random and hostile requests, the same ones each time. */
export function fuzz(requests: number): void {
  suite(`${requests.toLocaleString('en')} random and hostile requests`, () => {
    test('see no 5xx, no crash, and a valid problem body each time', async () => {
      const failures: string[] = [];
      const log = pino(
        { level: 'error' },
        { write: (line: string) => failures.push(`logged: ${line.slice(0, 600)}`) },
      );
      const rest = await startRest({ serviceOptions: { log } });
      await fillEveryPart(rest);
      const { baseUrl } = rest.service;
      const port = Number(new URL(baseUrl).port);
      const keys = [rest.keys.pro, rest.keys.business, rest.keys.business];
      const random = seededRandom(SEED);
      const document = await rest.get('/api/v1/openapi.json');
      const known = { path: '/api/v1/openapi.json', etag: document.headers.get('etag') ?? '' };
      const counts = new Map<number, number>();
      let sent = 0;

      const work = async () => {
        const connection = new FuzzConnection(port);
        while (sent < requests && failures.length < 20) {
          if (++sent % REQUESTS_PER_MINUTE === 0) rest.clock.advanceMs(61_000);
          const request = hostileRequest(random, keys, known);
          const reply = await connection.send(request.bytes, {
            hasBody: !request.isHead,
            isLast: request.isBroken,
          });
          counts.set(reply?.status ?? 0, (counts.get(reply?.status ?? 0) ?? 0) + 1);
          const fault = faultOf(request, reply, baseUrl);
          if (fault !== null) failures.push(`${fault}\n  ${request.what}\n  ${reply?.text.slice(0, 300)}`);
        }
        connection.close();
      };
      let alive: Reply;
      try {
        await Promise.all(Array.from({ length: CONNECTIONS }, work));
        alive = await rest.get('/api/v1/funding?limit=1&after=all');
      } finally {
        await rest.stop();
      }
      assert.deepEqual(failures, []);
      assert.equal(alive.status, 200);
      assert.deepEqual(Object.keys(Object.prototype), [], 'nobody has got at the prototype');
      assert.equal(sent >= requests, true);
      // Every kind of answer occurred at least once in a thousand requests, so no early check hides the others.
      for (const status of [200, 204, 304, 400, 401, 404, 405])
        assert.ok(
          (counts.get(status) ?? 0) >= requests / 1000,
          `${status}: ${counts.get(status) ?? 0} times`,
        );
    });
  });
}

/** What is wrong with an answer; null if nothing is. */
function faultOf(request: HostileRequest, reply: FuzzReply | null, baseUrl: string): string | null {
  if (!reply) return 'no answer';
  const { status, headers, text } = reply;
  if (status >= 500) return `status ${status}`;
  if (!headers.has('x-request-id')) return `${status} without a request id`;
  if (request.isHead || text === '')
    return status >= 400 && !request.isHead ? `${status} without a body` : null;
  try {
    if (status < 400) {
      JSON.parse(text);
      return null;
    }
    const body = assertProblem({ status, text, header: (name) => headers.get(name) ?? null }, baseUrl);
    return body.instance === headers.get('x-request-id') ? null : 'another request id in the body';
  } catch (error) {
    return `${status}: ${error instanceof Error ? error.message : error}`;
  }
}
