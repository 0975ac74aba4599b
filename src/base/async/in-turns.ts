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
    startedMs = await turnIfLong(startedMs);
    if (done) return value;
  }
}

/** Lets requests run if long work has been done since that time; returns when the work goes on. */
export async function turnIfLong(startedMs: number): Promise<number> {
  if (performance.now() - startedMs <= LONG_MS) return startedMs;
  await wholeTurn();
  return performance.now();
}

/** Runs all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
