import type { SnapshotReader } from '../../cluster/frame-intake.ts';
import { ARBITRAGE_LEGS_TABLE } from '../../engines/arbitrage/legs.ts';
import { FUNDING_TABLE } from '../../engines/funding/table.ts';
import { LEGS_TABLE } from '../../engines/spreads/legs.ts';
import { PreparedArbitrage, PreparedFunding, PreparedSpreads } from '../market/prepared-rows.ts';
import type { Series } from '../market/series.ts';

/** The other series are only decoded in turns: their requests read them as they are. */
const PLAIN: SnapshotReader = { prepare: async () => undefined, shown: async () => undefined };

/** Prepares what an API process receives as the engine's process does with what it computes. */
export function snapshotReaders(series: Series): ReadonlyMap<string, SnapshotReader> {
  const [funding, spreads, arbitrage] = [
    new PreparedFunding(),
    new PreparedSpreads(series),
    new PreparedArbitrage(series),
  ];
  const readers = new Map<string, SnapshotReader>();
  for (const name of series.byName.keys()) readers.set(name, PLAIN);
  readers.set(FUNDING_TABLE.name, { ...PLAIN, prepare: (snapshot) => funding.prepare(snapshot) });
  for (const [name, prepared] of [
    [LEGS_TABLE.name, spreads],
    [ARBITRAGE_LEGS_TABLE.name, arbitrage],
  ] as const)
    readers.set(name, {
      prepare: (snapshot) => prepared.prepare(snapshot),
      shown: (asOfMs) => prepared.delayed.refresh(asOfMs),
    });
  return readers;
}
