import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A TCP proxy to a server, which a test can cut for a single process. */
export async function cutProxy(t: TestContext, port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    if (isSilent) {
      sockets.add(near.on('error', () => undefined));
      return undefined;
    }
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('no address');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  return {
    port: address.port,
    cut,
    /** Keeps the connections open, accepts new ones, and passes nothing on. */
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    heal: () => {
      isCut = false;
    },
  };
}
