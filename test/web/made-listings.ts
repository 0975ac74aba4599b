import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { webDoor } from '../../src/doors/web/web.ts';
import { LISTINGS_TABLE } from '../../src/engines/listings/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { Entrance, type EntranceOptions } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { NO_DISK_FAULTS } from '../../src/storage/disk-state.ts';

export interface MadeListings {
  baseUrl: string;
  /** Publishes listings of these contracts at these times; null is a listing without a date. */
  publish(asOf: string, events: readonly (readonly [base: string, effectiveAt: string | null])[]): void;
  stop(): Promise<void>;
}

/** The pages with a calendar that a test writes. */
export async function madeListings(): Promise<MadeListings> {
  let moment = { asOfMs: 0, table: new TableBuilder(LISTINGS_TABLE).build() };
  const source: TableSource = { at: () => moment, exactly: () => moment, after: () => null };
  const entrance = new Entrance({
    clock: systemClock,
    baseUrl: 'http://127.0.0.1',
    isApiEnabled: true,
    data: {
      venues: [{ slug: 'okx', facts: { exchange: 'OKX', name: 'OKX', takerFeePct: { value: 0.05 } } }],
      listings: source,
      coins: { at: () => null },
    } as unknown as DataSources,
  } as unknown as EntranceOptions);
  const server = createHttpServer({
    baseUrl: () => 'http://127.0.0.1',
    trustedProxies: [],
    log: createLog('silent'),
    metrics: createMetrics(),
  });
  await server.register(
    webDoor({
      entrance,
      operations: OPERATIONS,
      signedIn: () => null,
      venueStatus: () => [],
      venueTimes: () => [],
      jobs: () => [],
      diskFaults: () => NO_DISK_FAULTS,
      splitTickers: () => [],
      accuracy: () => null,
      pairChart: async () => null,
      saveStars: async () => undefined,
      saveFees: async () => undefined,
      saveOrderSize: async () => undefined,
    }),
  );
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    baseUrl,
    publish: (asOf, events) => {
      const builder = new TableBuilder(LISTINGS_TABLE);
      for (const [base, effectiveAt] of events)
        builder.add({
          exchange: 'OKX',
          symbol: `${base}-USDT`,
          coin: base,
          kind: 'listing',
          status: 'preopen',
          effective_at: effectiveAt === null ? null : Date.parse(effectiveAt),
          source: 'announcement',
          announcement_url: null,
          detected_at: Date.parse(asOf) - 3_600_000,
        });
      moment = { asOfMs: Date.parse(asOf), table: builder.build() };
    },
    stop: () => server.close(),
  };
}
