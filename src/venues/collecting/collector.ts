import { linkedAbort } from '../../base/async/linked-abort.ts';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { HttpClient } from '../../base/http-client.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { PRIORITY, type Priority } from '../../base/request-budget.ts';
import { hasEnded } from '../ended.ts';
import { failureText, type SourceHealth, type VenueHealth } from '../health.ts';
import type { Batch, Contract } from '../observations.ts';
import { isNotListed } from '../reading.ts';
import type { BulkPoll, EachPoll, Poll, SendRequest, Venue } from '../venue.ts';
import { VenueCaller } from './caller.ts';
import { Circuit } from './circuit.ts';
import { ContractBook } from './contract-book.ts';
import { StreamRunner } from './stream-runner.ts';

export interface CollectorOptions {
  venue: Venue;
  http: HttpClient;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  simUrl: string | null;
  isPaced?: boolean;
  /** Called with every good batch and the venue's contracts, which are needed to interpret a quote. */
  accept: (
    venue: Venue,
    batch: Batch,
    receivedAtMs: number,
    contracts: ReadonlyMap<string, Contract>,
  ) => void;
  /** Orders the calls of polls that need one call per contract: the most traded first. */
  volumeOf?: (venue: Venue, venueSymbol: string) => number;
}

const EACH_WORKERS = 4;
const EACH_GIVE_UP_AFTER = 10;
const RELIST_PAUSE_MS = 60_000;
const ENDED_CHECK_MS = 3_600_000;
/** What a venue needs after a settlement until it shows the next one. */
const AFTER_SETTLEMENT_MS = 3_000;
const STUCK_AFTER_MS = 60_000;

