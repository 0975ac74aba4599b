import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

let callsUnderWay = 0;
let callsStarted = 0;
subscribe('undici:request:create', () => {
  callsUnderWay++;
  callsStarted++;
});
for (const end of ['undici:request:trailers', 'undici:request:error']) subscribe(end, () => callsUnderWay--);

/** The event loop turns so often without work before the thread counts as idle: long work pauses for single turns. */
const IDLE_TURNS = 25;
/** A turn that takes longer had work. */
const WORK_MS = 0.2;
/** Work of the system's threads: reading and writing files, compressing. */
const WORK = /^(FSReq|Zlib|Brotli|Zstd)/;

const isBusy = () => callsUnderWay > 0 || process.getActiveResourcesInfo().some((name) => WORK.test(name));

/** Resolves when this thread waits for nothing but its clock. */
export async function untilIdle(): Promise<void> {
  for (let idleTurns = 0, seen = callsStarted; idleTurns < IDLE_TURNS; ) {
    const startMs = performance.now();
    // A thread that only waits for replies leaves the processor to the simulator.
    await (callsUnderWay > 0 ? pause(1) : nextTurn());
    const hadWork = performance.now() - startMs > WORK_MS;
    idleTurns = hadWork || callsStarted !== seen || isBusy() ? 0 : idleTurns + 1;
    seen = callsStarted;
  }
}
