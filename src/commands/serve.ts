import { keepHeapSmall } from '../base/heap.ts';
import { createLog, type Log } from '../base/log.ts';
import { processEnvironment, readSettings, type Settings, settingsHelp } from '../settings.ts';
import type { VenueHealth } from '../venues/health.ts';
import { type Command, untilStopped } from './command.ts';

const NO_ANSWER_AFTER_MS = 60_000;

export const serve: Command = {
  help: `perpwire serve [flags]

Watches the venues and serves the API. With DATABASE_URL and REDIS_URL any number of processes share the work: each
--role collector watches some of the venues, each --role api answers requests, --role all does both. Every setting is a
flag or an environment variable:

${settingsHelp()}`,
  run: async (args) => {
    keepHeapSmall();
    const settings = readSettings(args, processEnvironment());
    const log = createLog(settings.logLevel);
    // One task that failed in a way that nobody thought of must not end all the others.
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody handled'));
    const stopped = untilStopped();
    const running =
      settings.role === 'collector' ? await collect(settings, log) : await answer(settings, log);
    const complaint = setTimeout(() => {
      const report = settings.role === 'api' ? null : silenceReport(running.health());
      if (report !== null) console.error(report);
    }, NO_ANSWER_AFTER_MS);
    await stopped;
    clearTimeout(complaint);
    await running.stop();
  },
};

async function answer(settings: Settings, log: Log): Promise<Running> {
  const { startService } = await import('../wiring/service.ts');
  const service = await startService({ settings, log });
  service.startCollecting();
  console.log(`Perpwire is listening on ${service.baseUrl} (operators: ${service.adminUrl}/readyz)`);
  console.log('Create a key with: npm run perpwire -- accounts create --name me --plan demo');
  return service;
}

async function collect(settings: Settings, log: Log): Promise<Running> {
  const { startCollectorService } = await import('../wiring/collector-service.ts');
  const collector = await startCollectorService({ settings, log });
  console.log(`Perpwire is collecting (operators: ${collector.adminUrl}/readyz)`);
  return collector;
}

interface Running {
  health(): VenueHealth[];
  stop(): Promise<void>;
}

/** Said once, plainly: a machine without a way to the venues looks like a hung service otherwise. */
export function silenceReport(health: readonly VenueHealth[]): string | null {
  if (health.length === 0 || health.some((venue) => venue.lastGoodAtMs !== null)) return null;
  const causes = health.map((venue) => {
    const failed = venue.sources.find((source) => source.lastFailure !== null);
    return `  ${venue.exchange.padEnd(12)} ${failed?.lastFailure ?? 'no reply so far'}`;
  });
  return `
No venue has answered within a minute, so there is no data yet. Causes:
${causes.join('\n')}
Perpwire keeps trying. Check the network and any proxy of this machine.
To see the service on simulated venues, without a network: npm run demo
`;
}
