import type { Take, TakeListener } from '../../windows.ts';

/** For callers that wait with a promise. */
export function awaited(ask: (listener: TakeListener) => void): Promise<Take> {
  return new Promise((onTake, onError) => ask({ onTake, onError }));
}

/** An error of one listener must not leave the others without an answer. It is logged as an unhandled rejection. */
export function tell(listener: TakeListener, take: Take): void {
  try {
    listener.onTake(take);
  } catch (error) {
    void Promise.reject(error);
  }
}

export function tellError(listener: TakeListener, error: unknown): void {
  try {
    listener.onError(error);
  } catch (thrown) {
    void Promise.reject(thrown);
  }
}
