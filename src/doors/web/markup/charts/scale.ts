/** The vertical axis of a chart: round steps around all values, zero among them. */
export interface Scale {
  low: number;
  high: number;
  ticks: readonly number[];
  decimals: number;
}

const STEPS = [1, 2, 2.5, 5, 10];
/** Prices of some coins begin with eight zeros. */
const MOST_DECIMALS = 12;

/** With `isFromZero` zero is always in sight. */
export function scaleOf(values: readonly number[], count = 6, isFromZero = true): Scale {
  const known = isFromZero || values.length === 0 ? [0, ...values] : values;
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * 0.999) ?? 10) * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(12)));
  const places = Math.ceil(-Math.log10(step) - 1e-9);
  const isHalf = Math.abs(Number((step * 10 ** Math.max(0, places)).toFixed(6)) % 1) > 1e-6;
  const decimals = Math.min(MOST_DECIMALS, Math.max(0, places) + (isHalf ? 1 : 0));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks, decimals };
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAY_STEPS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 60, 90];
const DAY_LABEL = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Labels of the time axis, in UTC: days, or hours of a chart of at most two days. */
export function timeTicks(
  fromMs: number,
  toMs: number,
  most = 6,
): readonly { atMs: number; label: string }[] {
  const days = (toMs - fromMs) / DAY_MS;
  if (!(days > 0)) return [];
  const isHours = days <= 2;
  const stepMs = isHours
    ? Math.max(1, Math.ceil((days * 24) / most)) * HOUR_MS
    : (DAY_STEPS.find((one) => days / one <= most) ?? 120) * DAY_MS;
  const ticks = [];
  for (let atMs = Math.floor(toMs / stepMs) * stepMs; atMs >= fromMs; atMs -= stepMs)
    ticks.unshift({
      atMs,
      label: isHours ? new Date(atMs).toISOString().slice(11, 16) : DAY_LABEL.format(atMs),
    });
  return ticks;
}
