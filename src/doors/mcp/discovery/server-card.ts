import { SCOPES } from '../../../accounts/scopes.ts';
import { DESCRIPTION, KEY_HEADER, mcpUrl, registryName, TITLE, VERSION } from '../../documents/identity.ts';
import { HANDSHAKE_VERSIONS, MODERN_VERSIONS } from '../protocol/protocol.ts';

export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** RFC 9728: which authorization server protects the MCP endpoint. */
export function protectedResource(baseUrl: string): object {
  return {
    resource: mcpUrl(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: TITLE,
    resource_documentation: `${baseUrl}/developers`,
  };
}

/** What the server card and the entry of the registry have in common. */
function description(baseUrl: string): object {
  return {
    name: registryName(baseUrl),
    version: VERSION,
    title: TITLE,
    description: DESCRIPTION,
    websiteUrl: `${baseUrl}/developers`,
  };
}

/** The server card that MCP directories read. */
export function serverCard(baseUrl: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...description(baseUrl),
    remotes: [
      {
        type: 'streamable-http',
        url: mcpUrl(baseUrl),
        supportedProtocolVersions: [
          ...MODERN_VERSIONS,
          ...HANDSHAKE_VERSIONS.filter((version) => version >= '2025-03-26'),
        ],
        headers: [KEY_HEADER],
      },
    ],
  };
}

/** `server.json`, which the operator publishes to the MCP registry with `mcp-publisher publish`. */
export function registryEntry(baseUrl: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...description(baseUrl),
    remotes: [{ type: 'streamable-http', url: mcpUrl(baseUrl), headers: [KEY_HEADER] }],
  };
}

export function aiCatalog(baseUrl: string): object {
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:perpwire`,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}/mcp/server-card`,
      },
    ],
  };
}
