import type { Deprecation } from '../../base/deprecation.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { AnyOperation } from '../operation.ts';

/** Where a field's dates stand in its schema, from which the headers and the API description read them. */
const DATES = 'x-deprecated';

/** Spread into a field's schema to deprecate it. */
export function deprecatedField(dates: Deprecation): JsonSchema {
  return { deprecated: true, [DATES]: dates };
}

/** Of the operation and all fields of its answer: told since the first, gone with the first. Null: nothing is. */
export function deprecationOf(operation: Pick<AnyOperation, 'deprecated' | 'data'>): Deprecation | null {
  const all = [...(operation.deprecated ? [operation.deprecated] : []), ...datesIn(operation.data)];
  if (all.length === 0) return null;
  const first = (days: string[]) => days.reduce((a, b) => (Date.parse(b) < Date.parse(a) ? b : a));
  return {
    since: first(all.map((dates) => dates.since)),
    sunset: first(all.map((dates) => dates.sunset)),
  };
}

function datesIn(schema: unknown): Deprecation[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === DATES ? [value as Deprecation] : datesIn(value),
  );
}

/** The address of the versioning section, for the Link header. */
export function versioningUrl(baseUrl: string): string {
  return `${baseUrl}/developers#versioning`;
}

/** `Deprecation` and `Sunset` as their RFCs write them. */
export function deprecationFields({ since, sunset }: Deprecation): { deprecation: string; sunset: string } {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
  };
}
