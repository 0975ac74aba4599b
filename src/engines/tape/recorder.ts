import type { ClockWatch } from '../../base/clock-steps.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { TapePacker } from '../../history/tape/packer.ts';
import { DAY_MINUTES, HOUR_MINUTES } from '../../history/tape/store.ts';
import { TapeWriter } from '../../history/tape/writer.ts';
import { FrameReader } from '../../market/frame-reader.ts';
import { type FrameArchive, storedFrames } from '../../market/frame-store.ts';
import type { Table } from '../../market/tables/table.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { FUNDING_TABLE } from '../funding/table.ts';
import { tapeRows } from './tape-rows.ts';

interface TapeRecorderOptions {
  storage: Storage;
  days: number;
  engineLease: EngineLease;
  clockWatch: Pick<ClockWatch, 'onStep'>;
  log: Log;
  metrics: Pick<Metrics, 'framesSkipped'>;
}

/**
 * Stores what the last snapshot of each minute said. A minute is stored when the first snapshot of another one is published.
 * What a process could not store, because it was killed or the database was away, is read from the stored frames.
 */
export class TapeRecorder {
  readonly #options: TapeRecorderOptions;
  readonly #writer: TapeWriter;
  readonly #packer: TapePacker;
  readonly #frames: FrameArchive;
  readonly #reader: FrameReader;
  readonly #unsubscribe: () => void;
  /** The newest snapshot; its minute may not be over. */
  #newest: { minute: number; table: Table } | null = null;
  /** Minutes may be missing that stored frames have. */
  #isBehind = true;
  #wrongFromMinute: number | null = null;
  #packedInHour = 0;
  #prunedOnDay = 0;

  constructor(options: TapeRecorderOptions) {
    const { storage, log, metrics, clockWatch } = options;
    this.#options = options;
    this.#writer = new TapeWriter(storage, log);
    this.#packer = new TapePacker(storage, log);
    this.#frames = storedFrames(storage);
    this.#reader = new FrameReader(FUNDING_TABLE, log, metrics);
    this.#unsubscribe = clockWatch.onStep(({ wrongFromMs }) => {
      if (wrongFromMs === null) return;
      this.#wrongFromMinute = minuteOf(wrongFromMs);
      if (this.#newest && this.#newest.minute >= this.#wrongFromMinute) this.#newest = null;
    });
  }

  /** Called with every snapshot that was published. A fault of the database is tried again with the next one. */
  async observe(asOfMs: number, table: Table): Promise<void> {
    const { log } = this.#options;
    const minute = minuteOf(asOfMs);
    const ended = this.#newest?.minute === minute ? null : this.#newest;
    this.#newest = { minute, table };
    try {
      if (this.#wrongFromMinute !== null) await this.#deleteWrong(this.#wrongFromMinute);
      await this.#prune(minute);
      // Oldest first: frames are looked for after the newest stored minute.
      if (this.#isBehind) await this.#catchUp(minute);
      if (ended) await this.#store(ended.minute, ended.table);
      await this.#pack(minute);
    } catch (error) {
      this.#isBehind = true;
      log.error({ err: error }, 'could not store the tape');
    }
  }

  stop(): void {
    this.#unsubscribe();
  }

  async #store(minute: number, table: Table): Promise<void> {
    await this.#writer.save(minute, tapeRows(table), this.#options.engineLease.fence());
  }

  /** Stores the minutes after the newest stored one, from the last stored frame of each. */
  async #catchUp(nowMinute: number): Promise<void> {
    const newestMinute = await this.#writer.newestMinute();
    const fromMs = ((newestMinute ?? -1) + 1) * MINUTE_MS;
    const times = await this.#frames.timesAfter(new Map([[FUNDING_TABLE.name, fromMs - 1]]));
    const lastOfMinute = new Map(
      (times.get(FUNDING_TABLE.name) ?? []).map((asOfMs) => [minuteOf(asOfMs), asOfMs]),
    );
    for (const [minute, asOfMs] of lastOfMinute) {
      if (minute >= nowMinute) continue;
      const [stored] = await this.#frames.loadThese([{ series: FUNDING_TABLE.name, asOfMs }]);
      const table = stored && this.#reader.read(asOfMs, () => stored.frame);
      if (table) await this.#store(minute, table);
    }
    this.#isBehind = false;
  }

  async #deleteWrong(minute: number): Promise<void> {
    await this.#writer.deleteFrom(minute, this.#options.engineLease.fence());
    this.#wrongFromMinute = null;
  }

  async #prune(minute: number): Promise<void> {
    const day = Math.floor(minute / DAY_MINUTES);
    if (day === this.#prunedOnDay) return;
    const { engineLease, days } = this.#options;
    await this.#writer.prune(minute - days * DAY_MINUTES, minute, engineLease.fence());
    this.#prunedOnDay = day;
  }

  async #pack(minute: number): Promise<void> {
    const hour = Math.floor(minute / HOUR_MINUTES);
    if (hour === this.#packedInHour) return;
    await this.#packer.pack(minute, this.#options.engineLease.fence());
    this.#packedInHour = hour;
  }
}

function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS);
}
