import { MINUTE_MS } from '../../base/times.ts';
import { dayOf } from '../../history/audit/model.ts';
import type { Alarm, Alarms, Withholding } from './alarms.ts';
import type { Auditor } from './auditor.ts';
import type { VenueChecks } from './checks.ts';
import { isAuditFault } from './faults.ts';
import { isNotice, type Notice, type Notices } from './notices.ts';
import { LEAST_INFORMATIVE } from './verdict.ts';
import { type DayFigures, WINDOWS_HOURS, type WindowFigures } from './windows.ts';

/** How a venue's published rates are compared. */
export type AuditRule = 'settlement' | 'accrual';

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

export interface ReportOptions {
  auditor: Auditor;
  alarms: Alarms;
  notices: Notices;
  checks: ReadonlyMap<string, VenueChecks>;
  /** Venues whose funding accrues without settlements. */
  accruing: ReadonlySet<string>;
  withholding: Withholding;
}

export function venueAccuracy(
  exchange: string,
  { auditor, alarms, notices, checks, accruing }: ReportOptions,
  nowMs: number,
): VenueAccuracy {
  const nowMinute = Math.floor(nowMs / MINUTE_MS);
  const windows = auditor.windows(exchange);
  const today = dayOf(nowMinute);
  return {
    exchange,
    rule: accruing.has(exchange) ? 'accrual' : 'settlement',
    windows: WINDOWS_HOURS.map((hours) => windows.figures(hours, nowMinute)),
    days: windows.days(today - CHART_DAYS + 1, today),
    judged: auditor.evidence(exchange).count(nowMinute),
    checks: checks.get(exchange) ?? null,
    alarms: alarms.of(exchange).map(({ fault, sinceMs, evidence }) => ({ fault, sinceMs, evidence })),
    notices: notices.of(exchange).map(({ exchange: _, ...notice }) => notice),
  };
}

/** In one or two words: what the page, its twin and the command print. */
export function verdictOf({ judged, alarms }: VenueAccuracy): string {
  if (alarms.length > 0) return `alarm: ${alarms.map(({ fault }) => fault).join(', ')}`;
  return judged < LEAST_INFORMATIVE
    ? `too few comparisons (${judged} of ${LEAST_INFORMATIVE})`
    : 'no systematic fault';
}

/** A report as the database or the admin port gave it; null if it has another shape. */
export function parseReport(value: unknown): AuditReport | null {
  if (!isRecord(value) || typeof value.asOfMs !== 'number' || !Array.isArray(value.venues)) return null;
  if (!['off', 'rates', 'all'].includes(String(value.withholding))) return null;
  if (!value.venues.every(isVenue)) return null;
  // A report of an earlier version has no notices.
  const venues = (value.venues as VenueAccuracy[]).map((venue) => ({
    ...venue,
    notices: venue.notices ?? [],
  }));
  return { ...(value as unknown as AuditReport), venues };
}

function isVenue(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { exchange, rule, windows, days, judged, checks, alarms, notices = [] } = value;
  return (
    typeof exchange === 'string' &&
    (rule === 'settlement' || rule === 'accrual') &&
    typeof judged === 'number' &&
    Array.isArray(windows) &&
    windows.length === WINDOWS_HOURS.length &&
    windows.every(isFigures) &&
    Array.isArray(days) &&
    days.every(isFigures) &&
    (checks === null || isFigures(checks)) &&
    Array.isArray(alarms) &&
    alarms.every(isAlarm) &&
    Array.isArray(notices) &&
    notices.every(isNotice)
  );
}

/** Every field is a number or null. */
function isFigures(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((one) => one === null || typeof one === 'number');
}

function isAlarm(value: unknown): boolean {
  return (
    isRecord(value) &&
    isAuditFault(value.fault) &&
    typeof value.sinceMs === 'number' &&
    typeof value.evidence === 'string'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
