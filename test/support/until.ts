/** Only a hang takes as long. */
export const GIVE_UP_MS = 150_000;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** Waits for something that real sockets will make true. Gives up after a time that only a hang reaches. */
export async function until(isTrue: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const startedMs = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > GIVE_UP_MS) throw new Error(`${what} did not come true within ${GIVE_UP_MS / 1000} s`);
    // Who has waited long can wait a little more: to ask costs what the awaited ones need.
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs / 10));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
