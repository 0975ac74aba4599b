import type { Clock } from '../../base/clock.ts';
import type { ContractNames } from '../../history/settlements/directory.ts';
import { keyOf } from '../../history/settlements/directory.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import type { LakeFile } from '../files/manifest.ts';
import { type FilePrints, filePrints } from '../files/print-rows.ts';
import type { LakeStore } from '../files/store.ts';
import { latestKnownMs } from './compare.ts';

interface ImportOptions {
  store: LakeStore;
  keeper: SettlementKeeper;
  files: readonly LakeFile[];
  /** Prints of other contracts are left out. */
  isWanted: (names: ContractNames) => boolean;
  clock: Pick<Clock, 'nowMs'>;
  onFile?: (prints: number) => void;
  signal: AbortSignal;
}

export interface ImportReport {
  prints: number;
  added: number;
  /** Prints whose stored rate differs; the stored one is kept. */
  differing: number;
  /** Prints of contracts that are not wanted. */
  leftOut: number;
}

/** As many days as a stored block has, so that each block is written once. */
const FILES_AT_ONCE = 32;
const WRITES_AT_ONCE = 200;
/** Files of 32 days with 9,000 contracts have this many. */
const PRINTS_IN_MEMORY = 2_000_000;

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
    const held = new HeldPrints(report, options.keeper);
    for (const file of newestFirst.slice(first, first + FILES_AT_ONCE)) {
      await readInto(held, file, report, options);
      options.onFile?.(report.prints);
    }
    await held.write();
  }
  return report;
}

async function readInto(
  held: HeldPrints,
  file: LakeFile,
  report: ImportReport,
  { store, isWanted, clock }: ImportOptions,
): Promise<void> {
  for await (const prints of filePrints(store, file, latestKnownMs(clock))) {
    report.prints += prints.minutes.length;
    if (isWanted(prints.names)) await held.add(prints);
    else report.leftOut += prints.minutes.length;
  }
}

/** Prints by contract, written when there are many. */
class HeldPrints {
  readonly #report: ImportReport;
  readonly #keeper: SettlementKeeper;
  #held = new Map<string, Held>();
  #prints = 0;

  constructor(report: ImportReport, keeper: SettlementKeeper) {
    this.#report = report;
    this.#keeper = keeper;
  }

  async add({ names, minutes, ratesPct, knownSeconds }: FilePrints): Promise<void> {
    const key = keyOf(names.exchange, names.venueSymbol);
    const own = this.#held.get(key) ?? { names, minutes: [], ratesPct: [], knownSeconds: [] };
    this.#held.set(key, own);
    for (let i = 0; i < minutes.length; i++) {
      own.minutes.push(minutes[i] as number);
      own.ratesPct.push(ratesPct[i] as number);
      own.knownSeconds.push(knownSeconds[i] as number);
    }
    this.#prints += minutes.length;
    if (this.#prints >= PRINTS_IN_MEMORY) await this.write();
  }

  async write(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held = new Map();
    this.#prints = 0;
    await write(all, this.#report, this.#keeper);
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
