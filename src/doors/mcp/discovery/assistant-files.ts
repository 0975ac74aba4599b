import { editorConfig } from '../../documents/connect-links.ts';
import { DESCRIPTION, NAME, VERSION } from '../../documents/identity.ts';
import { registryEntry } from './server-card.ts';

const PLUGIN_FOLDER = `plugins/${NAME}`;
const OWNER = { name: 'Perpwire' };

/**
 * Files with which directories list this server, by path: the entry of the MCP registry, and a plugin with its
 * marketplace for Claude Code and for Cursor. Claude reads `.mcp.json` of a plugin, Cursor `mcp.json`.
 */
export function assistantFiles(baseUrl: string): ReadonlyMap<string, string> {
  const servers = { mcpServers: { [NAME]: editorConfig(baseUrl) } };
  const plugin = {
    name: NAME,
    description: DESCRIPTION,
    version: VERSION,
    author: OWNER,
    homepage: `${baseUrl}/developers/assistants`,
    keywords: ['mcp', 'market-data', 'perpetual-futures', 'funding-rates'],
  };
  const listed = { name: NAME, source: `./${PLUGIN_FOLDER}`, description: DESCRIPTION };
  const documents: Readonly<Record<string, object>> = {
    'server.json': registryEntry(baseUrl),
    '.claude-plugin/marketplace.json': {
      $schema: 'https://anthropic.com/claude-code/marketplace.schema.json',
      name: NAME,
      description: DESCRIPTION,
      owner: OWNER,
      plugins: [{ ...listed, version: VERSION, category: 'data' }],
    },
    '.cursor-plugin/marketplace.json': {
      name: NAME,
      owner: OWNER,
      metadata: { description: DESCRIPTION },
      plugins: [listed],
    },
    [`${PLUGIN_FOLDER}/.claude-plugin/plugin.json`]: plugin,
    [`${PLUGIN_FOLDER}/.cursor-plugin/plugin.json`]: {
      ...plugin,
      displayName: 'Perpwire',
      mcpServers: './mcp.json',
    },
    [`${PLUGIN_FOLDER}/.mcp.json`]: servers,
    [`${PLUGIN_FOLDER}/mcp.json`]: servers,
  };
  return new Map(
    Object.entries(documents).map(([path, document]) => [path, `${JSON.stringify(document, null, 2)}\n`]),
  );
}
