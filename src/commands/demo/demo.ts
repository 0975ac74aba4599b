import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PLAN_NAMES, PLANS, type PlanName } from '../../accounts/plans.ts';
import { ManualClock, systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import { DEMO_DELAY_SECONDS } from '../../market/timeline.ts';
import { processEnvironment, readSettings, type Settings } from '../../settings.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import { isRow } from '../../venues/reading.ts';
import type { Poll } from '../../venues/venue.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { type Service, startService } from '../../wiring/service.ts';
import { type Command, UsageError, untilStopped } from '../command.ts';
import { flagsOf, refuseMore } from '../flags.ts';
import { collectForgottenHistory, DEMO_HISTORY_DAYS } from './history.ts';
import { startDemoSamples } from './samples.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAST_STEP_MS = 75 * SECOND_MS;
/** Calls per contract are made at most this often: their values change little from minute to minute. */
const EACH_EVERY_SECONDS = 300;
/** After the simulator's clock moves, its WebSocket messages take this long to arrive. */
const PUSH_SETTLES_MS = 120;

export const demo: Command = {
  help: `perpwire demo [flags]

Starts a venue simulator on the loopback address and the whole service on top of it, with an account and a test key for
each plan. It sends nothing to other machines. The data is kept between runs.

  --port     port of the API; 0 chooses a free one (default 8080)
  --coins    how many coins the simulated venues trade (default 120)
  --venues   venues to simulate, by folder name (binance,okx,...); all by default
  --seed     seed of the simulated market (default 1)
  --data     folder of the data (default data/demo)`,
  run: async (args) => {
    const flags = readFlags(args);
    // Throws for wrong flags before anything starts.
    chosenVenues(demoSettings(flags, 'http://127.0.0.1').venues);
    const simulator = await startSimulator(flags);
    try {
      await runDemo(flags, simulator);
    } finally {
      simulator.process.removeAllListeners('exit');
      simulator.process.kill('SIGTERM');
    }
  },
};

async function runDemo(flags: DemoFlags, simulator: Simulator): Promise<void> {
  const settings = demoSettings(flags, simulator.url);
  const service = await startService({ settings });
  const keys = await demoKeys(service);
  await collectForgottenHistory(service, (atMs) => holdSimulator(simulator.url, atMs));
  await collectPast(service, simulator.url, settings.venues);
  const samples = startDemoSamples(service, simulator.url, Number(flags.coins));
  service.startCollecting();
  announce(service, simulator.url, keys);
  const stopped = untilStopped();
  simulator.process.once('exit', () => process.kill(process.pid, 'SIGTERM'));
  await stopped;
  simulator.process.removeAllListeners('exit');
  await samples.stop();
  await service.stop();
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
  };
  return readSettings(
    Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
    { LOG_LEVEL: processEnvironment().LOG_LEVEL ?? 'warn' },
  );
}

interface DemoFlags {
  port: string;
  coins: string;
  venues: string;
  seed: string;
  data: string;
}

function readFlags(args: readonly string[]): DemoFlags {
  const option = (value: string) => ({ type: 'string' as const, default: value });
  const { values, positionals } = flagsOf(args, {
    port: option('8080'),
    coins: option('120'),
    venues: option(''),
    seed: option('1'),
    data: option(join(ROOT, 'data', 'demo')),
  });
  refuseMore('demo', positionals);
  for (const name of ['coins', 'seed'] as const) {
    if (!/^[1-9]\d{0,5}$/.test(values[name]))
      throw new UsageError(`--${name} takes a whole number from 1 to 999999; it is "${values[name]}"`);
  }
  return values;
}

interface Simulator {
  url: string;
  process: ChildProcess;
}

