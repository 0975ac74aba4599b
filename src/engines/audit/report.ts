import {
  checked,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  parsedOrNull,
  text,
  withDefault,
} from '../../base/parsing.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { dayOf } from '../../history/audit/model.ts';
import { hasEnded } from '../../venues/ended.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Alarm, Alarms, Withholding } from './alarms.ts';
import type { Auditor } from './auditor.ts';
import type { VenueChecks } from './checks.ts';
import { AUDIT_FAULTS } from './faults.ts';
import { NOTICE_FIELDS, NOTICE_KINDS, type Notice, type Notices } from './notices.ts';
import { LEAST_INFORMATIVE } from './verdict.ts';
import { type DayFigures, WINDOWS_HOURS, type WindowFigures } from './windows.ts';

/** How a venue's published rates are compared. `none`: it publishes no settled rates. */
type AuditRule = 'settlement' | 'accrual' | 'none';

export interface VenueAccuracy {
  exchange: string;
  rule: AuditRule;
  /** One for each of WINDOWS_HOURS. */
  windows: readonly WindowFigures[];
  /** The days of the chart that have comparisons, oldest first. */
  days: readonly DayFigures[];
  /** Comparisons of the last seven days that the verdict rests on. */
  judged: number;
  checks: VenueChecks | null;
  alarms: readonly Omit<Alarm, 'exchange'>[];
  notices: readonly Omit<Notice, 'exchange'>[];
}

/** All that /accuracy and `perpwire venues audit` show. */
export interface AuditReport {
  asOfMs: number;
  withholding: Withholding;
  venues: readonly VenueAccuracy[];
}

export const CHART_DAYS = 30;

interface ReportOptions {
  venues: readonly Venue[];
  auditor: Auditor;
  alarms: Alarms;
  notices: Notices;
  checks: ReadonlyMap<string, VenueChecks>;
  /** Venues that publish no settled rates. */
  withoutHistory: ReadonlySet<string>;
  withholding: Withholding;
}

export function auditReport(options: ReportOptions, nowMs: number): AuditReport {
  const { venues, checks, withholding } = options;
  // Venues whose funding accrues without settlements.
  const accruing = new Set(
    [...checks].filter(([, one]) => one.settlementsStated === 0).map(([exchange]) => exchange),
  );
  const shown = venues
    .map(({ facts }) => ({ facts, made: venueAccuracy(facts.exchange, { ...options, accruing }, nowMs) }))
    // A venue that has ended stays for as long as it has figures.
    .filter(({ facts, made }) => !hasEnded(facts, nowMs) || made.days.length > 0);
  return { asOfMs: nowMs, withholding, venues: shown.map(({ made }) => made) };
}

function venueAccuracy(
  exchange: string,
  {
    auditor,
    alarms,
    notices,
    checks,
    accruing,
    withoutHistory,
  }: ReportOptions & { accruing: ReadonlySet<string> },
  nowMs: number,
): VenueAccuracy {
  const nowMinute = Math.floor(nowMs / MINUTE_MS);
  const windows = auditor.windows(exchange);
  const today = dayOf(nowMinute);
  return {
    exchange,
    rule: withoutHistory.has(exchange) ? 'none' : accruing.has(exchange) ? 'accrual' : 'settlement',
    windows: WINDOWS_HOURS.map((hours) => windows.figures(hours, nowMinute)),
    days: windows.days(today - CHART_DAYS + 1, today),
    judged: auditor.evidence(exchange).count(nowMinute),
    checks: checks.get(exchange) ?? null,
    alarms: alarms.of(exchange).map(({ fault, sinceMs, evidence }) => ({ fault, sinceMs, evidence })),
    notices: notices.of(exchange).map(({ exchange: _, ...notice }) => notice),
  };
}

/** In one or two words: what the page, its Markdown and the command print. */
export function verdictOf({ judged, alarms, rule }: VenueAccuracy): string {
  if (alarms.length > 0) return `alarm: ${alarms.map(({ fault }) => fault).join(', ')}`;
  if (rule === 'none') return 'the venue publishes no settled rates';
  return judged < LEAST_INFORMATIVE
    ? `too few comparisons (${judged} of ${LEAST_INFORMATIVE})`
    : 'no systematic fault';
}

const numberOrNull = nullable(number);

const windowFigures = objectOf<WindowFigures>({
  comparisons: number,
  closePct: numberOrNull,
  medianErrorBp: numberOrNull,
  worstErrorBp: numberOrNull,
  medianEarlierErrorBp: numberOrNull,
  sameSignPct: numberOrNull,
  medianRatio: numberOrNull,
  medianDelaySeconds: numberOrNull,
  expected: number,
  missing: number,
});

const dayFigures = objectOf<DayFigures>({
  day: number,
  comparisons: number,
  closePct: numberOrNull,
  medianErrorBp: numberOrNull,
});

const venueChecks = objectOf<VenueChecks>({
  pricesCompared: number,
  pricesOff: number,
  settlementsStated: number,
  settlementsPast: number,
  rowsStill: number,
  settlementsTooFar: number,
  volume24hUsdt: number,
  volumeRatio: numberOrNull,
});

const venueShape = objectOf<VenueAccuracy>({
  exchange: text,
  rule: oneOf('settlement', 'accrual', 'none'),
  windows: checked(
    listOf(windowFigures),
    ({ length }) => length === WINDOWS_HOURS.length,
    'one for each window',
  ),
  days: listOf(dayFigures),
  judged: number,
  checks: nullable(venueChecks),
  alarms: listOf(objectOf({ fault: oneOf(...AUDIT_FAULTS), sinceMs: number, evidence: text })),
  // A report of an earlier version has no notices.
  notices: withDefault(
    listOf(
      objectOf<Omit<Notice, 'exchange'>>({
        kind: oneOf(...NOTICE_KINDS),
        field: oneOf(...NOTICE_FIELDS),
        of: optional(text),
        sinceMs: number,
        evidence: text,
      }),
    ),
    [],
  ),
});

const reportShape = objectOf<AuditReport>({
  asOfMs: number,
  withholding: oneOf('off', 'rates', 'all'),
  venues: listOf(venueShape),
});

/** A report as the database or the admin port gave it; null if it has another shape. */
export function parseReport(value: unknown): AuditReport | null {
  return parsedOrNull(reportShape, value);
}
