import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { PAIR_HISTORIES_TABLE } from '../../engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../../engines/arbitrage/legs.ts';
import { BACKTEST_TABLES } from '../../engines/backtest/rows.ts';
import { DEPTH_TABLE } from '../../engines/depth/table.ts';
import { FORECAST_MODELS_TABLE } from '../../engines/forecast/models.ts';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import { LEGS_TABLE } from '../../engines/spreads/legs.ts';
import { SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';
import { scratchRing } from '../../market/frame-ring.ts';
import type { TableSpec } from '../../market/tables/table.ts';
import { type FrameStore, Timeline } from '../../market/timeline.ts';
import type { Settings } from '../../settings.ts';
import type { ScratchStore } from '../../storage/scratch-file.ts';
import { openScratchFile } from '../../storage/scratch-file.ts';

/** The published tables with their recent past. The feed fills them; operations read them. */
export interface Series {
  funding: Timeline;
  /** Spread tables, stored as their legs; the rows are computed from those. */
  legs: Timeline;
  backtest: ReadonlyMap<SizeUsd, Timeline>;
  /** The legs of the arbitrage rows, and the 30-day figures of their pairs. */
  arbitrageLegs: Timeline;
  arbitrageHistories: Timeline;
  /** The weights of the forecasts in the arbitrage rows. */
  forecastModels: Timeline;
  /** What the order books hold. */
  depth: Timeline;
  /** All timelines, by the name under which their frames are stored. */
  byName: ReadonlyMap<string, Timeline>;
  /** Loads the stored frames, so that a restarted process answers at once. */
  restore(): Promise<void>;
  /** Called when no request can read them any more. */
  close(): void;
}

export function openSeries(
  store: FrameStore,
  { clock, log, metrics, settings }: { clock: Clock; log: Log; metrics: Metrics; settings: Settings },
): Series {
  const openScratch = () =>
    openScratchFile(settings.dataDir, (error) =>
      log.error({ err: error }, 'cannot write to the disk; recent snapshots are held in memory'),
    );
  const scratchFiles = [openScratch(), openScratch(), openScratch(), openScratch(), openScratch()] as const;
  const [fundingRing, legsRing] = [scratchRing(scratchFiles[0]), scratchRing(scratchFiles[1])];
  const funding = new Timeline(FUNDING_TABLE, store, log, { ring: fundingRing, metrics });
  const legs = new Timeline(LEGS_TABLE, store, log, {
    delayedEveryMs: MINUTE_MS,
    ring: legsRing,
    metrics,
  });
  const backtest = new Map(
    SIZES_USD.map((sizeUsd) => [sizeUsd, new Timeline(BACKTEST_TABLES[sizeUsd], store, log, { metrics })]),
  );
  const arbitrageTimeline = (spec: TableSpec, scratch: ScratchStore) =>
    new Timeline(spec, store, log, { delayedEveryMs: MINUTE_MS, ring: scratchRing(scratch), metrics });
  const arbitrageLegs = arbitrageTimeline(ARBITRAGE_LEGS_TABLE, scratchFiles[2]);
  const arbitrageHistories = arbitrageTimeline(PAIR_HISTORIES_TABLE, scratchFiles[3]);
  const forecastModels = new Timeline(FORECAST_MODELS_TABLE, store, log, {
    delayedEveryMs: MINUTE_MS,
    metrics,
  });
  const depth = new Timeline(DEPTH_TABLE, store, log, { ring: scratchRing(scratchFiles[4]), metrics });
  return {
    funding,
    legs,
    arbitrageLegs,
    arbitrageHistories,
    forecastModels,
    depth,
    backtest,
    byName: new Map([
      [FUNDING_TABLE.name, funding],
      [LEGS_TABLE.name, legs],
      [ARBITRAGE_LEGS_TABLE.name, arbitrageLegs],
      [PAIR_HISTORIES_TABLE.name, arbitrageHistories],
      [FORECAST_MODELS_TABLE.name, forecastModels],
      [DEPTH_TABLE.name, depth],
      ...[...backtest].map(([size, timeline]): [string, Timeline] => [BACKTEST_TABLES[size].name, timeline]),
    ]),
    restore: async () => {
      const nowMs = clock.nowMs();
      for (const timeline of [funding, legs, arbitrageLegs, arbitrageHistories, forecastModels, depth])
        await timeline.restore(nowMs, settings.restoreMaxAgeSeconds * SECOND_MS);
      // An old backtest is better than none; meta.as_of shows its age.
      for (const timeline of backtest.values()) await timeline.restore(nowMs, settings.backtestDays * DAY_MS);
    },
    close: () => {
      for (const file of scratchFiles) file.close();
    },
  };
}
