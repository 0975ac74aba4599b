import { BadReply, type Row, rowOf, textOf } from '../reading.ts';

/** Refusals come with status 200, as `error` or as a list of `errors`. */
export function successOf(payload: unknown, what: string): Row {
  const row = rowOf(payload, what);
  if (row.result !== 'success') throw new BadReply(`${what}: ${textOf(row.error) ?? 'not a success'}`);
  return row;
}
