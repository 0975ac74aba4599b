import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Alerts } from '../src/alerts/alerts.ts';
import { ManualClock } from '../src/base/clock.ts';
import { createLog } from '../src/base/log.ts';
import { processEnvironment, readSettings } from '../src/settings.ts';
import { startCollectorService } from '../src/wiring/collector-service.ts';
import { type LocalService, startLocalService } from '../src/wiring/local-service.ts';
import { measure } from './soak/measure.ts';
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

let callsUnderWay = 0;
let callsStarted = 0;
subscribe('undici:request:create', () => {
  callsUnderWay++;
  callsStarted++;
});
for (const end of ['undici:request:trailers', 'undici:request:error']) subscribe(end, () => callsUnderWay--);

/** The event loop turns so often without a new call before the process counts as idle. */
const IDLE_TURNS = 4;

async function untilIdle(): Promise<void> {
  for (let idleTurns = 0, seen = callsStarted; idleTurns < IDLE_TURNS; ) {
    // A process that only waits for replies leaves the processor to the simulator.
    await (callsUnderWay > 0 ? pause(1) : nextTurn());
    idleTurns = callsUnderWay > 0 || callsStarted !== seen ? 0 : idleTurns + 1;
    seen = callsStarted;
  }
}

/** Stops wherever something is due, so that what waits for a short time, such as a request budget, goes on. */
async function walk(toMs: number): Promise<void> {
  for (let nextMs = clock.nextWakeMs; nextMs !== null && nextMs < toMs; nextMs = clock.nextWakeMs) {
    clock.setMs(nextMs);
    await untilIdle();
  }
  clock.setMs(toMs);
  await untilIdle();
}

interface Started {
  service: LocalService | null;
  baseUrl: string;
  adminUrl: string;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  if (settings.role === 'collector') {
    const collector = await startCollectorService({ settings, clock, log });
    return { service: null, baseUrl: '', adminUrl: collector.adminUrl, stop: collector.stop };
  }
  const service = await startLocalService({ settings, clock, log });
  service.startCollecting();
  return { service, baseUrl: service.baseUrl, adminUrl: service.adminUrl, stop: service.stop };
}

async function obey(order: Order, { service, stop }: Started): Promise<unknown> {
  if (order.order === 'advance') {
    clock.advanceMs(order.byMs);
    return await untilIdle();
  }
  if (order.order === 'walk') return await walk(clock.nowMs() + order.byMs);
  if (order.order === 'step clock') return clock.step(order.byMs);
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
