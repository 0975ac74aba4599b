import { SCOPES } from '../../../accounts/scopes.ts';
import { API_PATH, API_VERSION } from '../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { markdownPages } from '../../web/page-list.ts';
import { HANDSHAKE_VERSIONS, MODERN_VERSIONS } from '../protocol/protocol.ts';
import { toolsOf } from '../tools/tools.ts';

const DESCRIPTION = 'Read-only market data for crypto perpetual futures: funding, spreads, listings.';

export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** RFC 9728: which authorization server protects the MCP endpoint. */
export function protectedResource(baseUrl: string): object {
  return {
    resource: `${baseUrl}/mcp`,
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Perpwire market data',
    resource_documentation: `${baseUrl}/developers`,
  };
}

/** The server card that MCP directories read. */
export function serverCard(baseUrl: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedHost(baseUrl)}/perpwire`,
    version: API_VERSION,
    title: 'Perpwire market data',
    description: DESCRIPTION,
    websiteUrl: `${baseUrl}/developers`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: [
          ...MODERN_VERSIONS,
          ...HANDSHAKE_VERSIONS.filter((version) => version >= '2025-03-26'),
        ],
        headers: [
          {
            name: 'Authorization',
            description: 'Bearer API key; omit to sign in with OAuth 2.1',
            isRequired: false,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: { api_key: { description: 'API key', isSecret: true } },
          },
        ],
      },
    ],
  };
}

export function aiCatalog(baseUrl: string): object {
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:perpwire`,
        type: 'application/mcp-server-card+json',
        url: `${baseUrl}/mcp/server-card`,
      },
    ],
  };
}

/** The index for agents: every endpoint, tool and page with its address, as plain text. */
export function llmsText(operations: readonly AnyOperation[], baseUrl: string): string {
  const endpoints = operations.map(
    ({ path, summary, scope }) =>
      `- [GET ${API_PATH}${path}](${baseUrl}${API_PATH}/openapi.json): ${summary}${scope === null ? '' : ` (scope ${scope})`}`,
  );
  const tools = toolsOf(operations).map(
    ({ definition, operation }) => `- \`${definition.name}\`: ${operation.summary}`,
  );
  const links = (pages: readonly { path: string; label: string }[]) =>
    pages.map(({ path, label }) => `[${label}](${baseUrl}${path})`).join(', ');
  const { market, texts } = markdownPages();
  return `# Perpwire

> ${DESCRIPTION}

Fields ending in _pct are percent (0.01 = one basis point). Times are UTC, ISO 8601. A positive funding rate means that longs pay shorts. Quote a rate with its venue and settlement interval, and every figure with meta.as_of and a link to meta.url. Send an API key as "Authorization: Bearer <key>".

## REST API

${endpoints.join('\n')}

## MCP tools

Streamable HTTP at ${baseUrl}/mcp, with an API key or OAuth 2.1.

${tools.join('\n')}

## Docs

- [Discovery](${baseUrl}${API_PATH}): all addresses in one document
- [OpenAPI](${baseUrl}${API_PATH}/openapi.json): the machine-readable API description
- [Developer page](${baseUrl}/developers): guide, errors, formulas
- [Assistants](${baseUrl}/developers/assistants): how to connect one
- [Plans](${baseUrl}/plans): limits of each

## Pages as Markdown

Every page is also served as Markdown: the same path with .md, the same filters, Demo data without a key.

- Market data: ${links(market)}
- Documents: ${links(texts)}
`;
}

/** `com.example` for `example.com`; `local` for an IPv6 address. */
function reversedHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[a-z0-9.-]+$/i.test(hostname) ? hostname.split('.').reverse().join('.') : 'local';
}
