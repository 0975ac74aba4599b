import { PROBLEMS } from '../../src/base/problems.ts';
import { META_SCHEMA } from '../../src/operations/description/envelope.ts';
import { type AnyOperation, isStreamed, type StreamedOperation } from '../../src/operations/operation.ts';
import type { JsonSchema, Parameter } from '../../src/query/parameter.ts';
import { type ClientBranch, clientTree, placeOf, rowsFieldOf, typeNameOf } from './client-endpoints.ts';

/**
 * The generated half of the TypeScript client: types of parameters, rows and answers, and the list of endpoints. Our own
 * generator, because the operations know what OpenAPI cannot say: which list has the rows, and that `fields` narrows them.
 */
export function typescriptClient(operations: readonly AnyOperation[]): string {
  const types = new Types();
  types.declare('Meta', META_SCHEMA, null);
  const parts = operations.map((operation) => declared(operation, types));
  return [
    '// Made by `npm run clients` from the operations of the service. Do not edit.',
    "import type { AllOptions, Answer, RequestOptions, StreamOptions, StreamUpdate } from './request.ts';\n",
    `/** Every error code of the API. */\nexport type ApiErrorCode =\n${union(Object.keys(PROBLEMS))};\n`,
    ...types.texts,
    ...parts,
    `/** All endpoints, as properties of the client. */\nexport interface Resources {\n${branchText(clientTree(operations), '  ')}}\n`,
    `export const ENDPOINTS = ${JSON.stringify(operations.map(endpoint), null, 2)} as const;\n`,
  ].join('\n');
}

/** Where a list has its rows, or which path parameter a method takes first. */
function endpoint(operation: AnyOperation): object {
  const { path } = operation;
  return {
    at: placeOf(operation),
    path,
    isList: operation.rows !== undefined,
    rowsField: rowsFieldOf(operation),
    pathParameter: /\{(\w+)\}/.exec(path)?.[1] ?? null,
    stream: followed(operation),
  };
}

/** What the client needs to follow a list and to keep its rows in order. */
function followed(operation: AnyOperation): object | null {
  if (!isStreamed(operation)) return null;
  const { identity, sorts, defaultSort, ties } = operation.rows;
  const orders = Object.entries(sorts).map(([name, sort]) => [name, sort.isTableOrder ? null : sort]);
  return { identity, sorts: Object.fromEntries(orders), defaultSort, ties };
}

/** The types of one operation: its fields, its parameters and its data. */
function declared(operation: AnyOperation, types: Types): string {
  const name = typeNameOf(operation);
  const { fields } = operation.parameters;
  const picked = fields === undefined ? null : `${name}Field`;
  const generic = picked === null ? '' : `<F extends ${picked} = ${picked}>`;
  const names = (fields?.schema.items as { enum: readonly string[] } | undefined)?.enum;
  const given = Object.values(operation.parameters).filter((one) => one.in === 'query');
  const data = types.of(operation.data, picked);
  const lines: string[] = [];
  if (picked && names)
    lines.push(`/** What \`fields\` may name. */\nexport type ${picked} =\n${union(names)};\n`);
  lines.push(`export interface ${name}Params${generic} {\n${given.map(parameterLine).join('')}}\n`);
  lines.push(`export type ${name}Data${generic} = ${data};\n`);
  if (isStreamed(operation)) lines.push(...streamTypes(operation));
  return [...types.taken(), ...lines].join('\n');
}

function parameterLine(parameter: Parameter): string {
  const { name, isRequired, description } = parameter;
  return `${comment(description, '  ')}  ${name}${isRequired ? '' : '?'}: ${parameterType(parameter)}${isRequired ? '' : ' | undefined'};\n`;
}

function parameterType({ name, schema, isList }: Parameter): string {
  if (name === 'fields') return 'readonly F[]';
  if (schema.format === 'date-time') return 'string | Date';
  if (!isList) return plainType(schema);
  const item = plainType((schema.items ?? {}) as JsonSchema);
  return `${item} | readonly ${item.includes('|') ? `(${item})` : item}[]`;
}

function plainType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean' || schema.type === 'null') return schema.type;
  return 'string';
}

/** Named types are declared once, when the first schema with their title is met. */
class Types {
  readonly #known = new Map<string, string>();
  #texts: string[] = [];

  get texts(): readonly string[] {
    return this.taken();
  }

