import { API_PATH } from '../../operations/description/discovery.ts';
import type { Document, DocumentContext } from './document.ts';
import { escapeMarkdown, markdownTable } from './markdown.ts';

export const REFERENCE: Document = {
  path: '/developers/reference',
  group: 'Endpoints',
  title: 'Reference',
  description: 'Every endpoint of the Perpwire API, to read and to try',
  markdown: referenceMarkdown,
};

function referenceMarkdown({ operations }: DocumentContext): string {
  const parts = operations.map(({ path, summary, description, scope, parameters }) => {
    const named = Object.values(parameters).map((one) => ({
      parameter: one.name,
      in: one.in,
      meaning: one.description,
    }));
    const table = named.length === 0 ? 'No parameters.\n' : markdownTable(named);
    return `## GET ${API_PATH}${path}\n\n${escapeMarkdown(`${summary}. ${description}`)}\n\nScope: ${scope ?? 'any valid key'}.\n\n${table}`;
  });
  return `# API reference\n\nMachine-readable: <${API_PATH}/openapi.json>.\n\n${parts.join('\n')}`;
}
