import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { assertProblem, type Rest, startRest } from '../rest/rest-service.ts';

suite('a bucket that refuses', () => {
  let rest: Rest;
  let body = '';
  const lines: string[] = [];
  const bucket = createServer((_request, response) => response.writeHead(403).end(body));
  before(async () => {
    await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
    rest = await startRest({
      isEmpty: true,
      settings: {
        LAKE_URL: 's3://prices/lake',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
      },
      serviceOptions: { log: createLog('warn', { write: (line: string) => void lines.push(line) }) },
    });
  });
  after(async () => {
    await rest.stop();
    bucket.closeAllConnections();
    bucket.close();
  });

  for (const path of ['/lake/manifest.json', '/lake/prints/2026-11-13.parquet'])
    test(`503 for ${path}, and the log names the store`, async () => {
      for (const [xml, reason] of [
        ['<Error><Code>AccessDenied</Code></Error>', 'the key may not do this'],
        ['', 'the server answered 403'],
        ['<Error><Code>\u001b[2J</Code></Error>', 'the server answered 403: [2J'],
      ] as const) {
        body = xml;
        lines.length = 0;
        const { status, text, headers } = await rest.get(path);
        const problem = assertProblem(
          { status, text, header: (name) => headers.get(name) },
          rest.service.baseUrl,
        );
        assert.deepEqual(
          [status, problem.code, headers.get('retry-after')],
          [503, 'snapshot-unavailable', '60'],
        );
        assert.doesNotMatch(text, /s3:|prices/, 'callers do not learn where the files are');
        const said = lines.map((line) => JSON.parse(line) as { reason?: string }).find((line) => line.reason);
        assert.ok(said?.reason?.startsWith(`s3://prices/lake: ${reason}`), `${said?.reason}`);
      }
    });
});
