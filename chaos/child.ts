import { flushCompileCache } from 'node:module';
import type { Alerts } from '../src/alerts/alerts.ts';
import { ManualClock } from '../src/base/clock.ts';
import { createLog } from '../src/base/log.ts';
import { processEnvironment, readSettings } from '../src/settings.ts';
import { startCollectorService } from '../src/wiring/collector-service.ts';
import { type Service, startService } from '../src/wiring/service.ts';
import { measure } from './soak/measure.ts';
import { ClockOfThreads } from './thread-clock.ts';
import type { Message, Order, Request } from './world/messages.ts';

/**
 * One process of the service, as `perpwire serve` starts it, but on a clock that the run moves by messages. Started by
 * `world/member.ts` with CHAOS_NOW_MS and the settings in the environment.
 */
const environment = processEnvironment();
const clock = new ManualClock(Number(environment.CHAOS_NOW_MS));
const settings = readSettings([], environment);
const log = createLog(settings.logLevel);
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
/** A run that was killed must leave no service behind. */
process.on('disconnect', () => process.exit(0));

const say = (message: Message) => process.send?.(message);

const threads = new ClockOfThreads(clock);

interface Started {
  service: Service | null;
  baseUrl: string;
  adminUrl: string;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  if (settings.role === 'collector') {
    const collector = await startCollectorService({ settings, clock, log });
    return { service: null, baseUrl: '', adminUrl: collector.adminUrl, stop: collector.stop };
  }
  const entry = new URL('./collector-worker.ts', import.meta.url);
  const service = await startService({ settings, clock, log, collector: { entry } });
  service.startCollecting();
  await service.thread?.collecting();
  return { service, baseUrl: service.baseUrl, adminUrl: service.adminUrl, stop: service.stop };
}

async function obey(order: Order, { service, stop }: Started): Promise<unknown> {
  if (order.order === 'advance') return await threads.move(clock.nowMs() + order.byMs);
  if (order.order === 'walk') return await threads.walk(clock.nowMs() + order.byMs);
  if (order.order === 'step clock') return await threads.step(order.byMs);
  if (order.order === 'kill thread') return await killThread(service);
  if (order.order === 'measure') return await measure();
  if (order.order === 'stop') return await stop();
  if (!service) throw new Error('a collector has no accounts');
  if (order.order === 'create alert') return await createAlert(order, service.alerts.alerts);
  const { accounts, keys } = service.accounts;
  if (order.order === 'create account')
    return (await accounts.create({ name: 'chaos', plan: order.plan as 'demo' })).id;
  if (order.order === 'revoke key') return (await keys.revoke(order.keyId)).id;
  const created = await keys.create({ accountId: order.accountId, name: 'chaos', kind: 'test' });
  return { keyId: created.key.id, text: created.text };
}

/** Resolves to whether there was a thread, once it collects again. */
async function killThread(service: Service | null): Promise<boolean> {
  if (!service?.thread) return false;
  await service.thread.kill();
  threads.collectorEnded();
  await service.thread.collecting();
  return true;
}

async function createAlert(
  { accountId, url, rule }: Extract<Order, { order: 'create alert' }>,
  alerts: Alerts,
): Promise<string> {
  const { endpoint } = await alerts.createEndpoint(accountId, 'webhook', { url });
  await alerts.sendCode(accountId, endpoint.id);
  const { id } = await alerts.createRule(accountId, {
    name: 'chaos',
    operation: 'funding',
    query: '',
    condition: {
      kind: 'crosses',
      figure: 'rate_pct',
      direction: 'above',
      bound: rule.boundPct,
      hysteresis: rule.hysteresisPct,
      reportsReturn: true,
    },
    everyMinutes: 0,
    endpointIds: [endpoint.id],
  });
  return id;
}

const started = await start().catch((error: unknown) => {
  say({ kind: 'failed to start', reason: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
process.on('message', ({ id, order }: Request) => {
  obey(order, started).then(
    (result) => say({ kind: 'done', id, result, cpuMs: cpuMs() }),
    (error: unknown) => say({ kind: 'refused', id, reason: String(error) }),
  );
});
// Most of these processes are killed, which would lose it.
flushCompileCache();
say({ kind: 'ready', baseUrl: started.baseUrl, adminUrl: started.adminUrl });

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
