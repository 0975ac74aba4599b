import type { Deprecation } from '../../base/deprecation.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { AnyOperation } from '../operation.ts';

/** The schema keyword with a field's dates; the headers and the API description are made from it. */
const DATES = 'x-deprecated';

/** Spread into a field's schema to deprecate it. */
export function deprecatedField(dates: Deprecation): JsonSchema {
  return { deprecated: true, [DATES]: dates };
}

/** The earliest `since` and earliest `sunset` among the operation and its fields; null if nothing is deprecated. */
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

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) header values. */
export function deprecationFields({ since, sunset }: Deprecation): { deprecation: string; sunset: string } {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
  };
}
