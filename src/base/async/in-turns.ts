import { nextTurn, wholeTurn } from './next-turn.ts';

/** The steps of a long computation. A step takes about two milliseconds. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs the steps of a long computation with a turn of the event loop between them, so that requests do not wait for it. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

/** After this much work requests run before the next step. */
const LONG_MS = 2;

/** Runs steps that take long only sometimes: with a turn between them only after long ones. */
export async function inTurnsIfLong<Result>(steps: Steps<Result>): Promise<Result> {
  for (let startedMs = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (performance.now() - startedMs > LONG_MS) {
      await wholeTurn();
      startedMs = performance.now();
    }
    if (done) return value;
  }
}

/** Runs all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
