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

interface BulkCall extends BulkReading {
  name: string;
  request: VenueRequest;
}

/** A poll of one call: the usual kind. */
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

/**
 * A poll of several calls whose replies are read together, such as prices in one and open interest in another. The calls
 * are named by the keys of `requests`.
 */
export function joinedPoll<Name extends string>({
  requests,
  parse,
  ...poll
}: Pick<BulkPoll, 'name' | 'gives' | 'everySeconds'> & {
  requests: Readonly<Record<Name, VenueRequest>>;
  parse(payloads: Record<Name, unknown>, context: ParseContext): Batch;
}): BulkPoll {
  const calls = Object.entries<VenueRequest>(requests);
  return {
    ...poll,
    kind: 'bulk',
    weight: calls.reduce((sum, [, { weight = 1 }]) => sum + weight, 0),
    call: calls.map(([, request]) => describeCall(request)).join(', '),
    collect: async ({ send, contracts }) => {
      const replies = await Promise.all(calls.map(([, request]) => send(request)));
      const payloads = calls.map(([name], i) => [name, replies[i]?.payload]);
      const receivedAtMs = Math.max(...replies.map((reply) => reply.receivedAtMs));
      return parse(Object.fromEntries(payloads) as Record<Name, unknown>, { receivedAtMs, contracts });
    },
  };
}

/** Reads one page of the settled prints of a contract. */
export type ParseHistory = (payload: unknown, contract: Contract, window: SettlementWindow) => SettlementPage;

/** Reads the order book of a contract. */
export type ParseDepth = (payload: unknown, contract: Contract) => Depth;

/** `settlements` of a venue where one call returns one page. */
export function historyCall(
  request: (contract: Contract, window: SettlementWindow) => VenueRequest,
  parse: ParseHistory,
): Venue['settlements'] {
  return async (contract, window, { send }) =>
    parse((await send(request(contract, window))).payload, contract, window);
}

/** `settlements` of a venue that publishes none (`facts.noHistory`). */
export const noSettlements: Venue['settlements'] = async () => ({
  settlements: [],
  rejected: [],
  next: null,
});

/** `depth` of a venue where one call returns the book. */
export function depthCall(
  request: (contract: Contract) => VenueRequest,
  parse: ParseDepth,
): NonNullable<Venue['depth']> {
  return async (contract, { send }) => parse((await send(request(contract))).payload, contract);
}

/** Polls of calls below one path, each named after the rest of its path: `poll('ticker/24hr', {...}, { weight: 40 })`. */
export function pollsUnder(
  prefix: string,
): (path: string, reading: BulkReading, request?: Omit<VenueRequest, 'path'>) => BulkPoll {
  return (path, reading, request = {}) =>
    bulkPoll({ ...reading, name: path, request: { ...request, path: `${prefix}/${path}` } });
}

/** Method, path and query, as docs/venues.md shows them. */
function describeCall({ method = 'GET', path, query = {} }: VenueRequest): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}
