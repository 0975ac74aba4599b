import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { MINUTE_MS } from '../base/times.ts';
import { FrameReader } from './frame-reader.ts';
import { type FrameRing, memoryRing, type RingFrame } from './frame-ring.ts';
import type { FrameStore, TableSnapshot, TableSource } from './table-source.ts';
import type { TableSpec } from './tables/table.ts';

export type { FrameStore, TableSnapshot, TableSource };

/** A cursor is valid for at least this long. */
const CURSOR_LIFE_MS = 20 * MINUTE_MS;
const MARGIN_MS = MINUTE_MS;
/** The largest expected difference between the clocks of two machines. A frame from further ahead has a wrong time. */
export const MAX_AHEAD_MS = 5000;
/** How long a frame is held. */
export const KEEP_MS = 36 * MINUTE_MS;
/** The longest delay with which a reader may read, so that his cursors live as long as those of others. */
export const LONGEST_DELAY_MS = KEEP_MS - CURSOR_LIFE_MS - MARGIN_MS;
/** Decoded tables cached besides the newest and the delayed one: those that cursors point into. */
const MAX_DECODED = 5;

interface TimelineOptions {
  /**
   * Delayed readers see the first snapshot of each such span, and once cursors have expired only those are kept: for
   * tables that change every few seconds. 0: they see every snapshot.
   */
  delayedEveryMs?: number;
  /** Where the frames' bytes are; in memory by default. */
  ring?: FrameRing;
  /** Counts the frames that cannot be read. */
  metrics?: Pick<Metrics, 'framesSkipped'>;
}

interface Frame {
  asOfMs: number;
  bytes: RingFrame;
  /** The first of its span, for delayed readers. */
  isForDelayed: boolean;
}

/** The recent past of one table as encoded frames: the newest, the delayed one, and those that cursors name. */
export class Timeline implements TableSource {
  readonly #spec: TableSpec;
  readonly #store: FrameStore;
  readonly #delayedEveryMs: number;
  readonly #ring: FrameRing;
  readonly #reader: FrameReader;
  #frames: Frame[] = [];
  readonly #decoded = new Map<number, TableSnapshot>();
  #newest: TableSnapshot | null = null;
  /** The one that delayed readers got last. The next one replaces it, so that no table is held that nobody reads. */
  #delayed: TableSnapshot | null = null;
  /** After the clock was set forward: the frames of before are kept as long as usual, in case it is set back. */
  #hold: { fromMs: number; untilMs: number } | null = null;

  constructor(
    spec: TableSpec,
    store: FrameStore,
    log: Log,
    { delayedEveryMs = 0, ring = memoryRing, metrics }: TimelineOptions = {},
  ) {
    this.#spec = spec;
    this.#store = store;
    this.#delayedEveryMs = delayedEveryMs;
    this.#ring = ring;
    this.#reader = new FrameReader(spec, log, metrics);
  }

