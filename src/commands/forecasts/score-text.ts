import type { OrderName } from '../../engines/forecast/orders.ts';
import type { HorizonScore, TopTenth } from '../../engines/forecast/score.ts';
import { table } from '../flags.ts';

const FORECASTS = [
  ['now', 'the rate now, carried forward'],
  ['mean_7d', 'mean of the last 7 days'],
  ['mean_30d', 'mean of the last 30 days'],
  ['zero', 'nothing'],
  ['expected', 'the forecast'],
] as const;

/** The score as tables for a person. */
export function scoreText(horizons: readonly HorizonScore[]): string {
  const titles = horizons.map(({ days }) => (days === 1 ? '1 day' : `${days} days`));
  const row = (label: string, of: (one: HorizonScore) => string) => [label, ...horizons.map(of)];
  const errors = table(
    ['Mean error, in basis points of one leg', ...titles],
    [
      ...FORECASTS.map(([name, label]) => row(label, (one) => decimal(one.mean_error_bp[name]))),
      row('observations', (one) => String(one.observations)),
      row('outcomes inside the interval, in percent', (one) => decimal(one.coverage_pct)),
    ],
  );
  const top = (order: 'by_now' | 'by_expected', figure: keyof TopTenth) => (one: HorizonScore) =>
    decimal(one.top_tenth[order][figure]);
  const tops = table(
    ['Best tenth of the pairs each day, in percent a year', ...titles],
    [
      row('by the rate now: promised', top('by_now', 'promised_apr_pct')),
      row('by the rate now: earned', top('by_now', 'earned_apr_pct')),
      row('by the forecast: promised', top('by_expected', 'promised_apr_pct')),
      row('by the forecast: earned', top('by_expected', 'earned_apr_pct')),
    ],
  );
  return [errors, tops, ...pooledTables(horizons)].join('\n\n');
}

const ORDER_LABELS: Readonly<Record<OrderName, string>> = {
  net_apr: 'the rate now, less fees',
  realised_30d: 'settled in 30 days',
  expected_net: 'expected, less fees',
  expected_low_net: 'likely at least, less fees',
};

/** One table for each horizon, with a row for each order and length of the lists. */
function pooledTables(horizons: readonly HorizonScore[]): string[] {
  return horizons.flatMap(({ days, pooled }) => {
    if (!pooled) return [];
    const title = `Ten best of lists, ${days === 1 ? '1 day' : `${days} days`}`;
    const headings = [title, 'pairs', 'promised bp', 'earned bp', 'inside %', 'below fees %'];
    const rows = pooled.map((one) => [
      `${ORDER_LABELS[one.order]}${one.is_default ? ' *' : ''}`,
      String(one.pairs),
      ...[one.promised_bp, one.earned_bp, one.inside_pct, one.below_costs_pct].map(decimal),
    ]);
    return [`${table(headings, rows)}\n* the order of the pages`];
  });
}

function decimal(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}
