import { type AuditedSettlement, dayOf, MINUTES_PER_DAY } from '../../history/audit/model.ts';
import { CLOSE_BP, comparisonOf } from './comparison.ts';

/** The windows of the report, in hours. */
export const WINDOWS_HOURS = [24, 7 * 24, 30 * 24] as const;
/** A settlement whose print is not known after this long, in which it was requested many times, counts as missing until it is. */
const MISSING_AFTER_MINUTES = 7 * 60;

export interface WindowFigures {
  comparisons: number;
  /** Percent of the prints within 0.1 basis point of the published rate. */
  closePct: number | null;
  medianErrorBp: number | null;
  worstErrorBp: number | null;
  /** The median for the rates published a minute earlier. */
  medianEarlierErrorBp: number | null;
  /** Percent of the comparisons without a zero in which rate and print have one sign. */
  sameSignPct: number | null;
  /** Print / published. */
  medianRatio: number | null;
  medianDelaySeconds: number | null;
  /** Settlements for which a rate was published and whose print should be known by now. */
  expected: number;
  missing: number;
}

export interface DayFigures {
  /** Days since the epoch. */
  day: number;
  comparisons: number;
  closePct: number | null;
  medianErrorBp: number | null;
}

/** Where a settlement lies, so that its print can be filled in. */
export interface Place {
  day: number;
  index: number;
}

const [SIGN_KNOWN, SIGN_SAME, IS_CLOSE] = [1, 2, 4];

/** The settlements of one venue and day, by column; NaN is unknown. */
class DayColumns {
  count = 0;
  minutes = new Uint16Array(64);
  errorsBp = new Float32Array(64);
  earlierErrorsBp = new Float32Array(64);
  ratios = new Float32Array(64);
  delays = new Float32Array(64);
  flags = new Uint8Array(64);

  add(): number {
    if (this.count === this.minutes.length) this.#grow();
    return this.count++;
  }

  #grow(): void {
    const size = this.count * 2;
    const grown = <T extends Uint16Array | Float32Array | Uint8Array>(before: T, after: T): T => {
      after.set(before);
      return after;
    };
    this.minutes = grown(this.minutes, new Uint16Array(size));
    this.errorsBp = grown(this.errorsBp, new Float32Array(size));
    this.earlierErrorsBp = grown(this.earlierErrorsBp, new Float32Array(size));
    this.ratios = grown(this.ratios, new Float32Array(size));
    this.delays = grown(this.delays, new Float32Array(size));
    this.flags = grown(this.flags, new Uint8Array(size));
  }
}

/** The settlements of one venue in the longest window: about 19 bytes each. */
export class VenueWindows {
  readonly #days = new Map<number, DayColumns>();

  add(settlement: AuditedSettlement): Place {
    const day = dayOf(settlement.minute);
    let columns = this.#days.get(day);
    if (!columns) {
      columns = new DayColumns();
      this.#days.set(day, columns);
    }
    const place = { day, index: columns.add() };
    columns.minutes[place.index] = settlement.minute - day * MINUTES_PER_DAY;
    this.fill(place, settlement);
    return place;
  }

  /** Takes over what has become known of a settlement. */
  fill({ day, index }: Place, settlement: AuditedSettlement): void {
    const columns = this.#days.get(day);
    if (!columns) return;
    const compared = comparisonOf(settlement);
    columns.errorsBp[index] = compared ? Math.abs(compared.errorBp) : Number.NaN;
    columns.earlierErrorsBp[index] = Math.abs(compared?.earlierErrorBp ?? Number.NaN);
    columns.ratios[index] = compared?.ratio ?? Number.NaN;
    columns.delays[index] = settlement.delaySeconds ?? Number.NaN;
    let flags = 0;
    if (compared && compared.hasSameSign !== null) flags |= SIGN_KNOWN;
    if (compared?.hasSameSign) flags |= SIGN_SAME;
    // Rounded: 0.01 − 0.009 must not fall outside by the noise of floats.
    if (compared && Number(Math.abs(compared.errorBp).toFixed(6)) <= CLOSE_BP) flags |= IS_CLOSE;
    columns.flags[index] = flags;
  }

