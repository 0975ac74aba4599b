import { type Clock, systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { blockNumberOf, contractIdOf } from '../../storage/blocks.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { VENUES } from '../../venues/registry.ts';
import { decodePrints } from './codec.ts';
import { type ContractNames, type HeldContract, keyOf, SettlementDirectory } from './directory.ts';
import { GapQueue } from './gaps.ts';
import type { Print } from './merge.ts';
import { type ReadPrints, SettlementReader } from './reader.ts';
import { RECENT_DAYS } from './recent-prints.ts';
import { SettlementStore, type SettlementWrite, type WriteOutcome } from './store.ts';
import { SettlementSums } from './sums.ts';
import { BLOCK_MINUTES, blockOf, DAY_MINUTES, noPrints, type Prints } from './times.ts';

export interface KeeperOptions {
  /** A process that only reads needs no rolling sums. */
  isReader?: boolean;
  storage: Storage;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** How long a write waits for further ones to join its transaction; 0 for who writes one after the other. */
  batchWaitMs?: number;
}

interface Waiting {
  write: SettlementWrite;
  resolve: (outcome: WriteOutcome) => void;
  reject: (error: unknown) => void;
}

/**
 * More writes share one flush to disk; fewer block the event loop for a shorter time. A transaction takes 3 ms of CPU time,
 * each write 0.05 ms, and 1,000 prints 1.2 ms.
 */
const WRITES_PER_TRANSACTION = 100;
const PRINTS_PER_TRANSACTION = 2500;
/** One flush to disk takes as long as many writes. */
const BATCH_WAIT_MS = 10;
const STORAGE_RETRY_MS = 1000;
const RECENT_MINUTES = RECENT_DAYS * DAY_MINUTES;

/** Reads and writes the settled prints; all writes of a process go through it. */
export class SettlementKeeper {
  readonly directory = new SettlementDirectory();
  readonly sums = new SettlementSums();
  readonly reader: SettlementReader;
  readonly gaps: GapQueue;
  readonly #store: SettlementStore;
  readonly #options: KeeperOptions;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #changes = 0;
  readonly #closing = new AbortController();
  /** The newest revision that refresh() has read. Own writes are known earlier. */
  #refreshedTo = 0;

  private constructor(options: KeeperOptions) {
    this.#options = options;
    this.#store = new SettlementStore(options.storage);
    this.reader = new SettlementReader(options.storage, {
      revisionOf: (contractId) => this.directory.revisionOf(contractId),
      onRead: (from) => options.metrics.historyReads.inc({ from }),
    });
    this.gaps = new GapQueue(options.storage);
  }

  static async open(options: KeeperOptions): Promise<SettlementKeeper> {
    const keeper = new SettlementKeeper(options);
    // Done at every start instead of by a numbered migration: prints are packed by this layer, which migrations cannot
    // import, and a restored backup or an older process may bring late prints back.
    if (!options.isReader)
      for (const { facts } of VENUES)
        if (facts.endedAt) await keeper.#store.cutAfterEnd(facts.exchange, facts.endedAt.value);
    for (const contract of await keeper.#store.contractsSince(0)) keeper.directory.put(contract);
    keeper.#refreshedTo = keeper.directory.revision;
    if (options.isReader) return keeper;
    const keys = new Map(
      keeper.directory.all().map((contract) => [contract.id, keyOf(contract.exchange, contract.venueSymbol)]),
    );
    const fromMinute = options.clock.nowMs() / MINUTE_MS - RECENT_MINUTES;
    for (const { id, prints } of await keeper.#store.blocksFrom(blockOf(fromMinute))) {
      const decoded = noPrints();
      decodePrints(prints, blockNumberOf(id) * BLOCK_MINUTES, decoded);
      keeper.sums.put(keys.get(contractIdOf(id)) ?? '', printList(decoded));
    }
    return keeper;
  }

  /** Changes with every stored change; cached answers of an earlier value may be out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** Resolves once the write is stored. */
  submit(write: SettlementWrite): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** Stores names that differ from the stored ones. A contract that is not stored yet gets its names with its first write. */
  async updateNames(names: readonly ContractNames[]): Promise<void> {
    const changed = names.filter((name) => {
      const held = this.directory.find(name.exchange, name.venueSymbol);
      return held && (held.coin !== name.coin || held.symbol !== name.symbol);
    });
    if (changed.length === 0) return;
    for (const contract of await this.#store.saveNames(changed)) this.directory.put(contract);
    this.#changes++;
  }

  /** Loads what other processes have written: an import, a manual backfill, a collector. */
  async refresh(): Promise<void> {
    const changed = await this.#store.contractsSince(this.#refreshedTo);
    const recentMinute = Math.floor(this.#options.clock.nowMs() / MINUTE_MS) - RECENT_MINUTES;
    let newest = this.#refreshedTo;
    for (const contract of changed) {
      newest = Math.max(newest, contract.revision);
      const { exchange, venueSymbol, revision } = contract;
      if ((this.directory.find(exchange, venueSymbol)?.revision ?? 0) >= revision) continue;
      if (!this.#options.isReader) {
        const prints = await this.reader.prints(contract.id, recentMinute, recentMinute + 2 * RECENT_MINUTES);
        this.sums.put(keyOf(exchange, venueSymbol), printList(prints));
      }
      this.directory.put(contract);
      this.#changes++;
    }
    // Set last: contracts are not ordered by revision, and after a failed read the rest must be loaded again.
    this.#refreshedTo = newest;
  }

  /** Prints of a contract in [fromMs, toMs]. */
  async prints(contract: HeldContract, fromMs: number, toMs: number): Promise<ReadPrints> {
    return await this.reader.prints(contract.id, Math.ceil(fromMs / MINUTE_MS), Math.floor(toMs / MINUTE_MS));
  }

  /** Rejects writes that wait for an unavailable database; their prints will be fetched again. */
  abortWaitingWrites(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.abortWaitingWrites();
    await this.#flushing;
    this.reader.close();
  }

  async #flush(): Promise<void> {
    const { batchWaitMs = BATCH_WAIT_MS } = this.#options;
    while (this.#waiting.length > 0) {
      if (batchWaitMs > 0 && !fillsTransaction(this.#waiting)) await systemClock.sleep(batchWaitMs);
      const batch = this.#waiting.splice(0, batchLength(this.#waiting));
      try {
        const outcomes = await this.#store.write(
          batch.map(({ write }) => write),
          this.#options.clock.nowMs(),
        );
        for (const [i, { write, resolve }] of batch.entries()) {
          const outcome = outcomes[i];
          if (!outcome) throw new Error('settlement write has no outcome');
          this.#applyOutcome(write, outcome);
          resolve(outcome);
        }
      } catch (error) {
        if (isStorageUnavailable(error) && !this.#closing.signal.aborted) {
          // Fetched prints are never dropped, and writing them twice is idempotent.
          this.#waiting.unshift(...batch);
          await systemClock.sleep(STORAGE_RETRY_MS, this.#closing.signal);
          continue;
        }
        for (const { reject } of batch) reject(error);
      }
    }
    // In the same moment as the last look at the queue: a write that comes now begins another flush.
    this.#flushing = null;
  }

  #applyOutcome(write: SettlementWrite, { contract, added, corrections }: WriteOutcome): void {
    const { metrics, log } = this.#options;
    this.directory.put(contract);
    const { exchange, venueSymbol } = contract;
    const replaced = write.onConflict === 'replace' ? corrections : [];
    if (added.length > 0 || replaced.length > 0) {
      this.#changes++;
      const changed = replaced.map(({ minute, newRatePct }) => ({ minute, ratePct: newRatePct }));
      this.sums.put(keyOf(exchange, venueSymbol), [...added, ...changed]);
      metrics.settlementsStored.inc({ exchange }, added.length);
    }
    if (corrections.length === 0) return;
    metrics.settlementsCorrected.inc(
      { exchange, kept: write.onConflict === 'keep' ? 'old' : 'new' },
      corrections.length,
    );
    for (const { minute, oldRatePct, newRatePct } of corrections) {
      log.warn(
        {
          exchange,
          symbol: venueSymbol,
          settledAt: new Date(minute * MINUTE_MS).toISOString(),
          oldRatePct,
          newRatePct,
        },
        write.onConflict === 'keep'
          ? 'imported settled rate differs from the stored one, which is kept'
          : 'venue corrected a settled rate',
      );
    }
  }
}

/** Whether waiting longer would not make the next transaction larger. */
function fillsTransaction(waiting: readonly Waiting[]): boolean {
  return waiting.length >= WRITES_PER_TRANSACTION || batchLength(waiting) < waiting.length;
}

/** How many of the waiting writes one transaction takes: at least one, whatever its size. */
function batchLength(waiting: readonly Waiting[]): number {
  let [count, prints] = [0, 0];
  for (const { write } of waiting) {
    prints += write.prints.length;
    if (count > 0 && (count === WRITES_PER_TRANSACTION || prints > PRINTS_PER_TRANSACTION)) break;
    count++;
  }
  return count;
}

function printList({ minutes, ratesPct }: Prints): Print[] {
  return minutes.map((minute, i) => ({ minute, ratePct: ratesPct[i] ?? 0 }));
}
