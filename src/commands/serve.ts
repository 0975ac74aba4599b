import { type Service, startService } from '../service.ts';
import { processEnvironment, readSettings, settingsHelp } from '../settings.ts';
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

/** Said once, plainly: a machine without a way to the venues looks like a hung service otherwise. */
function complainIfSilent(service: Service): void {
  const health = service.collectors.map((collector) => collector.health());
  if (health.some((venue) => venue.lastGoodAtMs !== null)) return;
  console.error('\nNo venue has answered within a minute, so there is no data yet. Causes:');
  for (const venue of health) {
    const cause =
      venue.sources.find((source) => source.lastFailure !== null)?.lastFailure ?? 'no reply so far';
    console.error(`  ${venue.exchange.padEnd(12)} ${cause}`);
  }
  console.error('Perpwire keeps trying. Check the network and any proxy of this machine.');
  console.error('To see the service on simulated venues, without a network: npm run demo\n');
}
