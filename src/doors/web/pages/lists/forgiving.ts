import { ownValue } from '../../../../base/own-value.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import type { Venue } from '../../../../venues/venue.ts';
import { steppedFees } from '../../layout/fees/visitor-fees.ts';
import { plainNumber } from '../../markup/plain-number.ts';
import { COIN_NAMES, OTHER_COIN_NAMES } from '../search/coin-names.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

const TICKERS: ReadonlyMap<string, string> = new Map(
  [...OTHER_COIN_NAMES, ...COIN_NAMES].map(([ticker, name]) => [name.toLowerCase(), ticker]),
);

/** The values of a list, separated by commas or repeated, without duplicates. */
function listOf(values: readonly string[], spell: (text: string) => string): string {
  const parts = values.flatMap((text) => text.split(',')).map((text) => text.trim());
  return [...new Set(parts.filter((text) => text !== '').map(spell))].join(',');
}

/**
 * The query as the API wants it, from what people type: numbers with units, venues in any case, names of coins, and lists
 * from several fields. Values that mean nothing are kept, so that the answer can say what is wrong with them; values that
 * the API ignores are not.
 */
export function forgiving(
  operation: AnyOperation,
  sent: Sent,
  venues: readonly Venue[],
): Map<string, string[]> {
  const clean = new Map<string, string[]>();
  for (const [name, values] of sent) {
    const parameter = ownValue(operation.parameters, name);
    const filled = values.filter((text) => text.trim() !== '');
    if (filled.length === 0 || parameter?.ignoredWith?.some((other) => sent.has(other))) continue;
    const value = parameter ? spelled(parameter, filled, venues) : null;
    clean.set(name, value === null ? [...filled] : [value]);
  }
  return clean;
}

function spelled(parameter: Parameter, values: readonly string[], venues: readonly Venue[]): string | null {
  const { name, schema, isList, isExchangeName } = parameter;
  if (isExchangeName) return listOf(values, (text) => venueNamed(text, venues) ?? text);
  if (name === 'coin') return listOf(values, (text) => tickerOf(text) ?? text.toUpperCase());
  if (isList) return listOf(values, (text) => text);
  const [first = ''] = values;
  if (name === 'fees') return values.length > 1 ? null : steppedFees(first.trim());
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  return values.length > 1 ? null : isNumber ? plainNumber(first) : first.trim();
}

/** The ticker of a coin that is called so, such as BTC for Bitcoin. */
export function tickerOf(name: string): string | undefined {
  return TICKERS.get(name.toLowerCase());
}

/** The venue that is called so, in any case. */
export function venueNamed(text: string, venues: readonly Venue[]): string | undefined {
  const wanted = text.toLowerCase();
  const found = venues.find(({ slug, facts }) =>
    [slug, facts.exchange.toLowerCase(), facts.name.toLowerCase()].includes(wanted),
  );
  return found?.facts.exchange;
}

/** Whether two queries have the same names and values, whatever their order. */
export function isSameQuery(a: Sent, b: Sent): boolean {
  if (a.size !== b.size) return false;
  for (const [name, values] of a) {
    const others = b.get(name);
    if (!others || others.length !== values.length || values.some((value, i) => value !== others[i]))
      return false;
  }
  return true;
}
