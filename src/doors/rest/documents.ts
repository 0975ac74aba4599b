import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Entrance } from '../../operations/access/entrance.ts';
import { Body } from '../http/answers/body.ts';
import { sendBody } from '../http/answers/send-body.ts';
import { API_HEADERS, describedBy, JSON_TYPE, VARY } from '../http/common-headers.ts';
import { credentialIn } from '../http/credential.ts';

const MAX_AGE = 'max-age=300';

/**
 * Serves a JSON document that is serialised once and is the same for all callers. It needs no key and does not count, but
 * who sends one is told its windows.
 */
export function documentHandler(
  document: object,
  entrance: Pick<Entrance, 'baseUrl' | 'rateHeadersOfKey'>,
  check: () => void = () => undefined,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const body = Body.of(JSON.stringify(document));
  return async (request, reply) => {
    check();
    const key = credentialIn(request.headers);
    const rates = key === null ? {} : await entrance.rateHeadersOfKey(key, request.clientAddress);
    return await sendBody(request, reply, body, {
      ...API_HEADERS,
      ...rates,
      'cache-control': key === null ? `public, ${MAX_AGE}` : MAX_AGE,
      'content-type': JSON_TYPE,
      link: describedBy(entrance.baseUrl),
      vary: VARY,
      'x-request-id': request.id,
    });
  };
}
