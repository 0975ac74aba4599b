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
export const VALUES_JUDGED = 8;
export const LEAST_CONTRACTS = 10;
/**
 * Positions of some thin contracts are round on their own. A healthy count is never odd in 8 values with a chance of 2⁻⁸, so
 * for nine of ten contracts with less than 10 × 2⁻⁷²; more contracts make it smaller.
 */
export const CLEAR_SHARE = 0.9;

/**
 * Tells a count of both sides from a count of one: the first is never odd. The step is that of the last digit seen of the
 * contract, whatever its place, because venues count in lots of 0.001 as well as of 1,000.
 */
export class Counts {
  #values = new Map<string, number[]>();

  /** Takes what the venues say now. Only values that differ from the ones held are new. */
  note(states: readonly ContractState[]): void {
    const values = new Map<string, number[]>();
    for (const state of states) {
      this.#take(values, keyOf(state, 'open_interest_usdt'), state.figures?.openInterestUsdt?.count);
      this.#take(values, keyOf(state, 'volume_24h_usdt'), state.volumeCount);
    }
    this.#values = values;
  }

  verdict(states: readonly ContractState[], field: CountedField): CountVerdict {
    const found: CountVerdict = { contracts: 0, values: 0, neverOdd: 0, halves: 0 };
    for (const state of states) {
      const values = this.#values.get(keyOf(state, field)) ?? [];
      if (values.length < VALUES_JUDGED) continue;
      const digits = lastDigits(values);
      found.contracts++;
      found.values += values.length;
      if (digits.every((digit) => digit % 2 === 0)) found.neverOdd++;
      if (digits.every((digit) => digit % 5 === 0)) found.halves++;
    }
    return found;
  }

  #take(into: Map<string, number[]>, key: string, value: number | null | undefined): void {
    const held = this.#values.get(key) ?? [];
    const isNew = value !== null && value !== undefined && isExact(value) && !held.includes(value);
    into.set(key, isNew ? [...held.slice(1 - VALUES_JUDGED), value] : held);
  }
}

function keyOf({ key }: ContractState, field: CountedField): string {
  return `${field} ${key}`;
}

/** A double holds 15 digits; the last ones of sums are noise. */
const EXACT_DIGITS = 13;
const NOISE = 2e-15;

/** Whether all digits of the value are known. Zero has none. */
function isExact(value: number): boolean {
  return value > 0 && Math.abs(value - Number(value.toPrecision(EXACT_DIGITS))) <= value * NOISE;
}

/** The digit of each value at the finest place that any of them uses. */
function lastDigits(values: readonly number[]): number[] {
  const ends = values.map((value) => {
    const [digits = '', exponent] = Number(value.toPrecision(EXACT_DIGITS)).toExponential().split('e');
    return { digit: Number(digits.at(-1)), place: Number(exponent) - digits.replace('.', '').length };
  });
  const finest = Math.min(...ends.map(({ place }) => place));
  return ends.map(({ digit, place }) => (place === finest ? digit : 0));
}
