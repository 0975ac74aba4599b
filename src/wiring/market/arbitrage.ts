import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { type Capacities, capacities } from '../../engines/arbitrage/capacity.ts';
import { PairHistoryBook } from '../../engines/arbitrage/history-book.ts';
import { HOURS_KEPT } from '../../engines/arbitrage/hours.ts';
import { LegTables } from '../../engines/arbitrage/legs.ts';
import { PairMaker } from '../../engines/arbitrage/pairs.ts';
import { PriceGapKeeper } from '../../engines/arbitrage/price-gap-keeper.ts';
import type { SettledFigures } from '../../engines/funding/table.ts';
import { LegBook } from '../../engines/spreads/book.ts';
import type { SettlementSums } from '../../history/settlements/sums.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import type { Table } from '../../market/tables/table.ts';
import { encodeTable } from '../../market/tables/table-codec.ts';
import type { Depth } from '../../venues/observations.ts';
import type { PartContext } from '../part.ts';
import type { Writers } from './writers.ts';

export interface ArbitragePart {
  /** Publishes the legs of a snapshot of the market that was just published, and once a minute the 30-day figures. */
  publish(market: FrozenMarket, settled: ReadonlyMap<string, SettledFigures>): Promise<void>;
  stop(): Promise<void>;
}

/** A capacity is of a book that is at most this old. */
const CAPACITY_MAX_AGE_MS = 3 * MINUTE_MS;

/** Computes the legs of the arbitrage rows with each snapshot. Rows are computed from them where they are read. */
export function arbitragePart(
  context: Pick<PartContext, 'metrics' | 'storage' | 'engineLease' | 'log'>,
  sums: SettlementSums,
  writers: Pick<Writers, 'arbitrageLegs' | 'arbitrageHistories'>,
): ArbitragePart {
  const { metrics, log } = context;
  const gaps = new PriceGapKeeper(context);
  const book = new LegBook();
  const tables = new LegTables();
  const maker = new PairMaker();
  const histories = new PairHistoryBook();
  const capacityBook = new CapacityBook();
  let lastHistories: { table: Table; frame: Uint8Array; minute: number } | null = null;

  const refreshHistories = async (legs: Table, asOfMs: number) => {
    const startedMs = performance.now();
    const source = {
      versionOf: (key: string) => sums.versionOf(key),
      printsOf: (key: string) => sums.printsAfter(key, asOfMs - (HOURS_KEPT + 48) * HOUR_MS),
      gapOf: (keyA: string, keyB: string) => gaps.rangeOf(keyA, keyB),
    };
    const pairs = maker.pairsOf(legs);
    await gaps.observe(legs, pairs, asOfMs);
    const changed = histories.refresh(legs, pairs, source, asOfMs);
    const table = changed ?? lastHistories?.table;
    if (!table) return;
    const frame = changed || !lastHistories ? encodeTable(table) : lastHistories.frame;
    lastHistories = { table, frame, minute: Math.floor(asOfMs / MINUTE_MS) };
    metrics.arbitrageHistorySeconds.observe((performance.now() - startedMs) / 1000);
    await writers.arbitrageHistories.publishEncoded(asOfMs, frame);
  };

  return {
    publish: async (market, settled) => {
      const { asOfMs, depths } = market;
      const startedMs = performance.now();
      const shown = new Map(market.contracts.map((contract) => [contract.key, contract]));
      book.refresh(market.states, market.identities, asOfMs);
      capacityBook.prune(asOfMs);
      const legs = tables.make(book, {
        isShown: (key) => shown.has(key),
        sumsOf: (key) => {
          const sums = settled.get(key);
          return sums && [sums.sum1dPct, sums.sum7dPct, sums.sum30dPct, sums.sum90dPct];
        },
        coveredUntilMsOf: (key) => settled.get(key)?.coveredUntilMs ?? null,
        capacitiesOf: (state) =>
          capacityBook.of(state, depths.get(state.key), book.rates.get(state.contract.quote) ?? 1, asOfMs),
        openInterestUsdtOf: (key) => shown.get(key)?.openInterestUsdt ?? null,
      });
      metrics.arbitrageSeconds.observe((performance.now() - startedMs) / 1000);
      if (legs.rowCount === 0) return;
      const minute = Math.floor(asOfMs / MINUTE_MS);
      // Published before the legs that they belong to, so that every process computes the same rows from both.
      if (lastHistories?.minute !== minute) await refreshHistories(legs, asOfMs);
      await writers.arbitrageLegs.publish(asOfMs, legs);
    },
    stop: () =>
      gaps
        .save()
        .catch((error: unknown) => log.error({ err: error }, 'could not store the ranges of price gaps')),
  };
}

/** The capacity of each contract from its newest book. Most books are fetched once a minute. */
class CapacityBook {
  /** A weak reference tells whether the book is still the same, without keeping old ones in memory. */
  readonly #known = new Map<string, { depth: WeakRef<Depth>; fits: Capacities; atMs: number }>();

  /** In USD; undefined without a book of the last three minutes. */
  of(
    { key, top, topAtMs }: ContractState,
    depth: Depth | undefined,
    usdtPerQuote: number,
    nowMs: number,
  ): Capacities | undefined {
    let known = this.#known.get(key);
    if (depth && known?.depth.deref() !== depth) {
      const fits = capacities(depth, null);
      if (fits) known = { depth: new WeakRef(depth), fits, atMs: nowMs };
      if (known) this.#known.set(key, known);
    }
    const isTopRecent = nowMs - topAtMs <= CAPACITY_MAX_AGE_MS;
    const fits =
      known && nowMs - known.atMs <= CAPACITY_MAX_AGE_MS
        ? known.fits
        : capacities(null, isTopRecent ? top : null);
    return fits ? { ...fits, values: fits.values.map((value) => value * usdtPerQuote) } : undefined;
  }

  prune(nowMs: number): void {
    for (const [key, { atMs }] of this.#known)
      if (nowMs - atMs > CAPACITY_MAX_AGE_MS) this.#known.delete(key);
  }
}
