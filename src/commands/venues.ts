import { systemClock } from '../base/clock.ts';
import { createHttpClient } from '../base/http-client.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { LatestMarket } from '../market/latest.ts';
import { chosenVenues } from '../service.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import { Collector } from '../venues/collector.ts';
import type { VenueHealth } from '../venues/health.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf, table } from './flags.ts';

const HELP = `perpwire venues check [--venues LIST] [--venues-url URL] [--seconds N]

Asks every venue once over the network, listens to its streams for a moment, and prints what came back: reachable or
not, contracts, age of the data, rows left out with reasons, and the weight used against what we allow ourselves.

  --venues      only these, by folder name (binance,okx,...)
  --venues-url  a venue simulator instead of the real venues
  --seconds     how long to listen to streams (default 5)`;

export const venuesCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      venues: { type: 'string' },
      'venues-url': { type: 'string' },
      seconds: { type: 'string', default: '5' },
    });
    if (positionals[0] !== 'check') throw new UsageError(`venues has check\n\n${HELP}`);
    if (!/^\d{1,3}$/.test(values.seconds))
      throw new UsageError(`--seconds takes a whole number; it is "${values.seconds}"`);
    const given = (['venues', 'venues-url'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    );
    const settings = readSettings(given, processEnvironment());
    const http = createHttpClient();
    const log = createLog('silent');
    const metrics = createMetrics();
    const market = new LatestMarket(metrics, log);
    const collectors = chosenVenues(settings.venues).map(
      (venue) =>
        new Collector({
          venue,
          http,
          clock: systemClock,
          log,
          metrics,
          simUrl: settings.venuesUrl,
          accept: (from, batch, atMs, contracts) => market.accept(from, batch, atMs, contracts),
        }),
    );
    const signal = new AbortController().signal;
    // What is asked contract by contract takes minutes within the budgets, so one look is enough to know the venue.
    await Promise.all(
      collectors.map((collector) => collector.collectOnce(signal, (poll) => poll.kind === 'bulk')),
    );
    await systemClock.sleep(Number(values.seconds) * 1000);
    const health = collectors.map((collector) => collector.health());
    await Promise.all(collectors.map((collector) => collector.stop()));
    await http.close();
    printHealth(health);
    if (health.every((venue) => venue.lastGoodAtMs === null)) process.exitCode = 1;
  },
};

function printHealth(health: readonly VenueHealth[]): void {
  const nowMs = systemClock.nowMs();
  const rows = health.map((venue) => {
    const rejected = Object.values(venue.rejected).reduce((sum, count) => sum + count, 0);
    return [
      venue.exchange,
      venue.lastGoodAtMs === null
        ? 'no'
        : venue.sources.some((source) => source.failuresInARow > 0)
          ? 'in part'
          : 'yes',
      String(venue.contracts),
      venue.lastGoodAtMs === null ? '-' : `${((nowMs - venue.lastGoodAtMs) / 1000).toFixed(0)} s`,
      String(rejected),
      venue.budgets
        .map((budget) => `${budget.name} ${budget.spent}/${budget.capacity} in ${budget.windowSeconds} s`)
        .join(', '),
    ];
  });
  console.log(table(['venue', 'reachable', 'contracts', 'age', 'bad rows', 'weight used'], rows));
  for (const venue of health) {
    for (const source of venue.sources) {
      if (source.lastFailure !== null) console.log(`${venue.exchange} ${source.name}: ${source.lastFailure}`);
    }
    for (const [reason, count] of Object.entries(venue.rejected))
      console.log(`${venue.exchange}: ${count} rows left out: ${reason}`);
    for (const [reason, count] of Object.entries(venue.ignored))
      console.log(`${venue.exchange}: ${count} rows not for us: ${reason}`);
  }
}
