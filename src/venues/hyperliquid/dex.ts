import { HOUR_MS } from '../../base/times.ts';
import { bulkPoll, joinedPoll } from '../bulk-poll.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, type Poll, type Venue, type VenueRequest } from '../venue.ts';
import {
  parseBook,
  parseDexContexts,
  parseDexContracts,
  parseFundingHistory,
  parseMetaAndAssetCtxs,
} from './parse.ts';
import { bboStream } from './stream.ts';
import { BOOK_WEIGHT, FUNDING_PAGE_ROWS, INFO_WEIGHT, ROWS_PER_EXTRA_WEIGHT } from './wire.ts';

const FIGURES = [...FUNDING_TOPICS, 'volume', ...FIGURE_TOPICS] as const;
const LIST_SECONDS = 300;
const FIGURES_SECONDS = 15;

/** Every request goes to one path; the body says which it is. */
function info(body: Record<string, unknown>, weight: number): VenueRequest {
  return { method: 'POST', path: '/info', body, weight };
}

/** The venue charges for the rows it returns, and returns one an hour. */
export function fundingHistoryWeight(window: { fromMs: number; toMs: number }): number {
  const rows = Math.min(FUNDING_PAGE_ROWS, Math.floor((window.toMs - window.fromMs) / HOUR_MS) + 1);
  return INFO_WEIGHT + Math.ceil(Math.max(rows, 0) / ROWS_PER_EXTRA_WEIGHT);
}

/** A dex of another deployer (HIP-3). */
interface NamedDex {
  name: string;
  /**
   * All dexes share one budget, in which order books have the lowest priority: what the figures of a small dex cost is missing
   * there. Best prices come over the stream, and a rate stays published for ten minutes.
   */
  figuresEverySeconds: number;
}

/** A venue on Hyperliquid's chain: its own dex, which has no name, or one of another deployer. */
export function dexVenue({ dex, ...venue }: Pick<Venue, 'slug' | 'facts'> & { dex: NamedDex | null }): Venue {
  return {
    ...venue,
    hosts: { rest: 'https://api.hyperliquid.xyz', ws: 'wss://api.hyperliquid.xyz' },
    // The venue allows a weight of 1,200 a minute and address, over all dexes.
    budgets: { info: { capacity: 900, windowSeconds: 60, sharedAs: 'hyperliquid' } },
    polls: dex === null ? [firstDexPoll()] : namedDexPolls(dex),
    streams: [bboStream],
    settlementDepthDays: null,
    settlements: async (contract, window, { send }) => {
      const body = {
        type: 'fundingHistory',
        coin: contract.venueSymbol,
        startTime: window.fromMs,
        endTime: window.toMs,
      };
      const reply = await send(info(body, fundingHistoryWeight(window)));
      return parseFundingHistory(reply.payload, window, FUNDING_PAGE_ROWS);
    },
    depth: async (contract, { send }) => {
      const reply = await send(info({ type: 'l2Book', coin: contract.venueSymbol }, BOOK_WEIGHT));
      return parseBook(reply.payload, contract);
    },
  };
}

/** Every coin of the first dex is a coin, so one call gives the list and the figures. */
function firstDexPoll(): Poll {
  return {
    ...bulkPoll({
      name: 'metaAndAssetCtxs',
      gives: ['contracts', ...FIGURES],
      everySeconds: FIGURES_SECONDS,
      request: info({ type: 'metaAndAssetCtxs' }, INFO_WEIGHT),
      parse: (payload, { receivedAtMs }) => parseMetaAndAssetCtxs(payload, receivedAtMs),
    }),
    call: 'POST /info metaAndAssetCtxs',
  };
}

/** The classes of the contracts come from a call of their own, which is made with the list. */
function namedDexPolls({ name: dex, figuresEverySeconds }: NamedDex): Poll[] {
  const list = info({ type: 'metaAndAssetCtxs', dex }, INFO_WEIGHT);
  const call = `POST /info metaAndAssetCtxs ${dex}`;
  return [
    {
      ...joinedPoll({
        name: 'contracts',
        gives: ['contracts'],
        everySeconds: LIST_SECONDS,
        requests: { list, annotations: info({ type: 'perpConciseAnnotations' }, INFO_WEIGHT) },
        parse: (payloads) => parseDexContracts(payloads.list, payloads.annotations, dex),
      }),
      call: `${call}, POST /info perpConciseAnnotations`,
    },
    {
      ...bulkPoll({
        name: 'metaAndAssetCtxs',
        gives: FIGURES,
        everySeconds: figuresEverySeconds,
        request: list,
        parse: parseDexContexts,
      }),
      call,
    },
  ];
}
