import type { Table } from '../../market/tables/table.ts';
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
  /** The prints of the last 33 days that had settled by then, oldest first. */
  printsOf(key: string): SettledPrints | null;
}

interface Hours {
  leg: LegHours | null;
  version: number;
  lastHour: number;
}

interface Contracts {
  codes: Uint32Array;
  /** Keys by code; code 0 means none. */
  keys: readonly string[];
}

/** Work for this long, then let requests run. */
const SLICE_MS = 2;
/** The most that one refresh works. After an hour in which every contract settled a rebuild takes several refreshes. */
const WORK_MS = 100;
const PAIRS_PER_STEP = 16;

/**
 * Computes the 30-day figures of all pairs. Within an hour, pairs whose prints did not change are copied. A rebuild is
 * spread over several refreshes, and its table is returned by the one that finishes it.
 */
export class PairHistoryBook {
  #hours = new Map<string, Hours>();
  #last: { lookup: HistoryLookup; lastHour: number } | null = null;
  #rebuild: Iterator<undefined, Table | null> | null = null;

  /** The new table; null if the last one is still valid, or while a rebuild is not finished. */
  async refresh(
    legs: Table,
    pairs: Pairs,
    source: PrintSource,
    asOfMs: number,
    pause: () => Promise<void>,
  ): Promise<Table | null> {
    const rebuild = this.#rebuild ?? this.#steps(legs, pairs, source, lastFullHour(asOfMs));
    this.#rebuild = rebuild;
    // Without an earlier table there is nothing to show in the meantime.
    let leftMs = this.#last ? WORK_MS : Number.POSITIVE_INFINITY;
    for (let startedMs = performance.now(); ; ) {
      const step = rebuild.next();
      if (step.done) {
        this.#rebuild = null;
        return step.value;
      }
      const tookMs = performance.now() - startedMs;
      if (tookMs < SLICE_MS) continue;
      leftMs -= tookMs;
      if (leftMs <= 0) return null;
      await pause();
      startedMs = performance.now();
    }
  }

  *#steps(
    legs: Table,
    pairs: Pairs,
    source: PrintSource,
    lastHour: number,
  ): Generator<undefined, Table | null> {
    const { codes, values: keys } = legs.texts('contract');
    const hours = new Array<LegHours | null>(keys.length).fill(null);
    const isChanged = new Uint8Array(keys.length);
    const kept = new Map<string, Hours>();
    let changes = 0;
    for (let code = 1; code < keys.length; code++) {
      const key = keys[code] as string;
      const known = this.#hours.get(key);
      const fresh = hoursOf(key, known, source, lastHour);
      kept.set(key, fresh);
      hours[code] = fresh.leg;
      if (fresh === known) continue;
      isChanged[code] = 1;
      changes++;
      yield;
    }
    const isSame = changes === 0 && kept.size === this.#hours.size;
    this.#hours = kept;
    if (isSame && this.#last?.lookup.table.rowCount === pairs.count) return null;
    const earlier = this.#last?.lastHour === lastHour ? this.#last.lookup : null;
    const table = yield* pairSteps({ codes, keys }, pairs, hours, earlier, isChanged, lastHour);
    this.#last = { lookup: new HistoryLookup(table), lastHour };
    return table;
  }
}

function* pairSteps(
  { codes, keys }: Contracts,
  pairs: Pairs,
  hours: readonly (LegHours | null)[],
  earlier: HistoryLookup | null,
  isChanged: Uint8Array,
  lastHour: number,
): Generator<undefined, Table> {
  const codeThere = earlier ? Uint32Array.from(keys, (text) => earlier.codeOf(text)) : null;
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
      earlier && codeThere && !isChanged[codeA] && !isChanged[codeB]
        ? earlier.rowOf(codeThere[codeA] as number, codeThere[codeB] as number)
        : -1;
    if (earlier && there >= 0)
      for (const name of HISTORY_FIGURES) figures[name][row] = earlier.table.numbers(name)[there] as number;
    else put(figures, row, hours[codeA] ?? null, hours[codeB] ?? null, lastHour);
    if (row % PAIRS_PER_STEP === 0) yield;
  }
  return historiesTable(keys, a, b, figures);
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
