import { systemClock } from '../base/clock.ts';
import { createHttpClient, type HttpClient } from '../base/http-client.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { Freezer } from '../market/freeze.ts';
import { LatestMarket } from '../market/latest.ts';
import { quarantineOf } from '../market/quarantine.ts';
import { processEnvironment, readSettings, type Settings } from '../settings.ts';
import { Collector } from '../venues/collector.ts';
import { failureText, type VenueReport } from '../venues/health.ts';
import { chosenVenues } from '../wiring/chosen-venues.ts';
import { type Command, UsageError } from './command.ts';
import { flagsOf } from './flags.ts';
import { venuesText } from './venues-text.ts';

const HELP = `perpwire venues check [--venues LIST] [--venues-url URL] [--seconds N]
perpwire venues check --admin-url URL [--venues LIST]

Asks every venue once over the network, listens to its streams for a moment, and prints what came back: reachable or
not, contracts, age of the data, calls and weight of the last minute against what we allow ourselves, and the rows
that were left out, with reasons. With --admin-url nothing is asked: it prints what a running service knows.

  --venues      only these, by folder name (binance,okx,...)
  --venues-url  a venue simulator instead of the real venues
  --seconds     how long to listen to streams (default 5)
  --admin-url   operators' address of a running service, such as http://127.0.0.1:8081`;

export const venuesCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      venues: { type: 'string' },
      'venues-url': { type: 'string' },
      'admin-url': { type: 'string' },
      seconds: { type: 'string', default: '5' },
    });
    if (positionals[0] !== 'check') throw new UsageError(`venues has check\n\n${HELP}`);
    if (!/^\d{1,3}$/.test(values.seconds))
      throw new UsageError(`--seconds takes a whole number up to 999; it is "${values.seconds}"`);
    const given = (['venues', 'venues-url'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [`--${name}`, values[name]],
    );
    const settings = readSettings(given, processEnvironment());
    const wanted = new Set(chosenVenues(settings.venues).map((venue) => venue.slug));
    const http = createHttpClient();
    try {
      const adminUrl = values['admin-url'];
      const reports =
        adminUrl === undefined
          ? await asked(settings, http, Number(values.seconds))
          : await runningService(adminUrl, http);
      const shown = reports.filter((report) => wanted.has(report.slug));
      console.log(venuesText(shown, systemClock.nowMs()));
      if (shown.every((venue) => venue.lastGoodAtMs === null)) process.exitCode = 1;
    } finally {
      await http.close();
    }
  },
};

async function asked(settings: Settings, http: HttpClient, seconds: number): Promise<VenueReport[]> {
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
  await systemClock.sleep(seconds * 1000);
  const freezer = new Freezer(market, metrics, log);
  freezer.freeze(systemClock.nowMs());
  const reports = collectors.map((collector) => ({
    ...collector.health(),
    quarantined: quarantineOf(market, freezer, collector.venue),
  }));
  await Promise.all(collectors.map((collector) => collector.stop()));
  return reports;
}

async function runningService(adminUrl: string, http: HttpClient): Promise<VenueReport[]> {
  if (!/^https?:\/\//.test(adminUrl))
    throw new UsageError(`--admin-url takes an http address; it is "${adminUrl}"`);
  const url = `${adminUrl.replace(/\/+$/, '')}/venues`;
  let reply: unknown;
  try {
    reply = await http.json({ method: 'GET', url, timeoutMs: 10_000 });
  } catch (error) {
    throw new UsageError(`no service answers at ${url}: ${failureText(error)}`);
  }
  if (!Array.isArray(reply) || !reply.every(isReport))
    throw new UsageError(`${url} is not the operators' port of a Perpwire service (setting ADMIN_PORT)`);
  return reply;
}

function isReport(value: unknown): value is VenueReport {
  const lists = ['sources', 'budgets'] as const;
  const counts = ['rejected', 'ignored', 'quarantined'] as const;
  if (typeof value !== 'object' || value === null) return false;
  const report = value as Partial<Record<string, unknown>>;
  return (
    typeof report.exchange === 'string' &&
    typeof report.slug === 'string' &&
    lists.every((name) => Array.isArray(report[name])) &&
    counts.every((name) => typeof report[name] === 'object' && report[name] !== null)
  );
}
