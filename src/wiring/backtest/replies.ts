import {
  checked,
  fieldsOf,
  instanceOf,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  type Parse,
  ShapeError,
  text,
} from '../../base/parsing.ts';
import type { PairMinute, PairView } from '../../engines/backtest/pair-view.ts';
import type { TableParts } from '../../engines/backtest/rows.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import type { TextData } from '../../market/tables/table.ts';
import type { BacktestReport, BlockOutcome } from './host.ts';

export type HostReply = { number: number; result: unknown } | { number: number; failure: string };

/** The number that connects a call with its reply; null if the message has none. */
export function numberOfMessage(message: unknown): number | null {
  const sent = fieldsOf(message).number;
  return typeof sent === 'number' ? sent : null;
}

/** The result of a reply; throws the failure that the other thread reported. */
export function resultOf(reply: unknown): unknown {
  const fields = fieldsOf(reply);
  if ('failure' in fields) throw new Error(String(fields.failure));
  if (!('result' in fields)) throw new ShapeError('the reply has neither a result nor a failure');
  return fields.result;
}

export const bytes: Parse<Uint8Array> = instanceOf(Uint8Array);
export const sizeUsd = oneOf(...SIZES_USD);

export const parseMinuteOrNull = nullable(number);
export const parseState = objectOf<{ minute: number; state: Uint8Array }>({ minute: number, state: bytes });

/** The columns are as long as the table has rows. */
const parseParts: Parse<TableParts> = (value, path) => {
  const { rowCount, ...parts } = objectOf({
    sizeUsd,
    rowCount: number,
    numbers: instanceOf<Map<unknown, unknown>>(Map),
    texts: instanceOf<Map<unknown, unknown>>(Map),
  })(value, path);
  const isWhole = ({ length }: { length: number }) => length === rowCount;
  const column = checked(instanceOf(Float64Array), isWhole, `a column of ${rowCount} numbers`);
  const codes = checked(instanceOf(Uint32Array), isWhole, `a column of ${rowCount} codes`);
  const textColumn = objectOf<TextData>({ codes, values: listOf(text) });
  return {
    ...{ sizeUsd: parts.sizeUsd, rowCount },
    numbers: byName(parts.numbers, column, `${path}.numbers`),
    texts: byName(parts.texts, textColumn, `${path}.texts`),
  };
};

function byName<Item>(sent: Map<unknown, unknown>, parse: Parse<Item>, path: string): Map<string, Item> {
  return new Map([...sent].map(([name, item]) => [text(name, path), parse(item, `${path}.${name}`)]));
}

export const parseReport = objectOf<BacktestReport>({
  minute: number,
  sizes: listOf(objectOf({ parts: parseParts, frame: bytes })),
});

export const parseOutcome = objectOf<BlockOutcome>({
  minute: number,
  reports: listOf(parseReport),
  damage: nullable(text),
});

const numberOrNull = nullable(number);

const pairMinute = objectOf<PairMinute>({
  minute: number,
  buyA: numberOrNull,
  sellA: numberOrNull,
  buyB: numberOrNull,
  sellB: numberOrNull,
  usualExitAPct: numberOrNull,
  usualExitBPct: numberOrNull,
  dayChangeAPct: numberOrNull,
  dayChangeBPct: numberOrNull,
});

export const parsePairView = nullable(
  objectOf<PairView>({
    fromMinute: number,
    spreadsPct: instanceOf(Float32Array),
    cycles: listOf(
      objectOf({ direction: number, openMinute: number, closeMinute: number, profitPct: number }),
    ),
    recent: listOf(pairMinute),
  }),
);
