import { MINUTE_MS } from '../../base/times.ts';
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
import type { GapRange } from './price-gaps.ts';

/** Where the settled prints of contracts and the price gaps of pairs are. */
export interface PrintSource {
  /** Changes whenever a print of the contract changes; 0: it has none. */
  versionOf(key: string): number;
  /** The prints of the last 33 days that had settled by then, oldest first. */
  printsOf(key: string): SettledPrints | null;
  /** How far the price gap of long A and short B has moved. */
  gapOf(keyA: string, keyB: string): GapRange | null;
}

/** Price gaps move all the time; they are read again this often, or with other changes. */
const GAPS_EVERY_MS = 10 * MINUTE_MS;

/** Computes the 30-day figures of all pairs. Within an hour, pairs whose prints did not change are copied. */
export class PairHistoryBook {
  /** The version of each contract's prints at the last rebuild. */
  #versions = new Map<string, number>();
  #last: { lookup: HistoryLookup; lastHour: number; gapsAt: number } | null = null;

  /** The new table; null if the last one is still valid. */
  refresh(legs: Table, pairs: Pairs, source: PrintSource, asOfMs: number): Table | null {
    const lastHour = lastFullHour(asOfMs);
    const gapsAt = Math.floor(asOfMs / GAPS_EVERY_MS);
    const keys = legs.texts('contract').values;
    const isSameHour = this.#last?.lastHour === lastHour;
    const isChanged = new Uint8Array(keys.length);
    const versions = new Map<string, number>();
    let changes = 0;
    for (let code = 1; code < keys.length; code++) {
      const key = keys[code] as string;
      const version = source.versionOf(key);
      versions.set(key, version);
      if (!isSameHour || this.#versions.get(key) !== version) {
        isChanged[code] = 1;
        changes++;
      }
    }
    const isSame = changes === 0 && versions.size === this.#versions.size && this.#last?.gapsAt === gapsAt;
    this.#versions = versions;
    if (isSame && this.#last?.lookup.table.rowCount === pairs.count) return null;
    const earlier = isSameHour && this.#last ? this.#last.lookup : null;
    const hours = new CoinHours(keys, source, lastHour);
    const table = pairFigures(legs, pairs, hours, source, earlier, isChanged);
    this.#last = { lookup: HistoryLookup.of(table), lastHour, gapsAt };
    return table;
  }
}

/**
 * The hours of the legs of one coin. Pairs are ordered by coin, so no more are needed at a time; those of 8,000 contracts
 * would take 28 MB all the time for a few milliseconds of computing.
 */
class CoinHours {
  readonly lastHour: number;
  readonly #keys: readonly string[];
  readonly #source: PrintSource;
  readonly #hours = new Map<number, LegHours | null>();
  #coin = -1;

  constructor(keys: readonly string[], source: PrintSource, lastHour: number) {
    this.#keys = keys;
    this.#source = source;
    this.lastHour = lastHour;
  }

  of(coin: number, code: number): LegHours | null {
    if (coin !== this.#coin) this.#hours.clear();
    this.#coin = coin;
    const known = this.#hours.get(code);
    if (known !== undefined) return known;
    const prints = this.#source.printsOf(this.#keys[code] as string);
    const hours = prints && legHours(prints, this.lastHour);
    this.#hours.set(code, hours);
    return hours;
  }
}

function pairFigures(
  legs: Table,
  pairs: Pairs,
  hours: CoinHours,
  source: PrintSource,
  earlier: HistoryLookup | null,
  isChanged: Uint8Array,
): Table {
  const { codes, values: keys } = legs.texts('contract');
  const coins = legs.texts('coin').codes;
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
    else {
      const coin = coins[long] as number;
      put(figures, row, hours.of(coin, codeA), hours.of(coin, codeB), hours.lastHour);
    }
    putGap(figures, row, source.gapOf(keys[codeA] as string, keys[codeB] as string));
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

function putGap(figures: HistoryColumns, row: number, gap: GapRange | null): void {
  if (!gap) return;
  figures.gapLowPct[row] = gap.lowPct;
  figures.gapHighPct[row] = gap.highPct;
  figures.gapFromMs[row] = gap.fromMs;
}
