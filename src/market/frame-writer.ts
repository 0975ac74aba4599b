import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { MINUTE_MS } from '../base/times.ts';
import type { Table, TableSpec } from './tables/table.ts';
import { encodeTable } from './tables/table-codec.ts';
import { KEEP_MS, MAX_AHEAD_MS } from './timeline.ts';

/** Takes the frames of the collector. */
export interface FrameSink {
  save(series: string, asOfMs: number, frame: Uint8Array): Promise<void>;
  deleteBefore(series: string, beforeMs: number): Promise<void>;
}

/** A timeline shows delayed readers one frame a minute, and may need the first one of the oldest minute. */
const STORED_MS = KEEP_MS + MINUTE_MS;

/** Publishes the snapshots of one table as frames, each later than the one before. */
export class FrameWriter {
  readonly #spec: TableSpec;
  readonly #sink: FrameSink;
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #newestAsOfMs: number | null = null;
  /** After the clock was set forward, the frames of before are stored as long as usual, in case it is set back. */
  #hold: { fromMs: number; untilMs: number } | null = null;

  constructor(spec: TableSpec, sink: FrameSink, options: { log: Log; clock: Pick<Clock, 'nowMs'> }) {
    this.#spec = spec;
    this.#sink = sink;
    this.#log = options.log;
    this.#clock = options.clock;
  }

  /** The time of the last snapshot, of this process or stored by an earlier one; null if there is none. */
  get newestAsOfMs(): number | null {
    return this.#newestAsOfMs;
  }

  /** Continues after the newest stored frame. */
  resume(newestAsOfMs: number | null): void {
    this.#newestAsOfMs = newestAsOfMs;
  }

  async publish(asOfMs: number, table: Table): Promise<void> {
    if (this.#isDue(asOfMs)) await this.publishEncoded(asOfMs, encodeTable(table));
  }

  async publishEncoded(asOfMs: number, frame: Uint8Array): Promise<void> {
    if (!this.#isDue(asOfMs)) return;
    const { name } = this.#spec;
    this.#newestAsOfMs = asOfMs;
    try {
      await this.#sink.save(name, asOfMs, frame);
      await this.#sink.deleteBefore(name, this.#horizonMs(asOfMs));
    } catch (error) {
      this.#log.error({ err: error, series: name }, 'snapshot not saved');
    }
  }

  /** Call it when the clock was set: `byMs` is how far, `nowMs` the time after it. */
  clockStepped(byMs: number, nowMs: number): void {
    if (byMs > 0) {
      this.#hold = { fromMs: nowMs - byMs - KEEP_MS, untilMs: nowMs + KEEP_MS };
      return;
    }
    this.#hold = null;
    if (this.#newestAsOfMs !== null && this.#newestAsOfMs > nowMs) this.#newestAsOfMs = nowMs - 1;
  }

  /** Not from the future: the clock may have been set back while the snapshot was computed. */
  #isDue(asOfMs: number): boolean {
    if (this.#newestAsOfMs !== null && asOfMs <= this.#newestAsOfMs) return false;
    return asOfMs <= this.#clock.nowMs() + MAX_AHEAD_MS;
  }

  #horizonMs(asOfMs: number): number {
    const heldFromMs =
      this.#hold && asOfMs < this.#hold.untilMs ? this.#hold.fromMs : Number.POSITIVE_INFINITY;
    return Math.min(asOfMs - STORED_MS, heldFromMs);
  }
}
