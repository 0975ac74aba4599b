import type { ScratchStore } from '../storage/scratch-file.ts';

/** A frame's bytes, which are read only when needed. */
export interface RingFrame {
  readonly offset: number;
  readonly length: number;
  read(): Uint8Array;
}

/** Storage for the frames of one timeline. */
export interface FrameRing {
  /** `live`: the frames in use; the space of all others is free. */
  add(frame: Uint8Array, live: readonly RingFrame[]): RingFrame;
}

export const memoryRing: FrameRing = {
  add: (frame) => ({ offset: 0, length: frame.length, read: () => frame }),
};

/**
 * Holds frames outside the heap: half an hour of frames is tens of megabytes that are rarely read. Frames are written
 * one after the other, as in a ring buffer, which wraps around once the oldest are free.
 */
export function scratchRing(scratch: Omit<ScratchStore, 'close'>): FrameRing {
  let next = 0;
  return {
    add: (frame, live) => {
      const { length } = frame;
      const isFree = (offset: number) =>
        live.every((other) => other.offset + other.length <= offset || other.offset >= offset + length);
      const end = live.reduce((most, other) => Math.max(most, other.offset + other.length), 0);
      // Wrap around if the front is free and nothing in use lies ahead; else continue; else append at the end.
      const offset = next >= end && isFree(0) ? 0 : isFree(next) ? next : end;
      scratch.write(offset, frame);
      next = offset + length;
      return {
        offset,
        length,
        read: () => {
          const bytes = new Uint8Array(length);
          scratch.read(offset, bytes);
          return bytes;
        },
      };
    },
  };
}
