import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';

const HOURS_PER_YEAR = 365 * 24;

/** The average gross APR of each coin over its linear contracts, by 24 h volume. Price outliers are other coins. */
export const averageApr = perSnapshot((funding: Table): ReadonlyMap<string, number> => {
  const sums = new Map<string, { weighted: number; volume: number }>();
  const [rate, hours, volume] = ['rate_pct', 'interval_hours', 'volume_24h_usdt'].map((name) =>
    funding.numbers(name),
  );
  const [isInverse, isOutlier] = ['is_inverse', 'price_outlier'].map((name) => funding.numbers(name));
  for (let row = 0; row < funding.rowCount; row++) {
    const interval = hours?.[row] ?? Number.NaN;
    if (isInverse?.[row] === 1 || isOutlier?.[row] === 1 || Number.isNaN(interval)) continue;
    const coin = funding.text('coin', row);
    const traded = volume?.[row] ?? 0;
    const sum = sums.get(coin) ?? { weighted: 0, volume: 0 };
    sum.weighted += ((rate?.[row] ?? 0) / interval) * HOURS_PER_YEAR * traded;
    sum.volume += traded;
    sums.set(coin, sum);
  }
  return new Map(
    [...sums].flatMap(([coin, sum]) => (sum.volume > 0 ? [[coin, sum.weighted / sum.volume] as const] : [])),
  );
});
