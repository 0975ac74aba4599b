import { createHttpClient } from '../base/http/http-client.ts';
import { isoTime } from '../base/times.ts';
import { FAULT_WORDS } from '../engines/audit/faults.ts';
import { adviceOf, findingOf } from '../engines/audit/notices.ts';
import { type AuditReport, parseReport, type VenueAccuracy, verdictOf } from '../engines/audit/report.ts';
import { LEAST_INFORMATIVE } from '../engines/audit/verdict.ts';
import { AUDIT_REPORT } from '../history/audit/model.ts';
import { AuditStore } from '../history/audit/store.ts';
import { failureText } from '../venues/health.ts';
import { chosenVenues } from '../wiring/chosen-venues.ts';
import { UsageError } from './command.ts';
import { table } from './flags.ts';
import { type StoreFlags, storeSettings, withStorage } from './stores.ts';

export const AUDIT_HELP = `perpwire venues audit [--venues LIST] [--admin-url URL | --data-dir DIR | --database-url URL]

Prints what the service found out about its own numbers: per venue the published rates beside the settled prints, the
verdict, the checks of the newest snapshot, and for each alarm and notice what to do. An alarm makes the exit code 1, a
notice does not. It reads the report that the running service
stores once a minute; docs/accuracy.md has the rules. A venue has a verdict after ${LEAST_INFORMATIVE} comparisons: one to three
hours where contracts settle hourly, about a day elsewhere.`;

interface AuditFlags extends StoreFlags {
  venues?: string | undefined;
  'admin-url'?: string | undefined;
}

export async function printAudit(flags: AuditFlags): Promise<void> {
  const adminUrl = flags['admin-url'];
  const report = adminUrl === undefined ? await storedReport(flags) : await reportOf(adminUrl);
  const wanted = new Set(
    chosenVenues(flags.venues === undefined ? [] : flags.venues.split(',')).map(
      ({ facts }) => facts.exchange,
    ),
  );
  const venues = report.venues.filter(({ exchange }) => wanted.has(exchange));
  console.log(auditText({ ...report, venues }));
  if (venues.some(({ alarms }) => alarms.length > 0)) process.exitCode = 1;
}

async function storedReport(flags: StoreFlags): Promise<AuditReport> {
  const settings = storeSettings(flags);
  const stored = await withStorage(settings, (storage) => new AuditStore(storage).loadDocument(AUDIT_REPORT));
  const report = parseReport(stored?.value);
  if (!report)
    throw new UsageError(
      'the database has no report of the audit yet; start the service and wait a minute, or name its --data-dir or --database-url',
    );
  return report;
}

async function reportOf(adminUrl: string): Promise<AuditReport> {
  if (!/^https?:\/\//.test(adminUrl))
    throw new UsageError(
      `--admin-url takes an http address such as http://127.0.0.1:8081; it is "${adminUrl}"`,
    );
  const url = `${adminUrl.replace(/\/+$/, '')}/audit`;
  const http = createHttpClient();
  try {
    const { payload } = await http.json({ method: 'GET', url, timeoutMs: 10_000 });
    if (payload === null)
      throw new UsageError(`${url} has no report yet; it follows a minute after the start`);
    const report = parseReport(payload);
    if (!report)
      throw new UsageError(`${url} is not the admin port of a Perpwire service; see its setting ADMIN_PORT`);
    return report;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`no service answers at ${url}: ${failureText(error)}; check --admin-url`);
  } finally {
    await http.close();
  }
}

const TITLES = [
  'venue',
  'compared 24 h',
  '7 d',
  'within 0.1 bp',
  'median bp',
  'worst bp',
  'same sign',
  'ratio',
  'delay',
  'missing',
  'prices off',
  'settlement passed',
  'too far',
  'volume',
  'verdict',
];

/** The report for a terminal: a line a venue, then what to do about each finding. */
export function auditText(report: AuditReport): string {
  const rows = report.venues.map((venue) => {
    const [day, week] = venue.windows;
    const { checks } = venue;
    return [
      venue.exchange,
      text(day?.comparisons),
      text(week?.comparisons),
      text(week?.closePct, ' %'),
      text(week?.medianErrorBp),
      text(week?.worstErrorBp),
      text(week?.sameSignPct, ' %'),
      text(week?.medianRatio),
      text(week?.medianDelaySeconds, ' s'),
      `${week?.missing ?? 0}/${week?.expected ?? 0}`,
      checks ? `${checks.pricesOff}/${checks.pricesCompared}` : '-',
      checks ? `${checks.settlementsPast}/${checks.settlementsStated}` : '-',
      text(checks?.settlementsTooFar),
      checks?.volumeRatio == null ? '-' : checks.volumeRatio.toFixed(2),
      verdictOf(venue),
    ];
  });
  const head = `Audit as of ${isoTime(report.asOfMs)}; figures without another window are of 7 days. AUDIT_WITHHOLD is ${report.withholding}.`;
  const findings = report.venues.flatMap(findingsOf);
  return [
    head,
    '',
    table(TITLES, rows),
    '',
    ...(findings.length === 0 ? ['Nothing to do: no venue shows a systematic fault.'] : findings),
  ].join('\n');
}

/** Each alarm, and what is not an alarm but wants a look, with what to do. */
function findingsOf({ exchange, rule, windows, alarms, notices, checks }: VenueAccuracy): string[] {
  const found = alarms.map(
    ({ fault, sinceMs, evidence }) =>
      `ALARM ${exchange}: ${FAULT_WORDS[fault].finding} (${evidence}), since ${isoTime(sinceMs)}. ${FAULT_WORDS[fault].advice}`,
  );
  for (const notice of notices)
    found.push(
      `NOTICE ${exchange} ${notice.field}: ${findingOf(notice)} (${notice.evidence}), since ${isoTime(notice.sinceMs)}. ${adviceOf(notice)}`,
    );
  const week = windows[1];
  if (week && week.missing > 0 && week.missing >= 0.05 * week.expected)
    found.push(
      `${exchange}: ${week.missing} of ${week.expected} prints are missing. See perpwire_settlement_walks_total and the log for the venue's history calls; some venues publish no prints of some contracts (docs/history.md).`,
    );
  if (checks && checks.settlementsTooFar > 0)
    found.push(
      `${exchange}: ${checks.settlementsTooFar} contracts state a settlement further away than their interval. Compare interval_hours of one of them with the venue's page.`,
    );
  if (rule === 'accrual')
    found.push(`${exchange}: funding accrues, so each hour's accrual is compared; larger errors are normal.`);
  return found;
}

function text(value: number | null | undefined, unit = ''): string {
  return value === null || value === undefined ? '-' : `${value}${unit}`;
}
