import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { HttpClient } from '../../base/http/http-client.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { PRIORITY, type Priority, type RequestBudget } from '../../base/request-budget.ts';
import { type ChosenSides, countedOnce } from '../counting/sides.ts';
import { hasEnded } from '../ended.ts';
import { failureText, type SourceHealth, type VenueHealth } from '../health.ts';
import type { Batch, Contract } from '../observations.ts';
import { isNotListed } from '../reading.ts';
import type { BulkPoll, EachPoll, Poll, SendRequest, Venue } from '../venue.ts';
import { VenueCaller } from './caller.ts';
import { Circuit } from './circuit.ts';
import { ContractBook } from './contract-book.ts';
import { runContractRound } from './contract-round.ts';
import { HealthRecord } from './health-record.ts';
import { untilSettlement } from './settlement-delay.ts';
import { StreamRunner } from './stream-runner.ts';

export interface CollectorOptions {
  venue: Venue;
  http: HttpClient;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  simUrl: string | null;
  isPaced?: boolean;
  /** See VenueCaller. */
  sharedBudgets?: Map<string, RequestBudget>;
  /** Called with every good batch and the venue's contracts, which are needed to interpret a quote. */
  accept: (
    venue: Venue,
    batch: Batch,
    receivedAtMs: number,
    contracts: ReadonlyMap<string, Contract>,
  ) => void;
  /** What an operator decided about the counts of the venue; without it the facts of the venue decide. */
  chosenSides?: (venue: Venue) => ChosenSides;
  /** Orders the calls of polls that need one call per contract: the most traded first. */
  volumeOf?: (venue: Venue, venueSymbol: string) => number;
}

const RELIST_PAUSE_MS = 60_000;
/** A source that has delivered nothing since the start is tried again this soon, however seldom it is called. */
const FIRST_RETRY_MS = 15_000;
const LIST_CHECK_MS = 500;
const ENDED_CHECK_MS = 3_600_000;

