import { decimalOrNull } from '../base/numbers.ts';
import { Problem } from '../base/problems.ts';
import { isPlausibleMs } from '../base/times.ts';
import { invalid, type Parameter } from './parameter.ts';

/** The kinds of parameters that endpoints are made of. */
export const MAX_LIST_VALUES = 20;

/** Values are repeated in links. No number needs more digits. */
const MAX_NUMBER_LENGTH = 40;
const QUERY = { in: 'query', isRequired: false, isList: false, allowsEmpty: false } as const;

export function number(name: string, description: string): Parameter<number> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'number' },
    example: '0.01',
    parse: (text) => {
      const value = decimalOrNull(text);
      if (value === null) throw invalid(name, 'must be a number', text);
      if (text.length > MAX_NUMBER_LENGTH)
        throw invalid(name, `must be a number of at most ${MAX_NUMBER_LENGTH} characters`, text);
      return value;
    },
  };
}

export interface IntegerBounds {
  min: number;
  max: number;
}

export function integer(name: string, bounds: IntegerBounds, description: string): Parameter<number> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'integer', minimum: bounds.min, maximum: bounds.max },
    example: String(bounds.min),
    parse: (text) => integerIn(name, text, bounds),
  };
}

function integerIn(name: string, text: string, { min, max }: IntegerBounds): number {
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null;
  if (value === null || value < min || value > max)
    throw invalid(name, `must be an integer from ${min} to ${max}`, text);
  return value;
}

/** One of a few integers. */
export function integerChoice(
  name: string,
  choices: readonly number[],
  description: string,
): Parameter<number> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'integer', enum: choices },
    example: String(choices[0]),
    parse: (text) => {
      const value = choices.find((choice) => String(choice) === text);
      if (value === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`, text);
      return value;
    },
  };
}

export function flag(name: string, description: string): Parameter<boolean> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'boolean' },
    example: 'true',
    parse: (text) => {
      if (text !== 'true' && text !== 'false') throw invalid(name, 'must be true or false', text);
      return text === 'true';
    },
  };
}

export function choice<T extends string>(
  name: string,
  choices: readonly T[],
  description: string,
): Parameter<T> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'string', enum: choices },
    example: choices[0] ?? '',
    parse: (text) => {
      const value = choices.find((one) => one === text);
      if (value === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`, text);
      return value;
    },
  };
}

/** With room for spaces around it. */
const MAX_TIME_LENGTH = 60;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601. A time without a zone is UTC; a date alone means its midnight. */
export function time(name: string, description: string): Parameter<number> {
  return {
    ...QUERY,
    name,
    description,
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-01T00:00:00Z',
    parse: (text) => {
      // In a query string an unescaped + arrives as a space.
      const written = text.trim().replace(/(:\d{2}(?:\.\d+)?) (\d{2}:?\d{2})$/, '$1+$2');
      const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(written.slice(10));
      const complete = written.length === 10 ? `${written}T00:00:00Z` : hasZone ? written : `${written}Z`;
      const isTime =
        text.length <= MAX_TIME_LENGTH && TIME.test(written) && isCalendarDay(written.slice(0, 10));
      const value = isTime ? Date.parse(complete.replace(' ', 'T')) : Number.NaN;
      if (Number.isNaN(value) || !isPlausibleMs(value)) {
        throw invalid(
          name,
          'must be an ISO 8601 UTC time such as 2026-11-01T00:00:00Z, from 2015 to 2099',
          text,
        );
      }
      return value;
    },
  };
}

