import { decimalOrNull } from '../../base/numbers.ts';
import { BadReply, epochMsOf, isRow, rowOf } from '../reading.ts';

/** Everything but market data answers with a code. */
export function dataOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (decimalOrNull(reply.code) !== 0) throw new BadReply(`${what} answered code ${String(reply.code)}`);
  return reply.data;
}

/** Market data answers with an error or a result. */
export function resultOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (isRow(reply.error)) throw new BadReply(`${what} answered error ${String(reply.error.code)}`);
  return reply.result;
}

/** Nanoseconds, beyond what a double holds exactly; milliseconds survive that. */
export function nanosecondsMsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(number / 1e6);
}
