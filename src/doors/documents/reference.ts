import { API_PATH } from '../../operations/description/discovery.ts';
import { META_SCHEMA } from '../../operations/description/envelope.ts';
import { allowedValues, type Field, fieldsOf, typeWords } from '../../operations/description/fields.ts';
import { exampleAnswer } from '../../operations/description/openapi-examples.ts';
import { formatParameter } from '../../operations/format.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Document, DocumentContext } from './document.ts';
import { escapeMarkdown, markdownTable } from './markdown.ts';

export const REFERENCE: Document = {
  path: '/developers/reference',
  group: 'Endpoints',
  title: 'Reference',
  description: 'Every endpoint of the Perpwire API, to read and to try',
  markdown: referenceMarkdown,
};

/** A short name, as assistants see it; an endpoint that they do not have is named by its path. */
export function endpointTitle({ tool, path }: Pick<AnyOperation, 'tool' | 'path'>): string {
  if (tool) return tool.title;
  const words = path.slice(1).replaceAll(/[/-]/g, ' ').replaceAll(/[{}]/g, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The parameters as the reference lists them. */
export function parameterFields({ parameters, formats }: AnyOperation): Field[] {
  const all = [...Object.values(parameters), ...(formats ? [formatParameter(formats)] : [])];
  return all.map(({ name, schema, description, isRequired }) => ({
    name,
    type: `${typeWords(schema)}${isRequired ? ', required' : ''}`,
    // They are the fields of the answer, which has its own table.
    values: name === 'fields' ? [] : allowedValues(schema),
    description,
  }));
}

function referenceMarkdown({ operations, baseUrl }: DocumentContext): string {
  const parts = operations.map((operation) => {
    const { path, summary, description, scope, data } = operation;
    const named = parameterFields(operation);
    const example = JSON.stringify(exampleAnswer(operation, baseUrl), null, 2);
    return `## GET ${API_PATH}${path}

${escapeMarkdown(`${summary}. ${description}`)}

Scope: ${scope ?? 'any valid key'}.

${named.length === 0 ? 'No parameters.\n' : fieldTable('parameter', named)}
Fields of ${data.type === 'array' ? 'each row of data' : 'data'}:

${fieldTable('field', fieldsOf(data))}
\`\`\`json
${example}
\`\`\`
`;
  });
  return `# API reference

Machine-readable: <${API_PATH}/openapi.json>.

## Every answer

${fieldTable('field', fieldsOf(META_SCHEMA, 'meta.'))}
${parts.join('\n')}`;
}

function fieldTable(heading: string, fields: readonly Field[]): string {
  return markdownTable(
    fields.map(({ name, type, values, description }) => ({
      [heading]: name,
      type,
      meaning: values.length === 0 ? description : `${description}. One of ${values.join(', ')}`,
    })),
  );
}
