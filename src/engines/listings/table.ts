import {
  type Episode,
  type EpisodeState,
  endOf,
  NEWLY_LISTED_MS,
  startOf,
  statusAt,
} from '../../history/listings/model.ts';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';

export const LISTINGS_TABLE: TableSpec = {
  name: 'listings',
  rowTitle: 'ListingRow',
  columns: [
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue name as /exchanges spells it' },
    {
      name: 'symbol',
      type: 'text',
      nullable: false,
      description: 'Contract as BASE-QUOTE with its own base (1000PEPE-USDT)',
    },
    {
      name: 'coin',
      type: 'text',
      nullable: false,
      description: 'Ticker without multiplier, once prices prove it',
    },
    { name: 'kind', type: 'text', nullable: false, description: 'listing or delisting' },
    {
      name: 'status',
      type: 'text',
      nullable: true,
      description:
        'preopen (known, not trading yet), newly listed (trading for under 30 days), delisting (still trading), delisted, cancelled; null for an older listing and for one of a contract that was delisted since',
    },
    {
      name: 'effective_at',
      type: 'time',
      nullable: true,
      description:
        'When trading starts or ends, UTC; null while the venue has not stated it. If only lists show the change, the time of the first list that shows it',
    },
    {
      name: 'source',
      type: 'text',
      nullable: false,
      description: 'How it was first detected: announcement, instruments or diff',
    },
    {
      name: 'announcement_url',
      type: 'text',
      nullable: true,
      description: "The venue's notice; null when there is none, or it has no address",
    },
    {
      name: 'detected_at',
      type: 'time',
      nullable: false,
      description: 'When it was first seen, UTC; each row has its own time and keeps it',
    },
  ],
};

interface Known {
  episode: Episode;
  state: EpisodeState;
  detectedAtMs: number;
}

interface DatedTable {
  table: Table;
  /** Until this time the rows do not change unless an episode does. */
  validBeforeMs: number;
}

/** The calendar as it was published at a time: the rows and states of that time, nearest effective time first. */
export function listingsTable(episodes: readonly Episode[], atMs: number): DatedTable {
  const known: Known[] = [];
  for (const episode of episodes) {
    const { detectedAtMs } = episode;
    if (detectedAtMs === null || detectedAtMs > atMs) continue;
    const version = episode.versions.findLast((candidate) => candidate.changedAtMs <= atMs);
    if (version) known.push({ episode, state: version.state, detectedAtMs });
  }
  const ends = endsByContract(known);
  let validBeforeMs = Number.POSITIVE_INFINITY;
  const until = (timeMs: number | null) => {
    if (timeMs !== null && timeMs > atMs) validBeforeMs = Math.min(validBeforeMs, timeMs);
  };
  const builder = new TableBuilder(LISTINGS_TABLE);
  for (const { episode, state, detectedAtMs } of known.sort((a, b) => nearestFirst(a, b, atMs))) {
    const { kind, exchange, symbol, source, statedAtMs } = episode;
    const startMs = startOf(state, statedAtMs);
    const endedAtMs =
      kind === 'listing' ? endAfter(ends.get(contractKey(episode)) ?? [], state.venueSymbol, startMs) : null;
    until(state.effectiveAtMs);
    until(endedAtMs);
    if (kind === 'listing') until(startMs + NEWLY_LISTED_MS);
    builder.add({
      exchange,
      symbol,
      coin: state.coin,
      kind,
      status: statusAt(kind, state, atMs, statedAtMs, endedAtMs),
      effective_at: state.effectiveAtMs,
      source,
      announcement_url: state.announcementUrl,
      detected_at: detectedAtMs,
    });
  }
  return { table: builder.build(), validBeforeMs };
}

/** Upcoming, soonest first; then past, most recent first; then undated. Ties: the newest detected first. */
function nearestFirst(a: Known, b: Known, atMs: number): number {
  const [x, y] = [a.state.effectiveAtMs, b.state.effectiveAtMs];
  const byGroup = groupOf(x, atMs) - groupOf(y, atMs);
  if (byGroup !== 0) return byGroup;
  const byTime = x === null || y === null ? 0 : x > atMs ? x - y : y - x;
  return byTime || b.detectedAtMs - a.detectedAtMs;
}

function groupOf(effectiveAtMs: number | null, atMs: number): number {
  if (effectiveAtMs === null) return 2;
  return effectiveAtMs > atMs ? 0 : 1;
}

interface End {
  venueSymbol: string | null;
  atMs: number;
}

/** The past and scheduled ends of each contract. */
function endsByContract(known: readonly Known[]): Map<string, End[]> {
  const ends = new Map<string, End[]>();
  for (const { episode, state } of known) {
    const atMs = episode.kind === 'delisting' && !state.isCancelled ? endOf(state) : null;
    if (atMs === null) continue;
    const key = contractKey(episode);
    ends.set(key, [...(ends.get(key) ?? []), { venueSymbol: state.venueSymbol, atMs }]);
  }
  return ends;
}

function endAfter(ends: readonly End[], venueSymbol: string | null, startMs: number): number | null {
  const later = ends
    .filter((end) => end.atMs >= startMs)
    .filter((end) => end.venueSymbol === null || venueSymbol === null || end.venueSymbol === venueSymbol);
  return later.length === 0 ? null : Math.min(...later.map((end) => end.atMs));
}

function contractKey({ exchange, symbol }: Episode): string {
  return `${exchange} ${symbol}`;
}
