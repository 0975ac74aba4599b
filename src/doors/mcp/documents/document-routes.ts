import type { FastifyInstance } from 'fastify';
import type { AnyOperation } from '../../../operations/operation.ts';
import { Body } from '../../http/answers/body.ts';
import { aiCatalog, llmsText, PROTECTED_RESOURCE_PATH, protectedResource, serverCard } from './documents.ts';

const CARD_TYPE = 'application/mcp-server-card+json';

/** Public documents in which assistants and directories find everything else. */
export function documentsDoor(
  operations: readonly AnyOperation[],
  baseUrl: string,
): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const serve = (path: string, type: string, text: string) => {
      const body = Body.of(text);
      const headers = {
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        etag: body.etag(null),
      };
      server.route({
        method: ['GET', 'HEAD'],
        url: path,
        handler: async (request, reply) =>
          body.isNamedIn(request.headers['if-none-match'])
            ? reply.code(304).headers(headers).send()
            : reply
                .headers({ ...headers, 'content-type': type })
                .send(request.method === 'HEAD' ? '' : body.plain),
      });
      server.options(path, async (_request, reply) =>
        reply
          .code(204)
          .headers({ ...headers, 'access-control-allow-headers': '*' })
          .send(),
      );
    };
    const resource = JSON.stringify(protectedResource(baseUrl));
    serve(`${PROTECTED_RESOURCE_PATH}/mcp`, 'application/json', resource);
    serve(PROTECTED_RESOURCE_PATH, 'application/json', resource);
    const card = JSON.stringify(serverCard(baseUrl));
    serve('/mcp/server-card', CARD_TYPE, card);
    serve('/.well-known/mcp/server-card.json', CARD_TYPE, card);
    serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', JSON.stringify(aiCatalog(baseUrl)));
    serve('/llms.txt', 'text/plain; charset=utf-8', llmsText(operations, baseUrl));
  };
}
