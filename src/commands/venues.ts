import { systemClock } from '../base/clock.ts';
import { createHttpClient, type HttpClient } from '../base/http/http-client.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { listOf, parsedOrNull } from '../base/parsing.ts';
import type { RequestBudget } from '../base/request-budget.ts';
import { Freezer } from '../market/freeze.ts';
import { LatestMarket } from '../market/latest.ts';
import { quarantineOf } from '../market/quarantine.ts';
import { processEnvironment, readSettings, type Settings } from '../settings.ts';
import { Collector } from '../venues/collecting/collector.ts';
import { failureText, type VenueReport } from '../venues/health.ts';
import { parseVenueReport } from '../venues/parse-report.ts';
import { chosenVenues } from '../wiring/chosen-venues.ts';
import { type Command, UsageError } from './command.ts';
import { actionOf, flagsOf, refuseMore } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS } from './stores.ts';
import { AUDIT_HELP, printAudit } from './venues-audit.ts';
import { SIDES_HELP, venuesSides } from './venues-sides.ts';
import { venuesText } from './venues-text.ts';

const HELP = `perpwire venues check [--venues LIST] [--venues-url URL] [--seconds N]
perpwire venues check --admin-url URL [--venues LIST]

Calls every venue once, listens to its streams for a few seconds, and prints the result: whether it is reachable, its
contracts, the age of its data, calls and request weight of the last minute beside our limit, and rejected rows with
their reasons. With --admin-url it makes no calls and prints what a running service reports.

  --venues      only these venues, by folder name (binance,okx,...)
  --venues-url  address of a venue simulator to use instead of the real venues
  --seconds     how long to listen to streams, 0 to 999 (default 5)
  --admin-url   admin address of a running service, such as http://127.0.0.1:8081

Exit code 0: at least one venue is reachable. 1: none is.

${AUDIT_HELP}

  --venues      only these venues, by folder name
  --admin-url   admin address of a running service, to read the report from there
${STORAGE_HELP}

Exit code 0: there is no alarm. 1: there is one, or no report.

${SIDES_HELP}
${STORAGE_HELP}`;

export const venuesCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      venues: { type: 'string' },
      'venues-url': { type: 'string' },
      'admin-url': { type: 'string' },
      seconds: { type: 'string', default: '5' },
      counts: { type: 'string' },
      figure: { type: 'string' },
      ...STORE_OPTIONS,
    });
    const action = actionOf('venues', positionals[0], ['check', 'audit', 'sides']);
    refuseMore(`venues ${action}`, positionals.slice(action === 'sides' ? 2 : 1));
    if (action === 'sides') return await venuesSides(positionals[1], values);
    if (action === 'audit') return await printAudit(values);
    if (!/^\d{1,3}$/.test(values.seconds))
      throw new UsageError(`--seconds takes a whole number from 0 to 999; it is "${values.seconds}"`);
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
          ? await checkedNow(settings, http, Number(values.seconds))
          : await runningService(adminUrl, http);
      const shown = reports.filter((report) => wanted.has(report.slug));
      console.log(venuesText(shown, systemClock.nowMs()));
      if (shown.every((venue) => venue.lastGoodAtMs === null)) process.exitCode = 1;
    } finally {
      await http.close();
    }
  },
};

async function checkedNow(settings: Settings, http: HttpClient, seconds: number): Promise<VenueReport[]> {
  const log = createLog('silent');
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, log);
  const sharedBudgets = new Map<string, RequestBudget>();
  const collectors = chosenVenues(settings.venues).map(
    (venue) =>
      new Collector({
        venue,
        http,
        clock: systemClock,
        log,
        metrics,
        simUrl: settings.venuesUrl,
        sharedBudgets,
        accept: (from, batch, atMs, contracts) => market.accept(from, batch, atMs, contracts),
      }),
  );
  const signal = new AbortController().signal;
  // Bulk calls only: calls per contract would take minutes within the rate limits.
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
    throw new UsageError(
      `--admin-url takes an http address such as http://127.0.0.1:8081; it is "${adminUrl}"`,
    );
  const url = `${adminUrl.replace(/\/+$/, '')}/venues`;
  let reply: unknown;
  try {
    reply = (await http.json({ method: 'GET', url, timeoutMs: 10_000 })).payload;
  } catch (error) {
    throw new UsageError(`no service answers at ${url}: ${failureText(error)}; check --admin-url`);
  }
  const reports = parsedOrNull(listOf(parseVenueReport), reply);
  if (reports === null)
    throw new UsageError(`${url} is not the admin port of a Perpwire service; see its setting ADMIN_PORT`);
  return reports;
}