/** Runs one venue's polls and streams. A failure affects no other venue. */
export class Collector {
  readonly venue: Venue;
  readonly caller: VenueCaller;
  readonly #options: CollectorOptions;
  readonly #book: ContractBook;
  readonly #sources = new Map<string, SourceHealth>();
  readonly #circuits = new Map<string, Circuit>();
  readonly #rejected = new Map<string, number>();
  readonly #ignored = new Map<string, number>();
  readonly #notListed = new Map<string, number>();
  readonly #streams: StreamRunner[];
  #tasks = new Map<string, RepeatingTask>();
  #lastRelistMs = Number.NEGATIVE_INFINITY;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.venue = options.venue;
    this.caller = new VenueCaller({ ...options, isPaced: options.isPaced ?? true });
    this.#book = new ContractBook(options.clock);
    this.#streams = options.venue.streams.map(
      (stream) =>
        new StreamRunner({
          ...options,
          stream,
          timers: systemClock,
          contracts: this.#book.contracts,
          accept: (batch, receivedAtMs) => this.#take(batch, receivedAtMs),
          health: this.#source(stream.name),
        }),
    );
  }

  get contracts(): ReadonlyMap<string, Contract> {
    return this.#book.contracts;
  }

  start(): void {
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
    for (const source of this.#sources.values())
      Object.assign(source, { lastGoodAtMs: null, failuresInARow: 0, lastFailure: null });
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

  get #hasEnded(): boolean {
    return hasEnded(this.venue.facts, this.#options.clock.nowMs());
  }

  health(): VenueHealth {
    const sources = [...this.venue.polls, ...this.venue.streams].map((source) => this.#source(source.name));
    const good = sources.map((source) => source.lastGoodAtMs).filter((timeMs) => timeMs !== null);
    return {
      exchange: this.venue.facts.exchange,
      slug: this.venue.slug,
      ...(this.#hasEnded ? { hasEnded: true } : {}),
      ...(this.caller.refusals.refusesAll ? { refusesAddress: true } : {}),
      contracts: this.#book.contracts.size,
      lastGoodAtMs: good.length === 0 ? null : Math.max(...good),
      sources: sources.map((source) => ({ ...source })),
      rejected: Object.fromEntries(this.#rejected),
      ignored: Object.fromEntries(this.#ignored),
      callsPerMinute: this.caller.callsPerMinute,
      budgets: [...this.caller.budgets].map(([name, budget]) => ({
        name,
        spent: budget.spentWeight(),
        capacity: budget.capacity,
        windowSeconds: budget.windowSeconds,
        usedPerMinute: this.caller.weightPerMinute(name).used,
        limitPerMinute: this.caller.weightPerMinute(name).limit,
      })),
    };
  }

  /** One run; returns the delay until the next one. Never throws. */
  async #runPoll(poll: Poll, everyMs: number, signal: AbortSignal): Promise<number> {
    const { metrics, log } = this.#options;
    const circuit = this.#circuits.get(poll.name) ?? new Circuit();
    this.#circuits.set(poll.name, circuit);
    const source = this.#source(poll.name);
    const labels = { venue: this.venue.slug, poll: poll.name };
    if (this.#hasEnded) {
      for (const stream of this.#streams) stream.stop();
      return ENDED_CHECK_MS;
    }
    try {
      // Other polls need the contract list: check again shortly.
      if (!poll.gives.includes('contracts') && this.#book.contracts.size === 0) return Math.min(everyMs, 500);
      let delayMs = everyMs;
      if (poll.kind === 'bulk') {
        const batch = await this.#runBulk(poll, signal);
        if (poll.followsSettlements) delayMs = untilSettlement(batch, this.#options.clock.nowMs(), everyMs);
      } else await this.#runEach(poll, everyMs, signal);
      circuit.succeeded();
      metrics.venueCalls.inc({ ...labels, outcome: 'good' });
      source.failuresInARow = 0;
      source.lastGoodAtMs = this.#options.clock.nowMs();
      metrics.venueLastGood.set({ venue: this.venue.slug }, source.lastGoodAtMs / 1000);
      metrics.venueCircuitOpen.set(labels, 0);
      return delayMs;
    } catch (error) {
      if (signal.aborted) return everyMs;
      const delayMs = Math.max(
        circuit.failed(everyMs, Math.random),
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

  /** Calls the contracts one by one, in several workers. If one worker gives up, all of them end before this rejects. */
  async #runEach(poll: EachPoll, everyMs: number, stopping: AbortSignal): Promise<void> {
    const run = linkedAbort(stopping);
    const { signal } = run;
    const volumeOf = this.#options.volumeOf ?? (() => 0);
    const queue = [...this.#book.contracts.values()]
      .filter((contract) => poll.applies(contract))
      .sort((a, b) => volumeOf(this.venue, b.venueSymbol) - volumeOf(this.venue, a.venueSymbol));
    const restMs = queue.length === 0 ? 0 : (everyMs * 0.8 * EACH_WORKERS) / queue.length;
    let failuresInARow = 0;
    const worker = async () => {
      for (let contract = queue.shift(); contract && !signal.aborted; contract = queue.shift()) {
        const startedMs = this.#options.clock.monotonicMs();
        try {
          const { send, ageMs } = this.#ageing(PRIORITY.settlement, signal);
          const batch = await poll.collect(contract, { send, contracts: this.#book.contracts });
          this.#take(batch, this.#options.clock.nowMs() - ageMs());
          failuresInARow = 0;
        } catch (error) {
          if (signal.aborted) return;
          failuresInARow++;
          if (failuresInARow >= EACH_GIVE_UP_AFTER) {
            run.abort(error);
            return;
          }
        }
        const leftMs = startedMs + restMs - this.#options.clock.monotonicMs();
        if (leftMs > 0) await this.#options.clock.sleep(leftMs, signal);
      }
    };
    await Promise.all(Array.from({ length: EACH_WORKERS }, worker));
    run.release();
    if (signal.aborted && !stopping.aborted) throw signal.reason;
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
    const { metrics, venue } = this.#options;
    let batch = given;
    for (const { reason } of batch.rejected) {
      this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
      metrics.venueRowsRejected.inc({ venue: venue.slug, reason });
    }
    for (const [reason, count] of batch.ignored) {
      this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + count);
      metrics.venueRowsIgnored.inc({ venue: venue.slug, reason }, count);
    }
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
    this.#notListed.set(pollName, count);
    const nowMs = this.#options.clock.monotonicMs();
    if (before === undefined || count <= before || nowMs - this.#lastRelistMs < RELIST_PAUSE_MS) return;
    this.#lastRelistMs = nowMs;
    for (const poll of this.venue.polls)
      if (poll.gives.includes('contracts')) this.#tasks.get(poll.name)?.hurry();
  }

  #source(name: string): SourceHealth {
    let source = this.#sources.get(name);
    if (!source) {
      source = { name, lastGoodAtMs: null, failuresInARow: 0, lastFailure: null };
      this.#sources.set(name, source);
    }
    return source;
  }
}

/** How long to wait before a reply is read again that has the next settlements, at most `everyMs`. */
function untilSettlement(batch: Batch, nowMs: number, everyMs: number): number {
  let delayMs = everyMs;
  for (const { nextFundingAtMs } of [...batch.fundingSchedules, ...batch.fundingQuotes]) {
    if (nextFundingAtMs === null || nextFundingAtMs === undefined) continue;
    const leftMs = nextFundingAtMs - nowMs;
    // A time that has just passed: the venue has not moved on yet. One that passed long ago is stuck.
    if (leftMs > 0) delayMs = Math.min(delayMs, leftMs + AFTER_SETTLEMENT_MS);
    else if (leftMs > -STUCK_AFTER_MS) delayMs = Math.min(delayMs, AFTER_SETTLEMENT_MS);
  }
  return delayMs;
}
