import { API_PATH } from '../../operations/description/discovery.ts';
import type { DocumentContext } from './document.ts';
import { DESCRIPTION, mcpUrl } from './identity.ts';
import { DOCUMENTS } from './registry.ts';

export const LLMS_PATH = '/llms.txt';
export const LLMS_FULL_PATH = '/llms-full.txt';

const RULES =
  'Fields ending in _pct are percent (0.01 = one basis point). Times are UTC, ISO 8601. A positive funding rate means that longs pay shorts. Quote a rate with its venue and settlement interval, and every figure with meta.as_of and a link to meta.url. Send an API key as "Authorization: Bearer <key>".';

/** What the doors offer besides the documents. */
export interface DoorIndex {
  tools: readonly { name: string; summary: string }[];
  prompts: readonly { name: string; description: string }[];
  /** Pages of market data, by the path of their Markdown. */
  pages: readonly { path: string; label: string }[];
}

/** The index for agents: every endpoint, tool and page with its address, as plain text. */
export function llmsText(
  { operations, baseUrl }: DocumentContext,
  { tools, prompts, pages }: DoorIndex,
): string {
  const endpoints = operations.map(
    ({ path, summary, scope }) =>
      `- [GET ${API_PATH}${path}](${baseUrl}${API_PATH}/openapi.json): ${summary}${scope === null ? '' : ` (scope ${scope})`}`,
  );
  const links = (linked: DoorIndex['pages']) =>
    linked.map(({ path, label }) => `[${label}](${baseUrl}${path})`).join(', ');
  const texts = DOCUMENTS.map(({ path, title }) => ({ path: `${path}.md`, label: title }));
  return `# Perpwire

> ${DESCRIPTION}

${RULES}

## REST API

${endpoints.join('\n')}

Besides JSON:

- [Streams](${baseUrl}/developers/streams): GET ${API_PATH}/stream and the path of a list, such as ${API_PATH}/stream/funding, sends its changes as server-sent events
- [CSV and Parquet](${baseUrl}/developers#csv-and-parquet): \`format=csv\` on lists and histories, \`format=parquet\` on histories
- [The lake](${baseUrl}/developers/lake): the stored history as Parquet files of a day, listed by ${baseUrl}/lake/manifest.json
- [Alerts](${baseUrl}/developers/alerts): rules on lists that send e-mail, webhooks and messages; people make them at ${baseUrl}/account/alerts

## MCP tools

Streamable HTTP at ${mcpUrl(baseUrl)}, with an API key or OAuth 2.1. The documents below are also its resources.

${tools.map(({ name, summary }) => `- \`${name}\`: ${summary}`).join('\n')}

## MCP prompts

${prompts.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n')}

## Docs

- [All documents in one file](${baseUrl}${LLMS_FULL_PATH}): the whole text of every document below
- [Discovery](${baseUrl}${API_PATH}): all addresses in one document
- [OpenAPI](${baseUrl}${API_PATH}/openapi.json): the machine-readable API description
- [Developer page](${baseUrl}/developers): guide, errors, formulas
- [Assistants](${baseUrl}/developers/assistants): how to connect one
- [Server card](${baseUrl}/mcp/server-card), [registry entry](${baseUrl}/mcp/server.json): the MCP server in machine-readable form
- [Plans](${baseUrl}/plans): limits of each

## Pages as Markdown

Every page is also served as Markdown: the same path with .md, the same filters, Demo data without a key.

- Market data: ${links(pages)}
- Documents: ${links(texts)}
`;
}

/** Every document in one text, each as its Markdown file has it, under its address. */
export function llmsFullText(context: DocumentContext): string {
  const documents = DOCUMENTS.map(
    (page) => `---\nSource: ${context.baseUrl}${page.path}.md\n---\n\n${page.markdown(context).trimEnd()}\n`,
  );
  return `# Perpwire: all documents

> ${DESCRIPTION}

${RULES} The index of endpoints, tools and pages is ${context.baseUrl}${LLMS_PATH}.

${documents.join('\n')}`;
}
