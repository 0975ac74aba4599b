import type { StoredFrame } from '../market/frame-store.ts';
import { type Message, pack } from './envelope.ts';
import { count, listOf, MalformedMessageError, nullable, objectOf, text } from './shape.ts';

/** The frames of one snapshot, as the engine sends them to every API process. */
export interface FramesMessage {
  /** The fencing number of the engine's lease. */
  fence: number;
  frames: readonly SentFrame[];
}

export interface SentFrame extends StoredFrame {
  /** The previous frame of the series. A receiver that does not have it has missed a message. */
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

const frameHeads = listOf(
  objectOf<FrameHead>({ series: text, asOfMs: count, beforeMs: nullable(count), bytes: count }),
);

/** Null for a message of another kind; throws MalformedMessageError if the frames do not have the right shape. */
export function decodeFrames({ head, body }: Message): FramesMessage | null {
  if (head.kind !== 'frames') return null;
  const fence = count(head.fence, 'fence');
  let offset = 0;
  const frames = frameHeads(head.frames, 'frames').map(({ bytes, ...frame }) => {
    // A copy, because a view would keep the whole message in memory as long as the timeline keeps the frame.
    const copy = new Uint8Array(body.subarray(offset, offset + bytes));
    offset += bytes;
    return { ...frame, frame: copy };
  });
  if (frames.length === 0) throw new MalformedMessageError('there is no frame');
  if (offset !== body.length) throw new MalformedMessageError('the frames are not as long as the message');
  return { fence, frames };
}
