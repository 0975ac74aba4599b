import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { type Rest, startRest } from './rest-service.ts';

interface Page {
  data: unknown[];
  meta: { url: string; count: number };
}

/** Sends all requests before reading an answer, and returns the bodies in order. */
function sentAtOnce(rest: Rest, paths: readonly string[], isEnded = false): Promise<Page[]> {
  const { hostname, port } = new URL(rest.service.baseUrl);
  const key = rest.keys.business;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`);
    socket.write(heads.join(''));
    if (isEnded) socket.end();
    socket.on('close', () => reject(new Error(`closed after ${pages.length} answers`)));
    const pages: Page[] = [];
    let unread = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, typeof bytes === 'string' ? Buffer.from(bytes) : bytes]);
      for (let head = unread.indexOf('\r\n\r\n'); head >= 0; head = unread.indexOf('\r\n\r\n')) {
        const length = /content-length: (\d+)/i.exec(unread.toString('latin1', 0, head))?.[1];
        const end = head + 4 + Number(length);
        if (!(unread.length >= end)) return;
        try {
          pages.push(JSON.parse(unread.toString('utf8', head + 4, end)) as Page);
        } catch (error) {
          reject(error);
        }
        unread = unread.subarray(end);
      }
      if (pages.length < paths.length) return;
      socket.destroy();
      resolve(pages);
    });
  });
}

/** Node ends a connection whose client has closed its side, so an answer that first waits for Redis comes too late. */
const WAITS_FOR_REDIS =
  process.env.PERPWIRE_TEST_BACKEND === undefined
    ? false
    : 'with Redis, answers come after the end of the connection';

suite('pipelined requests', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest();
  });
  after(() => rest.stop());

  test('each gets its own page', async () => {
    const queries = Array.from({ length: 8 }, (_, i) => `min_volume_usdt=${i}&limit=${i + 1}`);
    const pages = await sentAtOnce(
      rest,
      queries.map((query) => `/api/v1/funding?${query}`),
    );
    assert.deepEqual(
      pages.map(({ data, meta }) => [data.length, meta.count, new URL(meta.url).search]),
      queries.map((_, i) => [i + 1, i + 1, `?min_volume_usdt=${i}`]),
    );
  });

  test('a client that closes its side right after the request gets the answer', {
    skip: WAITS_FOR_REDIS,
  }, async () => {
    const [page] = await sentAtOnce(rest, ['/api/v1/funding?limit=3'], true);
    assert.equal(page?.data.length, 3);
  });
});
