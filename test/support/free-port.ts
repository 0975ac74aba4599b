import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that the system gives to connections and to servers that listen on port 0. */
const FIRST_PORT = 12_000;
const PORTS_PER_PROCESS = 500;
const PROCESSES = 40;

/** Each process has ports of its own: the server that a port is for opens it seconds later. */
const firstOfThisProcess = FIRST_PORT + (process.pid % PROCESSES) * PORTS_PER_PROCESS;
let next = randomInt(PORTS_PER_PROCESS);

/** A port that nobody listens on, and that neither a connection nor another caller gets before its server has started. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS_PER_PROCESS; attempt++) {
    const port = firstOfThisProcess + (next++ % PORTS_PER_PROCESS);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error('no free port');
}
