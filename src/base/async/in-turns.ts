import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs the steps of a long computation with a turn of the event loop between them, so that requests do not wait for it. */
export async function inTurns<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
