import type { Log } from '../../base/log.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { COST_SIZES_USD, COSTS, type ContractCosts } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import { COSTS_EVERY_MINUTES, DepthCostStore } from '../../history/depth/store.ts';
import type { SampleStore } from '../../history/samples/store.ts';
import type { BookCurve } from '../../market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
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
const SAVES_A_DAY = DAY_MINUTES / COSTS_EVERY_MINUTES;
/** An hour after a start, then once a day: a clock that is far ahead for a while deletes nothing. */
const PRUNE_AFTER_SAVES = 12;
/** Venues that are read in one minute after a start. */
const FIRST_READS = 5;
/** An older book is in no sample: it is that of an earlier one. */
const BOOK_MAX_AGE_MS = (COSTS_EVERY_MINUTES + 1) * MINUTE_MS;

/** Stores every five minutes what orders of several sizes cost against the newest books. */
export class CostHistory {
  readonly #options: CostHistoryOptions;
  readonly #store: DepthCostStore;
  #turn = 0;
  /** Numbers of the contracts by key, and the figures of the last day by venue; each venue has its turn. */
  #waiting: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #days = new Map<string, ReadonlyMap<number, CostFigures>>();
  #saves = 0;

  constructor(options: CostHistoryOptions) {
    this.#options = options;
    this.#store = new DepthCostStore(options.storage);
  }

  /** The costs of the last 24 hours, as they were read within the last hour; undefined before. */
  dayOf({ key, exchange }: Pick<FrozenContract, 'key' | 'exchange'>): CostFigures | undefined {
    return this.#days.get(exchange)?.get(this.#ids.get(key) ?? 0);
  }

  /** Called with the curves of every minute. What the database does not take is tried again in the next minute. */
  async observe(market: FrozenMarket, usdtPerQuote: ReadonlyMap<string, number>): Promise<void> {
    const { engineLease, log, days } = this.#options;
    const now = Math.floor(market.asOfMs / MINUTE_MS);
    const turn = Math.floor(now / COSTS_EVERY_MINUTES);
    try {
      if (turn === this.#turn) return await this.#readNextVenues(now);
      await this.#store.save(now, await this.#costsOf(market, usdtPerQuote), engineLease.fence());
      this.#turn = turn;
      if (this.#saves++ % SAVES_A_DAY === PRUNE_AFTER_SAVES)
        await this.#store.prune(now - days * DAY_MINUTES, engineLease.fence());
    } catch (error) {
      log.error({ err: error }, 'could not store what orders cost against the books');
    }
  }

  /** One venue a minute, because a day of it takes a tenth of a second; those that were never read first, and faster. */
  async #readNextVenues(now: number): Promise<void> {
    const unread = this.#waiting.filter((exchange) => !this.#days.has(exchange)).slice(0, FIRST_READS);
    const next = unread.length > 0 ? unread : this.#waiting.slice(0, 1);
    this.#waiting = this.#waiting.filter((exchange) => !next.includes(exchange));
    for (const exchange of next)
      this.#days.set(exchange, await this.#store.figures(exchange, now - DAY_MINUTES, now));
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
      this.#ids.set(contract.key, ids[i] as number);
      const costsPct = costsOf(curve, usdtPerQuote.get(contract.quote) ?? 1);
      const ofVenue = byExchange.get(contract.exchange) ?? [];
      byExchange.set(contract.exchange, ofVenue);
      ofVenue.push({ id: ids[i] as number, costsPct });
    }
    if (this.#waiting.length === 0) this.#waiting = [...byExchange.keys()];
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