/** Runs one venue's polls and streams. A failure affects no other venue. */
export class Collector {
  readonly venue: Venue;
  readonly caller: VenueCaller;
  readonly #options: CollectorOptions;
  readonly #book: ContractBook;
  readonly #health: HealthRecord;
  readonly #circuits = new Map<string, Circuit>();
  readonly #notListed = new Map<string, number>();
  readonly #streams: StreamRunner[];
  #tasks = new Map<string, RepeatingTask>();
  #lastRelistMs = Number.NEGATIVE_INFINITY;
  #hasAllLists = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.venue = options.venue;
    this.caller = new VenueCaller({ ...options, isPaced: options.isPaced ?? true });
    this.#book = new ContractBook(options.clock);
    this.#health = new HealthRecord(options.venue, options.metrics);
    this.#streams = options.venue.streams.map(
      (stream) =>
        new StreamRunner({
          ...options,
          stream,
          timers: systemClock,
          contracts: this.#book.contracts,
          accept: (batch, receivedAtMs) => this.#take(batch, receivedAtMs),
          health: this.#health.source(stream.name),
        }),
    );
  }

  get contracts(): ReadonlyMap<string, Contract> {
    return this.#book.contracts;
  }

  /** Takes contract lists that were stored before a restart, for as long as the venue's own have not come. */
  remember(lists: readonly { part: string; contracts: readonly Contract[] }[]): void {
    if (this.#book.contracts.size > 0) return;
    for (const { part, contracts } of lists) this.#book.replace({ part, contracts: [...contracts] });
    this.#hasAllLists = lists.length >= this.#listPolls.length;
  }

  start(): void {
    if (!this.#hasEnded) for (const stream of this.#streams) stream.update();
    for (const poll of this.venue.polls) {
      const everyMs = poll.everySeconds * 1000;
      const task = startRepeatingTask({
        name: `${this.venue.slug} ${poll.name}`,
        everyMs,
        clock: this.#options.clock,
        log: this.#options.log,
        run: (signal) => this.#runPoll(poll, everyMs, signal),
      });
      this.#tasks.set(poll.name, task);
    }
  }

  /** The collector may be started again later; the health of its sources is reset. */
  async stop(): Promise<void> {
    const tasks = [...this.#tasks.values()];
    // Must come first: a contract list that arrives while its poll is being stopped must not reopen the streams.
    this.#tasks = new Map();
    for (const stream of this.#streams) stream.stop();
    await Promise.all(tasks.map((task) => task.stop()));
    this.#health.resetSources();
    this.#hasAllLists = false;
  }

  /** Runs every poll once, contract lists first: for collecting a simulator's past, `venues check` and tests. */
  async collectOnce(signal: AbortSignal, wanted: (poll: Poll) => boolean = () => true): Promise<void> {
    const [lists, others] = [true, false].map((isList) =>
      this.venue.polls.filter((poll) => wanted(poll) && poll.gives.includes('contracts') === isList),
    );
    for (const group of [lists ?? [], others ?? []]) {
      await Promise.all(group.map((poll) => this.#runPoll(poll, 0, signal)));
    }
    if (!this.#hasEnded) for (const stream of this.#streams) stream.update();
  }

  /** True once every contract list of the venue has been delivered or has failed, or was remembered. */
  get #isListed(): boolean {
    if (this.#book.contracts.size === 0) return false;
    this.#hasAllLists ||= this.#listPolls.every(({ name }) => {
      const { lastGoodAtMs, failuresInARow } = this.#health.source(name);
      return lastGoodAtMs !== null || failuresInARow > 0;
    });
    return this.#hasAllLists;
  }

  get #listPolls(): Poll[] {
    return this.venue.polls.filter((poll) => poll.gives.includes('contracts'));
  }

  get #hasEnded(): boolean {
    return hasEnded(this.venue.facts, this.#options.clock.nowMs());
  }

  get lastGoodAtMs(): number | null {
    return this.#health.lastGoodAtMs;
  }

  health(): VenueHealth {
    return this.#health.report(this.caller, this.#book.contracts.size, this.#options.clock.nowMs());
  }

  /** One run; returns the delay until the next one. Never throws. */
  async #runPoll(poll: Poll, everyMs: number, signal: AbortSignal): Promise<number> {
    const { metrics, log } = this.#options;
    const circuit = this.#circuits.get(poll.name) ?? new Circuit();
    this.#circuits.set(poll.name, circuit);
    const source = this.#health.source(poll.name);
    const labels = { venue: this.venue.slug, poll: poll.name };
    if (this.#hasEnded) {
      for (const stream of this.#streams) stream.stop();
      return ENDED_CHECK_MS;
    }
    try {
      // Rows of contracts that no list has named yet would be dropped.
      if (!poll.gives.includes('contracts') && !this.#isListed) return Math.min(everyMs, LIST_CHECK_MS);
      let delayMs = everyMs;
      if (poll.kind === 'bulk') {
        const batch = await this.#runBulk(poll, signal);
        if (poll.followsSettlements) delayMs = untilSettlement(batch, this.#options.clock.nowMs(), everyMs);
      } else await this.#runEach(poll, everyMs, source, signal);
      circuit.succeeded();
      metrics.venueCalls.inc({ ...labels, outcome: 'good' });
      source.failuresInARow = 0;
      source.lastGoodAtMs = this.#options.clock.nowMs();
      metrics.venueLastGood.set({ venue: this.venue.slug }, source.lastGoodAtMs / 1000);
      metrics.venueCircuitOpen.set(labels, 0);
      return delayMs;
    } catch (error) {
      if (signal.aborted) return everyMs;
      const retryMs = source.lastGoodAtMs === null ? Math.min(everyMs, FIRST_RETRY_MS) : everyMs;
      const delayMs = Math.max(
        circuit.failed(retryMs, Math.random),
        this.caller.refusals.pauseMsAfter(error),
      );
      source.failuresInARow = circuit.failuresInARow;
      source.lastFailure = failureText(error);
      metrics.venueCalls.inc({ ...labels, outcome: 'failed' });
      metrics.venueCircuitOpen.set(labels, circuit.isOpen ? 1 : 0);
      log.warn(
        { ...labels, failure: source.lastFailure, failuresInARow: circuit.failuresInARow },
        'venue call failed',
      );
      return delayMs;
    }
  }

  async #runBulk(poll: BulkPoll, signal: AbortSignal): Promise<Batch> {
    const { send, ageMs } = this.#ageing(PRIORITY.live, signal);
    const batch = await poll.collect({ send, contracts: this.#book.contracts });
    this.#relistIfGrowing(poll.name, batch);
    this.#take(batch, this.#options.clock.nowMs() - ageMs());
    return batch;
  }

  async #runEach(
    poll: EachPoll,
    everyMs: number,
    source: SourceHealth,
    stopping: AbortSignal,
  ): Promise<void> {
    const { clock, volumeOf = () => 0 } = this.#options;
    const contracts = [...this.#book.contracts.values()]
      .filter((contract) => poll.applies(contract))
      .sort((a, b) => volumeOf(this.venue, b.venueSymbol) - volumeOf(this.venue, a.venueSymbol));
    const call = async (contract: Contract, signal: AbortSignal) => {
      const { send, ageMs } = this.#ageing(PRIORITY.settlement, signal);
      const batch = await poll.collect(contract, { send, contracts: this.#book.contracts });
      this.#take(batch, clock.nowMs() - ageMs());
      // A round takes most of its period; the first contract shows that the source delivers.
      source.lastGoodAtMs = clock.nowMs();
    };
    await runContractRound({ contracts, everyMs, clock, call }, stopping);
  }

  /** A sender that records the age of the oldest reply, because a batch is as old as the oldest reply in it. */
  #ageing(priority: Priority, signal: AbortSignal): { send: SendRequest; ageMs: () => number } {
    const call = this.caller.sender(priority, signal);
    let oldestMs = 0;
    const send: SendRequest = async (request) => {
      const reply = await call(request);
      oldestMs = Math.max(oldestMs, reply.ageMs);
      return reply;
    };
    return { send, ageMs: () => oldestMs };
  }

  #take(given: Batch, receivedAtMs: number): void {
    const { metrics, venue, chosenSides } = this.#options;
    let batch = countedOnce(given, venue.facts.counts, chosenSides?.(venue));
    this.#health.countRows(batch);
    if (batch.contractList) {
      const { contractList } = batch;
      const used = this.#book.replace(contractList);
      const held = used.contracts.length - contractList.contracts.length;
      if (held > 0)
        this.#options.log.warn(
          { venue: venue.slug, part: used.part, contracts: contractList.contracts.length, held },
          'a contract list is much shorter than the last one; what it lacks is held until two more lists confirm it',
        );
      batch = { ...batch, contractList: used };
      metrics.venueContracts.set({ venue: venue.slug }, this.#book.contracts.size);
      if (this.#tasks.size > 0) for (const stream of this.#streams) stream.update();
    }
    this.#options.accept(venue, batch, receivedAtMs, this.#book.contracts);
  }

  /**
   * More unlisted symbols in a poll than in its last run means a listing newer than our list: read the list again. The
   * first run only sets the baseline, because some replies always have symbols that no list has.
   */
  #relistIfGrowing(pollName: string, batch: Batch): void {
    let count = 0;
    for (const [reason, rows] of batch.ignored) if (isNotListed(reason)) count += rows;
    const before = this.#notListed.get(pollName);
    const isGrown = before !== undefined && count > before;
    const nowMs = this.#options.clock.monotonicMs();
    // The count stays, so what came during the pause is seen when it is over.
    if (isGrown && nowMs - this.#lastRelistMs < RELIST_PAUSE_MS) return;
    this.#notListed.set(pollName, count);
    if (!isGrown) return;
    this.#lastRelistMs = nowMs;
    for (const { name } of this.#listPolls) this.#tasks.get(name)?.hurry();
  }
}
