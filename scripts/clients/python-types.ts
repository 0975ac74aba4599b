import { PROBLEMS } from '../../src/base/problems.ts';
import { META_SCHEMA } from '../../src/operations/description/envelope.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import type { JsonSchema, Parameter } from '../../src/query/parameter.ts';
import { typeNameOf } from './client-endpoints.ts';

export const PYTHON_HEADER = '# Made by `npm run clients` from the operations of the service. Do not edit.\n';

/** Names that Python reserves get an underscore at the end, which the client takes off again. */
const KEYWORDS = new Set(['from', 'in', 'is', 'not', 'and', 'or', 'class', 'def', 'with', 'as', 'for', 'if']);

export const pythonName = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

export const pascalCase = (name: string) =>
  name
    .split('_')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');

/** `types.py`: TypedDicts of rows and answers, and the names that parameters may have. */
export function pythonTypes(operations: readonly AnyOperation[]): string {
  const types = new TypedDicts();
  types.typeOf(META_SCHEMA, 'Meta', false);
  return [
    PYTHON_HEADER,
    '"""Types of parameters, rows and answers. Times are ISO 8601 in UTC."""\n',
    'from __future__ import annotations\n',
    'from typing import Literal, NotRequired, TypedDict\n',
    `#: Every error code of the API.\nApiErrorCode = ${literal(Object.keys(PROBLEMS))}\n`,
    ...types.taken(),
    ...operations.flatMap((operation) => operationTexts(operation, types)),
  ].join('\n');
}

function operationTexts(operation: AnyOperation, types: TypedDicts): string[] {
  const choices = Object.values(operation.parameters).flatMap((parameter) => {
    const values = choicesOf(parameter);
    return values === null ? [] : [`${choiceName(operation, parameter)} = ${literal(values)}\n`];
  });
  const name = dataName(operation, false);
  const whole = types.typeOf(operation.data, name, false);
  const texts = [...choices, ...types.taken()];
  if (whole !== name) texts.push(`${name} = ${whole}\n`);
  if (operation.parameters.fields === undefined) return texts;
  const picked = types.typeOf(operation.data, name, true);
  return [...texts, ...types.taken(), `${dataName(operation, true)} = ${picked}\n`];
}

export const dataName = (operation: AnyOperation, isPicked: boolean) =>
  `${typeNameOf(operation)}Data${isPicked ? 'Fields' : ''}`;

export const choiceName = (operation: AnyOperation, { name }: Parameter) =>
  `${typeNameOf(operation)}${name === 'fields' ? 'Field' : pascalCase(name)}`;

/** The values that a parameter is limited to; null if there is no list of them. */
export function choicesOf({ schema, isList }: Parameter): readonly unknown[] | null {
  const { enum: values } = (isList ? schema.items : schema) as { enum?: readonly unknown[] };
  return values ?? null;
}

const literal = (values: readonly unknown[]) => {
  const texts = values.map((value) => JSON.stringify(value));
  const line = `Literal[${texts.join(', ')}]`;
  return line.length < 80 ? line : `Literal[\n${texts.map((text) => `    ${text},\n`).join('')}]`;
};

export function plainType(schema: JsonSchema): string {
  if (schema.const !== undefined) return literal([schema.const]);
  if (Array.isArray(schema.enum)) return literal(schema.enum);
  if (schema.type === 'integer') return 'int';
  if (schema.type === 'number') return 'float';
  if (schema.type === 'boolean') return 'bool';
  return schema.type === 'null' ? 'None' : 'str';
}

/** The type of a list's row. */
export function rowName(operation: AnyOperation, isPicked: boolean): string {
  const { data } = operation;
  const lists = data.type === 'array' ? [data] : Object.values(data.properties as Record<string, JsonSchema>);
  const items = lists.find(({ type }) => type === 'array')?.items as JsonSchema;
  return `${items.title}${isPicked ? 'Fields' : ''}`;
}

/** Declares the objects in a schema, inner ones first: some are used in expressions, which Python evaluates in order. */
class TypedDicts {
  readonly #known = new Set<string>();
  #texts: string[] = [];

  /** The declarations since the last call. */
  taken(): string[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** `isPicked`: for rows that have some of their fields. */
  typeOf(schema: JsonSchema, name: string, isPicked: boolean): string {
    const either = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
    if (either) return [...new Set(either.map((one) => this.typeOf(one, name, isPicked)))].join(' | ');
    if (Array.isArray(schema.type))
      return schema.type.map((type: string) => this.typeOf({ ...schema, type }, name, isPicked)).join(' | ');
    if (schema.type === 'array') {
      const items = (schema.items ?? {}) as JsonSchema;
      const isRow = isPicked && items.title !== undefined;
      return `list[${isRow ? this.#declare(items, `${items.title}Fields`, false, true) : this.typeOf(items, name, isPicked)}]`;
    }
    if (schema.type !== 'object') return plainType(schema);
    const hasRows = isPicked && JSON.stringify(schema.properties).includes('"title"');
    return this.#declare(schema, `${schema.title ?? name}${hasRows ? 'Fields' : ''}`, hasRows, false);
  }

  #declare(schema: JsonSchema, name: string, isPicked: boolean, isPartial: boolean): string {
    if (this.#known.has(name)) return name;
    this.#known.add(name);
    const required = new Set((schema.required ?? []) as readonly string[]);
    const base = name.replace(/Fields$/, '');
    const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
      ([field, own]) => {
        const type = this.typeOf(own, `${base}${pascalCase(field)}`, isPicked);
        const isOptional = !required.has(field) && !isPartial;
        return {
          field,
          type: isOptional ? `NotRequired[${type}]` : type,
          // The whole form of the row has the descriptions.
          description: isPartial ? undefined : own.description,
        };
      },
    );
    const total = isPartial ? ', total=False' : '';
    // The fields of a class cannot have the names of keywords.
    const text = fields.some(({ field }) => KEYWORDS.has(field))
      ? `${name} = TypedDict(\n    "${name}",\n    {\n${fields
          .map(({ field, type, description }) => {
            const comment = description === undefined ? '' : `        # ${description}\n`;
            return `${comment}        "${field}": ${type},\n`;
          })
          .join('')}    },\n)\n`
      : `class ${name}(TypedDict${total}):\n${fields
          .map(({ field, type, description }) => {
            const comment = description === undefined ? '' : `    ${JSON.stringify(description)}\n`;
            return `    ${field}: ${type}\n${comment}`;
          })
          .join('')}`;
    this.#texts.push(`${text}\n`);
    return name;
  }
}
