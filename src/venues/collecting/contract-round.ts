import { linkedAbort } from '../../base/async/linked-abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Contract } from '../observations.ts';

const WORKERS = 4;
const GIVE_UP_AFTER = 10;
/** The rest of the period is for calls that take longer than planned. */
const SHARE_OF_PERIOD = 0.8;

interface ContractRound {
  /** In the order in which they are called. */
  contracts: readonly Contract[];
  everyMs: number;
  clock: Clock;
  call(contract: Contract, signal: AbortSignal): Promise<void>;
}

/**
 * Calls the contracts one by one, in several workers, spread over the period. Many failures in a row make the round fail;
 * all workers end before this rejects.
 */
export async function runContractRound(round: ContractRound, stopping: AbortSignal): Promise<void> {
  const { everyMs, clock, call } = round;
  const run = linkedAbort(stopping);
  const { signal } = run;
  const queue = [...round.contracts];
  const restMs = queue.length === 0 ? 0 : (everyMs * SHARE_OF_PERIOD * WORKERS) / queue.length;
  let failuresInARow = 0;
  const worker = async () => {
    for (let contract = queue.shift(); contract && !signal.aborted; contract = queue.shift()) {
      const startedMs = clock.monotonicMs();
      try {
        await call(contract, signal);
        failuresInARow = 0;
      } catch (error) {
        if (signal.aborted) return;
        failuresInARow++;
        if (failuresInARow >= GIVE_UP_AFTER) {
          run.abort(error);
          return;
        }
      }
      const leftMs = startedMs + restMs - clock.monotonicMs();
      if (leftMs > 0) await clock.sleep(leftMs, signal);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  run.release();
  if (signal.aborted && !stopping.aborted) throw signal.reason;
}
