import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { suite, test } from 'node:test';
import { EventConnection } from '../../src/doors/streams/event-connection.ts';
import { until } from '../support/until.ts';

suite('a client that leaves before its stream starts', () => {
  test('frees its place, and is followed no longer', async () => {
    const events: string[] = [];
    const server = createServer((_request, response) => {
      // As while its quota is counted in Redis.
      response.once('close', () =>
        setImmediate(() => {
          const release = () => events.push('place freed');
          const spender = { spend: <Result>(run: () => Result) => run(), hasTime: true };
          const connection = new EventConnection({ response, isGzip: false, release, spender });
          connection.start(['content-type', 'text/event-stream']);
          connection.onClose(() => events.push('left'));
          assert.ok(connection.isEnded);
          events.push('joined');
        }),
      );
      client.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await until(() => events.includes('joined'));
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(events, ['place freed', 'left', 'joined']);
  });
});
