import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Of an upload: the headers have about 500 bytes, a small file 2,000. */
const HEADERS_AND_SOME = 1000;

/**
 * Passes bytes on to a server, but of the upload of one path only a part of the body. `isHeld` says whether that has
 * happened.
 */
export async function holdingUploads(
  t: TestContext,
  serverUrl: string,
  path: string,
): Promise<{ url: string; isHeld: () => boolean }> {
  let isHeld = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(serverUrl).port), '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    upstream.pipe(client);
    let left = Number.POSITIVE_INFINITY;
    client.on('data', (bytes: Buffer) => {
      if (bytes.toString('latin1').startsWith(`PUT ${path} `)) left = HEADERS_AND_SOME;
      upstream.write(bytes.subarray(0, Math.max(0, left)));
      left -= bytes.length;
      isHeld ||= left < 0;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isHeld: () => isHeld };
}
