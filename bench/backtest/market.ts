import { type MinuteSample, PRICE_COLUMNS, type SampledContract } from '../../src/history/samples/model.ts';

/** A market of realistic size: coins on many venues, some calm, some whose price deviates for a while and comes back. */
export interface BenchMarket {
  contracts: SampledContract[];
  takerFeesPct: Record<string, number>;
  pairCount: number;
  /** The next minute. */
  next(): MinuteSample;
}

export const FIRST_MINUTE = 29_400_000;
export const VENUES = 34;
const VENUES_PER_COIN = 18;

export function benchMarket(coins: number, venuesPerCoin = VENUES_PER_COIN): BenchMarket {
  const random = generator(7);
  const contracts: SampledContract[] = [];
  const takerFeesPct: Record<string, number> = {};
  for (let v = 0; v < VENUES; v++) takerFeesPct[venueName(v)] = 0.03 + (v % 5) * 0.007;
  for (let c = 0; c < coins; c++) {
    for (let v = 0; v < venuesPerCoin; v++) {
      const exchange = venueName((c + v) % VENUES);
      contracts.push({
        id: contracts.length + 1,
        exchange,
        venueSymbol: `C${c}USDT`,
        coin: `C${c}`,
        quote: 'USDT',
      });
    }
  }
  const coinPrices = Float64Array.from({ length: coins }, () => 10 ** (random() * 6 - 3));
  const halfSpreads = Float64Array.from(
    contracts,
    (_, i) => [0.00004, 0.00015, 0.0005, 0.0016][Math.floor(i / venuesPerCoin) % 4] ?? 0,
  );
  const strays = new Float64Array(contracts.length);
  const pulls = new Float64Array(contracts.length);
  let minute = FIRST_MINUTE;

  const next = (): MinuteSample => {
    minute++;
    for (let c = 0; c < coins; c++)
      coinPrices[c] = (coinPrices[c] as number) * (1 + (random() - 0.5) * 0.0012);
    const prices = new Float32Array(contracts.length * PRICE_COLUMNS);
    const volumesUsdt = new Float32Array(contracts.length);
    for (let i = 0; i < contracts.length; i++) {
      const half = halfSpreads[i] as number;
      // An episode every few hours: the venue's price deviates for a while, then returns.
      if (random() < 0.004) pulls[i] = random() < 0.5 ? 0 : (random() - 0.5) * half * 16;
      strays[i] = (strays[i] as number) * 0.9 + (pulls[i] as number) * 0.1 + (random() - 0.5) * half * 0.4;
      const price = coinPrices[Math.floor(i / venuesPerCoin)] as number;
      // Four significant digits, as usual tick sizes give.
      const tick = 10 ** (Math.floor(Math.log10(price)) - 4);
      const mid = price * (1 + (strays[i] as number));
      const isThin = half > 0.001;
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        const size = column % 3;
        const sign = column < 3 ? 1 : -1;
        const slip = half < 0.0004 || size === 0 ? 0 : size * half * random();
        const isMissing = isThin && size === 2 && random() < 0.4;
        const raw = (mid * (1 + sign * (half + slip))) / tick;
        const top = (sign > 0 ? Math.ceil(raw) : Math.floor(raw)) * tick;
        prices[i * PRICE_COLUMNS + column] = isMissing ? Number.NaN : slip === 0 ? top : raw * tick;
      }
      volumesUsdt[i] = 1e6 * (1 + (i % 100));
    }
    return { minute, ids: Uint32Array.from(contracts, (contract) => contract.id), prices, volumesUsdt };
  };
  return {
    contracts,
    takerFeesPct,
    pairCount: (coins * venuesPerCoin * (venuesPerCoin - 1)) / 2,
    next,
  };
}

function venueName(index: number): string {
  return `Venue${String(index).padStart(2, '0')}`;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
