import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { SIZES_USD } from '../../history/samples/model.ts';
import type { Backtest } from './engine.ts';

interface WalkName {
  idA: number;
  idB: number;
  size: number;
  direction: number;
}

/** Everything that cannot be seen from the samples that are still held. */
export interface BacktestState {
  minute: number;
  /** What the state was computed with: under another rule or other fees it means nothing. */
  basis: string;
  contracts: { id: number; lastMinute: number }[];
  open: (WalkName & { openMinute: number; entryPct: number; targetPct: number })[];
  closed: (WalkName & { openMinute: number; closeMinute: number; profitPct: number })[];
}

const WALKS_PER_PAIR = SIZES_USD.length * 2;
const [OPEN_COLUMNS, CLOSED_COLUMNS] = [7, 7];

export function basisOf(rule: object, takerFeesPct: Readonly<Record<string, number>>): string {
  const fees = Object.entries(takerFeesPct).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([rule, fees]);
}

export function stateOf(backtest: Backtest, basis: string): BacktestState {
  const { pairs } = backtest.book;
  const nameOf = (at: number): WalkName => {
    const pair = pairs[Math.floor(at / WALKS_PER_PAIR)];
    if (!pair) throw new Error(`no pair for walk ${at}`);
    return {
      idA: pair.a.contract.id,
      idB: pair.b.contract.id,
      size: (at % WALKS_PER_PAIR) >> 1,
      direction: at & 1,
    };
  };
  const open: BacktestState['open'] = [];
  const { openedAt, entryPct, levelPct } = backtest.walks;
  for (let at = 0; at < pairs.length * WALKS_PER_PAIR; at++) {
    const openMinute = openedAt[at] as number;
    if (openMinute < 0) continue;
    open.push({
      ...nameOf(at),
      openMinute,
      entryPct: entryPct[at] as number,
      targetPct: levelPct[at] as number,
    });
  }
  return {
    minute: backtest.minute,
    basis,
    contracts: [...backtest.series].map(([id, { lastMinute }]) => ({ id, lastMinute })),
    open,
    closed: backtest.closedCycles.map(({ place, direction, openMinute, closeMinute, profitPct }) => ({
      ...nameOf(place * 2 + direction),
      openMinute,
      closeMinute,
      profitPct,
    })),
  };
}

export function encodeState(state: BacktestState): Buffer {
  const { minute, basis, contracts, open, closed } = state;
  const head = JSON.stringify({
    minute,
    basis,
    contracts: contracts.flatMap(({ id, lastMinute }) => [id, lastMinute]),
    openCount: open.length,
    closedCount: closed.length,
  });
  const numbers = Float64Array.from([
    ...columnsOf(open, (o) => [o.idA, o.idB, o.size, o.direction, o.openMinute, o.entryPct, o.targetPct]),
    ...columnsOf(closed, (c) => [
      c.idA,
      c.idB,
      c.size,
      c.direction,
      c.openMinute,
      c.closeMinute,
      c.profitPct,
    ]),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(head));
  return zstdCompressSync(Buffer.concat([length, Buffer.from(head), new Uint8Array(numbers.buffer)]));
}

export function decodeState(bytes: Uint8Array): BacktestState {
  const raw = zstdDecompressSync(bytes);
  const headLength = raw.readUInt32LE(0);
  const head = JSON.parse(raw.toString('utf8', 4, 4 + headLength)) as {
    minute: number;
    basis: string;
    contracts: number[];
    openCount: number;
    closedCount: number;
  };
  const numbers = new Float64Array(Uint8Array.from(raw.subarray(4 + headLength)).buffer);
  const openNumbers = head.openCount * OPEN_COLUMNS;
  const cell = (from: number, count: number, column: number, row: number) =>
    numbers[from + column * count + row] as number;
  const nameAt = (from: number, count: number, row: number): WalkName => ({
    idA: cell(from, count, 0, row),
    idB: cell(from, count, 1, row),
    size: cell(from, count, 2, row),
    direction: cell(from, count, 3, row),
  });
  if (numbers.length !== openNumbers + head.closedCount * CLOSED_COLUMNS)
    throw new Error('a checkpoint of the backtest is damaged');
  return {
    minute: head.minute,
    basis: head.basis,
    contracts: Array.from({ length: head.contracts.length / 2 }, (_, i) => ({
      id: head.contracts[i * 2] as number,
      lastMinute: head.contracts[i * 2 + 1] as number,
    })),
    open: Array.from({ length: head.openCount }, (_, row) => ({
      ...nameAt(0, head.openCount, row),
      openMinute: cell(0, head.openCount, 4, row),
      entryPct: cell(0, head.openCount, 5, row),
      targetPct: cell(0, head.openCount, 6, row),
    })),
    closed: Array.from({ length: head.closedCount }, (_, row) => ({
      ...nameAt(openNumbers, head.closedCount, row),
      openMinute: cell(openNumbers, head.closedCount, 4, row),
      closeMinute: cell(openNumbers, head.closedCount, 5, row),
      profitPct: cell(openNumbers, head.closedCount, 6, row),
    })),
  };
}

/** Column after column: equal numbers side by side compress well. */
function* columnsOf<T>(rows: readonly T[], cells: (row: T) => number[]): Iterable<number> {
  const all = rows.map(cells);
  for (let column = 0; column < (all[0]?.length ?? 0); column++) {
    for (const row of all) yield row[column] as number;
  }
}
