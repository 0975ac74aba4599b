import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { Caller } from '../../src/accounts/keys/directory.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { mcpDoor } from '../../src/doors/mcp/mcp.ts';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { Entrance } from '../../src/operations/access/entrance.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { collectOnce, runService } from '../../test/support/service.ts';

/** The measured process: the MCP door, and beside it a bare Fastify route that sends the same bytes. */
const COINS = 150;
/** Rate-limit windows are counted as usual, but larger: a load test would use up a real window at once. */
const MANY = 1_000_000;

const running = await runService({
  venues: ['binance', 'bybit', 'okx', 'bitget', 'gate', 'mexc'],
  coins: COINS,
});
await collectOnce(running);
// From here on only requests use CPU time.
await Promise.all(running.service.collectors.map((collector) => collector.stop()));
await running.sim.close();
const { accounts, entrance, metrics, log } = running.service;
const widened = new Map<Caller, Caller>();
const wide = (caller: Caller): Caller => {
  const known = widened.get(caller);
  if (known) return known;
  const made = { ...caller, plan: { ...caller.plan, requestsPerMinute: MANY, requestsPerMonth: MANY * 100 } };
  widened.set(caller, made);
  return made;
};

const ready = createHttpServer({ baseUrl: () => '', trustedProxies: [], log, metrics });
const port = await listen(ready);
await ready.close();
const baseUrl = `http://127.0.0.1:${port}`;
const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
await server.register(
  mcpDoor({
    entrance: new Entrance({
      authenticate: (key, memory) => {
        const known = accounts.authenticate(key, memory);
        return known.ok ? { ok: true, caller: wide(known.caller) } : known;
      },
      windows: accounts.windows,
      rejectedKeys: accounts.rejectedKeys,
      clock: running.clock,
      baseUrl,
      isApiEnabled: true,
      data: entrance.data,
    }),
    tools: toolsOf(OPERATIONS),
    operations: OPERATIONS,
    findGrant: async () => 'unknown',
    origins: { baseUrl, allowedOrigins: [], allowedHosts: [] },
    challenge: { metadataUrl: baseUrl },
    metrics,
    log,
  }),
);
await server.listen({ host: '127.0.0.1', port });

const bare = Fastify();
let sameBytes = Buffer.alloc(0);
bare.post('/mcp', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(sameBytes);
});
const barePort = await listen(bare);

process.on('message', async (message: { bytes?: string; stop?: boolean }) => {
  if (message.bytes !== undefined) sameBytes = Buffer.from(message.bytes);
  if (message.stop) {
    await Promise.all([server.close(), bare.close()]);
    await running.service.stop();
    process.send?.('stopped', () => process.disconnect?.());
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.send?.({
  mcpUrl: `${baseUrl}/mcp`,
  bareUrl: `http://127.0.0.1:${barePort}/mcp`,
  key: running.keys.business,
});

async function listen(fastify: { listen(where: object): Promise<string>; server: { address(): unknown } }) {
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  return (fastify.server.address() as AddressInfo).port;
}
