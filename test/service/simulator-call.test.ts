import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { callSimulator } from '../../src/wiring/simulator-call.ts';

test('a call of the simulator does not depend on a connection that an earlier call has left', async (t) => {
  const used = new WeakSet<Socket>();
  const server = createServer(({ socket }, reply) => {
    // As a server that has ended an idle connection while the client sends.
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    reply.end('ok');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/control/time`;
  for (let i = 0; i < 3; i++) assert.equal(await text(await callSimulator(url, { body: '{}' })), 'ok');
});
