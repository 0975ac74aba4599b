import type { CheckpointStore } from '../../../history/samples/checkpoints.ts';
import { MINUTES_PER_BLOCK } from '../../../history/samples/model.ts';
import type { SampleStore } from '../../../history/samples/store.ts';
import { lookBackMinutes } from '../rule.ts';
import type { BacktestBasis } from './basis.ts';
import type { BacktestHost, BacktestReport } from './host.ts';

export interface RunOptions {
  basis: BacktestBasis;
  samples: SampleStore;
  checkpoints: CheckpointStore;
  /** Identifies this process in the checkpoints it writes; absent in a process that writes none. */
  writer?: string;
  /** Called after every block with the share of the stored samples that has been read, 0 to 1. */
  onProgress?: (share: number) => void;
  onDamage?: (startMinute: number, damage: string) => void;
}

interface CatchUp {
  /** Whether to make a report after this minute. */
  isReportWanted?: (minute: number) => boolean;
  onReport?: (report: BacktestReport) => Promise<void>;
  signal?: AbortSignal;
}

const MINUTES_PER_DAY = 1440;
const MINUTES_PER_CHECKPOINT = 60;
const NEVER = -1;

/** How long samples are kept: the scan window, two days between checkpoints, and the window of the median before that. */
export function retentionMinutes({ rule }: BacktestBasis): number {
  return lookBackMinutes(rule) + 2 * MINUTES_PER_DAY + rule.medianMinutes + MINUTES_PER_BLOCK;
}

/** Feeds an engine from the stored samples and writes its checkpoints. */
export class BacktestRun {
  readonly #options: RunOptions;
  readonly #host: BacktestHost;
  #readMinute = NEVER;
  #minute = NEVER;
  #fromMinute = NEVER;
  #checkpointMinute = NEVER;
  #contractsSent = 0;

  constructor(host: BacktestHost, options: RunOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** The last minute that the result includes. */
  get minute(): number {
    return this.#minute;
  }

  /** Continues from the newest checkpoint. Older samples are read again only to fill the look-back windows. */
  async resume(): Promise<void> {
    await this.#begin(await this.#options.checkpoints.lastUpTo(Number.MAX_SAFE_INTEGER));
  }

  /** Computes everything again that can still change a row, from the oldest samples on. */
  async rebuild(): Promise<void> {
    const { samples, checkpoints, basis } = this.#options;
    const lastMinute = (await samples.span())?.lastMinute ?? NEVER;
    const base = await checkpoints.lastUpTo(lastMinute - lookBackMinutes(basis.rule));
    await this.#begin(base);
  }

  async #begin(checkpoint: { state: Uint8Array } | null): Promise<void> {
    const { samples, basis } = this.#options;
    // A copy: contracts that get their id during this call are sent with the next block.
    const contracts = [...samples.contracts];
    const resumed = await this.#host.begin(basis, checkpoint?.state ?? null, contracts);
    this.#contractsSent = contracts.length;
    const firstMinute = (await samples.span())?.firstMinute ?? NEVER;
    this.#minute = resumed ?? NEVER;
    this.#checkpointMinute = resumed ?? NEVER;
    this.#fromMinute =
      resumed === null ? firstMinute : Math.max(firstMinute, resumed - lookBackMinutes(basis.rule));
    this.#readMinute = this.#fromMinute - 1;
  }

  /** Reads all stored samples. Returns whether the result has changed. */
  async catchUp({ isReportWanted, onReport, signal }: CatchUp): Promise<boolean> {
    const { samples, onProgress } = this.#options;
    let hasAdvanced = false;
    while (!signal?.aborted) {
      const stored = await samples.nextAfter(this.#readMinute);
      if (!stored) break;
      const { startMinute, minutes, block } = stored;
      if (this.#fromMinute === NEVER) this.#fromMinute = startMinute;
      const reportAt = Array.from({ length: minutes }, (_, i) => startMinute + i).filter(
        (minute) => isReportWanted?.(minute) ?? false,
      );
      const contracts = samples.contracts.slice(this.#contractsSent);
      this.#contractsSent += contracts.length;
      const outcome = await this.#host.take({ block, contracts, reportAt });
      if (outcome.damage !== null) this.#options.onDamage?.(startMinute, outcome.damage);
      this.#readMinute = startMinute + minutes - 1;
      hasAdvanced ||= outcome.minute > this.#minute;
      this.#minute = outcome.minute;
      for (const report of outcome.reports) await onReport?.(report);
      await this.#checkpointWhenDue();
      if (onProgress) {
        const toMinute = Math.max((await samples.span())?.lastMinute ?? 0, this.#readMinute);
        onProgress((this.#readMinute - this.#fromMinute + 1) / (toMinute - this.#fromMinute + 1));
      }
    }
    return hasAdvanced;
  }

  /** Saves the state for a restart. */
  async checkpoint(): Promise<void> {
    const { checkpoints, writer, basis } = this.#options;
    if (writer === undefined || this.#minute <= this.#checkpointMinute) return;
    const { minute, state } = await this.#host.state();
    await checkpoints.save({ minute, writer, state }, minute - retentionMinutes(basis));
    this.#checkpointMinute = minute;
  }

  /** Hourly while live, daily while catching up. */
  async #checkpointWhenDue(): Promise<void> {
    const every = (await this.#isLive()) ? MINUTES_PER_CHECKPOINT : MINUTES_PER_DAY;
    if (Math.floor(this.#minute / every) > Math.floor(this.#checkpointMinute / every))
      await this.checkpoint();
  }

  async #isLive(): Promise<boolean> {
    const lastMinute = (await this.#options.samples.span())?.lastMinute ?? NEVER;
    return lastMinute - this.#readMinute < MINUTES_PER_BLOCK;
  }
}
