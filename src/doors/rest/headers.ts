import type { Plan } from '../../accounts/plans.ts';
import { deprecationFields, deprecationOf, versioningUrl } from '../../operations/description/deprecation.ts';
import { API_PATH } from '../../operations/description/discovery.ts';
import { streamPath } from '../../operations/description/streams.ts';
import { type AnyOperation, isStreamed } from '../../operations/operation.ts';
import { describedBy } from '../http/common-headers.ts';

export function cacheControl(operation: AnyOperation, plan: Plan): string {
  if (operation.freshness === null) return 'no-store';
  return plan.delaySeconds === 0 ? 'private, max-age=15' : 'max-age=300';
}

/** The headers of every answer of an operation: Link, also to its stream and alerts, and the dates of deprecations. */
export function operationHeaders(
  operation: AnyOperation,
  baseUrl: string,
): { link: string } & Record<string, string> {
  const dates = deprecationOf(operation);
  const stream = isStreamed(operation)
    ? `, <${baseUrl}${API_PATH}${streamPath(operation)}>; rel="alternate"; type="text/event-stream"${alertLink(operation, baseUrl)}`
    : '';
  const link = `${describedBy(baseUrl)}${stream}`;
  if (!dates) return { link };
  return {
    link: `${link}, <${versioningUrl(baseUrl)}>; rel="deprecation"; type="text/html"`,
    ...deprecationFields(dates),
  };
}

/** Where a person makes an alert on the list; `monitor` is the relation for it (RFC 5989). */
function alertLink({ path }: AnyOperation, baseUrl: string): string {
  return `, <${baseUrl}/account/alerts/new?operation=${path.slice(1)}>; rel="monitor"; type="text/html"`;
}