  /** The declarations since the last call. */
  taken(): string[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** The type of a schema. `picked`: the type of the fields that rows keep; null if rows are always whole. */
  of(schema: JsonSchema, picked: string | null): string {
    if (typeof schema.title === 'string') return this.declare(schema.title, schema, picked);
    return this.#inline(schema, picked, '');
  }

  declare(title: string, schema: JsonSchema, picked: string | null): string {
    const known = this.#known.get(title);
    if (known !== undefined) return known;
    const hasRows = picked !== null && JSON.stringify(schema.properties).includes('"title"');
    const used = hasRows ? `${title}<F>` : title;
    this.#known.set(title, used);
    const generic = hasRows ? `<F extends ${picked} = ${picked}>` : '';
    const text = this.#inline({ ...schema, title: undefined }, hasRows ? picked : null, '');
    this.#texts.push(`export interface ${title}${generic} ${text}\n`);
    return used;
  }

  #inline(schema: JsonSchema, picked: string | null, indent: string): string {
    const either = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
    if (either) return [...new Set(either.map((one) => this.#part(one, picked, indent)))].join(' | ');
    if (Array.isArray(schema.type))
      return schema.type.map((type: string) => this.#inline({ ...schema, type }, picked, indent)).join(' | ');
    if (schema.type === 'array') return this.#array((schema.items ?? {}) as JsonSchema, picked, indent);
    if (schema.type !== 'object') return plainType(schema);
    const inner = `${indent}  `;
    const required = new Set((schema.required ?? []) as readonly string[]);
    const lines = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
      ([name, own]) =>
        `${comment(own.description, inner)}${inner}${name}${required.has(name) ? '' : '?'}: ${this.#part(own, picked, inner)};\n`,
    );
    return `{\n${lines.join('')}${indent}}`;
  }

  #part(schema: JsonSchema, picked: string | null, indent: string): string {
    if (typeof schema.title === 'string') return this.declare(schema.title, schema, picked);
    return this.#inline(schema, picked, indent);
  }

  #array(items: JsonSchema, picked: string | null, indent: string): string {
    const type = this.#part(items, picked, indent);
    if (picked !== null && typeof items.title === 'string') return `Pick<${type}, F & keyof ${type}>[]`;
    return type.includes('|') ? `(${type})[]` : `${type}[]`;
  }
}

function branchText(branch: ClientBranch, indent: string): string {
  const lines = [
    ...branch.lists.flatMap(listMethods),
    ...branch.methods.map(({ name, operation }) => methodLine(operation, name)),
  ];
  const own = lines.map((line) => `${line.replaceAll(/^/gm, indent)}\n`);
  const inner = [...branch.branches].map(
    ([name, below]) => `${indent}readonly ${name}: {\n${branchText(below, `${indent}  `)}${indent}};\n`,
  );
  return [...own, ...inner].join('');
}

function genericsOf(operation: AnyOperation): { declared: string; used: string } {
  const field = `${typeNameOf(operation)}Field`;
  return operation.parameters.fields === undefined
    ? { declared: '', used: '' }
    : { declared: `<F extends ${field} = ${field}>`, used: '<F>' };
}

function methodLine(operation: AnyOperation, method: string): string {
  const name = typeNameOf(operation);
  const { declared: generic, used } = genericsOf(operation);
  const all = Object.values(operation.parameters);
  const path = all.filter((one) => one.in === 'path').map((one) => `${one.name}: string, `);
  const isOptional = !all.some((one) => one.isRequired && one.in === 'query');
  return `${comment(operation.summary, '')}${method}${generic}(${path.join('')}params${isOptional ? '?' : ''}: ${name}Params${used}, options?: RequestOptions): Promise<Answer<${name}Data${used}>>;`;
}

function listMethods(operation: AnyOperation): string[] {
  const name = typeNameOf(operation);
  const { declared: generic, used } = genericsOf(operation);
  const field = rowsFieldOf(operation);
  const row = `${name}Data${used}${field === null ? '' : `[${JSON.stringify(field)}]`}[number]`;
  const all = `${comment('All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set.', '')}all${generic}(params?: ${name}Params${used}, options?: AllOptions): AsyncGenerator<${row}, void, undefined>;`;
  const list = methodLine(operation, 'list');
  return isStreamed(operation) ? [list, all, streamMethod(operation)] : [list, all];
}

function streamMethod(operation: StreamedOperation): string {
  const name = typeNameOf(operation);
  const { declared: generic } = genericsOf(operation);
  return `${comment('Follows the first rows of the list as they change. Connects again by itself.', '')}stream${generic}(params?: Omit<${name}Params<F>, "cursor">, options?: StreamOptions<${name}StreamRow<F>, ${name}StreamFields>): AsyncGenerator<StreamUpdate<${name}StreamRow<F>, Pick<${name}StreamRow, ${name}Identity>, ${name}StreamFields>, void, undefined>;`;
}

function streamTypes(operation: StreamedOperation): string[] {
  const name = typeNameOf(operation);
  const field = rowsFieldOf(operation);
  const [rows, fields] =
    field === null
      ? [`${name}Data`, 'Record<never, never>']
      : [`${name}Data["${field}"]`, `Omit<${name}Data, "${field}">`];
  const identity = operation.rows.identity.map((column) => JSON.stringify(column)).join(' | ');
  return [
    `/** The columns that together identify a row. */\nexport type ${name}Identity = ${identity};\n`,
    `/** A row of the stream: it has the columns of its identity, whatever \`fields\` names. */\nexport type ${name}StreamRow${genericsOf(operation).declared} = Pick<${rows}[number], F | ${name}Identity>;\n`,
    `/** The fields of \`data\` beside the rows. */\nexport type ${name}StreamFields = ${fields};\n`,
  ];
}

function comment(text: unknown, indent: string): string {
  return typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

function union(names: readonly string[]): string {
  return names.map((name) => `  | ${JSON.stringify(name)}`).join('\n');
}
