import type { MessagePort } from 'node:worker_threads';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import type { FrameFeed, FrameOutlet } from './frame-feed.ts';
import { type FrameIntakeOptions, takeFrames } from './frame-intake.ts';

/** Sends frames to the serving side of the same process, and stores them for the next start. */
export class PortOutlet implements FrameOutlet {
  readonly #send: (frames: readonly StoredFrame[]) => void;
  readonly #archive: Pick<FrameArchive, 'saveAll'>;

  constructor(send: (frames: readonly StoredFrame[]) => void, archive: Pick<FrameArchive, 'saveAll'>) {
    this.#send = send;
    this.#archive = archive;
  }

  /** Sent before they are stored: a full disk must not stop the answers. */
  async publish(frames: readonly StoredFrame[]): Promise<void> {
    this.#send(frames);
    await this.#archive.saveAll(frames, null);
  }
}

/** Sends frames through a port. Their bytes are copied once and transferred. */
export function sendThrough(
  port: Pick<MessagePort, 'postMessage'>,
): (frames: readonly StoredFrame[]) => void {
  return (frames) => {
    const copies = frames.map((one) => ({ ...one, frame: Uint8Array.from(one.frame) }));
    port.postMessage(
      copies,
      copies.map(({ frame }) => frame.buffer),
    );
  };
}

/** Takes the frames of the collector in the same process: those of a port, or of a collector in the same thread. */
export class PortFeed implements FrameFeed {
  /** The collector of this process starts after the stored frames were restored, so none is missing. */
  readonly isFetching = false;
  readonly #options: FrameIntakeOptions;
  #port: MessagePort | null = null;

  constructor(options: FrameIntakeOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    this.#port?.close();
  }

  /** Follows a collector thread; one that was restarted has a new port. */
  listen(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.on('message', (frames: readonly StoredFrame[]) => this.receive(frames));
  }

  receive(frames: readonly StoredFrame[]): void {
    takeFrames(frames, this.#options);
  }

  /** Every frame that a cursor can name was taken or restored. */
  async fetch(): Promise<boolean> {
    return false;
  }
}