async function startSimulator(flags: DemoFlags): Promise<Simulator> {
  const args = ['--coins', flags.coins, '--seed', flags.seed, '--venues', flags.venues];
  const child = spawn(process.execPath, [join(ROOT, 'sim/main.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator did not start (exit code ${code})`)));
    createInterface({ input: child.stdout }).once('line', (line) => {
      const announced = simUrlOf(line);
      if (announced === null) child.kill('SIGTERM');
      else resolve(announced);
    });
  });
  child.removeAllListeners('exit');
  return { url, process: child };
}

/** The address in the first line of the simulator's output; null if the line is something else. */
function simUrlOf(line: string): string | null {
  try {
    const announced: unknown = JSON.parse(line);
    const url = isRow(announced) ? announced.sim_url : null;
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/** No secret: the demo listens on the loopback address only. */
const DEMO_PASSWORD = 'perpwire-demo';

/** One account and key per plan. A key is shown only once, so every run revokes the former keys and creates new ones. */
async function demoKeys(service: Service): Promise<Record<PlanName, string>> {
  const keys: Partial<Record<PlanName, string>> = {};
  const { accounts } = service;
  for (const plan of PLAN_NAMES) {
    const email = `${plan}@demo.perpwire.invalid`;
    const account =
      (await accounts.accounts.find(email)) ??
      (await accounts.accounts.create({ name: `Demo of ${PLANS[plan].title}`, email, plan }));
    await service.people.users.setPassword(account.id, DEMO_PASSWORD);
    for (const key of await accounts.keys.list(account.id)) {
      if (key.revokedAtMs === null) await accounts.keys.revoke(key.id);
    }
    keys[plan] = (await accounts.keys.create({ accountId: account.id, name: 'demo', kind: 'test' })).text;
  }
  return keys as Record<PlanName, string>;
}

/** Collects the last 900 s on a manual clock, because the Demo plan reads data of 900 s ago. */
async function collectPast(service: Service, simUrl: string, slugs: readonly string[]): Promise<void> {
  const nowMs = systemClock.nowMs();
  const clock = new ManualClock(nowMs - (DEMO_DELAY_SECONDS + 90) * SECOND_MS);
  const collectors = chosenVenues(slugs).map(
    (venue) => new Collector({ ...service.collectorOptions(venue), clock, isPaced: false }),
  );
  const signal = new AbortController().signal;
  for (let step = 0; clock.nowMs() < nowMs; step++, clock.advanceMs(PAST_STEP_MS)) {
    await holdSimulator(simUrl, clock.nowMs());
    await Promise.all(
      collectors.map((collector) => collector.collectOnce(signal, (poll) => isDue(poll, step))),
    );
    await systemClock.sleep(PUSH_SETTLES_MS);
    await service.publisher.publish(clock.nowMs());
    await service.spreads.print(clock.nowMs());
    await service.listings.publish(clock.nowMs());
  }
  await Promise.all(collectors.map((collector) => collector.stop()));
  await holdSimulator(simUrl, null);
}

/** Whether a poll runs in this step of the past: all in the first one, later those whose period has passed. */
function isDue(poll: Poll, step: number): boolean {
  const everySeconds =
    poll.kind === 'each' ? Math.max(poll.everySeconds, EACH_EVERY_SECONDS) : poll.everySeconds;
  const runsBy = (steps: number) => Math.floor((steps * PAST_STEP_MS) / (everySeconds * SECOND_MS));
  return step === 0 || runsBy(step) > runsBy(step - 1);
}

async function holdSimulator(simUrl: string, atMs: number | null): Promise<void> {
  const reply = await fetch(`${simUrl}/control/time`, {
    method: 'POST',
    body: JSON.stringify(atMs === null ? {} : { atMs }),
  });
  if (!reply.ok) throw new Error(`the simulator refused to move its clock: ${await reply.text()}`);
  await reply.arrayBuffer();
}

function announce(service: Service, simUrl: string, keys: Record<PlanName, string>): void {
  console.log(`Perpwire demo: the whole service on simulated venues, at ${service.baseUrl}\n`);
  for (const plan of PLAN_NAMES) console.log(`  ${PLANS[plan].title.padEnd(10)} ${keys[plan]}`);
  console.log(`
  curl -H "Authorization: Bearer ${keys.pro}" "${service.baseUrl}/api/v1/funding?limit=3"
  curl -H "X-Api-Key: ${keys.demo}" "${service.baseUrl}/api/v1/coins?q=BT"

Sign in at ${service.baseUrl}/sign-in as pro@demo.perpwire.invalid (or demo@, developer@, business@) with the password ${DEMO_PASSWORD}.
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
