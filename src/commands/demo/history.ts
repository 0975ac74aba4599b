import { ManualClock, systemClock } from '../../base/clock.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import { walkSettlements } from '../../history/settlements/fetching/walk.ts';
import type { Print } from '../../history/settlements/merge.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import type { Contract } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import type { CollectorParts } from './collector-parts.ts';
import { holdSimulator } from './simulator.ts';

export const DEMO_HISTORY_DAYS = 180;
const WORKERS = 8;

/**
 * Some venues return fewer days of prints than the demo shows. For these the simulator's clock is set back step by step,
 * and each step fetches the prints that the venue returned then. The service itself backfills the other venues.
 */
export async function collectForgottenHistory(
  parts: CollectorParts,
  simUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = systemClock.nowMs();
  const { keeper } = parts.history;
  for (const venue of parts.context.venues) {
    const { settlementDepthDays, facts } = venue;
    if (settlementDepthDays === null || settlementDepthDays >= DEMO_HISTORY_DAYS) continue;
    if (facts.noHistory !== undefined) continue;
    const wantedFromMs = nowMs - DEMO_HISTORY_DAYS * DAY_MS;
    const isHeld = keeper.directory
      .all()
      .some(
        ({ exchange, heldSinceMs }) =>
          exchange === facts.exchange && (heldSinceMs ?? nowMs) < wantedFromMs + 2 * DAY_MS,
      );
    if (isHeld) continue;
    // An hour less than the venue's depth, so that consecutive steps overlap.
    const stepMs = settlementDepthDays * DAY_MS - HOUR_MS;
    for (let atMs = nowMs - stepMs; atMs > wantedFromMs; atMs -= stepMs) {
      if (signal.aborted) return;
      await holdSimulator(simUrl, atMs);
      const range = { fromMs: Math.max(wantedFromMs, atMs - stepMs - HOUR_MS), toMs: atMs };
      await walkAsOf(parts, venue, simUrl, range, signal);
    }
  }
  await holdSimulator(simUrl, null);
}

async function walkAsOf(
  parts: CollectorParts,
  venue: Venue,
  simUrl: string,
  { fromMs, toMs: atMs }: { fromMs: number; toMs: number },
  signal: AbortSignal,
): Promise<void> {
  const { keeper } = parts.history;
  const { log, metrics } = parts.context;
  const clock = new ManualClock(atMs);
  const collector = new Collector({
    ...parts.collectorOptions(venue),
    accept: () => undefined,
    simUrl,
    clock,
    isPaced: false,
  });
  await collector.collectOnce(signal, (poll) => poll.gives.includes('contracts'));
  const source = {
    venue,
    contracts: collector.contracts,
    sender: collector.caller.sender.bind(collector.caller),
    volumeOf: () => 0,
  };
  const walk = async (contract: Contract) => {
    const options = { source, priority: PRIORITY.backfill, signal, clock, log, metrics };
    const prints: Print[] = [];
    for await (const page of walkSettlements(contract, { fromMs, toMs: atMs }, options))
      prints.push(...page.prints);
    const names = {
      exchange: venue.facts.exchange,
      venueSymbol: contract.venueSymbol,
      symbol: `${contract.base}-${contract.quote}`,
      coin: contract.base,
      isInverse: contract.isInverse,
      listedAtMs: contract.listedAtMs,
    };
    // `walked: null`: the service still has to fetch the range from this step to now.
    await keeper.submit({ names, prints, walked: null, onConflict: 'keep' });
  };
  const queue = [...collector.contracts.values()];
  const worker = async () => {
    for (let contract = queue.shift(); contract && !signal.aborted; contract = queue.shift())
      await walk(contract);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  await collector.stop();
}
