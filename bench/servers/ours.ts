import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openAccounts } from '../../src/accounts/accounts.ts';
import type { Authenticate } from '../../src/accounts/keys/authenticate.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { mcpDoor } from '../../src/doors/mcp/mcp.ts';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { restDoor } from '../../src/doors/rest/rest.ts';
import { streamsDoor } from '../../src/doors/streams/streams.ts';
import type { Table } from '../../src/market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../src/market/timeline.ts';
import { Entrance } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { freePort } from '../../test/support/free-port.ts';
import { madePairs } from '../data/arbitrage.ts';
import { fundingTable, spreadTable } from '../data/tables.ts';

export interface Ours {
  url: string;
  key: string;
}

/**
 * The doors of the service for programs over tables of full size, without a collector. Commands on the standard input:
 * `prepare N` makes the next tables of funding rates, `publish` shows the next one.
 */
const HOST = '127.0.0.1';
/** More requests and streams than any run has. */
const PLENTY = 10_000_000;

const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit(0));

const log = createLog('silent');
const metrics = createMetrics();
const port = await freePort();
const baseUrl = `http://${HOST}:${port}`;
const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'bench.sqlite'), log });
const accounts = await openAccounts({
  ...{ storage, redis: null, clock: systemClock, log, baseUrl, tierGrants: new Map() },
});
const account = await accounts.accounts.create({ name: 'bench', plan: 'business' });
const { text: key } = await accounts.keys.create({ accountId: account.id, name: 'bench', kind: 'test' });
const funding = held(fundingTable());
const spreads = held(spreadTable());
const entrance = new Entrance({
  authenticate: withPlenty(accounts.authenticate),
  windows: accounts.windows,
  rejectedKeys: accounts.rejectedKeys,
  clock: systemClock,
  baseUrl,
  isApiEnabled: true,
  data: {
    venues: VENUES,
    funding: funding.source,
    spreads: spreads.source,
    arbitrage: madePairs(systemClock.nowMs()),
  } as unknown as DataSources,
});
const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
await server.register(streamsDoor({ entrance, operations: OPERATIONS, metrics }));
await server.register(
  mcpDoor({
    entrance,
    tools: toolsOf(OPERATIONS),
    operations: OPERATIONS,
    findGrant: async () => 'unknown',
    origins: { baseUrl, allowedOrigins: [], allowedHosts: [] },
    challenge: { metadataUrl: baseUrl },
    metrics,
    log,
  }),
);
await server.listen({ host: HOST, port });

/** Made in advance, so that only what follows a publication is measured. */
const prepared: Table[] = [];
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, count = '0'] = line.split(' ');
    if (command === 'prepare') {
      for (let round = 1; round <= Number(count); round++) prepared.push(fundingTable(round));
      console.log('prepared');
    }
    const table = command === 'publish' ? prepared.shift() : undefined;
    if (table) funding.publish(table);
  })
  .on('close', () => process.exit(0));
const ready: Ours = { url: baseUrl, key };
console.log(JSON.stringify(ready));

function held(first: Table): { source: TableSource; publish(table: Table): void } {
  let newest: TableSnapshot = { asOfMs: systemClock.nowMs(), table: first };
  return {
    source: {
      at: () => newest,
      exactly: (asOfMs) => (asOfMs === newest.asOfMs ? newest : null),
      after: () => null,
    },
    publish: (table) => {
      newest = { asOfMs: systemClock.nowMs(), table };
    },
  };
}

/** The Business plan without its limits; everything else about the caller is real. */
function withPlenty(authenticate: Authenticate): Authenticate {
  const plan = {
    ...PLANS.business,
    requestsPerMinute: PLENTY,
    requestsPerMonth: PLENTY * 10,
    streamCount: PLENTY,
  };
  const known = new Map<object, ReturnType<Authenticate>>();
  return (keyText) => {
    const found = authenticate(keyText);
    if (!found.ok) return found;
    const lifted = known.get(found.caller) ?? { ok: true, caller: { ...found.caller, plan } };
    known.set(found.caller, lifted);
    return lifted;
  };
}
