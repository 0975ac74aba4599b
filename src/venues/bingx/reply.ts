import { decimalOrNull } from '../../base/numbers.ts';
import { BadReply, rowOf } from '../reading.ts';

/** The `data` of a good reply. Errors come with HTTP 200 and a code other than 0. */
export function dataOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (decimalOrNull(reply.code) !== 0) throw new BadReply(`${what} answered code ${String(reply.code)}`);
  return reply.data;
}
