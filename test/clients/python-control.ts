import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProblemCode } from '../../src/base/problems.ts';
import { fillEveryPart, type Rest } from '../rest/rest-service.ts';
import { collectOnce } from '../support/service.ts';
import { serveManyRows, serveProblem } from './client-service.ts';
import { LossyProxy } from './lossy-proxy.ts';

type Values = Readonly<Record<string, unknown>>;
type Commands = Readonly<Record<string, (values: Values) => unknown>>;

/** Lets tests in another language change the service that they call: `POST /<command>` with a JSON object. */
export async function startControl(rest: Rest, streams: { cut(): void; heal(): void }) {
  const proxy = new LossyProxy(rest.service.baseUrl);
  const proxyUrl = await proxy.start();
  const commands: Commands = { ...serviceCommands(rest), ...proxyCommands(proxy), ...streams };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const command = commands[(request.url ?? '').slice(1)];
    try {
      if (!command) throw new Error(`there is no command ${request.url}`);
      const result = await command(JSON.parse(Buffer.concat(chunks).toString()) as Values);
      response.end(JSON.stringify(result ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    proxyUrl,
    stop: async () => {
      server.close();
      await proxy.stop();
    },
  };
}

function serviceCommands(rest: Rest): Commands {
  const { service, clock } = rest;
  let restore = () => undefined as unknown;
  let pump: NodeJS.Timeout | undefined;
  return {
    key: async ({ plan, scopes }) => {
      const wanted = scopes === undefined ? {} : { scopes: scopes as string[] };
      const { text, key } = await rest.newKey(plan as 'demo', wanted);
      return { key: text, id: key.id };
    },
    revoke: ({ id }) => service.accounts.keys.revoke(id as string),
    advance: ({ ms }) => clock.advanceMs(ms as number),
    publish: async () => {
      clock.advanceMs(61_000);
      await collectOnce(rest);
      await fillEveryPart(rest);
    },
    /** Moves the clock, on which streams send their events. */
    pump: ({ isOn }) => {
      clearInterval(pump);
      if (isOn) pump = setInterval(() => clock.advanceMs(300), 5);
    },
    /** Makes /funding fail with the problem that the service raises for this code. */
    fail: ({ code, retryAfterSeconds }) => {
      restore = serveProblem(rest, code as ProblemCode, retryAfterSeconds as number | undefined);
    },
    manyRows: () => {
      restore = serveManyRows(rest);
    },
    restore: () => restore(),
  };
}

function proxyCommands(proxy: LossyProxy): Commands {
  return {
    breakAt: ({ requests }) => proxy.breakAt(...(requests as number[])),
    requested: () => proxy.requested,
    stopProxy: () => proxy.stop(),
    startProxy: () => proxy.start(),
  };
}
