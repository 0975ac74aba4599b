import type { Table } from '../market/table.ts';
import type { Moment, Timeline } from '../market/timeline.ts';
import type { Venue } from '../venues/venue.ts';
import { coinsTable, exchangesTable } from './catalogue.ts';

/** All tables of one moment. Those made from others are made on first use. */
export interface Snapshot {
  readonly asOfMs: number;
  readonly funding: Table;
  readonly coins: Table;
  readonly exchanges: Table;
}

/** Gives readers the snapshot of their plan's delay, or the one that their cursor names. */
export class Snapshots {
  readonly #timeline: Timeline;
  readonly #venues: readonly Venue[];
  readonly #baseUrl: string;
  readonly #made = new WeakMap<Table, Snapshot>();

  constructor(timeline: Timeline, venues: readonly Venue[], baseUrl: string) {
    this.#timeline = timeline;
    this.#venues = venues;
    this.#baseUrl = baseUrl;
  }

  at(delaySeconds: number, nowMs: number): Snapshot | null {
    return this.#snapshot(this.#timeline.at(delaySeconds, nowMs));
  }

  exactly(asOfMs: number): Snapshot | null {
    return this.#snapshot(this.#timeline.exactly(asOfMs));
  }

  #snapshot(moment: Moment | null): Snapshot | null {
    if (!moment) return null;
    let snapshot = this.#made.get(moment.table);
    if (!snapshot) {
      snapshot = lazySnapshot(moment, this.#venues, this.#baseUrl);
      this.#made.set(moment.table, snapshot);
    }
    return snapshot;
  }
}

function lazySnapshot({ asOfMs, table }: Moment, venues: readonly Venue[], baseUrl: string): Snapshot {
  let coins: Table | undefined;
  let exchanges: Table | undefined;
  return {
    asOfMs,
    funding: table,
    get coins() {
      coins ??= coinsTable(table, baseUrl);
      return coins;
    },
    get exchanges() {
      exchanges ??= exchangesTable(table, venues, baseUrl);
      return exchanges;
    },
  };
}
