import type { Log } from '../log.ts';

/** Takes a function that closes what has just been opened. */
export type OnFailure = (close: () => unknown) => void;

/**
 * Opens several things one after the other. If one cannot be opened, closes those before it, the last one first, and rejects
 * with the error: an open socket, timer or thread would keep a process alive whose start has failed.
 */
export async function openAll<Opened>(
  log: Log,
  open: (onFailure: OnFailure) => Promise<Opened>,
): Promise<Opened> {
  const closers: (() => unknown)[] = [];
  try {
    return await open((close) => closers.push(close));
  } catch (error) {
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (closeError) {
        log.warn({ err: closeError }, 'could not close a part after a failed start');
      }
    }
    throw error;
  }
}
