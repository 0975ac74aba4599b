import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { buildLake } from '../../src/lake/build.ts';
import type { LakeDay, LakeSource, LakeTable, LakeValue } from '../../src/lake/dataset.ts';
import { PRINTS } from '../../src/lake/datasets/prints.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import type { LakeStore } from '../../src/lake/files/store.ts';

export const COINS = ['BTC', 'ETH', 'SOL'];
export const PRINTS_PER_DAY = COINS.length * 3;

/** Three prints a day of each coin on Binance; the rate says which day and print it is. */
export class MadePrints implements LakeSource {
  readonly table: LakeTable = PRINTS;
  readonly #lateDays: number | null;

  /** Each file also has one print of BTC that is so many days older, if that is given. */
  constructor(lateDays: number | null = null) {
    this.#lateDays = lateDays;
  }

  async *rows({ startMs }: LakeDay): AsyncGenerator<LakeValue[][]> {
    if (this.#lateDays !== null) {
      const lateMs = startMs - this.#lateDays * DAY_MS;
      yield [['BTC', 'Binance', lateMs, 0.5, 'BTCUSDT', 'BTC-USDT', false, 8, startMs]];
    }
    for (const [i, coin] of COINS.entries())
      yield [0, 8, 16].map((hour) => [
        ...[coin, 'Binance', startMs + hour * HOUR_MS, ratePctOf(startMs, i, hour)],
        ...[`${coin}USDT`, `${coin}-USDT`, false, 8, startMs + hour * HOUR_MS + 5000],
      ]);
  }
}

export function ratePctOf(dayStartMs: number, coinPlace: number, hour: number): number {
  return ((dayStartMs / DAY_MS) % 100) / 1000 + coinPlace / 10_000 + hour / 1_000_000;
}

/** Whole days up to yesterday. */
export async function fillLake(
  store: LakeStore,
  nowMs: number,
  days: number,
  lateDays: number | null = null,
): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  await buildLake({
    store,
    sources: [new MadePrints(lateDays)],
    nowMs,
    firstDayMs: () => today - days * DAY_MS,
  });
}

export async function madeLake(folder: string, nowMs: number, days: number): Promise<LakeFolder> {
  const store = new LakeFolder(folder);
  await fillLake(store, nowMs, days);
  return store;
}