/** Checked here because Date.parse reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8));
}

export function text(name: string, maxLength: number, description: string): Parameter<string> {
  return {
    ...QUERY,
    name,
    description,
    allowsEmpty: true,
    schema: { type: 'string', maxLength },
    example: 'BT',
    parse: (value) => {
      if (value.length > maxLength) throw invalid(name, `must be at most ${maxLength} characters`, value);
      return value;
    },
  };
}

const MAX_EXACT_LENGTH = 100;

/** A text that rows have exactly. Others than the usual ones are allowed: later versions may have more. */
export function exactText(name: string, usual: readonly string[], description: string): Parameter<string> {
  const any = text(name, MAX_EXACT_LENGTH, description);
  return {
    ...any,
    allowsEmpty: false,
    schema: { ...any.schema, examples: usual },
    example: usual[0] ?? '',
  };
}

const MAX_TICKER_LENGTH = 40;

/** A ticker in any case. The operation answers 404 for one that no venue quotes, however long it is. */
export function coinPath(name: string, description: string): Parameter<string> {
  return {
    ...QUERY,
    in: 'path',
    isRequired: true,
    name,
    description,
    schema: { type: 'string' },
    example: 'BTC',
    parse: (value) => value.toUpperCase(),
  };
}

export function coinText(name: string, description: string): Parameter<string> {
  const { parse, ...rest } = text(name, MAX_TICKER_LENGTH, description);
  return {
    ...rest,
    isRequired: true,
    allowsEmpty: false,
    example: 'BTC',
    parse: (value) => parse(value).toUpperCase(),
  };
}

function list<T>(
  name: string,
  description: string,
  items: object,
  example: string,
  parseItem: (item: string) => T,
): Parameter<readonly T[]> {
  return {
    ...QUERY,
    name,
    description,
    isList: true,
    schema: { type: 'array', items, maxItems: MAX_LIST_VALUES },
    example,
    parse: (value) => {
      const parts = partsOf(value);
      if (parts.length > MAX_LIST_VALUES) {
        throw new Problem(
          'invalid-parameter',
          `"${name}" takes at most ${MAX_LIST_VALUES} values; got ${parts.length}.`,
        );
      }
      if (parts.includes(''))
        throw new Problem(
          'invalid-parameter',
          `"${name}" has an empty value in its list; separate values with one comma.`,
        );
      return parts.map(parseItem);
    },
  };
}

/** Splits at commas and trims. String.split caches its results, which costs more than it saves here. */
function partsOf(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let comma = value.indexOf(','); comma >= 0; comma = value.indexOf(',', start)) {
    parts.push(value.slice(start, comma).trim());
    start = comma + 1;
  }
  parts.push(value.slice(start).trim());
  return parts;
}

export function coins(name: string, description: string): Parameter<readonly string[]> {
  const items = { type: 'string', maxLength: MAX_TICKER_LENGTH };
  return list(name, description, items, 'BTC,ETH', (item) => {
    if (item.length > MAX_TICKER_LENGTH)
      throw invalid(name, `takes tickers of at most ${MAX_TICKER_LENGTH} characters`, item);
    return item.toUpperCase();
  });
}

/** Venue names. The operation, which knows the venues, checks that they are served. */
export function exchanges(name: string, description: string): Parameter<readonly string[]> {
  return {
    ...list(name, description, { type: 'string' }, 'Binance,OKX', (item) => item),
    isExchangeName: true,
  };
}

/** The name of one venue. The operation, which knows the venues, checks that it is served. */
export function exchangeText(name: string, description: string, example: string): Parameter<string> {
  const { parse, ...rest } = text(name, MAX_TICKER_LENGTH, description);
  return {
    ...rest,
    ...{ isRequired: true, allowsEmpty: false, example },
    parse: (value) => {
      // No name of a venue has a comma: this is a list, as other parameters of that name take it.
      if (value.includes(',')) throw invalid(name, 'takes one venue', value);
      return parse(value);
    },
  };
}

export function integers(
  name: string,
  bounds: IntegerBounds,
  description: string,
): Parameter<readonly number[]> {
  return list(name, description, { type: 'integer', minimum: bounds.min, maximum: bounds.max }, '8', (item) =>
    integerIn(name, item, bounds),
  );
}
