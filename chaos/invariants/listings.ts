import { DAY_MS, isoTime } from '../../src/base/times.ts';

export interface CalendarRow {
  exchange: string;
  symbol: string;
  kind: string;
  status: string | null;
  effective_at: string | null;
}

/** One listing or delisting that the venue really has planned or carried out. */
export interface TrueEvent {
  exchange: string;
  symbol: string;
  kind: 'listing' | 'delisting';
  /** When the venue first shows it in a list or a notice. */
  shownAtMs: number;
  plannedAtMs: number;
  finalAtMs: number;
}

interface CalendarContext {
  /** The later of the true time and the time of the process. */
  nowMs: number;
  events: readonly TrueEvent[];
  /** Whether the service could observe the venue long enough to know of a moved date. */
  isInformed(exchange: string): boolean;
}

/** Lists are read at intervals, some state only the day, and the clock of the process may be an hour off. */
const EARLY_MS = 25 * 60 * 60_000;
const LATE_MS = 3 * DAY_MS;

/** Checks that every row of the calendar is an event of the venue, once. */
export function wrongListings(rows: readonly CalendarRow[], context: CalendarContext): string[] {
  const violations: string[] = [];
  const { nowMs, isInformed } = context;
  const groups = Map.groupBy(rows, ({ exchange, symbol, kind }) => `${exchange} ${symbol} ${kind}`);
  for (const [name, group] of groups) {
    const [{ exchange, symbol, kind } = { exchange: '', symbol: '', kind: '' }] = group;
    const events = context.events.filter(
      (event) => event.exchange === exchange && event.symbol === symbol && event.kind === kind,
    );
    const shown = events.filter(({ shownAtMs }) => shownAtMs <= nowMs);
    if (shown.length === 0) {
      violations.push(`false ${kind}: ${name} never happened`);
      continue;
    }
    if (group.length > shown.length)
      violations.push(`doubled ${kind}: ${name} is there ${group.length} times, happened ${shown.length}`);
    for (const row of group) {
      const at = row.effective_at === null ? null : Date.parse(row.effective_at);
      if (at !== null && !shown.some((event) => isPlausible(event, at)))
        violations.push(`false ${kind}: ${name} is dated ${isoTime(at)}`);
      const isOver = shown.some(({ finalAtMs }) => finalAtMs <= nowMs);
      if (row.status === 'delisted' && !isOver && isInformed(exchange))
        violations.push(`false delisting: ${name} still trades`);
    }
  }
  return violations;
}

function isPlausible({ plannedAtMs, finalAtMs }: TrueEvent, atMs: number): boolean {
  return (
    atMs >= Math.min(plannedAtMs, finalAtMs) - EARLY_MS && atMs <= Math.max(plannedAtMs, finalAtMs) + LATE_MS
  );
}
