/** What a snapshot says of a contract at the end of each minute. */
export const MINUTE_COLUMNS = ['ratePct', 'intervalHours', 'nextFundingAtMs', 'premiumPct'] as const;
/** What it says at the end of each five minutes. */
export const FIVE_COLUMNS = ['markPrice', 'openInterestUsdt', 'volume24hUsdt'] as const;
export const TAPE_COLUMNS = [...MINUTE_COLUMNS, ...FIVE_COLUMNS] as const;
export type TapeColumn = (typeof TAPE_COLUMNS)[number];

export const FIVE = 5;
const DIGITS = { markPrice: 7, openInterestUsdt: 5, volume24hUsdt: 5 } as const;
/** Of the premium: a tenth of a basis point. */
const PREMIUM_DECIMALS = 3;

/** A contract over some consecutive minutes. NaN is unknown; a minute without a rate is a gap. */
export class TapeSeries {
  /** Since 1970. */
  readonly fromMinute: number;
  readonly minutes: number;
  /** The number of five minutes since 1970 in which the first minute is. */
  readonly fromFive: number;
  readonly #columns: Partial<Record<TapeColumn, Float64Array>> = {};

  constructor(fromMinute: number, minutes: number, columns: readonly TapeColumn[] = TAPE_COLUMNS) {
    this.fromMinute = fromMinute;
    this.minutes = minutes;
    this.fromFive = Math.floor(fromMinute / FIVE);
    const fives = Math.floor((fromMinute + minutes - 1) / FIVE) - this.fromFive + 1;
    const lengths = columns.map((name) => (isOfMinutes(name) ? minutes : fives));
    // One piece of memory is allocated and collected sooner than several.
    const all = new Float64Array(lengths.reduce((sum, length) => sum + length, 0)).fill(Number.NaN);
    let start = 0;
    for (const [i, name] of columns.entries()) {
      const end = start + (lengths[i] as number);
      this.#columns[name] = all.subarray(start, end);
      start = end;
    }
  }

  has(name: TapeColumn): boolean {
    return this.#columns[name] !== undefined;
  }

  /** One number per minute, or per five minutes. */
  column(name: TapeColumn): Float64Array {
    const column = this.#columns[name];
    if (!column) throw new Error(`the column ${name} was not read`);
    return column;
  }
}

export function isOfMinutes(name: TapeColumn): boolean {
  return (MINUTE_COLUMNS as readonly string[]).includes(name);
}

/** How far the mark price is above the index price, in percent; NaN if one of them is. */
export function premiumPct(markPrice: number, indexPrice: number): number {
  const pct = Number(((markPrice / indexPrice - 1) * 100).toFixed(PREMIUM_DECIMALS));
  // Adding 0 turns -0 into 0.
  return Number.isFinite(pct) ? pct + 0 : Number.NaN;
}

/** Rounded to the digits that are stored. More of them would only store noise. */
export function rounded(name: keyof typeof DIGITS, value: number): number {
  return Number(value.toPrecision(DIGITS[name]));
}
