/** What is stopped, as a person reads it after "waiting for", and how. */
export type StopStep = readonly [what: string, stop: () => unknown];

/** Called when stopping takes long, with what it waits for. */
export type OnWait = (what: string) => void;

const LONG_MS = 1_000;
/** A step that begins after that is named only if it takes time itself. */
const SHORTEST_WAIT_MS = 200;

/** Stops one after the other. Whatever is being stopped when a second has passed, and each that then takes long, is named. */
export async function stopInOrder(steps: readonly StopStep[], onWait: OnWait = () => {}): Promise<void> {
  const startedMs = performance.now();
  for (const [what, stop] of steps) {
    const restMs = LONG_MS - (performance.now() - startedMs);
    const timer = setTimeout(onWait, Math.max(SHORTEST_WAIT_MS, restMs), what);
    try {
      await stop();
    } finally {
      clearTimeout(timer);
    }
  }
}
