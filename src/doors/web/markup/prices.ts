const SIGNIFICANT = 6;
/** Venues print fewer digits than this; a number with more was converted or averaged. */
const MOST_SIGNIFICANT = 8;
/** Cuts off what binary fractions add: 0.01171 / 1000 is not exact. */
const EXACT_DIGITS = 11;

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/** A number in plain decimals, without an exponent. */
function plainText(value: number): string {
  const text = String(Number(value.toPrecision(EXACT_DIGITS)));
  if (!text.includes('e')) return text;
  return value
    .toFixed(Math.min(20, EXACT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))))
    .replace(/0+$/, '');
}

/** How many decimals the venue prints: as many as these prices need, or six digits of a price that was converted. */
export function priceDecimals(prices: readonly number[]): number {
  let most = 0;
  for (const price of prices) {
    if (!(price > 0)) continue;
    const text = plainText(price);
    const digits = text.replace('.', '').replace(/^0+/, '').length;
    const least = Math.max(0, SIGNIFICANT - 1 - Math.floor(Math.log10(price)));
    most = Math.max(most, digits > MOST_SIGNIFICANT ? least : decimalsOf(text));
  }
  return Math.min(most, 20);
}

/** A price with the decimals of its venue; a dash where there is none. */
export function priceText(price: number | null | undefined, decimals: number): string {
  return typeof price === 'number' && price > 0 ? price.toFixed(decimals) : '–';
}