  /** Loads the stored frames, so that a restarted process can serve at once. Unreadable ones are skipped. */
  async restore(nowMs: number, maxAgeMs: number): Promise<void> {
    const frames = await this.#store.load(this.#spec.name, nowMs - Math.max(KEEP_MS, maxAgeMs));
    this.#frames = [];
    for (const { asOfMs, frame } of frames) if (asOfMs <= nowMs) this.#push(asOfMs, this.#addToRing(frame));
    this.#newest = null;
    for (const frame of this.#frames.toReversed()) {
      if (nowMs - frame.asOfMs > maxAgeMs || this.#newest) break;
      this.#newest = this.#decode(frame);
    }
    this.#delayed = null;
  }

  /**
   * Adds a frame that the collector has published; frames may arrive in any order. Returns false if the frame is already
   * held, too old, or unreadable.
   */
  take(asOfMs: number, frame: Uint8Array, nowMs: number): boolean {
    // A frame of this time proves that those from the future have a wrong time.
    if (asOfMs <= nowMs + MAX_AHEAD_MS) this.dropAfter(nowMs + MAX_AHEAD_MS);
    const newestMs = this.#frames.at(-1)?.asOfMs ?? Number.NEGATIVE_INFINITY;
    if (asOfMs > newestMs) {
      const table = this.#reader.read(asOfMs, () => frame);
      if (!table) {
        this.#reader.forgetBefore(asOfMs - KEEP_MS);
        return false;
      }
      this.#push(asOfMs, this.#addToRing(frame));
      this.#newest = { asOfMs, table };
      this.#trim(Math.min(asOfMs, nowMs + MAX_AHEAD_MS));
      return true;
    }
    if (asOfMs < newestMs - KEEP_MS || this.holds(asOfMs)) return false;
    const frames = [...this.#frames, { asOfMs, bytes: this.#addToRing(frame) }];
    this.#frames = [];
    for (const one of frames.sort((a, b) => a.asOfMs - b.asOfMs)) this.#push(one.asOfMs, one.bytes);
    this.#trim(newestMs);
    return true;
  }

  /** Drops the frames of later times from memory. The newest one that is left is served. */
  dropAfter(timeMs: number): void {
    if ((this.#frames.at(-1)?.asOfMs ?? timeMs) <= timeMs) return;
    this.#frames = this.#frames.filter((held) => held.asOfMs <= timeMs);
    for (const decoded of this.#decoded.keys()) if (decoded > timeMs) this.#decoded.delete(decoded);
    if (this.#delayed && this.#delayed.asOfMs > timeMs) this.#delayed = null;
    this.#newest = null;
    for (const frame of this.#frames.toReversed()) this.#newest ??= this.#decode(frame);
    this.#hold = null;
  }

  /** Call it when the clock was set: `byMs` is how far, `nowMs` the time after it. */
  clockStepped(byMs: number, nowMs: number): void {
    if (byMs > 0) this.#hold = { fromMs: nowMs - byMs - KEEP_MS, untilMs: nowMs + KEEP_MS };
    else this.dropAfter(nowMs);
  }

  get newestAsOfMs(): number | null {
    return this.#newest?.asOfMs ?? null;
  }

  /** True if a frame of this time is not held, could be read, and would not be dropped at once. */
  wants(asOfMs: number): boolean {
    if (this.#reader.isOfAnotherVersion(asOfMs)) return false;
    const newestMs = this.#frames.at(-1)?.asOfMs ?? asOfMs;
    if (this.holds(asOfMs) || asOfMs < newestMs - KEEP_MS) return false;
    if (this.#delayedEveryMs === 0 || asOfMs >= newestMs - CURSOR_LIFE_MS) return true;
    const span = Math.floor(asOfMs / this.#delayedEveryMs);
    return !this.#frames.some(
      (held) => held.asOfMs < asOfMs && Math.floor(held.asOfMs / this.#delayedEveryMs) === span,
    );
  }

  holds(asOfMs: number): boolean {
    return this.#frames.some((held) => held.asOfMs === asOfMs);
  }

  /** The newest snapshot of at least this age; null while there is none. */
  at(delaySeconds: number, nowMs: number): TableSnapshot | null {
    if (delaySeconds === 0) return this.#newest;
    const limitMs = nowMs - delaySeconds * 1000;
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const frame = this.#frames[i];
      if (!frame?.isForDelayed || frame.asOfMs > limitMs) continue;
      const snapshot = this.#held(frame.asOfMs) ?? this.#decode(frame);
      if (!snapshot) continue;
      if (snapshot !== this.#newest) this.#delayed = snapshot;
      return snapshot;
    }
    return null;
  }

  /** The snapshot that a cursor names; null if it is no longer held or unreadable. */
  exactly(asOfMs: number): TableSnapshot | null {
    if (this.#newest?.asOfMs === asOfMs) return this.#newest;
    const frame = this.#frames.find((held) => held.asOfMs === asOfMs);
    const snapshot = frame && (this.#held(asOfMs) ?? this.#decode(frame));
    if (!snapshot) return null;
    // The least recently used one is the first.
    this.#decoded.delete(asOfMs);
    this.#decoded.set(asOfMs, snapshot);
    const [oldest] = this.#decoded.keys();
    if (this.#decoded.size > MAX_DECODED && oldest !== undefined) this.#decoded.delete(oldest);
    return snapshot;
  }

  /** Delayed readers get only the snapshots that `at` shows to them. */
  after(asOfMs: number, delaySeconds: number, nowMs: number): number | null {
    const limitMs = delaySeconds === 0 ? (this.#newest?.asOfMs ?? 0) : nowMs - delaySeconds * 1000;
    const next = this.#frames.find(
      (frame) => frame.asOfMs > asOfMs && (delaySeconds === 0 || frame.isForDelayed),
    );
    return next && next.asOfMs <= limitMs ? next.asOfMs : null;
  }

  /** Drops frames that are too old to be requested. */
  #trim(asOfMs: number): void {
    const heldFromMs =
      this.#hold && asOfMs < this.#hold.untilMs ? this.#hold.fromMs : Number.POSITIVE_INFINITY;
    const horizonMs = Math.min(asOfMs - KEEP_MS - this.#delayedEveryMs, heldFromMs);
    const everyFrameSinceMs = Math.min(asOfMs - CURSOR_LIFE_MS - MARGIN_MS, heldFromMs);
    this.#frames = this.#frames.filter(
      (held) => held.asOfMs >= (held.isForDelayed ? horizonMs : everyFrameSinceMs),
    );
    for (const asOfMs of this.#decoded.keys()) if (asOfMs < horizonMs) this.#decoded.delete(asOfMs);
    if (this.#delayed && this.#delayed.asOfMs < horizonMs) this.#delayed = null;
    this.#reader.forgetBefore(horizonMs);
  }

  #addToRing(frame: Uint8Array): RingFrame {
    return this.#ring.add(
      frame,
      this.#frames.map(({ bytes }) => bytes),
    );
  }

  #push(asOfMs: number, bytes: RingFrame): void {
    const span = (timeMs: number) => Math.floor(timeMs / this.#delayedEveryMs);
    const last = this.#frames.at(-1);
    const isForDelayed = this.#delayedEveryMs === 0 || !last || span(last.asOfMs) !== span(asOfMs);
    this.#frames.push({ asOfMs, bytes, isForDelayed });
  }

  /** The decoded snapshot of a time, if one is held. */
  #held(asOfMs: number): TableSnapshot | null {
    if (this.#newest?.asOfMs === asOfMs) return this.#newest;
    if (this.#delayed?.asOfMs === asOfMs) return this.#delayed;
    return this.#decoded.get(asOfMs) ?? null;
  }

  #decode({ asOfMs, bytes }: Frame): TableSnapshot | null {
    const table = this.#reader.hasSkipped(asOfMs) ? null : this.#reader.read(asOfMs, () => bytes.read());
    return table && { asOfMs, table };
  }
}
