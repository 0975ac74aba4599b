import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/settings.ts';
import { startCollectorService } from '../../src/wiring/collector-service.ts';
import type { startLocalService } from '../../src/wiring/local-service.ts';
import { startService } from '../../src/wiring/service.ts';
import { until } from '../support/until.ts';

/** A port on which another program listens, until the test ends. */
export async function usedPort(t: TestContext): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  return String((other.address() as AddressInfo).port);
}

/** The files of a self-signed certificate. */
export function certificateIn(folder: string): { TLS_CERT: string; TLS_KEY: string } {
  const [TLS_CERT, TLS_KEY] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=x'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', TLS_KEY, '-out', TLS_CERT], {
    stdio: 'pipe',
  });
  return { TLS_CERT, TLS_KEY };
}

/** What keeps this process alive: sockets, servers, timers, threads. */
function active(): Record<string, number> {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length]));
}

/** Starts a service that cannot start, and waits until nothing that it has started keeps the process alive. */
export async function assertFailsCleanly(
  settings: Record<string, string>,
  wanted: RegExp,
  start: typeof startLocalService | typeof startCollectorService | typeof startService = settings.ROLE ===
  'collector'
    ? startCollectorService
    : startService,
): Promise<void> {
  const before = active();
  const common = { PORT: '0', ADMIN_PORT: '0', VENUES: 'binance', VENUES_URL: 'http://127.0.0.1:1' };
  await assert.rejects(
    start({ settings: readSettings([], { ...common, ...settings }), log: createLog('silent') }),
    wanted,
  );
  const left = () => Object.entries(active()).filter(([kind, count]) => count > (before[kind] ?? 0));
  // `until` waits with a timer of its own, but not while it asks.
  await until(
    () => left().length === 0,
    `the end of everything that was started (${JSON.stringify(left())})`,
  );
}

/** Ports and addresses on which a service cannot listen. `dataDir` makes a folder of that name. */
export function testListening(
  name: string,
  settings: Record<string, string>,
  dataDir: (name: string) => string,
): void {
  test(`${name}: the port is in use`, async (t) => {
    const PORT = await usedPort(t);
    await assertFailsCleanly(
      { ...settings, DATA_DIR: dataDir('port'), PORT },
      /cannot listen: .*EADDRINUSE.*choose another --host or --port/,
    );
  });

  test(`${name}: the admin port is in use`, async (t) => {
    const ADMIN_PORT = await usedPort(t);
    await assertFailsCleanly(
      { ...settings, DATA_DIR: dataDir('admin port'), ADMIN_PORT },
      /cannot listen: .*EADDRINUSE.*choose another --admin-host or --admin-port/,
    );
  });

  test(`${name}: an address that this machine does not have`, async () => {
    await assertFailsCleanly(
      { ...settings, DATA_DIR: dataDir('host'), HOST: '192.0.2.1' },
      /cannot listen: .*EADDRNOTAVAIL.*choose another --host/,
    );
  });
}
