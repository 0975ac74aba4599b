import type { Plan } from '../../accounts/plans.ts';
import { deprecationFields, deprecationOf, versioningUrl } from '../../operations/description/deprecation.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { describedBy } from '../http/common-headers.ts';

export function cacheControl(operation: AnyOperation, plan: Plan): string {
  if (operation.freshness === null) return 'no-store';
  return plan.delaySeconds === 0 ? 'private, max-age=15' : 'max-age=300';
}

/** The headers of every answer of an operation: Link, and the dates of deprecations. */
export function operationHeaders(
  operation: AnyOperation,
  baseUrl: string,
): { link: string } & Record<string, string> {
  const dates = deprecationOf(operation);
  if (!dates) return { link: describedBy(baseUrl) };
  return {
    link: `${describedBy(baseUrl)}, <${versioningUrl(baseUrl)}>; rel="deprecation"; type="text/html"`,
    ...deprecationFields(dates),
  };
}
