import type { Batch } from './observations.ts';
import type { BulkPoll, ParseContext, VenueRequest } from './venue.ts';

/** What a call is read for. Venues whose calls share a prefix build name and request from the path. */
export interface BulkReading extends Pick<BulkPoll, 'gives' | 'everySeconds' | 'followsSettlements'> {
  parse(payload: unknown, context: ParseContext): Batch;
}

export interface BulkCall extends BulkReading {
  name: string;
  request: VenueRequest;
}

/** A poll of one call: the usual kind. A poll of several calls writes its own `collect`. */
export function bulkPoll({
  name,
  gives,
  everySeconds,
  followsSettlements,
  request,
  parse,
}: BulkCall): BulkPoll {
  return {
    ...(followsSettlements ? { followsSettlements } : {}),
    kind: 'bulk',
    name,
    gives,
    everySeconds,
    weight: request.weight ?? 1,
    call: describeCall(request),
    collect: async ({ send, contracts }) => {
      const { payload, receivedAtMs } = await send(request);
      return parse(payload, { receivedAtMs, contracts });
    },
  };
}

/** Method, path and query, as docs/venues.md shows them. */
function describeCall({ method = 'GET', path, query = {} }: VenueRequest): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}
