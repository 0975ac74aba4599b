import type { OnWait } from '../base/async/opened.ts';
import { createLog, type Log } from '../base/log.ts';
import { processEnvironment, readSettings, SettingError, type Settings, settingsHelp } from '../settings.ts';
import type { VenueHealth } from '../venues/health.ts';
import { type Command, sayWaiting, untilStopped } from './command.ts';

const NO_ANSWER_AFTER_MS = 60_000;

export const serve: Command = {
  help: `perpwire serve [flags]

Watches the venues and serves the API. With DATABASE_URL and REDIS_URL several processes can share the work: a process
with --role collector watches some of the venues, one with --role api answers requests, one with --role all does both.
Every setting can be given as a flag or as an environment variable:

${settingsHelp()}`,
  run: async (args) => {
    const settings = readSettings(args, processEnvironment());
    refuseUnsentMail(settings);
    const log = createLog(settings.logLevel);
    // An unexpected failure of one task must not end the process.
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
    const stopped = untilStopped();
    const running =
      settings.role === 'collector' ? await collect(settings, log) : await answer(settings, log);
    const noAnswerReport = setTimeout(() => {
      const report = settings.role === 'api' ? null : silenceReport(running.health());
      if (report !== null) console.error(report);
    }, NO_ANSWER_AFTER_MS);
    await stopped;
    clearTimeout(noAnswerReport);
    await running.stop(sayWaiting);
  },
};

/** Behind a proxy the users are on other machines, and nobody could open a link that is only written to a file. */
export function refuseUnsentMail(
  settings: Pick<Settings, 'trustedProxies' | 'smtpUrl' | 'signUp' | 'role'>,
): void {
  const { trustedProxies, smtpUrl, signUp, role } = settings;
  if (role === 'collector' || trustedProxies.length === 0 || smtpUrl !== null || !signUp) return;
  throw new SettingError(
    'TRUSTED_PROXIES is set but SMTP_URL is not, so sign-up links would reach nobody; set SMTP_URL to a mail server, or SIGN_UP=false to close sign-up',
  );
}

async function answer(settings: Settings, log: Log): Promise<Running> {
  const { startService } = await import('../wiring/service.ts');
  const service = await startService({ settings, log });
  service.startCollecting();
  console.log(`Perpwire is listening on ${service.baseUrl} (operators: ${service.adminUrl}/readyz)`);
  console.log('Create an account and its key: npm run perpwire -- accounts create --name me --plan demo');
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
  stop(onWait: OnWait): Promise<void>;
}

/** Printed once: without it, a machine that cannot reach the venues looks like a service that hangs. */
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
