import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import type { FrameStore } from '../market/timeline.ts';
import { type Fence, FencedError } from '../storage/fences.ts';

export interface FramePublisherOptions {
  archive: FrameArchive;
  /** Null while this process may not publish. */
  fence: () => Fence | null;
}

/** Stores the frames of the active collector in the database, which notifies every process that serves. */
export class FramePublisher implements FrameStore {
  readonly isShared = true;
  readonly #options: FramePublisherOptions;
  #pending: StoredFrame[] = [];
  /** The transaction that will store the pending frames. */
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: FramePublisherOptions) {
    this.#options = options;
  }

  /** Frames of one turn of the event loop are stored together, so that readers get the tables of a snapshot together. */
  save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    this.#pending.push({ series, asOfMs, frame });
    // One after the other, so that no reader sees a snapshot before an earlier one.
    this.#next ??= this.#last.then(() => this.#store());
    this.#last = this.#next.catch(() => undefined);
    return this.#next;
  }

  load(series: string, fromMs: number): Promise<{ asOfMs: number; frame: Uint8Array }[]> {
    return this.#options.archive.load(series, fromMs);
  }

  deleteBefore(series: string, beforeMs: number): Promise<void> {
    return this.#options.archive.deleteBefore(series, beforeMs);
  }

  /** Resolves when all frames are stored or refused. */
  async stop(): Promise<void> {
    await this.#last;
  }

  async #store(): Promise<void> {
    const frames = this.#pending;
    this.#pending = [];
    this.#next = null;
    const fence = this.#options.fence();
    if (!fence) throw new FencedError('this process is not the active collector');
    await this.#options.archive.saveAll(frames, fence);
  }
}
