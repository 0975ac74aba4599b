/** By the digits after the point. Creating a formatter, which `toLocaleString` does, takes longer than a row of a table. */
const formatters = new Map<string, Intl.NumberFormat>();

/** A number with commas, such as `1,234.50`. Without digits it has at most three, as many as it needs. */
export function grouped(value: number, leastDigits?: number, mostDigits = leastDigits): string {
  // Most numbers are counts; a formatter takes ten times as long for them.
  if (leastDigits === undefined && value >= 0 && Number.isSafeInteger(value))
    return withCommas(String(value));
  const key = `${leastDigits} ${mostDigits}`;
  const make = () =>
    new Intl.NumberFormat('en-US', {
      ...(leastDigits === undefined ? {} : { minimumFractionDigits: leastDigits }),
      ...(mostDigits === undefined ? {} : { maximumFractionDigits: mostDigits }),
    });
  return formatters.getOrInsertComputed(key, make).format(value);
}

/** `1 pair`, `1,234 pairs`. The plural of the noun has an s. */
export function countText(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** `pair` of one, `pairs` of all other counts. */
export function nounFor(count: number, plural: string): string {
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

function withCommas(digits: string): string {
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}
