import type { StoredFrame } from '../market/frame-store.ts';
import type { FrameSink } from '../market/frame-writer.ts';
import type { FrameOutlet } from './frame-feed.ts';

/** Publishes the frames of all series, those of one snapshot together. */
export class FramePublisher implements FrameSink {
  readonly deleteBefore: FrameSink['deleteBefore'];
  readonly #outlet: FrameOutlet;
  #pending: StoredFrame[] = [];
  /** The publication that will take the pending frames. */
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(outlet: FrameOutlet, archive: Pick<FrameSink, 'deleteBefore'>) {
    this.#outlet = outlet;
    this.deleteBefore = (series, beforeMs) => archive.deleteBefore(series, beforeMs);
  }

  /** Frames that are saved in one turn of the event loop are published together. */
  save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    this.#pending.push({ series, asOfMs, frame });
    // One after the other, so that no reader sees a snapshot before an earlier one.
    this.#next ??= this.#last.then(() => this.#publish());
    this.#last = this.#next.catch(() => undefined);
    return this.#next;
  }

  /** Resolves when all frames are published or refused. */
  async stop(): Promise<void> {
    await this.#last;
  }

  async #publish(): Promise<void> {
    const frames = this.#pending;
    this.#pending = [];
    this.#next = null;
    await this.#outlet.publish(frames);
  }
}
