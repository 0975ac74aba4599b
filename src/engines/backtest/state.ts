import { listOf, number, objectOf, text } from '../../base/parsing.ts';
import { bytesOf, packColumns, unpackColumns } from '../../storage/blocks.ts';

interface WalkName {
  idA: number;
  idB: number;
  size: number;
  direction: number;
}

/** What the engine needs to go on and cannot recompute from the samples that are still stored. */
export interface BacktestState {
  minute: number;
  /** The rule and fees that the state was computed with. With other ones it is useless. */
  basis: string;
  contracts: { id: number; lastMinute: number }[];
  open: (WalkName & { openMinute: number; entryPct: number; targetPct: number })[];
  closed: (WalkName & { openMinute: number; closeMinute: number; profitPct: number })[];
}

const OPEN_COLUMNS = ['idA', 'idB', 'size', 'direction', 'openMinute', 'entryPct', 'targetPct'] as const;
const CLOSED_COLUMNS = ['idA', 'idB', 'size', 'direction', 'openMinute', 'closeMinute', 'profitPct'] as const;

export function basisOf(rule: object, takerFeesPct: Readonly<Record<string, number>>): string {
  const fees = Object.entries(takerFeesPct).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([rule, fees]);
}

export function encodeState({ minute, basis, contracts, open, closed }: BacktestState): Buffer {
  const head: Head = {
    minute,
    basis,
    contracts: contracts.flatMap(({ id, lastMinute }) => [id, lastMinute]),
    openCount: open.length,
    closedCount: closed.length,
  };
  const numbers = Float64Array.from([...columnsOf(open, OPEN_COLUMNS), ...columnsOf(closed, CLOSED_COLUMNS)]);
  return packColumns(head, [bytesOf(numbers)]);
}

/** Throws when the bytes are not a whole state. */
export function decodeState(bytes: Uint8Array): BacktestState {
  const { head: unparsed, columns } = unpackColumns(bytes);
  const head = parseHead(unparsed, 'head of the checkpoint');
  const closedFrom = head.openCount * OPEN_COLUMNS.length;
  const count = closedFrom + head.closedCount * CLOSED_COLUMNS.length;
  if (columns.length !== count * Float64Array.BYTES_PER_ELEMENT)
    throw new Error('backtest checkpoint is damaged');
  const numbers = new Float64Array(Uint8Array.from(columns).buffer);
  return {
    minute: head.minute,
    basis: head.basis,
    contracts: Array.from({ length: head.contracts.length / 2 }, (_, i) => ({
      id: head.contracts[i * 2] as number,
      lastMinute: head.contracts[i * 2 + 1] as number,
    })),
    open: rowsOf(numbers.subarray(0, closedFrom), OPEN_COLUMNS, head.openCount),
    closed: rowsOf(numbers.subarray(closedFrom), CLOSED_COLUMNS, head.closedCount),
  };
}

interface Head {
  minute: number;
  basis: string;
  /** Id, last minute, id, last minute, ... */
  contracts: number[];
  openCount: number;
  closedCount: number;
}

const parseHead = objectOf<Head>({
  minute: number,
  basis: text,
  contracts: listOf(number),
  openCount: number,
  closedCount: number,
});

/** Column by column: equal numbers next to each other compress well. */
function* columnsOf<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Iterable<number> {
  for (const name of names) for (const row of rows) yield row[name];
}

function rowsOf<Name extends string>(
  numbers: Float64Array,
  names: readonly Name[],
  count: number,
): Record<Name, number>[] {
  return Array.from(
    { length: count },
    (_, row) =>
      Object.fromEntries(names.map((name, column) => [name, numbers[column * count + row]])) as Record<
        Name,
        number
      >,
  );
}
