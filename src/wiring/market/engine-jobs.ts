import type { Clock } from '../../base/clock.ts';
import { type JobState, jobState } from '../../base/jobs.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Settings } from '../../settings.ts';
import type { MarketData } from './market-data.ts';

/** The periodic jobs of the engine. Where another process runs it, they are judged by the age of their results. */
export function engineJobs(
  { series, api, collecting, engine, audit }: MarketData,
  { clock, settings }: { clock: Clock; settings: Settings },
): JobState[] {
  if (engine()) return collecting?.context.jobs.states() ?? [];
  // A collector without the engine does not follow its results.
  if (!api) return [];
  const nowMs = clock.nowMs();
  const asOf = (source: TableSource | undefined) => source?.at(0, nowMs)?.asOfMs;
  const snapshotMs = settings.snapshotSeconds * SECOND_MS;
  const results: [name: string, everyMs: number, asOfMs: number | undefined][] = [
    ['snapshots', snapshotMs, asOf(series.funding)],
    ['arbitrage', snapshotMs, asOf(series.arbitrageLegs)],
    ['spreads', settings.spreadsSeconds * SECOND_MS, asOf(series.legs)],
    ['listings', snapshotMs, asOf(api.listings)],
    ['audit', MINUTE_MS, audit()?.asOfMs],
    ['backtest', MINUTE_MS, asOf(series.backtest.get(SIZES_USD[0]))],
  ];
  return results.flatMap(([name, everyMs, asOfMs]) =>
    asOfMs === undefined ? [] : [jobState(name, everyMs, nowMs - asOfMs)],
  );
}
