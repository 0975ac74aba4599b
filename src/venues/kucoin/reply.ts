import { BadReply, rowOf } from '../reading.ts';
import { GOOD_CODE } from './wire.ts';

/** The `data` of a good reply. */
export function dataOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (reply.code !== GOOD_CODE) throw new BadReply(`${what} answered code ${String(reply.code)}`);
  return reply.data;
}
