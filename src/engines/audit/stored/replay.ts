import { MINUTE_MS } from '../../../base/times.ts';
import { keyOf } from '../../../history/settlements/directory.ts';
import type { FrameArchive } from '../../../market/frame-store.ts';
import type { Table } from '../../../market/tables/table.ts';
import { decodeTable } from '../../../market/tables/table-codec.ts';
import { KEEP_MS } from '../../../market/timeline.ts';
import { FUNDING_TABLE } from '../../funding/table.ts';
import type { PublishedRow } from '../published-rates.ts';

/** Settlements are at least an hour apart, so frames this far apart name all of the last 36 minutes. */
const PROBE_EVERY_MS = 5 * MINUTE_MS;

/**
 * Shows the audit what was published before a restart, from the stored frames: of all of them only those just before a
 * settlement, those a minute earlier, and the newest.
 */
export async function replayFrames(
  archive: FrameArchive,
  nowMs: number,
  observe: (asOfMs: number, rows: PublishedRow[]) => void,
): Promise<void> {
  const series = FUNDING_TABLE.name;
  const stored = await archive.timesAfter(new Map([[series, nowMs - KEEP_MS]]));
  // A clock that was set back must not make the audit see the future.
  const times = (stored.get(series) ?? []).filter((timeMs) => timeMs <= nowMs);
  const known = new Map<number, PublishedRow[]>();
  const load = async (wanted: readonly number[]) => {
    const missing = wanted.filter((timeMs) => !known.has(timeMs)).map((asOfMs) => ({ series, asOfMs }));
    for (const { asOfMs, frame } of await archive.loadThese(missing)) {
      const table = readable(frame);
      if (table) known.set(asOfMs, rowsOf(table));
    }
  };
  await load(probes(times));
  const settlements = new Set([...known.values()].flat().map((row) => row.nextFundingAtMs));
  const lastMs = times.at(-1);
  await load([
    ...[...settlements].flatMap((atMs) => (atMs !== null && atMs <= nowMs ? framesBefore(times, atMs) : [])),
    ...(lastMs === undefined ? [] : framesBefore(times, lastMs + 1)),
  ]);
  for (const [asOfMs, rows] of [...known].sort(([a], [b]) => a - b)) observe(asOfMs, rows);
}

/** Null for a damaged frame; the timeline logs and counts it. */
function readable(frame: Uint8Array): Table | null {
  try {
    return decodeTable(frame, FUNDING_TABLE);
  } catch {
    return null;
  }
}

/** One frame in each span of five minutes. */
function probes(times: readonly number[]): number[] {
  const spans = new Map(times.map((timeMs) => [Math.floor(timeMs / PROBE_EVERY_MS), timeMs]));
  return [...spans.values()];
}

/** The last frame before the time, and the newest that is at least a minute older. */
function framesBefore(times: readonly number[], atMs: number): number[] {
  const last = times.findLast((timeMs) => timeMs < atMs);
  if (last === undefined) return [];
  const earlier = times.findLast((timeMs) => timeMs <= last - MINUTE_MS);
  return earlier === undefined ? [last] : [earlier, last];
}

function rowsOf(table: Table): PublishedRow[] {
  const [rates, intervals, nexts] = [
    table.numbers('rate_pct'),
    table.numbers('interval_hours'),
    table.numbers('next_funding_at'),
  ];
  const orNull = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
  return Array.from({ length: table.rowCount }, (_, row) => {
    const [exchange, venueSymbol] = [table.text('exchange', row), table.text('venue_symbol', row)];
    return {
      key: keyOf(exchange, venueSymbol),
      exchange,
      venueSymbol,
      ratePct: rates[row] ?? 0,
      intervalHours: orNull(intervals[row]),
      nextFundingAtMs: orNull(nexts[row]),
    };
  });
}
