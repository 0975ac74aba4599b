import { minuteSample } from '../../engines/depth/minute-sample.ts';
import { DepthSampler, midOf } from '../../engines/depth/sampler.ts';
import { MINUTES_PER_BLOCK, type MinuteSample } from '../../history/samples/model.ts';
import type { MinuteRange, SampleStore } from '../../history/samples/store.ts';
import { type Identity, IdentityResolver, type PricedContract } from '../../market/identity.ts';
import type { LatestMarket } from '../../market/latest.ts';
import { callSimulator } from '../../wiring/simulator-call.ts';
import { type PastLeg, parsePastBooks, parsePastContracts } from './past-books.ts';

export interface PastOptions {
  simUrl: string;
  market: LatestMarket;
  store: SampleStore;
  /** Which of the simulator's coins. The time it takes grows with contracts times minutes. */
  firstCoin: number;
  coins: number;
  range: MinuteRange;
  signal: AbortSignal;
}

/** Identities and stablecoin prices change slowly; resolving them every minute would take most of the time. */
const IDENTITY_EVERY_MINUTES = 60;
const QUOTES_EVERY_MINUTES = 10;

/** Samples the past of a simulator. It sends its books in bulk; sampler, store and backtest then work as they do live. */
export async function samplePast(options: PastOptions): Promise<void> {
  const { simUrl, store, firstCoin, coins, signal } = options;
  const { fromMinute, toMinute } = options.range;
  const query = new URLSearchParams({
    from_minute: String(fromMinute),
    to_minute: String(toMinute),
    first_coin: String(firstCoin),
    coins: String(coins),
  });
  const reader = new ByteReader(await callSimulator(`${simUrl}/control/past?${query}`, { signal }));
  const legs = parsePastContracts((await reader.part()).toString('utf8'), options.market);
  const sampler = new DepthSampler();
  const identity = new IdentityResolver();
  let identities: ReadonlyMap<string, Identity> = new Map();
  let hour: MinuteSample[] = [];
  for (let minute = fromMinute; minute <= toMinute; minute++) {
    const books = parsePastBooks(await reader.part(), legs);
    const isDue = (every: number) => minute === fromMinute || minute % every === 0;
    if (isDue(IDENTITY_EVERY_MINUTES)) identities = identity.resolve(books.map(pricedContract));
    const bookLegs = books.map(({ leg }) => leg);
    if (isDue(QUOTES_EVERY_MINUTES)) sampler.updateQuotes(bookLegs, identities);
    const { priced } = sampler.sample(bookLegs, identities);
    hour.push(await minuteSample(store, minute, priced));
    const isHourFull = minute % MINUTES_PER_BLOCK === MINUTES_PER_BLOCK - 1;
    if (isHourFull || minute === toMinute) {
      await keep(store, hour);
      hour = [];
    }
  }
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

/** A full hour is stored as one block. Part of an hour is stored minute by minute: the rest of it is stored separately. */
async function keep(store: SampleStore, samples: readonly MinuteSample[]): Promise<void> {
  const first = samples[0];
  if (!first) return;
  if (samples.length === MINUTES_PER_BLOCK) await store.addHour(first.minute, samples);
  else for (const sample of samples) await store.add(sample);
}

/** Reads length-prefixed parts from a stream. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
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
      if (done) throw new Error('the simulator closed the connection before the end of its past');
      chunks.push(value);
      held += value.length;
    }
    const all = chunks.length === 1 ? this.#buffer : Buffer.concat(chunks);
    this.#buffer = all.subarray(count);
    return all.subarray(0, count);
  }
}
