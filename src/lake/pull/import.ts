import type { ContractNames } from '../../history/settlements/directory.ts';
import { keyOf } from '../../history/settlements/directory.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import type { LakeFile } from '../files/manifest.ts';
import { filePrints } from '../files/print-rows.ts';
import type { LakeStore } from '../files/store.ts';

interface ImportOptions {
  store: LakeStore;
  keeper: SettlementKeeper;
  files: readonly LakeFile[];
  /** Prints of other venues are left out. */
  exchanges: ReadonlySet<string>;
  onFile?: (prints: number) => void;
  signal: AbortSignal;
}

export interface ImportReport {
  prints: number;
  added: number;
  /** Prints whose stored rate differs; the stored one is kept. */
  differing: number;
  /** Prints of venues that are left out. */
  leftOut: number;
}

/** As many days as a stored block has, so that each block is written once. */
const FILES_AT_ONCE = 32;
const WRITES_AT_ONCE = 200;

interface Held {
  names: ContractNames;
  minutes: number[];
  ratesPct: number[];
  knownSeconds: number[];
}

/**
 * Stores the prints of lake files with the times at which they were learned there. What is stored already stays. The newest
 * files come first, so of a corrected print the last word is stored.
 */
export async function importPrints(options: ImportOptions): Promise<ImportReport> {
  const report: ImportReport = { prints: 0, added: 0, differing: 0, leftOut: 0 };
  const newestFirst = options.files.toReversed();
  for (let first = 0; first < newestFirst.length; first += FILES_AT_ONCE) {
    options.signal.throwIfAborted();
    const held = new Map<string, Held>();
    for (const file of newestFirst.slice(first, first + FILES_AT_ONCE)) {
      await readInto(held, file, report, options);
      options.onFile?.(report.prints);
    }
    await write([...held.values()], report, options.keeper);
  }
  return report;
}

async function readInto(
  held: Map<string, Held>,
  { path, bytes }: LakeFile,
  report: ImportReport,
  { store, exchanges }: ImportOptions,
): Promise<void> {
  for await (const { names, minutes, ratesPct, knownSeconds } of filePrints(store, path, bytes)) {
    report.prints += minutes.length;
    if (!exchanges.has(names.exchange)) {
      report.leftOut += minutes.length;
      continue;
    }
    const key = keyOf(names.exchange, names.venueSymbol);
    const own = held.get(key) ?? { names, minutes: [], ratesPct: [], knownSeconds: [] };
    held.set(key, own);
    for (let i = 0; i < minutes.length; i++) {
      own.minutes.push(minutes[i] as number);
      own.ratesPct.push(ratesPct[i] as number);
      own.knownSeconds.push(knownSeconds[i] as number);
    }
  }
}

async function write(all: readonly Held[], report: ImportReport, keeper: SettlementKeeper): Promise<void> {
  for (let first = 0; first < all.length; first += WRITES_AT_ONCE) {
    const outcomes = await Promise.all(
      all.slice(first, first + WRITES_AT_ONCE).map(async ({ names, minutes, ratesPct, knownSeconds }) => {
        const prints = minutes.map((minute, i) => ({
          minute,
          ratePct: ratesPct[i] as number,
          knownSeconds: knownSeconds[i] as number,
        }));
        return await keeper.submit({ names, prints, walked: null, onConflict: 'keep' });
      }),
    );
    for (const { added, corrections } of outcomes) {
      report.added += added.length;
      report.differing += corrections.length;
    }
  }
}
