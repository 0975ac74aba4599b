import type { FastifyInstance } from 'fastify';
import type { DocumentContext } from '../../documents/document.ts';
import { type DoorIndex, LLMS_FULL_PATH, LLMS_PATH, llmsFullText, llmsText } from '../../documents/llms.ts';
import { Body } from '../../http/answers/body.ts';
import { sendBody } from '../../http/answers/send-body.ts';
import { PROMPTS } from '../prompts/prompts.ts';
import { toolsOf } from '../tools/tools.ts';
import {
  aiCatalog,
  PROTECTED_RESOURCE_PATH,
  protectedResource,
  registryEntry,
  SERVER_CARD_TYPE,
  serverCard,
} from './server-card.ts';

const JSON_DOCUMENT = 'application/json';
const TEXT = 'text/plain; charset=utf-8';

/** Public documents in which assistants and directories find everything else. */
export function discoveryDoor(
  context: DocumentContext,
  pages: DoorIndex['pages'],
): (server: FastifyInstance) => Promise<void> {
  const { baseUrl, operations } = context;
  const tools = toolsOf(operations).map(({ definition, operation }) => ({
    name: definition.name,
    summary: operation.summary,
  }));
  const json = (document: object) => () => JSON.stringify(document);
  return async (server) => {
    /** Made at the first request, so that a start does not wait for documents that few read. */
    const serve = (path: string, type: string, make: () => string, more: Record<string, string> = {}) => {
      const headers = {
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        ...more,
      };
      let body: Body | null = null;
      server.route({
        method: ['GET', 'HEAD'],
        url: path,
        handler: (request, reply) => {
          body ??= Body.of(make());
          return sendBody(request, reply, body, { ...headers, 'content-type': type });
        },
      });
      server.options(path, async (_request, reply) =>
        reply
          .code(204)
          .headers({ ...headers, 'access-control-allow-headers': '*' })
          .send(),
      );
    };
    const resource = json(protectedResource(baseUrl));
    serve(`${PROTECTED_RESOURCE_PATH}/mcp`, JSON_DOCUMENT, resource);
    serve(PROTECTED_RESOURCE_PATH, JSON_DOCUMENT, resource);
    const card = json(serverCard(baseUrl));
    serve('/mcp/server-card', SERVER_CARD_TYPE, card);
    serve('/.well-known/mcp/server-card.json', SERVER_CARD_TYPE, card);
    serve('/mcp/server.json', JSON_DOCUMENT, json(registryEntry(baseUrl)));
    serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', json(aiCatalog(baseUrl)));
    serve(LLMS_PATH, TEXT, () => llmsText(context, { tools, prompts: PROMPTS, pages }), {
      link: `<${baseUrl}${LLMS_FULL_PATH}>; rel="alternate"; type="text/plain"`,
    });
    serve(LLMS_FULL_PATH, TEXT, () => llmsFullText(context), {
      link: `<${baseUrl}${LLMS_PATH}>; rel="index"; type="text/plain"`,
    });
  };
}
