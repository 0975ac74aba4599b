import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const PORT_ATTEMPTS = 600;

/**
 * A port that nobody listens on, from below those that the system gives to connections: one of them could take it before
 * the server that it is for has started, or while that one is stopped.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(12_000, 32_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error('no free port');
}
