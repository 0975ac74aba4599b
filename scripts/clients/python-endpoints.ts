import { type AnyOperation, isStreamed } from '../../src/operations/operation.ts';
import type { JsonSchema } from '../../src/query/parameter.ts';
import { PYTHON_HEADER } from './python-types.ts';

/** `LIST_FUNDING` for listFunding. */
export const constantName = ({ operationId }: AnyOperation) =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** `endpoints.py`: what the hand-written half of the client must know of each endpoint. */
export function pythonEndpoints(operations: readonly AnyOperation[]): string {
  return [
    PYTHON_HEADER,
    'from .endpoint import Endpoint, FollowedList, Order, RowPlace\n',
    ...operations.map((operation) => {
      const places = placesOf(operation);
      const own = Object.assign({}, ...places.map(({ properties }) => properties)) as Properties;
      const rows = places.map(
        ({ path, properties }) =>
          `        RowPlace(${tuple(path.map(text))}, ${columnsText(properties, '        ')}),\n`,
      );
      return `${constantName(operation)} = Endpoint(
    path=${JSON.stringify(operation.path)},
    parameters=frozenset(${list(Object.keys(operation.parameters))}),
    inherited=${columnsText(inheritedColumns(operation, own), '    ')},
    rows=(
${rows.join('')}    ),
    stream=${streamText(operation)},
)
`;
    }),
  ].join('\n');
}

/** What the client needs to follow a list and to keep its rows in order. */
function streamText(operation: AnyOperation): string {
  if (!isStreamed(operation)) return 'None';
  const { identity, sorts, defaultSort, ties } = operation.rows;
  const orders = Object.entries(sorts)
    .filter(([, sort]) => !sort.isTableOrder)
    .map(([name, { column, direction, isAbsolute, orSmaller }]) => {
      const absolute = isAbsolute ? ', is_absolute=True' : '';
      const smaller = orSmaller === undefined ? '' : `, or_smaller=${text(orSmaller)}`;
      const isDescending = direction === 'desc' ? 'True' : 'False';
      return `            ${text(name)}: Order(${text(column)}, is_descending=${isDescending}${absolute}${smaller}),\n`;
    });
  return `FollowedList(
        identity=${tuple(identity.map(text))},
        orders={
${orders.join('')}        },
        default_sort=${text(defaultSort)},
        ties=${tuple(ties.map(text))},
    )`;
}

type Properties = Readonly<Record<string, JsonSchema>>;

const text = (value: string) => JSON.stringify(value);
const list = (names: readonly string[]) => `[${names.map(text).join(', ')}]`;
const tuple = (items: readonly string[]) => `(${items.map((item) => `${item},`).join(' ')})`;

function columnsText(columns: Properties, indent: string): string {
  const lines = Object.entries(columns).map(
    ([name, schema]) => `${indent}    ${text(name)}: ${text(kindOf(schema))},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

interface RowPlace {
  path: string[];
  properties: Properties;
}

/** Where an answer has the rows of `to_pandas`; nowhere if it has none. */
export function placesOf({ data, formats, tableRows }: AnyOperation): RowPlace[] {
  if (tableRows) return [{ path: [...tableRows], properties: flatProperties(listAt(data, tableRows)) }];
  return formats === undefined ? [] : rowPlaces(data);
}

/** The schema of the items of a list that is inside a schema. */
function listAt(schema: JsonSchema, [name, ...rest]: readonly string[]): JsonSchema {
  const object = itemsOf(schema) ?? schema;
  return name === undefined ? object : listAt((object.properties as Properties)[name] ?? {}, rest);
}

/** The plain fields of a row; those of objects in it have dotted names. */
function flatProperties(schema: JsonSchema, before = ''): Properties {
  const fields = Object.entries((schema.properties ?? {}) as Properties);
  return Object.assign(
    {},
    ...fields.map(([name, own]) => {
      if (itemsOf(own)?.type === 'object') return {};
      return own.type === 'object' ? flatProperties(own, `${before}${name}.`) : { [`${before}${name}`]: own };
    }),
  ) as Properties;
}

/** The innermost lists of objects in an answer, which are its rows. */
function rowPlaces(schema: JsonSchema, path: readonly string[] = []): RowPlace[] {
  const items = itemsOf(schema);
  const object = items ?? schema;
  if (object.type !== 'object') return [];
  const properties = (object.properties ?? {}) as Properties;
  const below = Object.entries(properties).flatMap(([name, own]) =>
    itemsOf(own)?.type === 'object' ? rowPlaces(own, [...path, name]) : [],
  );
  return below.length > 0 || items === null ? below : [{ path: [...path], properties }];
}

/** The schema of a list's items, also if the list may be null. */
function itemsOf(schema: JsonSchema): JsonSchema | null {
  const either = (schema.anyOf ?? [schema]) as readonly JsonSchema[];
  return (either.find(({ type }) => type === 'array')?.items ?? null) as JsonSchema | null;
}

/** The columns of the CSV format that are not in the rows: those of the objects around them. */
function inheritedColumns({ data, formats, example }: AnyOperation, own: Properties): Properties {
  if (formats === undefined || data.type === 'array') return {};
  const names = formats.flat(example).columns.map(({ name }) => name);
  const all = scalarsIn(data);
  return Object.fromEntries(
    names.filter((name) => !(name in own)).map((name) => [name, all[name] as JsonSchema]),
  );
}

/** All plain fields of an answer by name, the inner ones too. */
function scalarsIn(schema: JsonSchema): Properties {
  const properties = ((itemsOf(schema) ?? schema).properties ?? {}) as Properties;
  const inner = Object.values(properties).map((own) => (itemsOf(own) ? scalarsIn(own) : {}));
  return Object.assign({ ...properties }, ...inner) as Properties;
}

/** How `to_pandas` stores a column. */
export function kindOf(schema: JsonSchema): string {
  const either = (schema.anyOf ?? [schema]) as readonly JsonSchema[];
  const plain = either.find(({ type }) => type !== 'null') ?? schema;
  const orNull = either.some(({ type }) => type === 'null') ? '?' : '';
  if (plain.type === 'integer') return `int${orNull}`;
  if (plain.type === 'boolean') return `bool${orNull}`;
  if (plain.type === 'number') return 'float';
  if (plain.type === 'array') return 'list';
  if (plain.format === 'date-time') return 'time';
  return plain.format === 'date' ? 'day' : 'text';
}
