import type { Table } from './tables/table.ts';

/** Where the frames of a timeline are restored from. */
export interface FrameStore {
  /** Frames not older than the time, oldest first. */
  load(series: string, fromMs: number): Promise<{ asOfMs: number; frame: Uint8Array }[]>;
}

export interface TableSnapshot {
  readonly asOfMs: number;
  readonly table: Table;
}

/** How readers get a table: the newest snapshot of at least a given age, or exactly the one that a cursor names. */
export interface TableSource {
  at(delaySeconds: number, nowMs: number): TableSnapshot | null;
  exactly(asOfMs: number): TableSnapshot | null;
  /** The time of the first snapshot after the given time that is held and has at least this age; null if there is none. */
  after(asOfMs: number, delaySeconds: number, nowMs: number): number | null;
  /**
   * Fetches a snapshot that another process may have shown before this one received it. Resolves to whether `exactly`
   * finds it now. Absent where no other process publishes.
   */
  fetch?: (asOfMs: number) => Promise<boolean>;
}
