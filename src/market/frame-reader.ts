import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Table, TableSpec } from './tables/table.ts';
import { decodeTable } from './tables/table-codec.ts';

/** Reads the frames of one table. Those that cannot be read are logged and counted once. */
export class FrameReader {
  readonly #spec: TableSpec;
  readonly #log: Log;
  readonly #metrics: Pick<Metrics, 'framesSkipped'> | undefined;
  /** By time, why a frame cannot be read: readers may request the same one many times. */
  readonly #skipped = new Map<number, 'another version' | 'damaged'>();

  constructor(spec: TableSpec, log: Log, metrics: Pick<Metrics, 'framesSkipped'> | undefined) {
    this.#spec = spec;
    this.#log = log;
    this.#metrics = metrics;
  }

  hasSkipped(asOfMs: number): boolean {
    return this.#skipped.has(asOfMs);
  }

  /** Every copy of such a frame is unreadable; of a damaged one, another copy may be intact. */
  isOfAnotherVersion(asOfMs: number): boolean {
    return this.#skipped.get(asOfMs) === 'another version';
  }

  forgetBefore(timeMs: number): void {
    for (const skipped of this.#skipped.keys()) if (skipped < timeMs) this.#skipped.delete(skipped);
  }

  /** Null if the frame is damaged or written by another version. A frame is a cache: without it, another one is served. */
  read(asOfMs: number, bytes: () => Uint8Array): Table | null {
    let reason: 'another version' | 'damaged' = 'another version';
    let err: unknown;
    try {
      const table = decodeTable(bytes(), this.#spec);
      // A copy from elsewhere may be intact.
      if (table) this.#skipped.delete(asOfMs);
      if (table) return table;
    } catch (error) {
      reason = 'damaged';
      err = error;
    }
    if (this.#skipped.has(asOfMs)) return null;
    this.#skipped.set(asOfMs, reason);
    const series = this.#spec.name;
    this.#metrics?.framesSkipped.inc({ series, reason });
    this.#log.warn(
      { err, series, asOf: new Date(asOfMs).toISOString(), reason },
      'skipped a stored snapshot',
    );
    return null;
  }
}
