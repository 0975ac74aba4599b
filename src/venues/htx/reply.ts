import { BadReply, type Row, rowOf } from '../reading.ts';

/** A good reply. Errors come with HTTP 200, their code spelled `err_code` by one part of the API, `err-code` by the other. */
export function goodReply(payload: unknown, what: string): Row {
  const reply = rowOf(payload, what);
  if (reply.status !== 'ok') {
    throw new BadReply(`${what} answered error ${String(reply.err_code ?? reply['err-code'] ?? 'unknown')}`);
  }
  return reply;
}
