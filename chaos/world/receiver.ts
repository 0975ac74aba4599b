import { createServer } from 'node:http';
import type { ReceivedAlert } from '../invariants/alerts.ts';

/** A web server that takes the webhooks of the service. */
export interface Receiver {
  url: string;
  close(): Promise<void>;
}

export async function startReceiver(onAlert: (alert: ReceivedAlert) => void): Promise<Receiver> {
  const server = createServer((request, reply) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const sent = JSON.parse(text) as ReceivedAlert & { challenge?: string };
      if (sent.challenge !== undefined) return reply.writeHead(200).end(sent.challenge);
      onAlert(sent);
      reply.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}/alerts`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
