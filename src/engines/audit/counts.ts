import type { ContractState } from '../../market/contract-state.ts';

/** The published fields that count something, by the name that answers have. */
export const COUNTED_FIELDS = ['open_interest_usdt', 'volume_24h_usdt'] as const;
export type CountedField = (typeof COUNTED_FIELDS)[number];

/** What the last digits of a venue's counts say, in the venue's own steps. */
export interface CountVerdict {
  /** Contracts of which enough different values were seen. */
  contracts: number;
  values: number;
  /** Of these contracts no value was odd: the venue counts both sides, and half of it is the truth. */
  neverOdd: number;
  /** Every value ends in 0 or 5 in the finest step: odd counts were halved. */
  halves: number;
}

/** Different values of a contract that are looked at, the newest ones. */
const VALUES_JUDGED = 8;
export const LEAST_CONTRACTS = 10;
/**
 * Positions of some thin contracts are round on their own. A healthy count is never odd in 8 values with a chance of 2⁻⁸, so
 * for nine of ten contracts with less than 10 × 2⁻⁷²; more contracts make it smaller.
 */
export const CLEAR_SHARE = 0.9;

/** A value and where it ends: its last digit, and the place of that digit as a power of ten. */
interface Seen {
  value: number;
  digit: number;
  place: number;
}

/** The newest values of one contract, by field; kept while the contract is listed. */
type SeenFields = Record<CountedField, Seen[]>;

/**
 * Tells a count of both sides from a count of one: the first is never odd. The step is that of the last digit seen of the
 * contract, whatever its place, because venues count in lots of 0.001 as well as of 1,000.
 */
export class Counts {
  #seen = new Map<string, SeenFields>();

  /** Takes what the venues say now. Only values that differ from the ones held are new. */
  note(states: readonly ContractState[]): void {
    const seen = new Map<string, SeenFields>();
    for (const { key, figures, volumeCount } of states) {
      const fields = this.#seen.get(key) ?? { open_interest_usdt: [], volume_24h_usdt: [] };
      take(fields.open_interest_usdt, figures?.openInterestUsdt?.count ?? null);
      take(fields.volume_24h_usdt, volumeCount);
      seen.set(key, fields);
    }
    this.#seen = seen;
  }

  verdict(states: readonly ContractState[], field: CountedField): CountVerdict {
    const found: CountVerdict = { contracts: 0, values: 0, neverOdd: 0, halves: 0 };
    for (const { key } of states) {
      const seen = this.#seen.get(key)?.[field] ?? [];
      if (seen.length < VALUES_JUDGED) continue;
      const digits = digitsAtFinestPlace(seen);
      found.contracts++;
      found.values += seen.length;
      if (digits.every((digit) => digit % 2 === 0)) found.neverOdd++;
      if (digits.every((digit) => digit % 5 === 0)) found.halves++;
    }
    return found;
  }
}

function take(held: Seen[], value: number | null): void {
  if (value === null || held.some((one) => one.value === value)) return;
  const seen = endOf(value);
  if (seen === null) return;
  held.push(seen);
  if (held.length > VALUES_JUDGED) held.shift();
}

/** A double holds 15 digits; the last ones of sums are noise. */
const EXACT_DIGITS = 13;
const NOISE = 2e-15;

/** Null if not all digits of the value are known. Zero has none. */
function endOf(value: number): Seen | null {
  if (!(value > 0)) return null;
  const text = value.toExponential(EXACT_DIGITS - 1);
  if (Math.abs(value - Number(text)) > value * NOISE) return null;
  const mark = text.indexOf('e');
  let last = mark - 1;
  while (text[last] === '0') last--;
  // Without a digit after the point the last one is before it.
  const decimals = Math.max(0, last - 1);
  return {
    value,
    digit: Number(text[decimals === 0 ? 0 : last]),
    place: Number(text.slice(mark + 1)) - decimals,
  };
}

/** The digit of each value at the finest place that any of them uses. */
function digitsAtFinestPlace(seen: readonly Seen[]): number[] {
  const finest = Math.min(...seen.map(({ place }) => place));
  return seen.map(({ digit, place }) => (place === finest ? digit : 0));
}
