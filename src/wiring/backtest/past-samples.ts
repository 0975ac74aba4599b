import { setImmediate as nextTurn } from 'node:timers/promises';
import { DepthSampler, midOf, type SampledLeg } from '../../engines/depth/depth-sampler.ts';
import { MINUTES_PER_BLOCK, type MinuteSample } from '../../history/samples/model.ts';
import type { SampleStore } from '../../history/samples/store.ts';
import { type Identity, IdentityResolver, type PricedContract } from '../../market/identity.ts';
import type { ContractState, LatestMarket } from '../../market/latest.ts';
import { minuteSample } from '../samples/part.ts';

export interface PastOptions {
  simUrl: string;
  market: LatestMarket;
  store: SampleStore;
  /** Which of the simulator's coins: contracts times minutes is what takes time. */
  firstCoin: number;
  coins: number;
  toMinute: number;
  minutes: number;
  signal: AbortSignal;
  /** Told up to which minute everything is stored. */
  onStored: (minute: number) => void;
}

const LEVEL_BYTES = 32;
/** Who is who and what a stablecoin is worth change slowly; looking at each minute would take most of the time. */
const IDENTITY_EVERY_MINUTES = 60;
const QUOTES_EVERY_MINUTES = 10;
/** Serving and collecting go on meanwhile; a few milliseconds of sampling at a time do not hold them up. */
const TURN_EVERY_MINUTES = 5;

/**
 * Samples a simulator's past: its books come in bulk, and from there on everything is as it is live, the sampler,
 * the store and, after that, the backtest. Goes on where an earlier run was interrupted or ended.
 */
export async function samplePast(options: PastOptions): Promise<number> {
  const { simUrl, store, toMinute, minutes, firstCoin, coins, signal } = options;
  const fromMinute = await store.firstMissing(toMinute - minutes + 1);
  if (fromMinute > toMinute) return 0;
  const query = new URLSearchParams({
    from_minute: String(fromMinute),
    to_minute: String(toMinute),
    first_coin: String(firstCoin),
    coins: String(coins),
  });
  const reply = await fetch(`${simUrl}/control/past?${query}`, { signal });
  if (!reply.ok || !reply.body) throw new Error(`the simulator gave no past: ${await reply.text()}`);
  const reader = new ByteReader(reply.body);
  const names = JSON.parse((await reader.part()).toString('utf8')) as [string, string][];
  const legs = pastLegs(names, options.market);
  const sampler = new DepthSampler();
  const identity = new IdentityResolver();
  let identities: ReadonlyMap<string, Identity> = new Map();
  let hour: MinuteSample[] = [];
  for (let minute = fromMinute; minute <= toMinute; minute++) {
    const books = readBooks(await reader.part(), legs);
    const isDue = (every: number) => minute === fromMinute || minute % every === 0;
    if (isDue(IDENTITY_EVERY_MINUTES)) identities = identity.resolve(books.map(pricedContract));
    const bookLegs = books.map(({ leg }) => leg);
    if (isDue(QUOTES_EVERY_MINUTES)) sampler.learnQuotes(bookLegs, identities);
    const { priced } = sampler.sample(bookLegs, identities);
    hour.push(await minuteSample(store, minute, priced));
    const isHourFull = minute % MINUTES_PER_BLOCK === MINUTES_PER_BLOCK - 1;
    if (isHourFull || minute === toMinute) {
      await keep(store, hour);
      options.onStored(minute);
      hour = [];
    }
    if (minute % TURN_EVERY_MINUTES === 0) await nextTurn();
  }
  return toMinute - fromMinute + 1;
}

function pricedContract({ state, leg }: PastLeg): PricedContract {
  return {
    key: state.key,
    exchange: leg.exchange,
    base: state.contract.base,
    assetClass: state.contract.assetClass,
    price: midOf(leg.top, leg.depth),
  };
}

/** A part of an hour is kept minute by minute: the rest of it is still to come, or came before. */
async function keep(store: SampleStore, samples: readonly MinuteSample[]): Promise<void> {
  const first = samples[0];
  if (!first) return;
  if (samples.length === MINUTES_PER_BLOCK) await store.addHour(first.minute, samples);
  else for (const sample of samples) await store.add(sample);
}

interface PastLeg {
  state: ContractState;
  leg: SampledLeg;
}

function pastLegs(names: readonly [string, string][], market: LatestMarket): (PastLeg | null)[] {
  const states = new Map(
    market.states().map((state) => [`${state.venue.slug}/${state.contract.venueSymbol}`, state]),
  );
  return names.map(([slug, venueSymbol]) => {
    const state = states.get(`${slug}/${venueSymbol}`);
    if (!state) return null;
    return {
      state,
      leg: {
        key: state.key,
        exchange: state.venue.facts.exchange,
        venueSymbol,
        quote: state.contract.quote,
        top: null,
        depth: null,
        volume24hUsdt: state.volume24hUsdt ?? 0,
      },
    };
  });
}

/** One minute's books as the observations that adapters make of a reply. */
function readBooks(bytes: Buffer, legs: readonly (PastLeg | null)[]): PastLeg[] {
  const books: PastLeg[] = [];
  for (let offset = 4; offset < bytes.length; ) {
    const known = legs[bytes.readUInt16LE(offset)];
    const levels = bytes.readUInt16LE(offset + 2);
    const from = offset + 4;
    offset = from + levels * LEVEL_BYTES;
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

/** Reads parts that are preceded by their length. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.alloc(0);

  constructor(body: ReadableStream<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async part(): Promise<Buffer> {
    const length = (await this.#take(4)).readUInt32LE(0);
    return await this.#take(length);
  }

  async #take(count: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [this.#buffer];
    let held = this.#buffer.length;
    while (held < count) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error('the simulator ended its past too early');
      chunks.push(value);
      held += value.length;
    }
    const all = chunks.length === 1 ? this.#buffer : Buffer.concat(chunks);
    this.#buffer = all.subarray(count);
    return all.subarray(0, count);
  }
}
