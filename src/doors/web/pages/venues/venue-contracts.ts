import type { Table } from '../../../../market/tables/table.ts';

/** A value of a column and the number of contracts that have it. */
export interface ValueCount {
  value: number | null;
  contracts: number;
}

/** The distinct values of a number column over the contracts of a venue, the smallest first and unknown ones last. */
export function contractsBy(table: Table, exchange: string, column: string): ValueCount[] {
  const { codes, values } = table.texts('exchange');
  const code = values.indexOf(exchange, 1);
  const numbers = table.numbers(column);
  const counts = new Map<number | null, number>();
  for (let row = 0; row < table.rowCount; row++) {
    if (codes[row] !== code) continue;
    const number = numbers[row] ?? Number.NaN;
    const value = Number.isNaN(number) ? null : number;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, contracts]) => ({ value, contracts }))
    .sort((a, b) => (a.value ?? Number.POSITIVE_INFINITY) - (b.value ?? Number.POSITIVE_INFINITY));
}
