import { systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { CollectorParts } from './collector-parts.ts';
import type { DemoFlags } from './flags.ts';
import { collectForgottenHistory } from './history.ts';
import { storeOlderPrices } from './past-prices.ts';
import { sampleOlderPast } from './samples.ts';
import { startSimulator } from './simulator.ts';

/** The first requests should not share the machine with it. */
const BEGINS_AFTER_MS = 5 * SECOND_MS;

/** Printed when the charts and the backtest have all their days. */
const OLDER_PAST_COMPLETE = 'The older past is complete.';

/**
 * Fetches in the background what the start did not wait for: prices and days of samples, and prints that venues no longer return.
 * A second simulator of the same market serves it, because its clock is moved and its answers take seconds to compute.
 */
export async function collectOlderPast(
  parts: CollectorParts,
  flags: DemoFlags,
  signal: AbortSignal,
): Promise<void> {
  await systemClock.sleep(BEGINS_AFTER_MS, signal);
  if (signal.aborted) return;
  try {
    const simulator = await startSimulator(flags);
    try {
      await storeOlderPrices(parts, simulator.url, systemClock.nowMs());
      await collectForgottenHistory(parts, simulator.url, signal);
      await sampleOlderPast(parts, simulator.url, Number(flags.coins), signal);
    } finally {
      simulator.stop();
    }
    if (!signal.aborted) console.log(OLDER_PAST_COMPLETE);
  } catch (error) {
    if (!signal.aborted) parts.context.log.error({ err: error }, 'could not collect the simulated past');
  }
}
