import { isTurnLong, MAX_LONG_TURNS } from './turn-length.ts';

const waiting: (() => void)[] = [];
/** How many turns the first that waits has let pass because they were long. */
let longTurns = 0;
/** How many wait for the end of the turn they are in. */
let endingTurn = 0;

/**
 * Lets the event loop serve what has arrived, then goes on. Of all that wait, one goes on in each turn of the loop, and in
 * one that has been short so far: if several long computations, or a full garbage collection and a computation, took the
 * same turn, requests would wait for all of them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  if (isTurnLong() && longTurns < MAX_LONG_TURNS) {
    longTurns++;
    setImmediate(goOn);
    return;
  }
  longTurns = 0;
  const first = waiting.shift();
  // Set before the step runs: an immediate that is set in an immediate comes in the next turn.
  if (waiting.length > 0) setImmediate(goOn);
  first?.();
}

/**
 * As `nextTurn`, but at least one turn later. What is called while the loop handles arrived data comes first in the same
 * turn: `nextTurn` alone would go on right after the data that has arrived.
 */
export async function wholeTurn(): Promise<void> {
  endingTurn++;
  await new Promise<void>((resolve) => setImmediate(resolve));
  endingTurn--;
  await nextTurn();
}

/** Whether a computation waits for its turn. For runs on a moved clock, which may move it only when nothing is under way. */
export function isTurnAwaited(): boolean {
  return waiting.length + endingTurn > 0;
}
