/** By the digits after the point. Creating a formatter, which `toLocaleString` does, takes longer than a row of a table. */
const formatters = new Map<string, Intl.NumberFormat>();

/** A number with commas, such as `1,234.50`. Without digits it has at most three, as many as it needs. */
export function grouped(value: number, leastDigits?: number, mostDigits = leastDigits): string {
  const key = `${leastDigits} ${mostDigits}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', {
      ...(leastDigits === undefined ? {} : { minimumFractionDigits: leastDigits }),
      ...(mostDigits === undefined ? {} : { maximumFractionDigits: mostDigits }),
    });
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}
