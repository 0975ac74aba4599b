import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Body } from './body.ts';
import { encodingFor } from './negotiate.ts';

export type Headers = Readonly<Record<string, string>>;

/** Sends a body in the encoding that the client prefers, or 304 without a body if the client has it already. */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  headers: Headers,
): Promise<FastifyReply> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const encoding = encodingFor(acceptEncoding, body.length, body.compression);
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
