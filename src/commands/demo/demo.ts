import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PLAN_NAMES, PLANS, type PlanName } from '../../accounts/plans.ts';
import { ManualClock, systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import { DEMO_DELAY_SECONDS } from '../../market/timeline.ts';
import { processEnvironment, readSettings } from '../../settings.ts';
import { Collector } from '../../venues/collector.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { type Service, startService } from '../../wiring/service.ts';
import { type Command, UsageError, untilStopped } from '../command.ts';
import { collectForgottenHistory, DEMO_HISTORY_DAYS } from './history.ts';
import { startDemoSamples } from './samples.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAST_STEP_MS = 60 * SECOND_MS;
const EACH_EVERY_STEPS = 5;
/** Time for pushes over WebSockets to arrive after the simulator's time was moved. */
const PUSH_SETTLES_MS = 120;

export const demo: Command = {
  help: `perpwire demo [flags]

Starts the venue simulator on loopback and the whole service on top of it, with an account and a test key for each
plan. Nothing leaves this machine. Data is kept in data/demo between runs.

  --port     port of the API (default 8080; 0 takes a free one)
  --coins    how many coins the simulated venues trade (default 120)
  --venues   which venues to simulate, by folder name (binance,okx,...); all by default
  --seed     another number gives another market (default 1)
  --data     folder of the data (default data/demo)`,
  run: async (args) => {
    const flags = readFlags(args);
    const venues = flags.venues === '' ? [] : flags.venues.split(',');
    chosenVenues(venues);
    const simulator = await startSimulator(flags, venues);
    const settings = readSettings(
      [
        '--port',
        flags.port,
        '--admin-port',
        '0',
        '--data-dir',
        flags.data,
        '--venues',
        flags.venues,
        '--venues-url',
        simulator.url,
        '--history-days',
        String(DEMO_HISTORY_DAYS),
        '--history-paced',
        'false',
      ],
      { LOG_LEVEL: processEnvironment().LOG_LEVEL ?? 'warn' },
    );
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
    simulator.process.kill('SIGTERM');
  },
};

interface DemoFlags {
  port: string;
  coins: string;
  venues: string;
  seed: string;
  data: string;
}

function readFlags(args: readonly string[]): DemoFlags {
  const option = (value: string) => ({ type: 'string' as const, default: value });
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: option('8080'),
        coins: option('120'),
        venues: option(''),
        seed: option('1'),
        data: option(join(ROOT, 'data', 'demo')),
      },
    });
    for (const name of ['coins', 'seed'] as const) {
      if (!/^[1-9]\d{0,5}$/.test(values[name]))
        throw new UsageError(`--${name} takes a whole number above 0; it is "${values[name]}"`);
    }
    return values;
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(error instanceof Error ? error.message : 'flags cannot be read');
  }
}

async function startSimulator(
  flags: DemoFlags,
  venues: readonly string[],
): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'sim/main.ts'), '--coins', flags.coins, '--seed', flags.seed, '--venues', venues.join(',')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended at once (code ${code})`)));
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve((JSON.parse(line) as { sim_url: string }).sim_url),
    );
  });
  child.removeAllListeners('exit');
  return { url, process: child };
}

/** The demo listens on loopback, for one person; everybody may know it. */
const DEMO_PASSWORD = 'perpwire-demo';

/** One account and key per plan. Keys are shown once, so every run makes new ones in the same slots. */
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

/** The same collectors on a clock that we move: fills the 900 s that Demo readers are behind. */
async function collectPast(service: Service, simUrl: string, slugs: readonly string[]): Promise<void> {
  const nowMs = systemClock.nowMs();
  const clock = new ManualClock(nowMs - (DEMO_DELAY_SECONDS + 90) * SECOND_MS);
  const collectors = chosenVenues(slugs).map(
    (venue) => new Collector({ ...service.collectorOptions(venue), clock, isPaced: false }),
  );
  const signal = new AbortController().signal;
  for (let step = 0; clock.nowMs() < nowMs; step++, clock.advanceMs(PAST_STEP_MS)) {
    await holdSimulator(simUrl, clock.nowMs());
    // What must be asked contract by contract hardly changes from minute to minute.
    await Promise.all(
      collectors.map((collector) =>
        collector.collectOnce(signal, (poll) => step % EACH_EVERY_STEPS === 0 || poll.kind === 'bulk'),
      ),
    );
    await systemClock.sleep(PUSH_SETTLES_MS);
    await service.publisher.publish(clock.nowMs());
    await service.spreads.print(clock.nowMs());
    await service.listings.publish(clock.nowMs());
  }
  await Promise.all(collectors.map((collector) => collector.stop()));
  await holdSimulator(simUrl, null);
}

async function holdSimulator(simUrl: string, atMs: number | null): Promise<void> {
  const reply = await fetch(`${simUrl}/control/time`, {
    method: 'POST',
    body: JSON.stringify(atMs === null ? {} : { atMs }),
  });
  if (!reply.ok) throw new Error(`the simulator refused a time: ${await reply.text()}`);
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

Faults can be switched on while it runs: curl -X POST ${simUrl}/control/faults/okx -d '{"html":true}'
Ctrl-C stops.
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
