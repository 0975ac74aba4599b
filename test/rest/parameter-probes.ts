import type { AnyOperation } from '../../src/operations/operation.ts';
import { MAX_LIST_VALUES } from '../../src/query/kinds.ts';
import type { Parameter } from '../../src/query/parameter.ts';

/** One value to send for a parameter, and the expected result. */
export interface ParameterProbe {
  what: string;
  /** null sends nothing. */
  value: string | null;
  isRepeated?: boolean;
  isGood: boolean;
  /** Texts that the detail of a 400 must contain, besides the name. */
  allowed: readonly string[];
}

interface Schema {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  format?: string;
  enum?: readonly (string | number)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
}

const good = (what: string, value: string | null, isRepeated = false): ParameterProbe => ({
  what,
  value,
  isRepeated,
  isGood: true,
  allowed: [],
});
const bad = (
  what: string,
  value: string | null,
  allowed: readonly string[],
  isRepeated = false,
): ParameterProbe => ({
  what,
  value,
  isRepeated,
  isGood: false,
  allowed,
});

const NO_NUMBERS = ['abc', 'NaN', 'Infinity', '1,5', '0x10', '1e999', ' ', 'null', '__proto__', '１'];

/** Absent, valid, at each bound, beyond each bound, wrong type, empty, repeated, too many. */
export function probesOf(parameter: Parameter): ParameterProbe[] {
  const schema = parameter.schema as unknown as Schema;
  const { example, name } = parameter;
  // A cursor expires, so it has no example; the test inserts one that the endpoint has just returned.
  const valid = name === 'cursor' ? '{next_cursor}' : example;
  return [
    parameter.isRequired ? bad('absent', null, ['required']) : good('absent', null),
    good('valid', valid),
    parameter.allowsEmpty ? good('empty', '') : bad('empty', '', ['empty']),
    parameter.isList
      ? good('repeated', valid, true)
      : bad('repeated', example || 'x', ['2 times', 'once'], true),
    ...(schema.type === 'array' ? listProbes(schema, example) : valueProbes(name, schema)),
  ];
}

function valueProbes(name: string, schema: Schema): ParameterProbe[] {
  if (schema.enum) {
    const choices = schema.enum.map(String);
    return [
      ...choices.map((choice) => good(`"${choice}"`, choice)),
      ...['no-such-choice', '__proto__', `${choices[0]} `, choices.join(',')].map((text) =>
        bad(`"${text.slice(0, 30)}"`, text, choices),
      ),
    ];
  }
  if (name === 'cursor')
    return ['x', 'AAAA', '__proto__', '🚀', 'x'.repeat(5_000)].map((text) =>
      bad(`"${text.slice(0, 10)}"`, text, ['start again']),
    );
  if (schema.type === 'integer') return integerProbes(schema);
  if (schema.type === 'number')
    return [
      ...['0', '-1.5', '1e-4', '+2'].map((text) => good(`"${text}"`, text)),
      ...NO_NUMBERS.map((text) => bad(`"${text}"`, text, ['must be a number'])),
    ];
  if (schema.type === 'boolean')
    return [
      good('"false"', 'false'),
      ...['TRUE', '1', 'yes', 'null'].map((text) => bad(`"${text}"`, text, ['true or false'])),
    ];
  if (schema.format === 'date-time')
    return ['yesterday', '1793534400', '2026-13-01', '2026-02-30', '1999-01-01', '2026-11-01T25:00:00Z'].map(
      (text) => bad(`"${text}"`, text, ['ISO 8601', '2026-11-01T00:00:00Z']),
    );
  if (schema.maxLength !== undefined)
    return [schema.maxLength + 1, 7_000].map((length) =>
      bad(`${length} characters`, 'x'.repeat(length), [`at most ${schema.maxLength} characters`]),
    );
  return [];
}

function integerProbes({ minimum = 0, maximum = 0 }: Schema): ParameterProbe[] {
  const allowed = [`from ${minimum} to ${maximum}`];
  return [
    good('at the lower bound', String(minimum)),
    good('at the upper bound', String(maximum)),
    bad('below the lower bound', String(minimum - 1), allowed),
    bad('above the upper bound', String(maximum + 1), allowed),
    ...[...NO_NUMBERS, '1.5', '99999999999999999999'].map((text) => bad(`"${text}"`, text, allowed)),
  ];
}

function listProbes({ items, maxItems }: Schema, example: string): ParameterProbe[] {
  const [first = ''] = example.split(',');
  const probes = [bad('an empty value among others', `${first},,${first}`, [])];
  if (maxItems !== undefined) {
    const most = Array<string>(maxItems).fill(first);
    probes.push(
      good(`${MAX_LIST_VALUES} values`, most.join(',')),
      bad('one value too many', [...most, first].join(','), [
        `at most ${MAX_LIST_VALUES}`,
        `got ${maxItems + 1}`,
      ]),
      bad('five hundred values', Array<string>(500).fill(first).join(','), [`at most ${MAX_LIST_VALUES}`]),
    );
  }
  if (items?.enum) {
    const names = items.enum.map(String);
    probes.push(good('every one', names.join(',')), good('every one twice', [...names, ...names].join(',')));
    for (const text of ['no-such-field', '__proto__', 'constructor'])
      probes.push(bad(text, `${first},${text}`, names));
  }
  if (items?.type === 'integer')
    for (const probe of integerProbes(items))
      if (probe.value !== null && probe.value.trim() !== '' && !probe.value.includes(',')) {
        probes.push({ ...probe, what: `among others ${probe.what}`, value: `${first},${probe.value}` });
      }
  return probes;
}

/** Other parameters that a value needs to be valid. */
const COMPANIONS: Readonly<Record<string, string>> = {
  'funding-history resolution=settlement': 'exchange=Binance',
};

/** What is about a size needs the size. */
const OF_SIZE = /entry_cost|exit_cost|fills|book_age/;

/** The required parameters of an operation with their examples, as parts of a query. */
export function neededOf(operation: AnyOperation, besides = ''): string[] {
  return Object.values(operation.parameters)
    .filter((one) => one.in === 'query' && one.isRequired && one.name !== besides)
    .map((one) => `${one.name}=${encodeURIComponent(one.example)}`);
}

/** The parts of a query that sends the value of a probe, with what it needs to be valid. */
export function queryOf(
  operation: AnyOperation,
  { name }: Parameter,
  { value, isRepeated = false }: ParameterProbe,
): string[] {
  const own = value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  const companion = COMPANIONS[`${operation.id} ${name}=${value}`];
  const size = OF_SIZE.test(`${name}=${value}`) ? ['size_usd=20000'] : [];
  return [
    ...neededOf(operation, name),
    ...own,
    ...(isRepeated ? own : []),
    ...size,
    ...(companion === undefined ? [] : [companion]),
  ];
}
