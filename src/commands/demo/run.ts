import { join } from 'node:path';
import { PLAN_NAMES, PLANS } from '../../accounts/plans.ts';
import { processEnvironment, readSettings, type Settings } from '../../settings.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { type Service, startService } from '../../wiring/service.ts';
import { sayWaiting, untilStopped } from '../command.ts';
import type { DemoThreadData } from './collector-worker.ts';
import type { DemoFlags } from './flags.ts';
import { DEMO_HISTORY_DAYS } from './history.ts';
import { DEMO_PASSWORD, type DemoKeys, demoKeys } from './keys.ts';
import type { Simulator } from './simulator.ts';

const KEYS_FILE = 'demo-keys.json';

/** Runs until a signal comes. Rejects if the simulator ends. */
export async function runDemo(flags: DemoFlags, simulator: Simulator): Promise<void> {
  const settings = demoSettings(flags, simulator.url);
  // Throws for wrong flags before anything is stored.
  chosenVenues(settings.venues);
  const extra: DemoThreadData = { flags, simUrl: simulator.url };
  const service = await startService({
    settings,
    collector: { entry: new URL('./collector-worker.ts', import.meta.url), extra },
  });
  try {
    const stopped = untilStopped();
    const ended = Promise.race([stopped, simulator.ended]);
    ended.catch(() => undefined);
    service.startCollecting();
    const keys = await demoKeys(service, join(flags.data, KEYS_FILE));
    if (!isServing(service)) await Promise.race([service.thread?.collecting(), ended]);
    announce(service, simulator.url, keys);
    await ended;
  } finally {
    await service.stop(sayWaiting);
  }
}

/** Whether the lists of the last run answer already, live and delayed. */
function isServing({ entrance: { data, clock } }: Service): boolean {
  const lists = [data.funding, data.spreads, data.arbitrage, ...Object.values(data.backtest)];
  return lists.every((list) =>
    [0, PLANS.demo.delaySeconds].every((delaySeconds) => list.at(delaySeconds, clock.nowMs()) !== null),
  );
}

/** For measurements and tests, which are many visitors at one address. */
const LIMITS = ['TRUSTED_PROXIES', 'VISITOR_WORK_MS', 'VISITORS_WORK_MS', 'ACCOUNT_WORK_MS'];

function ofEnvironment(names: readonly string[]): Record<string, string | undefined> {
  const environment = processEnvironment();
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

function demoSettings(flags: DemoFlags, simUrl: string): Settings {
  const given = {
    port: flags.port,
    'admin-port': '0',
    'data-dir': flags.data,
    venues: flags.venues,
    'venues-url': simUrl,
    'history-days': String(DEMO_HISTORY_DAYS),
    'history-paced': 'false',
    // A receiver on this machine can show an alert; the demo is reached from this machine only.
    'alert-networks': 'loopback',
  };
  return readSettings(
    Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
    // The simulated market has coins with wrong prices on purpose; warnings about them would come before anything else.
    { LOG_LEVEL: 'error', ...ofEnvironment(['LOG_LEVEL', ...LIMITS]) },
  );
}

function announce(service: Service, simUrl: string, keys: DemoKeys): void {
  console.log(`Perpwire demo: the whole service on simulated venues, at ${service.baseUrl}\n`);
  for (const plan of PLAN_NAMES) console.log(`  ${PLANS[plan].title.padEnd(10)} ${keys[plan]}`);
  console.log(`
  curl -H "Authorization: Bearer ${keys.pro}" "${service.baseUrl}/api/v1/funding?limit=3"
  curl -H "X-Api-Key: ${keys.demo}" "${service.baseUrl}/api/v1/coins?q=BT"

Sign in at ${service.baseUrl}/sign-in as pro@demo.perpwire.invalid (or demo@, developer@, business@) with the password ${DEMO_PASSWORD}.
To see an alert arrive, start examples/alert-receiver.ts; examples/README.md says how.
Assistants connect to ${service.baseUrl}/mcp with a key or by signing in.

Switch on a fault of a venue while the demo runs: curl -X POST ${simUrl}/control/faults/okx -d '{"html":true}'
Press Ctrl-C to stop.
`);
  console.log(
    JSON.stringify({
      ready: true,
      base_url: service.baseUrl,
      admin_url: service.adminUrl,
      sim_url: simUrl,
      keys,
    }),
  );
}
