/** Words that several operations use for the conclusions of their tools. */

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** `+0.01`; a negative number has its sign already. */
export function signed(value: unknown): string {
  return isNumber(value) && value > 0 ? `+${value}` : String(value);
}

export function plural(count: unknown, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** The interval of a funding rate, which is never quoted without it. */
export function perInterval(intervalHours: unknown): string {
  return isNumber(intervalHours) ? `per ${intervalHours} h` : 'per settlement, interval unknown';
}

/** Who pays whom at a settlement with this rate. */
export function payer(ratePct: unknown): string {
  if (!isNumber(ratePct) || ratePct === 0) return 'nobody pays';
  return ratePct > 0 ? 'longs pay shorts' : 'shorts pay longs';
}

/** Made on first use: the first formatter of a process takes 26 ms. */
let compact: Intl.NumberFormat | null = null;

export function usdt(value: unknown): string {
  if (!isNumber(value)) return 'an unknown volume';
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
  return `${compact.format(value)} USDT`;
}
