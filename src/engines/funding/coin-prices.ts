import type { Log } from '../../base/log.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { type CoinPrice, CoinPriceStore, PRICE_EVERY_MINUTES } from '../../history/prices/store.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** After a pause of the service, a price that was stored this much earlier than 24 hours ago is still used. */
const EARLIER_MINUTES = 30;

interface CoinPricesOptions {
  storage: Storage;
  engineLease: EngineLease;
  log: Log;
}

/** The most traded linear contract of each coin, of those with a mark price. */
export function pricedContracts({ contracts }: Pick<FrozenMarket, 'contracts'>): FrozenContract[] {
  const largest = new Map<string, FrozenContract>();
  for (const contract of contracts) {
    const { coin, isInverse, isPriceOutlier, markPrice, volume24hUsdt } = contract;
    if (isInverse || isPriceOutlier || markPrice === null) continue;
    if (volume24hUsdt > (largest.get(coin)?.volume24hUsdt ?? -1)) largest.set(coin, contract);
  }
  return [...largest.values()];
}

/** What is stored of a mark price: the price of one unit of the coin. */
export function coinPrice(
  { coin, exchange, venueSymbol, multiplier }: FrozenContract,
  markPrice: number,
): CoinPrice {
  return { coin, exchange, venueSymbol, price: markPrice / multiplier };
}

/** Stores the prices of coins every ten minutes, and knows those of 24 hours before. */
export class CoinPrices {
  readonly store: CoinPriceStore;
  readonly #options: CoinPricesOptions;
  #minute = 0;
  #prunedOnDay = 0;
  #dayAgo: ReadonlyMap<string, number> = new Map();

  constructor(options: CoinPricesOptions) {
    this.#options = options;
    this.store = new CoinPriceStore(options.storage);
  }

  /** Of one unit of the coin, if this is the contract whose price was stored 24 hours ago; else null. */
  dayAgoOf({ exchange, venueSymbol }: Pick<FrozenContract, 'exchange' | 'venueSymbol'>): number | null {
    return this.#dayAgo.get(`${exchange}/${venueSymbol}`) ?? null;
  }

  /** Called with every snapshot. A fault of the database leaves the changes of the next ten minutes unknown. */
  async observe(market: FrozenMarket): Promise<void> {
    const { engineLease, log } = this.#options;
    const now = Math.floor(market.asOfMs / MINUTE_MS);
    const minute = now - (now % PRICE_EVERY_MINUTES);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#dayAgo = new Map();
    try {
      const prices = pricedContracts(market).map((one) => coinPrice(one, one.markPrice ?? 0));
      await this.store.save(minute, prices, engineLease.fence());
      const dayAgo = minute - DAY_MINUTES;
      const before = await this.store.newest(dayAgo - EARLIER_MINUTES, dayAgo);
      this.#dayAgo = new Map(
        before.map(({ exchange, venueSymbol, price }) => [`${exchange}/${venueSymbol}`, price]),
      );
      const day = Math.floor(minute / DAY_MINUTES);
      if (day === this.#prunedOnDay) return;
      await this.store.prune(minute, engineLease.fence());
      this.#prunedOnDay = day;
    } catch (error) {
      log.error({ err: error }, 'could not store the prices of coins');
    }
  }
}
