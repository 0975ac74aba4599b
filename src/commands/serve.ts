import { type Service, startService } from '../service.ts';
import { processEnvironment, readSettings, settingsHelp } from '../settings.ts';
import type { VenueHealth } from '../venues/health.ts';
import { type Command, untilStopped } from './command.ts';

const NO_ANSWER_AFTER_MS = 60_000;

export const serve: Command = {
  help: `perpwire serve [flags]

Watches the venues and serves the API. Every setting is a flag or an environment variable:

${settingsHelp()}`,
  run: async (args) => {
    const service = await startService({ settings: readSettings(args, processEnvironment()) });
    service.startCollecting();
    console.log(`Perpwire is listening on ${service.baseUrl} (operators: ${service.adminUrl}/readyz)`);
    console.log('Create a key with: npm run perpwire -- accounts create --name me --plan demo');
    const complaint = setTimeout(() => complainIfSilent(service), NO_ANSWER_AFTER_MS);
    await untilStopped();
    clearTimeout(complaint);
    await service.stop();
  },
};

function complainIfSilent(service: Service): void {
  const report = silenceReport(service.collectors.map((collector) => collector.health()));
  if (report !== null) console.error(report);
}

/** Said once, plainly: a machine without a way to the venues looks like a hung service otherwise. */
export function silenceReport(health: readonly VenueHealth[]): string | null {
  if (health.some((venue) => venue.lastGoodAtMs !== null)) return null;
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
