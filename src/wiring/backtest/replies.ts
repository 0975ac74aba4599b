import type { PairView } from '../../engines/backtest/pair-view.ts';
import type { TableParts } from '../../engines/backtest/rows.ts';
import type { TextData } from '../../market/tables/table.ts';
import {
  bytesOf,
  isObject,
  listOf,
  MessageError,
  mapOf,
  numberOf,
  objectOf,
  sizeOf,
  textOf,
} from './fields.ts';
import type { BacktestReport, BlockOutcome } from './host.ts';

export type HostReply = { number: number; result: unknown } | { number: number; failure: string };

/** The number that connects a call with its reply; null if the message has none. */
export function numberOfMessage(message: unknown): number | null {
  const number = isObject(message) ? message.number : null;
  return typeof number === 'number' ? number : null;
}

/** The result of a reply; throws the failure that the other thread reported. */
export function resultOf(reply: unknown): unknown {
  const message = objectOf(reply, 'reply');
  if ('failure' in message) throw new Error(String(message.failure));
  if (!('result' in message)) throw new MessageError('the reply has neither a result nor a failure');
  return message.result;
}

export function minuteOrNullOf(value: unknown): number | null {
  return value === null ? null : numberOf(value, 'minute');
}

export function packedOf(value: unknown): Uint8Array {
  return bytesOf(value, 'packed block');
}

export function outcomeOf(value: unknown): BlockOutcome {
  const { minute, reports, damage } = objectOf(value, 'outcome');
  return {
    minute: numberOf(minute, 'minute'),
    reports: listOf(reports, 'reports', reportOf),
    damage: damage === null ? null : textOf(damage, 'damage'),
  };
}

export function reportOf(value: unknown): BacktestReport {
  const { minute, sizes } = objectOf(value, 'report');
  return {
    minute: numberOf(minute, 'minute'),
    sizes: listOf(sizes, 'sizes', (size) => {
      const { parts, frame } = objectOf(size, 'size');
      return { parts: partsOf(parts), frame: bytesOf(frame, 'frame') };
    }),
  };
}

export function stateOf(value: unknown): { minute: number; state: Uint8Array } {
  const { minute, state } = objectOf(value, 'state');
  return { minute: numberOf(minute, 'minute'), state: bytesOf(state, 'state') };
}

export function pairViewOf(value: unknown): PairView | null {
  if (value === null) return null;
  const { fromMinute, spreadsPct, cycles, recent } = objectOf(value, 'pair');
  if (!(spreadsPct instanceof Float32Array)) throw new MessageError('spreadsPct is not a Float32Array');
  return {
    fromMinute: numberOf(fromMinute, 'fromMinute'),
    spreadsPct,
    cycles: listOf(cycles, 'cycles', (cycle) => {
      const { direction, openMinute, closeMinute, profitPct } = objectOf(cycle, 'cycle');
      return {
        direction: numberOf(direction, 'direction'),
        openMinute: numberOf(openMinute, 'openMinute'),
        closeMinute: numberOf(closeMinute, 'closeMinute'),
        profitPct: numberOf(profitPct, 'profitPct'),
      };
    }),
    recent: listOf(recent, 'recent', (one) => {
      const row = objectOf(one, 'recent minute');
      const price = (name: string) => (row[name] === null ? null : numberOf(row[name], name));
      return {
        minute: numberOf(row.minute, 'minute'),
        buyA: price('buyA'),
        sellA: price('sellA'),
        buyB: price('buyB'),
        sellB: price('sellB'),
        usualExitAPct: price('usualExitAPct'),
        usualExitBPct: price('usualExitBPct'),
        dayChangeAPct: price('dayChangeAPct'),
        dayChangeBPct: price('dayChangeBPct'),
      };
    }),
  };
}

function partsOf(value: unknown): TableParts {
  const { sizeUsd, rowCount, numbers, texts } = objectOf(value, 'parts');
  const rows = numberOf(rowCount, 'rowCount');
  return {
    sizeUsd: sizeOf(sizeUsd),
    rowCount: rows,
    numbers: mapOf(numbers, 'numbers', (column, name): Float64Array => {
      if (column instanceof Float64Array && column.length === rows) return column;
      throw new MessageError(`${name} is not a column of ${rows} numbers`);
    }),
    texts: mapOf(texts, 'texts', (column, name): TextData => {
      const { codes, values } = objectOf(column, name);
      if (!(codes instanceof Uint32Array) || codes.length !== rows)
        throw new MessageError(`${name} is not a column of ${rows} codes`);
      return { codes, values: listOf(values, name, (text) => textOf(text, name)) };
    }),
  };
}
