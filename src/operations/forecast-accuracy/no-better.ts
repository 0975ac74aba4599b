import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { modelFor } from '../../engines/arbitrage/forecast-cells.ts';
import { SHIPPED } from '../../engines/forecast/models.ts';
import type { OperationContext } from '../operation.ts';
import { knownScores } from './known-scores.ts';

/** Forecasts of so many days count, as in /forecasts/accuracy without `days`. */
export const DEFAULT_DAYS = 90;
/** Forecasts of shares were no better than expecting nothing before any score was kept here. */
const DOUBTED: readonly string[] = ['stock'];

type Reader = Pick<OperationContext, 'nowMs' | 'plan'> & {
  data: Pick<OperationContext['data'], 'forecastScores'>;
};

/** The kinds of underlying whose forecasts for a holding time have not been better than expecting nothing, by the public score. */
export async function noBetterThanNothing(
  { data, plan, nowMs }: Reader,
  holdDays: number,
): Promise<ReadonlySet<string>> {
  const visibleMs = nowMs - plan.delaySeconds * SECOND_MS;
  const fromDay = Math.floor(visibleMs / DAY_MS) - DEFAULT_DAYS;
  const { horizons } = await knownScores(
    data.forecastScores,
    fromDay,
    Math.floor(visibleMs / MINUTE_MS),
  ).catch(() => ({ horizons: [] }));
  const { days } = modelFor(SHIPPED, holdDays);
  const groups = horizons.find((one) => one.days === days)?.by_asset_class ?? [];
  const found = new Set(DOUBTED);
  for (const { asset_class, is_worse_than_zero: isWorse } of groups)
    if (isWorse === true) found.add(asset_class);
    else if (isWorse === false) found.delete(asset_class);
  return found;
}
