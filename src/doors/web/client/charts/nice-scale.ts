/** The axis of values of a part of a chart: round steps around what is in sight. */
export interface ValueScale {
  low: number;
  high: number;
  ticks: number[];
  decimals: number;
}

const STEPS = [1, 2, 2.5, 5, 10];
const COUNT = 6;
const MOST_DECIMALS = 12;

/** Zero is in sight where the whole chart has it, unless the figures are far from it. */
export function niceScale(values: readonly number[], isFromZero: boolean): ValueScale {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  const isNearZero = Math.min(Math.abs(low), Math.abs(high)) < high - low;
  if (isFromZero && isNearZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const rough = (high - low) / COUNT;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * 0.999) ?? 10) * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(12)));
  const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const isHalf = Math.abs(Number((step * 10 ** places).toFixed(6)) % 1) > 1e-6;
  const decimals = Math.min(MOST_DECIMALS, places + (isHalf ? 1 : 0));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks, decimals };
}