  forgetBefore(day: number): void {
    for (const held of this.#days.keys()) if (held < day) this.#days.delete(held);
  }

  /** Over the settlements in (now − hours, now]. */
  figures(hours: number, nowMinute: number): WindowFigures {
    const fromMinute = nowMinute - hours * 60;
    const found = new Found();
    for (const [day, columns] of this.#days) {
      const startMinute = day * MINUTES_PER_DAY;
      if (startMinute + MINUTES_PER_DAY <= fromMinute || startMinute > nowMinute) continue;
      for (let i = 0; i < columns.count; i++) {
        const minute = startMinute + (columns.minutes[i] as number);
        if (minute > fromMinute && minute <= nowMinute)
          found.take(columns, i, minute <= nowMinute - MISSING_AFTER_MINUTES);
      }
    }
    return found.figures();
  }

  /** One entry per day that has comparisons, oldest first. */
  days(fromDay: number, toDay: number): DayFigures[] {
    return [...this.#days]
      .filter(([day]) => day >= fromDay && day <= toDay)
      .sort(([a], [b]) => a - b)
      .map(([day, columns]) => {
        const found = new Found();
        for (let i = 0; i < columns.count; i++) found.take(columns, i, false);
        const { comparisons, closePct, medianErrorBp } = found.figures();
        return { day, comparisons, closePct, medianErrorBp };
      })
      .filter(({ comparisons }) => comparisons > 0);
  }
}

/** Gathers the settlements of a window. */
class Found {
  readonly #errorsBp: number[] = [];
  readonly #earlierErrorsBp: number[] = [];
  readonly #ratios: number[] = [];
  readonly #delays: number[] = [];
  #close = 0;
  #signKnown = 0;
  #signSame = 0;
  #missing = 0;

  take(columns: DayColumns, i: number, isOverdue: boolean): void {
    const errorBp = columns.errorsBp[i] as number;
    if (Number.isNaN(errorBp)) {
      if (isOverdue) this.#missing++;
      return;
    }
    const flags = columns.flags[i] as number;
    this.#errorsBp.push(errorBp);
    pushKnown(this.#earlierErrorsBp, columns.earlierErrorsBp[i] as number);
    pushKnown(this.#ratios, columns.ratios[i] as number);
    pushKnown(this.#delays, columns.delays[i] as number);
    if (flags & SIGN_KNOWN) this.#signKnown++;
    if (flags & SIGN_SAME) this.#signSame++;
    if (flags & IS_CLOSE) this.#close++;
  }

  figures(): WindowFigures {
    const comparisons = this.#errorsBp.length;
    const sorted = Float32Array.from(this.#errorsBp).sort();
    return {
      comparisons,
      closePct: share(this.#close, comparisons),
      medianErrorBp: middle(sorted),
      worstErrorBp: comparisons === 0 ? null : rounded(sorted[comparisons - 1] as number),
      medianEarlierErrorBp: middle(Float32Array.from(this.#earlierErrorsBp).sort()),
      sameSignPct: share(this.#signSame, this.#signKnown),
      medianRatio: middle(Float32Array.from(this.#ratios).sort()),
      medianDelaySeconds: middle(Float32Array.from(this.#delays).sort()),
      expected: comparisons + this.#missing,
      missing: this.#missing,
    };
  }
}

function pushKnown(into: number[], value: number): void {
  if (!Number.isNaN(value)) into.push(value);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Number(((part / whole) * 100).toFixed(2));
}

function middle(sorted: Float32Array): number | null {
  if (sorted.length === 0) return null;
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as number, sorted[sorted.length >> 1] as number];
  return rounded((low + high) / 2);
}

/** Floats of 32 bits carry seven digits; more would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(6)) + 0;
}
