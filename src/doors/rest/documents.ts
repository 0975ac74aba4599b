import type { FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../base/maybe-later.ts';
import { Body } from '../http/answers/body.ts';
import { encodingFor } from '../http/answers/negotiate.ts';
import { CORS_HEADERS, describedBy, JSON_TYPE } from '../http/common-headers.ts';

const MAX_AGE = 'public, max-age=300';

/** Serves a JSON document that is the same for everybody and made once. */
export function documentHandler(
  document: object,
  baseUrl: string,
  check: () => void = () => undefined,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const body = Body.of(JSON.stringify(document));
  return async (request, reply) => {
    check();
    const encoding = encodingFor(request.headers['accept-encoding'], body.plain.length);
    reply.headers({
      ...CORS_HEADERS,
      'cache-control': MAX_AGE,
      etag: body.etag(encoding),
      link: describedBy(baseUrl),
      vary: 'Accept-Encoding',
      'x-request-id': request.id,
    });
    if (body.isNamedIn(request.headers['if-none-match'])) return reply.code(304).send();
    const bytes = await andThen(body.encoded(encoding), (made) => made);
    reply.headers({ 'content-type': JSON_TYPE, 'content-length': bytes.length });
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply.send(request.method === 'HEAD' ? '' : bytes);
  };
}
