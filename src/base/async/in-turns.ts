import { nextTurn } from './next-turn.ts';

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

/** Runs all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
