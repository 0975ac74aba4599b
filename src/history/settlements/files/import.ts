import { type ContractNames, keyOf } from '../directory.ts';
import type { SettlementKeeper } from '../keeper.ts';
import type { Print } from '../merge.ts';
import type { FileRow } from './files.ts';

interface ImportReport {
  rows: number;
  contracts: number;
  added: number;
  /** Prints whose stored rate differs; the stored one is kept. */
  differing: number;
}

const PRINTS_PER_WRITE = 20_000;

/** Imports the rows of a file. Stored prints are kept; importing a file twice changes nothing. */
export async function importRows(
  keeper: SettlementKeeper,
  rows: AsyncIterable<FileRow>,
): Promise<ImportReport> {
  const report: ImportReport = { rows: 0, contracts: 0, added: 0, differing: 0 };
  const seen = new Set<string>();
  let batch = new Map<string, { names: ContractNames; prints: Print[] }>();
  let batchPrints = 0;
  const flush = async () => {
    const writes = [...batch.values()];
    batch = new Map();
    batchPrints = 0;
    const outcomes = await Promise.all(
      writes.map(({ names, prints }) => keeper.submit({ names, prints, walked: null, onConflict: 'keep' })),
    );
    for (const { added, corrections } of outcomes) {
      report.added += added.length;
      report.differing += corrections.length;
    }
  };
  for await (const { names, minute, ratePct } of rows) {
    const key = keyOf(names.exchange, names.venueSymbol);
    seen.add(key);
    const own = batch.get(key) ?? { names, prints: [] };
    own.prints.push({ minute, ratePct });
    batch.set(key, own);
    report.rows++;
    if (++batchPrints >= PRINTS_PER_WRITE) await flush();
  }
  await flush();
  report.contracts = seen.size;
  return report;
}
