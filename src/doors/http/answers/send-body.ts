import type { FastifyReply, FastifyRequest } from 'fastify';
import { NO_SNIFF } from '../common-headers.ts';
import type { Body } from './body.ts';
import { encodingFor } from './negotiate.ts';
import { headerLines, sendAnswer } from './send-answer.ts';

export type Headers = Readonly<Record<string, string>>;

/** Sends a body in the encoding that the client prefers, or 304 without a body if the client has it already. */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  headers: Headers,
): Promise<FastifyReply> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const encoding = encodingFor(acceptEncoding, body.length);
  reply.headers({ vary: 'Accept-Encoding', ...headers, etag: body.etag(encoding) });
  if (body.isNamedIn(ifNoneMatch)) {
    reply.removeHeader('content-type');
    return reply.code(304).send();
  }
  const bytes = await body.encoded(encoding);
  if (encoding !== null) reply.header('content-encoding', encoding);
  reply.header('content-length', bytes.length);
  return reply.send(request.method === 'HEAD' ? '' : bytes);
}

/**
 * Sends a body as `sendBody` does, but writes the head itself: Fastify and Node check each header of a page, which takes as
 * long as finding its rows. The headers must be valid, and no other code may have set headers of the reply.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  headers: Headers,
): Promise<FastifyReply> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const encoding = encodingFor(acceptEncoding, body.length);
  const isUnchanged = body.isNamedIn(ifNoneMatch);
  const bytes = isUnchanged ? null : await body.encoded(encoding);
  const known = linesOf(headers);
  let lines = `${isUnchanged ? known.unchanged : known.whole}x-request-id: ${request.id}\r\netag: ${body.etag(encoding)}\r\n`;
  if (encoding !== null && !isUnchanged) lines += `content-encoding: ${encoding}\r\n`;
  if (bytes !== null) lines += `content-length: ${bytes.length}\r\n`;
  reply.hijack();
  sendAnswer(request.raw, reply.raw, isUnchanged ? 304 : 200, lines, bytes);
  return reply;
}

/** The lines of headers, which are the same for all replies of a page. */
const keptLines = new WeakMap<Headers, { whole: string; unchanged: string }>();

function linesOf(headers: Headers): { whole: string; unchanged: string } {
  let lines = keptLines.get(headers);
  if (!lines) {
    const { 'content-type': type = '', ...others } = { ...NO_SNIFF, vary: 'Accept-Encoding', ...headers };
    const unchanged = headerLines(Object.entries(others).flat());
    lines = { whole: headerLines(['content-type', type]) + unchanged, unchanged };
    keptLines.set(headers, lines);
  }
  return lines;
}
