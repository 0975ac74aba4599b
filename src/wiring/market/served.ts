import type { Clock } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import { isoTime, SECOND_MS } from '../../base/times.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import { MAX_AHEAD_MS, type TableSource } from '../../market/timeline.ts';
import type { Series } from './series.ts';

interface ServedTimes {
  /** Sets the metrics of the newest times to what is served now. */
  setMetrics(): void;
  /** What is wrong with the served snapshot, in sentences for the operator. */
  faults(): string[];
}

/** A snapshot that is this many cycles old, and at least a minute, is reported. */
const LATE_AFTER_CYCLES = 6;

export function servedTimes(
  { series, listings }: { series: Series; listings: TableSource },
  { clock, metrics, snapshotSeconds }: { clock: Clock; metrics: Metrics; snapshotSeconds: number },
): ServedTimes {
  const gauges: [Metrics['snapshotAsOf'], TableSource | undefined][] = [
    [metrics.snapshotAsOf, series.funding],
    [metrics.spreadAsOf, series.legs],
    [metrics.backtestAsOf, series.backtest.get(SIZES_USD[0])],
    [metrics.listingAsOf, listings],
  ];
  return {
    setMetrics: () => {
      for (const [gauge, source] of gauges) {
        const asOfMs = source?.at(0, clock.nowMs())?.asOfMs;
        if (asOfMs !== undefined) gauge.set(asOfMs / SECOND_MS);
      }
    },
    faults: () => {
      const nowMs = clock.nowMs();
      const asOfMs = series.funding.at(0, nowMs)?.asOfMs;
      if (asOfMs === undefined) return [];
      const ageSeconds = Math.round((nowMs - asOfMs) / SECOND_MS);
      if (asOfMs > nowMs + MAX_AHEAD_MS)
        return [
          `The served snapshot of ${isoTime(asOfMs)} is ${-ageSeconds} s in the future: set the clocks`,
        ];
      return ageSeconds > Math.max(60, LATE_AFTER_CYCLES * snapshotSeconds)
        ? [`The served snapshot of ${isoTime(asOfMs)} is ${ageSeconds} s old`]
        : [];
    },
  };
}
