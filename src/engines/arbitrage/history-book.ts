import type { Table } from '../../market/table.ts';
import {
  HISTORY_FIGURES,
  type HistoryColumns,
  HistoryLookup,
  historiesTable,
  newHistoryColumns,
} from './histories.ts';
import { type LegHours, lastFullHour, legHours, type SettledPrints } from './hours.ts';
import { pairHistory, UNKNOWN_HISTORY } from './pair-history.ts';
import type { Pairs } from './pairs.ts';

/** Where the settled prints of contracts are. */
export interface PrintSource {
  /** Changes whenever a print of the contract changes; 0: it has none. */
  versionOf(key: string): number;
  /** The prints of the last 31 days, oldest first. */
  printsOf(key: string): SettledPrints | null;
}

interface Hours {
  leg: LegHours | null;
  version: number;
  lastHour: number;
}

/** Work for this long, then let requests run: the refresh after a full hour takes a tenth of a second of CPU. */
const SLICE_MS = 2;

/** Computes the 30-day figures of all pairs. Pairs whose prints did not change within the hour are copied. */
export class PairHistoryBook {
  #hours = new Map<string, Hours>();
  #last: { lookup: HistoryLookup; lastHour: number; contracts: number } | null = null;

  /** The table as of the given time; null if it is the same as the last one. */
  async refresh(
    legs: Table,
    pairs: Pairs,
    source: PrintSource,
    asOfMs: number,
    pause: () => Promise<void>,
  ): Promise<Table | null> {
    const lastHour = lastFullHour(asOfMs);
    const slices = new Slices(pause);
    const { codes, values } = legs.texts('contract');
    const changed = new Uint8Array(values.length);
    const hours: (LegHours | null)[] = new Array<LegHours | null>(values.length).fill(null);
    const kept = new Map<string, Hours>();
    let changes = 0;
    for (let code = 1; code < values.length; code++) {
      const key = values[code] as string;
      const known = this.#hours.get(key);
      const fresh = hoursOf(key, known, source, lastHour);
      kept.set(key, fresh);
      hours[code] = fresh.leg;
      if (fresh !== known) {
        changed[code] = 1;
        changes++;
      }
      await slices.next();
    }
    this.#hours = kept;
    const last = this.#last;
    if (last && changes === 0 && last.lookup.table.rowCount === pairs.count && last.contracts === kept.size)
      return null;
    const table = await this.#compute({ codes, values, pairs, hours, changed, lastHour }, slices);
    this.#last = { lookup: new HistoryLookup(table), lastHour, contracts: kept.size };
    return table;
  }

  async #compute(
    input: {
      codes: Uint32Array;
      values: readonly string[];
      pairs: Pairs;
      hours: readonly (LegHours | null)[];
      changed: Uint8Array;
      lastHour: number;
    },
    slices: Slices,
  ): Promise<Table> {
    const { codes, values, pairs, hours, changed, lastHour } = input;
    const lookup = this.#last?.lastHour === lastHour ? this.#last.lookup : null;
    const codeThere = lookup ? Uint32Array.from(values, (text) => lookup.codeOf(text)) : null;
    const a = new Uint32Array(pairs.count);
    const b = new Uint32Array(pairs.count);
    const figures = newHistoryColumns(pairs.count);
    for (let row = 0; row < pairs.count; row++) {
      const [long, short] = [pairs.long[row] as number, pairs.short[row] as number];
      const codeA = codes[Math.min(long, short)] as number;
      const codeB = codes[Math.max(long, short)] as number;
      a[row] = codeA;
      b[row] = codeB;
      const there =
        lookup && codeThere && !changed[codeA] && !changed[codeB]
          ? lookup.rowOf(codeThere[codeA] as number, codeThere[codeB] as number)
          : -1;
      if (lookup && there >= 0) {
        for (const name of HISTORY_FIGURES) figures[name][row] = lookup.table.numbers(name)[there] as number;
        continue;
      }
      put(figures, row, hours[codeA] ?? null, hours[codeB] ?? null, lastHour);
      await slices.next();
    }
    return historiesTable(values, a, b, figures);
  }
}

function put(
  figures: HistoryColumns,
  row: number,
  a: LegHours | null,
  b: LegHours | null,
  lastHour: number,
): void {
  const history = a && b ? pairHistory(a, b, lastHour) : UNKNOWN_HISTORY;
  for (const name of HISTORY_FIGURES) figures[name][row] = history[name];
}

function hoursOf(key: string, known: Hours | undefined, source: PrintSource, lastHour: number): Hours {
  const version = source.versionOf(key);
  if (known && known.version === version && known.lastHour === lastHour) return known;
  const prints = version === 0 ? null : source.printsOf(key);
  return { leg: prints && legHours(prints, lastHour), version, lastHour };
}

/** Pauses after every few milliseconds of work. */
class Slices {
  readonly #pause: () => Promise<void>;
  #untilMs = performance.now() + SLICE_MS;
  #calls = 0;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** Resolves at once, except after a slice. Reads the clock only at every eighth call, because most steps are short. */
  next(): Promise<void> | undefined {
    if ((++this.#calls & 7) !== 0 || performance.now() < this.#untilMs) return undefined;
    return this.#pause().then(() => {
      this.#untilMs = performance.now() + SLICE_MS;
    });
  }
}
