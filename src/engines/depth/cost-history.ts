import type { Log } from '../../base/log.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { COST_SIZES_USD, COSTS, type ContractCosts } from '../../history/depth/cost-codec.ts';
import { COSTS_EVERY_MINUTES, DepthCostStore } from '../../history/depth/store.ts';
import type { SampleStore } from '../../history/samples/store.ts';
import type { BookCurve } from '../../market/depth/book-curve.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { ownFee } from '../../venues/observations.ts';
import { hasDepth } from './table.ts';

interface CostHistoryOptions {
  storage: Storage;
  /** Numbers the contracts. */
  samples: Pick<SampleStore, 'idsOf'>;
  days: number;
  engineLease: EngineLease;
  log: Log;
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** An older book is in no sample: it is that of an earlier one. */
const BOOK_MAX_AGE_MS = (COSTS_EVERY_MINUTES + 1) * MINUTE_MS;

/** Stores every five minutes what orders of several sizes cost against the newest books. */
export class CostHistory {
  readonly #options: CostHistoryOptions;
  readonly #store: DepthCostStore;
  #turn = 0;
  #prunedOnDay = 0;

  constructor(options: CostHistoryOptions) {
    this.#options = options;
    this.#store = new DepthCostStore(options.storage);
  }

  /** Called with the curves of every minute. A fault of the database leaves a gap of five minutes. */
  async observe(market: FrozenMarket, usdtPerQuote: ReadonlyMap<string, number>): Promise<void> {
    const { engineLease, log, days } = this.#options;
    const now = Math.floor(market.asOfMs / MINUTE_MS);
    const turn = Math.floor(now / COSTS_EVERY_MINUTES);
    if (turn === this.#turn) return;
    this.#turn = turn;
    try {
      await this.#store.save(now, await this.#costsOf(market, usdtPerQuote), engineLease.fence());
      const day = Math.floor(now / DAY_MINUTES);
      if (day === this.#prunedOnDay) return;
      await this.#store.prune(now - days * DAY_MINUTES, now, engineLease.fence());
      this.#prunedOnDay = day;
    } catch (error) {
      log.error({ err: error }, 'could not store what orders cost against the books');
    }
  }

  async #costsOf(
    { asOfMs, states, contracts, curves }: FrozenMarket,
    usdtPerQuote: ReadonlyMap<string, number>,
  ): Promise<Map<string, ContractCosts[]>> {
    const fees = new Map(states.map(({ key, contract }) => [key, ownFee(contract)]));
    const known = contracts.flatMap((contract) => {
      const dated = curves.get(contract.key);
      return dated && hasDepth(contract) && asOfMs - dated.atMs <= BOOK_MAX_AGE_MS
        ? [{ contract, curve: dated.curve }]
        : [];
    });
    const ids = await this.#options.samples.idsOf(
      known.map(({ contract: { key, exchange, venueSymbol, coin, quote } }) => ({
        ...{ exchange, venueSymbol, coin, quote },
        ...fees.get(key),
      })),
    );
    const byExchange = new Map<string, ContractCosts[]>();
    for (const [i, { contract, curve }] of known.entries()) {
      const costsPct = costsOf(curve, usdtPerQuote.get(contract.quote) ?? 1);
      const ofVenue = byExchange.get(contract.exchange) ?? [];
      byExchange.set(contract.exchange, ofVenue);
      ofVenue.push({ id: ids[i] as number, costsPct });
    }
    return byExchange;
  }
}

function costsOf({ asks, bids }: BookCurve, usdtPerQuote: number): Float64Array {
  const costsPct = new Float64Array(COSTS);
  for (const [i, sizeUsd] of COST_SIZES_USD.entries()) {
    costsPct[i] = asks.costPct(sizeUsd / usdtPerQuote);
    costsPct[COST_SIZES_USD.length + i] = bids.costPct(sizeUsd / usdtPerQuote);
  }
  return costsPct;
}
