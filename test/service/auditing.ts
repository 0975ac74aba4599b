import { WorkQueue } from '../../src/base/async/work-queue.ts';
import type { ManualClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http/http-client.ts';
import { PRIORITY } from '../../src/base/request-budget.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import type { AuditReport, VenueAccuracy } from '../../src/engines/audit/report.ts';
import { settlementMinute } from '../../src/history/settlements/times.ts';
import { VenueCaller } from '../../src/venues/collecting/caller.ts';
import { collectOnce, type Running } from '../support/service.ts';

/** A service whose clock the test moves from settlement to settlement. */
export interface Auditing {
  running: Running;
  clock: ManualClock;
}

/** Publishes twice before the hour and twice after it, and fetches the prints of the last hours in between. */
export async function throughHour(auditing: Auditing, hourMs: number): Promise<void> {
  const { running, clock } = auditing;
  await readBefore(auditing, hourMs, { venues: 90, start: 300, end: 120 });
  await readBefore(auditing, hourMs, { venues: 8, start: 60, end: 1 });
  running.sim.time.runLive();
  clock.setMs(hourMs + 40 * SECOND_MS);
  await running.service.publisher.publish(clock.nowMs());
  await fetchPrints(running);
  clock.setMs(Math.max(clock.nowMs(), hourMs + 2 * MINUTE_MS));
  await running.service.publisher.publish(clock.nowMs());
  await running.service.audit.refresh();
}

/** A stream that carries rates is read for them this often. */
const STREAMED_RATES_EVERY_MS = 16 * SECOND_MS;

/**
 * Reads all venues and publishes. The clock goes on meanwhile, ten times as fast as real time: with many venues by more
 * than there is between a last rate and its settlement. So the venues' own time is held, and the clock stops before the
 * hour. Times are in seconds before the hour.
 */
async function readBefore(
  { running, clock }: Auditing,
  hourMs: number,
  before: { venues: number; start: number; end: number },
): Promise<void> {
  const { service, sim } = running;
  const holdVenues = (seconds: number) => {
    sim.time.holdAt(hourMs - seconds * SECOND_MS);
    sim.push();
  };
  clock.setMs(Math.max(clock.nowMs(), hourMs - before.start * SECOND_MS));
  holdVenues(before.venues + 1);
  // GRVT's rates come over a stream, which may take until its next message to read what it has received before.
  const nextMessageMs = clock.nowMs() + STREAMED_RATES_EVERY_MS;
  const rateStreams = service.collectors.flatMap((collector) => {
    const { hasEnded } = collector.health();
    const streams = hasEnded ? [] : collector.venue.streams.filter(({ gives }) => gives.includes('rate'));
    return streams.map(({ name }) => ({ collector, name }));
  });
  let hasPushed = false;
  const hasStreamedRates = () => {
    if (rateStreams.length === 0) return true;
    if (clock.nowMs() < nextMessageMs) return false;
    if (!hasPushed) holdVenues(before.venues);
    hasPushed = true;
    return rateStreams.every(({ collector, name }) => {
      const source = collector.health().sources.find((one) => one.name === name);
      return (source?.lastGoodAtMs ?? 0) >= nextMessageMs;
    });
  };
  await collectOnce(running, {
    latestMs: hourMs - before.end * SECOND_MS,
    hasCollected: hasStreamedRates,
  });
}

/** Over the wire, as the history does it, but without pacing. */
export async function fetchPrints({ service, sim, clock }: Running, hoursBack = 17): Promise<void> {
  const http = createHttpClient();
  // On a busy machine, more calls at once would exceed their timeout.
  const calls = new WorkQueue({ running: 8, waiting: Number.POSITIVE_INFINITY });
  const toMs = clock.nowMs();
  const window = { fromMs: toMs - hoursBack * HOUR_MS, toMs };
  try {
    for (const collector of service.collectors) {
      const { venue, contracts } = collector;
      if (venue.facts.noHistory !== undefined) continue;
      const caller = new VenueCaller({
        venue,
        http,
        clock,
        metrics: service.metrics,
        simUrl: sim.url,
        isPaced: false,
      });
      const context = { send: caller.sender(PRIORITY.settlement), contracts };
      await Promise.all(
        [...contracts.values()].map((contract) =>
          calls.run(async () => {
            // A contract that ended since the last list has no history any more.
            if (!sim.view(venue.slug).find(contract.venueSymbol)) return;
            const { settlements } = await venue.settlements(contract, window, context);
            await service.history.keeper.submit({
              names: {
                exchange: venue.facts.exchange,
                venueSymbol: contract.venueSymbol,
                symbol: `${contract.base}-${contract.quote}`,
                coin: contract.base,
                isInverse: contract.isInverse,
                listedAtMs: null,
              },
              prints: settlements.map(({ settledAtMs, ratePct }) => ({
                minute: settlementMinute(settledAtMs),
                ratePct,
              })),
              walked: null,
              onConflict: 'replace',
            });
          }),
        ),
      );
    }
  } finally {
    await http.close();
  }
}

export function venueOf(report: AuditReport | null, exchange: string): VenueAccuracy {
  const found = report?.venues.find((venue) => venue.exchange === exchange);
  if (!found) throw new Error(`the report has no ${exchange}`);
  return found;
}

/** The value of one series of /metrics; undefined when there is none. */
export async function metricOf({ service }: Running, series: string): Promise<number | undefined> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
