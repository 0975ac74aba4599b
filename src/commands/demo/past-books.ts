import type { SampledLeg } from '../../engines/depth/sampler.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { LatestMarket } from '../../market/latest.ts';
import { ownFee } from '../../venues/observations.ts';

/** A contract of the simulator and its book at one minute. */
export interface PastLeg {
  state: ContractState;
  leg: SampledLeg;
}

/** A contract's place in the list of contracts and its number of levels. */
const HEAD_BYTES = 4;
/** Bid price, bid size, ask price and ask size as doubles. */
const LEVEL_BYTES = 32;

/** Legs in the order of the simulator's list. Null where the entry is malformed or the market has no such contract. */
export function parsePastContracts(json: string, market: Pick<LatestMarket, 'states'>): (PastLeg | null)[] {
  const names: unknown = JSON.parse(json);
  if (!Array.isArray(names)) throw new Error('the simulator sent no list of contracts');
  const states = new Map(
    market.states().map((state) => [`${state.venue.slug}/${state.contract.venueSymbol}`, state]),
  );
  return names.map((name: unknown) => {
    const [slug, venueSymbol] = Array.isArray(name) ? name : [];
    const state = states.get(`${slug}/${venueSymbol}`);
    if (!state) return null;
    return {
      state,
      leg: {
        key: state.key,
        exchange: state.venue.facts.exchange,
        venueSymbol: state.contract.venueSymbol,
        quote: state.contract.quote,
        ...ownFee(state.contract),
        top: null,
        depth: null,
        volume24hUsdt: state.volume24hUsdt ?? 0,
      },
    };
  });
}

/**
 * Reads the books of one minute into the legs and returns those that have one. `bytes` starts with four bytes for the
 * minute. A book that is cut off ends the minute: the books before it count.
 */
export function parsePastBooks(bytes: Buffer, legs: readonly (PastLeg | null)[]): PastLeg[] {
  const books: PastLeg[] = [];
  for (let offset = 4; offset + HEAD_BYTES <= bytes.length; ) {
    const known = legs[bytes.readUInt16LE(offset)];
    const levels = bytes.readUInt16LE(offset + 2);
    const from = offset + HEAD_BYTES;
    offset = from + levels * LEVEL_BYTES;
    if (offset > bytes.length) break;
    if (!known) continue;
    const bids: [number, number][] = [];
    const asks: [number, number][] = [];
    for (let at = from; at < offset; at += LEVEL_BYTES) {
      bids.push([bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]);
      asks.push([bytes.readDoubleLE(at + 16), bytes.readDoubleLE(at + 24)]);
    }
    const { leg } = known;
    const { venueSymbol } = leg;
    const [bid, ask] = [bids[0], asks[0]];
    if (!bid || !ask) continue;
    const [[bidPrice, bidSize], [askPrice, askSize]] = [bid, ask];
    leg.top = { venueSymbol, bidPrice, bidSize, askPrice, askSize, venueTimeMs: null };
    leg.depth = levels > 1 ? { venueSymbol, bids, asks, venueTimeMs: null } : null;
    books.push(known);
  }
  return books;
}
