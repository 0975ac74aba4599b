import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { PAIR_HISTORIES_TABLE } from '../../engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../../engines/arbitrage/legs.ts';
import { BACKTEST_TABLES } from '../../engines/backtest/rows.ts';
import { DEPTH_TABLE } from '../../engines/depth/table.ts';
import { FORECAST_MODELS_TABLE } from '../../engines/forecast/models.ts';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import { LEGS_TABLE } from '../../engines/spreads/legs.ts';
import { SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';
import type { FrameArchive } from '../../market/frame-store.ts';
import { type FrameSink, FrameWriter } from '../../market/frame-writer.ts';
import type { TableSpec } from '../../market/tables/table.ts';

/** What the engine publishes, one writer a table. */
export interface Writers {
  funding: FrameWriter;
  legs: FrameWriter;
  arbitrageLegs: FrameWriter;
  arbitrageHistories: FrameWriter;
  forecastModels: FrameWriter;
  depth: FrameWriter;
  backtest: ReadonlyMap<SizeUsd, FrameWriter>;
  /** Continues after what is stored, by this process or another one. */
  resume(): Promise<void>;
  clockStepped(byMs: number, nowMs: number): void;
}

export function openWriters(
  sink: FrameSink,
  { archive, clock, log }: { archive: Pick<FrameArchive, 'timesAfter'>; clock: Clock; log: Log },
): Writers {
  const all = new Map<string, FrameWriter>();
  const writer = (spec: TableSpec): FrameWriter => {
    const made = new FrameWriter(spec, sink, { clock, log });
    all.set(spec.name, made);
    return made;
  };
  return {
    funding: writer(FUNDING_TABLE),
    legs: writer(LEGS_TABLE),
    arbitrageLegs: writer(ARBITRAGE_LEGS_TABLE),
    arbitrageHistories: writer(PAIR_HISTORIES_TABLE),
    forecastModels: writer(FORECAST_MODELS_TABLE),
    depth: writer(DEPTH_TABLE),
    backtest: new Map(SIZES_USD.map((sizeUsd) => [sizeUsd, writer(BACKTEST_TABLES[sizeUsd])])),
    resume: async () => {
      const nowMs = clock.nowMs();
      const stored = await archive.timesAfter(new Map([...all.keys()].map((series) => [series, 0])));
      // Frames from the future were dated by a wrong clock.
      for (const [series, made] of all)
        made.resume(stored.get(series)?.findLast((asOfMs) => asOfMs <= nowMs) ?? null);
    },
    clockStepped: (byMs, nowMs) => {
      for (const made of all.values()) made.clockStepped(byMs, nowMs);
    },
  };
}
