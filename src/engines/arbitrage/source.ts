import type { Table } from '../../market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../market/timeline.ts';
import { depthOf } from '../depth/pair-costs.ts';
import { type ForecastModels, modelsOf } from '../forecast/models.ts';
import { HistoryLookup } from './histories.ts';
import { type DirectionTimes, directionTimes } from './history-cells.ts';
import { PairMaker } from './pairs.ts';
import { ArbitrageRows, type ArbitrageView } from './rows.ts';

/** The figures of a request that chooses nothing. */
export const DEFAULT_VIEW: ArbitrageView = {
  holdDays: 30,
  slippageBp: 5,
  feesPct: null,
  sizeUsd: null,
};

/** The arbitrage rows. Snapshots have the figures of the default view; `view` has the others, with the same rows. */
export interface ArbitrageSource extends TableSource {
  view(snapshot: TableSnapshot, view: ArbitrageView): Table;
  /** The models of the forecasts in the rows of a time. */
  modelsAt(asOfMs: number): ForecastModels;
  /** How long a pair stayed above the fee, from the figures of before a time; null if they do not have the two contracts. */
  timesAboveFee(longContract: string, shortContract: string, asOfMs: number): DirectionTimes | null;
}

/** Computes the rows from the stored legs, and from the newest 30-day figures and models that were known at their time. */
export function arbitrageSource(
  legs: TableSource,
  histories: TableSource,
  models: TableSource,
  depth: TableSource,
): ArbitrageSource {
  const modelsAt = (asOfMs: number) => modelsOf(newestBy(models, asOfMs)?.table);

  const maker = new PairMaker();
  const snapshots = new WeakMap<Table, TableSnapshot>();
  const rowsOf = new WeakMap<Table, ArbitrageRows>();

  const derived = (stored: TableSnapshot | null): TableSnapshot | null => {
    if (!stored) return null;
    let snapshot = snapshots.get(stored.table);
    if (!snapshot) {
      const rows = rowsOfLegs(stored, histories, modelsAt(stored.asOfMs), maker);
      snapshot = { asOfMs: stored.asOfMs, table: rows.table(DEFAULT_VIEW) };
      snapshots.set(stored.table, snapshot);
      rowsOf.set(snapshot.table, rows);
    }
    return snapshot;
  };

  return {
    at: (delaySeconds, nowMs) => derived(legs.at(delaySeconds, nowMs)),
    exactly: (asOfMs) => derived(legs.exactly(asOfMs)),
    after: (asOfMs, delaySeconds, nowMs) => legs.after(asOfMs, delaySeconds, nowMs),
    ...(legs.fetch
      ? {
          fetch: async (asOfMs) => {
            // The rows depend on all, and the histories and models of a snapshot are published first.
            await histories.fetch?.(asOfMs);
            await models.fetch?.(asOfMs);
            return (await legs.fetch?.(asOfMs)) ?? false;
          },
        }
      : {}),
    modelsAt,
    timesAboveFee: (long, short, asOfMs) => {
      const found = histories.at(1, asOfMs);
      return found && directionTimes(HistoryLookup.of(found.table), long, short);
    },
    view: (snapshot, view) => {
      const rows = rowsOf.get(snapshot.table);
      if (!rows) throw new Error('the snapshot is not of this source');
      return rows.table(view, view.sizeUsd === null ? null : depthOf(snapshot, depth));
    },
  };
}

/** The rows of a snapshot of legs. */
function rowsOfLegs(
  snapshot: TableSnapshot,
  histories: TableSource,
  models: ForecastModels,
  maker: PairMaker,
): ArbitrageRows {
  const pairs = maker.pairsOf(snapshot.table);
  const found = newestBy(histories, snapshot.asOfMs);
  return new ArbitrageRows(snapshot, pairs, found && HistoryLookup.of(found.table), models);
}

/** The newest table that is at most as new as the time. */
function newestBy(source: TableSource, asOfMs: number): TableSnapshot | null {
  return source.at(1, asOfMs + 1000);
}
