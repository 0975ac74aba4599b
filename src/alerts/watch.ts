import { hash } from 'node:crypto';
import type { Condition, CrossingCondition } from './rule.ts';

/** How the rows of a watch have changed since the snapshot before, by their ids. */
export interface WatchChange {
  /** Rows that match now, or whose figure is beyond the bound now. */
  added: readonly number[];
  /** Rows that no longer match, or whose figure came back. */
  removed: readonly number[];
}

/** The matching rows of a question at one snapshot. `ids` and `rows` are parallel. */
export interface IdentifiedRows {
  rows: readonly number[];
  ids: Int32Array;
}

const NO_CHANGE: WatchChange = { added: [], removed: [] };

/**
 * Names the state of a rule. Rules with the same question and the same bound share it, so it is kept and compared once.
 * `enters` and `leaves` are two views of the same state.
 */
export function watchKeyOf(questionKey: string, condition: Condition): string {
  const { kind } = condition;
  const what =
    kind === 'crosses'
      ? [condition.figure, condition.direction, condition.bound, condition.hysteresis].join(' ')
      : 'rows';
  return hash('sha256', `${questionKey}\n${what}`, 'base64url').slice(0, 24);
}

/** By row id: the last comparison in which the row was seen. Shared by all comparisons, which are synchronous. */
let stamps = new Uint32Array(1 << 16);
let stamp = 0;

function nextStamp(maxId: number): number {
  if (maxId >= stamps.length) {
    const grown = new Uint32Array(Math.max(maxId + 1, stamps.length * 2));
    grown.set(stamps);
    stamps = grown;
  }
  stamp++;
  if (stamp === 0xffff_ffff) {
    stamps.fill(0);
    stamp = 1;
  }
  return stamp;
}

/** Which rows entered and left. */
export function compareRows(known: ReadonlySet<number>, { ids }: IdentifiedRows): WatchChange {
  if (known.size === 0) return ids.length === 0 ? NO_CHANGE : { added: [...ids], removed: [] };
  let maxId = 0;
  for (let i = 0; i < ids.length; i++) if ((ids[i] as number) > maxId) maxId = ids[i] as number;
  const mark = nextStamp(maxId);
  const added: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    stamps[id] = mark;
    if (!known.has(id)) added.push(id);
  }
  // As many rows as before and none new: none can have left.
  if (added.length === 0 && known.size === ids.length) return NO_CHANGE;
  const removed: number[] = [];
  for (const id of known) if (stamps[id] !== mark) removed.push(id);
  return added.length + removed.length === 0 ? NO_CHANGE : { added, removed };
}

/** A figure of the matching rows. `values` and `ids` are parallel; a row without the figure has NaN or is left out. */
export interface Figure {
  values: Float64Array;
  ids: Int32Array;
  /** From the lowest to the highest. */
  isSorted: boolean;
  valueOf(id: number): number | undefined;
}

export function readFigure({ rows, ids }: IdentifiedRows, cell: (row: number) => number): Figure {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = cell(rows[i] as number);
  return figureOf(values, ids, false);
}

/** Sorted, so that many bounds can be compared without looking at every row. */
export function sortFigure(identified: IdentifiedRows, cell: (row: number) => number): Figure {
  const { values, ids } = readFigure(identified, cell);
  const order: number[] = [];
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) order.push(i);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  return figureOf(
    Float64Array.from(order, (i) => values[i] as number),
    Int32Array.from(order, (i) => ids[i] as number),
    true,
  );
}

function figureOf(values: Float64Array, ids: Int32Array, isSorted: boolean): Figure {
  let byId: Map<number, number> | null = null;
  return {
    values,
    ids,
    isSorted,
    valueOf: (id) => {
      byId ??= new Map(Array.from(ids, (one, place) => [one, values[place] as number]));
      return byId.get(id);
    },
  };
}

/**
 * Which rows crossed the bound and which came back. A row that is not on the list keeps its state: that its venue is
 * unavailable says nothing about its figure.
 */
export function compareFigures(
  known: ReadonlySet<number>,
  figure: Figure,
  bounds: Pick<CrossingCondition, 'direction' | 'bound' | 'hysteresis'>,
): WatchChange {
  const added: number[] = [];
  const removed: number[] = [];
  const beyondCount = figure.isSorted
    ? addSorted(known, figure, bounds, added)
    : addEach(known, figure, bounds, added);
  // As many rows beyond the bound as before, and none new: none can have come back.
  if (known.size > beyondCount - added.length) {
    const { direction, bound, hysteresis } = bounds;
    const isAbove = direction === 'above';
    const returnBound = isAbove ? bound - hysteresis : bound + hysteresis;
    for (const id of known) {
      const value = figure.valueOf(id);
      if (value !== undefined && (isAbove ? value <= returnBound : value >= returnBound)) removed.push(id);
    }
  }
  return added.length + removed.length === 0 ? NO_CHANGE : { added, removed };
}

type Bound = Pick<CrossingCondition, 'direction' | 'bound'>;

/** Adds the rows that are newly beyond the bound. Returns how many are beyond it. */
function addEach(
  known: ReadonlySet<number>,
  { values, ids }: Figure,
  { direction, bound }: Bound,
  added: number[],
): number {
  const isAbove = direction === 'above';
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (isAbove ? !(value > bound) : !(value < bound)) continue;
    count++;
    if (!known.has(ids[i] as number)) added.push(ids[i] as number);
  }
  return count;
}

function addSorted(
  known: ReadonlySet<number>,
  { values, ids }: Figure,
  { direction, bound }: Bound,
  added: number[],
): number {
  const isAbove = direction === 'above';
  const start = isAbove ? firstAbove(values, bound) : 0;
  const end = isAbove ? values.length : firstNotBelow(values, bound);
  for (let i = start; i < end; i++) if (!known.has(ids[i] as number)) added.push(ids[i] as number);
  return end - start;
}

/** The place of the first value above the bound. */
function firstAbove(values: Float64Array, bound: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of the first value that is not below the bound. */
function firstNotBelow(values: Float64Array, bound: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
