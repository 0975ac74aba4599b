import type { FastifyReply, FastifyRequest } from 'fastify';
import { Body } from '../http/answers/body.ts';
import { sendBody } from '../http/answers/send-body.ts';
import { API_HEADERS, describedBy, JSON_TYPE } from '../http/common-headers.ts';

const MAX_AGE = 'public, max-age=300';

/** Serves a JSON document that is serialised once and is the same for all callers. */
export function documentHandler(
  document: object,
  baseUrl: string,
  check: () => void = () => undefined,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const body = Body.of(JSON.stringify(document));
  return async (request, reply) => {
    check();
    return await sendBody(request, reply, body, {
      ...API_HEADERS,
      'cache-control': MAX_AGE,
      'content-type': JSON_TYPE,
      link: describedBy(baseUrl),
      'x-request-id': request.id,
    });
  };
}
