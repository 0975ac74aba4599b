import type { ForecastAccuracy } from '../../../../operations/forecast-accuracy/forecast-accuracy.ts';

export type Horizon = ForecastAccuracy['horizons'][number];

export const TITLE = 'Accuracy of forecasts';
export const LEAD =
  'Every day the forecasts of all pairs are stored as they were published and later compared, once, with what settled, beside four simple guesses on the same pairs.';
export const NO_SCORES =
  'There are no scores yet. The first ones, for one day, follow a day and a half after the first forecasts; those for 7 and 30 days a week and a month later.';

export const ORDER_WORDS = {
  net_apr: 'Net APR now',
  realised_30d: 'Settled in 30 days',
  expected_net: 'Expected net APR',
  expected_low_net: 'Likely at least, net',
} as const;

export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** What each horizon shows, in one sentence each; a forecast that was worse than none is named first. */
export function findings({ horizons }: ForecastAccuracy): { isBad: boolean; text: string }[] {
  return horizons
    .filter(({ observations }) => observations > 0)
    .map(findingOf)
    .toSorted((a, b) => Number(b.isBad) - Number(a.isBad));
}

function findingOf({ days, mean_error_bp: errors, is_worse_than_zero: isWorse }: Horizon) {
  const [own, zero] = [bpText(errors.expected), bpText(errors.zero)];
  if (isWorse === true)
    return {
      isBad: true,
      text: `Over ${daysText(days)} the forecast was worse than expecting nothing: off by ${own} on average, nothing by ${zero}.`,
    };
  const off = `Over ${daysText(days)} the forecast was off by ${own} on average`;
  return {
    isBad: false,
    text: `${off}; expecting nothing would have been off by ${zero}, the rates now by ${bpText(errors.now)}.`,
  };
}

function bpText(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(2)}\u00a0bp`;
}
