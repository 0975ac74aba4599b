/** Order statistics without sorting. The functions reorder the values in place. */

/** Quickselect: puts the value of the given rank (0 = smallest) of values[from..to] at its place, smaller ones before it. */
export function selectRank(values: Float64Array, from: number, to: number, rank: number): number {
  let [left, right] = [from, to];
  while (left < right) {
    const pivot = middleOf(
      values[left] as number,
      values[(left + right) >> 1] as number,
      values[right] as number,
    );
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i <= j) {
        const swapped = values[i] as number;
        values[i++] = values[j] as number;
        values[j--] = swapped;
      }
    }
    if (rank <= j) right = j;
    else if (rank >= i) left = i;
    else break;
  }
  return values[rank] as number;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** The median of the first `count` values. Afterwards the upper half is at and after count >> 1. */
export function medianOf(values: Float64Array, count: number): number {
  const middle = count >> 1;
  const upper = selectRank(values, 0, count - 1, middle);
  if (count % 2 === 1) return upper;
  let lower = values[0] as number;
  for (let i = 1; i < middle; i++) if ((values[i] as number) > lower) lower = values[i] as number;
  return (lower + upper) / 2;
}

/** A quantile of the first `count` values, by linear interpolation between the two nearest ranks. */
export function quantileOf(values: Float64Array, count: number, share: number): number {
  const rank = share * (count - 1);
  const below = Math.floor(rank);
  const low = selectRank(values, 0, count - 1, below);
  if (below + 1 >= count) return low;
  let high = values[below + 1] as number;
  for (let i = below + 2; i < count; i++) if ((values[i] as number) < high) high = values[i] as number;
  return low + (high - low) * (rank - below);
}
