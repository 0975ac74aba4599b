import type { Batch, Contract, Depth } from './observations.ts';
import type {
  BulkPoll,
  ParseContext,
  SettlementPage,
  SettlementWindow,
  Venue,
  VenueRequest,
} from './venue.ts';

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

/** `settlements` of a venue where one call returns one page. */
export function historyCall(
  request: (contract: Contract, window: SettlementWindow) => VenueRequest,
  parse: (payload: unknown, contract: Contract, window: SettlementWindow) => SettlementPage,
): Venue['settlements'] {
  return async (contract, window, { send }) =>
    parse((await send(request(contract, window))).payload, contract, window);
}

/** `depth` of a venue where one call returns the book. */
export function depthCall(
  request: (contract: Contract) => VenueRequest,
  parse: (payload: unknown, contract: Contract) => Depth,
): NonNullable<Venue['depth']> {
  return async (contract, { send }) => parse((await send(request(contract))).payload, contract);
}

/** Polls of calls below one path, each named after the rest of its path: `poll('ticker/24hr', {...}, 40)`. */
export function pollsUnder(prefix: string): (path: string, spec: BulkReading, weight?: number) => BulkPoll {
  return (path, spec, weight) =>
    bulkPoll({
      ...spec,
      name: path,
      request: { path: `${prefix}/${path}`, ...(weight === undefined ? {} : { weight }) },
    });
}

/** Method, path and query, as docs/venues.md shows them. */
function describeCall({ method = 'GET', path, query = {} }: VenueRequest): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}
