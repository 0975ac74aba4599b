import { connect, createServer, type Socket } from 'node:net';

interface SlowProxy {
  port: number;
  /** What a client sends arrives this much later; 0: at once. */
  delayMs: number;
  close(): Promise<void>;
}

/** A TCP proxy in front of a server on this machine. */
export async function slowProxy(serverPort: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    far.on('data', (bytes) => near.write(bytes));
    // One after the other, so that a shorter delay does not overtake a longer one.
    let sent = Promise.resolve();
    near.on('data', (bytes) => {
      const due = proxy.delayMs === 0 ? null : new Promise((resolve) => setTimeout(resolve, proxy.delayMs));
      sent = sent.then(async () => {
        await due;
        far.write(bytes);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('no address');
  const proxy: SlowProxy = {
    port: address.port,
    delayMs: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
