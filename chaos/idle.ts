import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

let callsUnderWay = 0;
let callsStarted = 0;
subscribe('undici:request:create', () => {
  callsUnderWay++;
  callsStarted++;
});
for (const end of ['undici:request:trailers', 'undici:request:error']) subscribe(end, () => callsUnderWay--);

/** The event loop turns so often without a new call before the thread counts as idle. */
const IDLE_TURNS = 4;

/** Resolves when this thread waits for nothing but its clock. */
export async function untilIdle(): Promise<void> {
  for (let idleTurns = 0, seen = callsStarted; idleTurns < IDLE_TURNS; ) {
    // A thread that only waits for replies leaves the processor to the simulator.
    await (callsUnderWay > 0 ? pause(1) : nextTurn());
    idleTurns = callsUnderWay > 0 || callsStarted !== seen ? 0 : idleTurns + 1;
    seen = callsStarted;
  }
}
