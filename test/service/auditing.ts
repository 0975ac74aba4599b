import type { ManualClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http-client.ts';
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

/** Publishes 90 seconds before the hour, just before it and after it, then fetches the prints of the last hours. */
export async function throughHour({ running, clock }: Auditing, hourMs: number): Promise<void> {
  for (const beforeMs of [90 * SECOND_MS, 8 * SECOND_MS]) {
    clock.setMs(Math.max(clock.nowMs(), hourMs - beforeMs));
    await collectOnce(running);
  }
  clock.setMs(hourMs + 40 * SECOND_MS);
  await running.service.publisher.publish(clock.nowMs());
  await fetchPrints(running);
  clock.setMs(Math.max(clock.nowMs(), hourMs + 2 * MINUTE_MS));
  await running.service.publisher.publish(clock.nowMs());
  await running.service.audit.refresh();
}

/** Over the wire, as the history does it, but all contracts at once and without pacing. */
export async function fetchPrints({ service, sim, clock }: Running, hoursBack = 17): Promise<void> {
  const http = createHttpClient();
  const toMs = clock.nowMs();
  const window = { fromMs: toMs - hoursBack * HOUR_MS, toMs };
  try {
    for (const collector of service.collectors) {
      const { venue, contracts } = collector;
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
        [...contracts.values()].map(async (contract) => {
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
