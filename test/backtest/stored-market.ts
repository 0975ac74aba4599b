import { MINUTES_PER_BLOCK, type MinuteSample, PRICE_COLUMNS } from '../../src/history/samples/model.ts';
import type { ContractNames, SampleStore } from '../../src/history/samples/store.ts';

const COINS = ['BTC', 'ETH', 'PEPE', 'SOL', 'XRP', 'DOGE', 'LINK', 'ADA', 'INJ', 'UNI', 'ARB', 'SUI'];

/**
 * A quiet market in which each venue's price deviates for 20 minutes every few hours, more for later coins. Books of the
 * second venue are too thin for 500 USD on every fourth coin. Prices are a function of the minute.
 */
function deviatingMarket(
  exchanges: readonly string[],
  coins = COINS.length,
): {
  names: ContractNames[];
  pricesAt: (minute: number) => Float32Array;
} {
  const names = COINS.slice(0, coins).flatMap((coin) =>
    exchanges.map((exchange) => ({ exchange, venueSymbol: `${coin}USDT`, coin, quote: 'USDT' })),
  );
  const pricesAt = (minute: number) => {
    const prices = new Float32Array(names.length * PRICE_COLUMNS);
    for (const [i] of names.entries()) {
      const [coin, venue] = [Math.floor(i / exchanges.length), i % exchanges.length];
      const periodMinutes = 180 + 30 * venue + 7 * coin;
      const isDeviating = minute % periodMinutes >= periodMinutes - 20;
      const deviation = isDeviating && venue > 0 ? 0.004 + coin * 0.002 : 0;
      const mid = (coin + 1) * 10 * (1 + 0.001 * Math.sin(minute / 300)) * (1 + deviation);
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        const size = column % 3;
        const sign = column < 3 ? 1 : -1;
        const isThin = venue === 1 && coin % 4 === 3 && size === 2;
        prices[i * PRICE_COLUMNS + column] = isThin
          ? Number.NaN
          : mid * (1 + sign * (0.0001 + size * 0.00005));
      }
    }
    return prices;
  };
  return { names, pricesAt };
}

/** Stores the market's minutes in [from, to]; full hours are stored as blocks. */
export async function storeMarket(
  store: SampleStore,
  exchanges: readonly string[],
  fromMinute: number,
  toMinute: number,
  coins = COINS.length,
): Promise<void> {
  const { names, pricesAt } = deviatingMarket(exchanges, coins);
  const ids = Uint32Array.from(await store.idsOf(names));
  const sampleAt = (minute: number): MinuteSample => ({
    minute,
    ids,
    prices: pricesAt(minute),
    volumesUsdt: Float32Array.from(ids, (id) => 1_000_000 * id),
  });
  for (let minute = fromMinute; minute <= toMinute; ) {
    const isWholeHour = minute % MINUTES_PER_BLOCK === 0 && minute + MINUTES_PER_BLOCK - 1 <= toMinute;
    if (!isWholeHour) {
      await store.add(sampleAt(minute++));
      continue;
    }
    await store.addHour(
      minute,
      Array.from({ length: MINUTES_PER_BLOCK }, (_, i) => sampleAt(minute + i)),
    );
    minute += MINUTES_PER_BLOCK;
  }
}
