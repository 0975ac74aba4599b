import type { StoredFrame } from '../market/frame-store.ts';
import { type Message, pack } from './envelope.ts';

/** Tables of one moment, as they go to every API process. Frames are compact and compressed already. */
export interface FramesMessage {
  /** Of the engine's lease. */
  fence: number;
  frames: readonly SentFrame[];
}

export interface SentFrame extends StoredFrame {
  /** The frame before in the same series: who does not hold it has missed something. */
  beforeMs: number | null;
}

interface FrameHead {
  series: string;
  asOfMs: number;
  beforeMs: number | null;
  bytes: number;
}

export function encodeFrames({ fence, frames }: FramesMessage): Buffer {
  const heads = frames.map(
    ({ series, asOfMs, beforeMs, frame }): FrameHead => ({ series, asOfMs, beforeMs, bytes: frame.length }),
  );
  return pack({ kind: 'frames', fence, frames: heads }, Buffer.concat(frames.map(({ frame }) => frame)));
}

export function decodeFrames({ head, body }: Message<Record<string, unknown>>): FramesMessage | null {
  if (head.kind !== 'frames') return null;
  let offset = 0;
  const frames = (head.frames as FrameHead[]).map(({ bytes, ...frame }) => {
    // A copy: a part of the message would keep the whole of it in memory for as long as the ring does.
    const copy = new Uint8Array(body.subarray(offset, offset + bytes));
    offset += bytes;
    return { ...frame, frame: copy };
  });
  return { fence: Number(head.fence), frames };
}
