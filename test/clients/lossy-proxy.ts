import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes requests on to the service, and can fail as a service does that dies in the middle of an answer. */
export class LossyProxy {
  readonly #target: string;
  readonly #server: Server;
  /** The addresses that were requested, failed tries too. */
  readonly requested: string[] = [];
  /** For which of the coming requests the connection breaks: 0 is the next one. */
  #broken = new Set<number>();
  port = 0;

  constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      this.requested.push(request.url ?? '');
      const isBroken = this.#broken.has(0);
      this.#broken = new Set([...this.#broken].filter((at) => at > 0).map((at) => at - 1));
      const headers = { authorization: request.headers.authorization ?? '', 'accept-encoding': 'identity' };
      fetch(`${this.#target}${request.url}`, { headers }).then(async (reply) => {
        const body = Buffer.from(await reply.arrayBuffer());
        response.writeHead(reply.status, {
          'content-type': reply.headers.get('content-type') ?? '',
          'content-length': body.length,
        });
        if (!isBroken) return response.end(body);
        return response.write(body.subarray(0, body.length / 2), () => response.destroy());
      });
    });
  }

  breakAt(...requests: number[]): void {
    this.#broken = new Set(requests);
  }

  /** Listens; after `stop` again on the same port. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
