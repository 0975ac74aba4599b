import { createHttpServer } from '../../src/doors/http/server.ts';
import { mcpDoor } from '../../src/doors/mcp/mcp.ts';
import { resultText } from '../../src/doors/mcp/protocol/result.ts';
import { toolCalls } from '../../src/doors/mcp/tools/tool-calls.ts';
import { type Tool, toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { freePort } from '../support/free-port.ts';
import type { Running } from '../support/service.ts';

/** Tools that the conformance suite calls by name. They exist in this test only. */
const FIXTURES: Readonly<Record<string, object>> = {
  test_simple_text: { content: [{ type: 'text', text: 'This is a simple text response for testing.' }] },
  test_error_handling: {
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  },
  json_schema_2020_12_tool: { content: [{ type: 'text', text: 'ok' }] },
};

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** The real door on its own port, with fixture tools, and with a key for callers that cannot send one. */
export async function startFixtureServer(running: Running): Promise<{ url: string; stop(): Promise<void> }> {
  const { entrance, metrics, log } = running.service;
  const real = toolsOf(OPERATIONS);
  const [anyTool] = real;
  if (!anyTool) throw new Error('there are no tools');
  const fixtures = Object.keys(FIXTURES).map(
    (name): Tool => ({
      ...anyTool,
      definition: {
        name,
        title: name,
        description: 'A tool of the conformance suite',
        inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA_2020_12 : { type: 'object' },
        annotations: {},
      },
    }),
  );
  const call = toolCalls(entrance, metrics);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
  await server.register(
    mcpDoor({
      entrance,
      tools: [...real, ...fixtures],
      operations: OPERATIONS,
      findGrant: async () => 'unknown',
      origins: { baseUrl, allowedOrigins: [], allowedHosts: [] },
      challenge: { metadataUrl: `${baseUrl}/.well-known/oauth-protected-resource/mcp` },
      metrics,
      log,
      callTool: async (toolCall, caller, era) => {
        const result = FIXTURES[toolCall.tool.definition.name];
        if (!result) return await call(toolCall, caller, era);
        return { result: Buffer.from(resultText(result, era)), states: null };
      },
    }),
  );
  // The suite cannot send a key.
  const post = server.bare.directPosts.find('/mcp');
  server.bare.directPosts.set('/mcp', (request, response) => {
    request.headers.authorization ??= `Bearer ${running.keys.business}`;
    post?.handler(request, response);
  });
  await server.listen({ host: '127.0.0.1', port });
  return { url: `${baseUrl}/mcp`, stop: () => server.close() };
}
