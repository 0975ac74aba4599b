import type { Shelf } from '../base/shelf.ts';

/** Where a frame's bytes are until somebody needs them. */
export interface KeptFrame {
  readonly offset: number;
  readonly length: number;
  read(): Uint8Array;
}

/** Room for the frames of one timeline. */
export interface FrameRoom {
  /** `live`: the frames that are still wanted; the places of all others are free. */
  keep(frame: Uint8Array, live: readonly KeptFrame[]): KeptFrame;
}

export const memoryRoom: FrameRoom = {
  keep: (frame) => ({ offset: 0, length: frame.length, read: () => frame }),
};

/**
 * Room on a shelf: half an hour of frames is tens of megabytes that are hardly ever read. Frames are written one behind
 * the other and come to the front again once the oldest have gone.
 */
export function shelfRoom(shelf: Omit<Shelf, 'close'>): FrameRoom {
  let next = 0;
  return {
    keep: (frame, live) => {
      const { length } = frame;
      const isFree = (offset: number) =>
        live.every((kept) => kept.offset + kept.length <= offset || kept.offset >= offset + length);
      const end = live.reduce((most, kept) => Math.max(most, kept.offset + kept.length), 0);
      // From the front as soon as it is free there and the place in use lies behind; else on; else at the end.
      const offset = next >= end && isFree(0) ? 0 : isFree(next) ? next : end;
      shelf.write(offset, frame);
      next = offset + length;
      return {
        offset,
        length,
        read: () => {
          const bytes = new Uint8Array(length);
          shelf.read(offset, bytes);
          return bytes;
        },
      };
    },
  };
}
