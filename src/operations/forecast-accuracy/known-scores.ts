import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../base/per-snapshot.ts';
import { HORIZONS_DAYS } from '../../engines/forecast/model.ts';
import type { DataSources } from '../operation.ts';
import { type HorizonAccuracy, horizonAccuracy } from './summary.ts';

type Scores = DataSources['forecastScores'];

/** The figures of all horizons, and when the last score in them was made. */
export interface KnownScores {
  /** Since 1970; null while nothing is scored. */
  lastMinute: number | null;
  horizons: readonly HorizonAccuracy[];
}

/** Windows whose figures are kept. */
const MOST_WINDOWS = 16;
const NOTHING_SCORED: KnownScores = { lastMinute: null, horizons: horizonsOf([]) };

const knownOf = perSnapshot(
  (_scores: Scores) => new LRUCache<string, Promise<KnownScores>>({ max: MOST_WINDOWS }),
);

/** Scores change a few times a day: their figures are computed once for each change and window. */
export async function knownScores(scores: Scores, fromDay: number, byMinute: number): Promise<KnownScores> {
  const scored = await scores.scored(fromDay, byMinute);
  if (!scored) return NOTHING_SCORED;
  const { count, lastMinute } = scored;
  const known = knownOf(scores);
  const key = `${fromDay} ${count} ${lastMinute}`;
  let computing = known.get(key);
  if (!computing) {
    computing = scores
      .scores(fromDay, byMinute)
      .then((stored) => ({ lastMinute, horizons: horizonsOf(stored) }));
    known.set(key, computing);
    computing.catch(() => known.delete(key));
  }
  return await computing;
}

function horizonsOf(stored: Awaited<ReturnType<Scores['scores']>>): HorizonAccuracy[] {
  return HORIZONS_DAYS.map((days) =>
    horizonAccuracy(
      days,
      stored.filter((one) => one.days === days),
    ),
  );
}
