import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import { isStorageAway } from '../../storage/storage-away.ts';
import { decodePrints } from './codec.ts';
import { type ContractNames, type HeldContract, keyOf, SettlementDirectory } from './directory.ts';
import { GapQueue } from './gaps.ts';
import type { Print } from './merge.ts';
import { type ReadPrints, SettlementReader } from './reader.ts';
import {
  blockNumberOf,
  contractIdOf,
  SettlementStore,
  type SettlementWrite,
  type WriteOutcome,
} from './store.ts';
import { SettlementSums } from './sums.ts';
import { BLOCK_MINUTES, blockOf, noPrints, type Prints } from './times.ts';

export interface KeeperOptions {
  /** Only reads: then no sums are kept, because nobody asks for them. */
  isReader?: boolean;
  storage: Storage;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

interface Waiting {
  write: SettlementWrite;
  resolve: (outcome: WriteOutcome) => void;
  reject: (error: unknown) => void;
}

/** Writes that one transaction takes along: many share one flush to the disk, few hold the event loop up. */
const WRITES_PER_TRANSACTION = 250;
/** A moment in which others may join the transaction: one flush to the disk costs as much as many writes. */
const GATHER_MS = 10;
const AWAY_RETRY_MS = 1000;
const RECENT_MINUTES = 32 * 24 * 60;

/** All that is held of settled prints, and the one place that writes them. */
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
  /** Up to here every change of every process is known; our own are known before. */
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
    for (const contract of await keeper.#store.contractsSince(0)) keeper.directory.take(contract);
    keeper.#refreshedTo = keeper.directory.revision;
    if (options.isReader) return keeper;
    const keys = new Map(
      keeper.directory.all().map((contract) => [contract.id, keyOf(contract.exchange, contract.venueSymbol)]),
    );
    const fromMinute = options.clock.nowMs() / MINUTE_MS - RECENT_MINUTES;
    for (const { id, prints } of await keeper.#store.blocksFrom(blockOf(fromMinute))) {
      const unpacked = noPrints();
      decodePrints(prints, blockNumberOf(id) * BLOCK_MINUTES, unpacked);
      keeper.sums.put(keys.get(contractIdOf(id)) ?? '', listed(unpacked));
    }
    return keeper;
  }

  /** Another number after any change: answers made before may be out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** Stored when the promise resolves. */
  submit(write: SettlementWrite): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#flushing ??= this.#flush().finally(() => {
        this.#flushing = null;
      });
    });
  }

  /** Takes over names that differ from those held; contracts that are not held yet get theirs with the first write. */
  async takeNames(names: readonly ContractNames[]): Promise<void> {
    const changed = names.filter((name) => {
      const held = this.directory.find(name.exchange, name.venueSymbol);
      return held && (held.coin !== name.coin || held.symbol !== name.symbol);
    });
    if (changed.length === 0) return;
    for (const contract of await this.#store.name(changed)) this.directory.take(contract);
    this.#changes++;
  }

  /** Sees what other processes have written: an import, a backfill by hand, a collector. */
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
        this.sums.put(keyOf(exchange, venueSymbol), listed(prints));
      }
      this.directory.take(contract);
      this.#changes++;
    }
    // Only now: they come in no order, and a read that fails half-way must find the rest again.
    this.#refreshedTo = newest;
  }

  /** Prints of a contract in [fromMs, toMs]. */
  async prints(contract: HeldContract, fromMs: number, toMs: number): Promise<ReadPrints> {
    return await this.reader.prints(contract.id, Math.ceil(fromMs / MINUTE_MS), Math.floor(toMs / MINUTE_MS));
  }

  /** Writes that still wait while the database is away are given up: their prints will be fetched again. */
  giveUpWaiting(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.giveUpWaiting();
    await this.#flushing;
    this.reader.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < WRITES_PER_TRANSACTION) await systemClock.sleep(GATHER_MS);
      const batch = this.#waiting.splice(0, WRITES_PER_TRANSACTION);
      try {
        const outcomes = await this.#store.write(
          batch.map(({ write }) => write),
          this.#options.clock.nowMs(),
        );
        for (const [i, { write, resolve }] of batch.entries()) {
          const outcome = outcomes[i];
          if (!outcome) throw new Error('a write has no outcome');
          this.#took(write, outcome);
          resolve(outcome);
        }
      } catch (error) {
        if (isStorageAway(error) && !this.#closing.signal.aborted) {
          // A print that was fetched is never dropped; writing it a second time would change nothing.
          this.#waiting.unshift(...batch);
          await systemClock.sleep(AWAY_RETRY_MS, this.#closing.signal);
          continue;
        }
        for (const { reject } of batch) reject(error);
      }
      // Embedded writes never wait for anything, so requests get their turn only here.
      await nextTurn();
    }
  }

  #took(write: SettlementWrite, { contract, added, corrections }: WriteOutcome): void {
    const { metrics, log } = this.#options;
    this.directory.take(contract);
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
          ? 'a settled rate differs from the one held, which is kept'
          : 'a settled rate was changed',
      );
    }
  }
}

function listed({ minutes, ratesPct }: Prints): Print[] {
  return minutes.map((minute, i) => ({ minute, ratePct: ratesPct[i] ?? 0 }));
}
