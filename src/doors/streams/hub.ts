import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Problem } from '../../base/problems.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { StreamAdmission } from '../../operations/access/admission.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { problemDocument } from '../../operations/access/problem-body.ts';
import type { StreamedOperation } from '../../operations/operation.ts';
import type { RawValues } from '../../query/parameter.ts';
import { publicProblem } from '../http/server.ts';
import type { StreamConnection } from './connection.ts';
import { FollowedList } from './followed-list.ts';
import { StreamEvent } from './stream-event.ts';

interface HubOptions {
  entrance: Entrance;
  metrics: Metrics;
  log: Log;
}

const TICK_MS = 250;
const HEARTBEAT_MS = 15 * SECOND_MS;
/** Revoked and expired keys, suspended accounts and changed plans are noticed within this time. */
const CHECK_MS = SECOND_MS;
/** A client that has read nothing for this long is cut. */
const STALLED_MS = MINUTE_MS;
/** After a stop, clients connect again at different times within this span. */
const RETRY_MS = { least: 1_000, most: 5_000 };

/** All open streams of this process: sends changes and heartbeats, counts minutes, and ends streams. */
export class StreamHub {
  readonly #options: HubOptions;
  readonly #clock: Clock;
  readonly #lists = new Map<string, FollowedList>();
  readonly #listOf = new Map<StreamConnection, FollowedList>();
  #task: RepeatingTask | null = null;
  #heartbeatDueMs = 0;
  #isStopped = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#clock = options.entrance.clock;
  }

  get connectionCount(): number {
    return this.#listOf.size;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The list of a query, shared with the other clients of the same query. Throws the problems of the list. */
  listFor(operation: StreamedOperation, admission: StreamAdmission, raw: RawValues): FollowedList {
    const list = this.#options.entrance.streamedList(operation, admission, raw);
    const known = this.#lists.get(list.key);
    known?.refresh();
    return known ?? new FollowedList(list, operation.rows.identity);
  }

  /** Adds a client. `fromMs` is the snapshot that it has already, or null. */
  join(prepared: FollowedList, connection: StreamConnection, fromMs: number | null): void {
    // Another client of the same query may have joined meanwhile.
    const list = this.#lists.get(prepared.key) ?? prepared;
    connection.asOfMs = fromMs !== null && list.canResume(fromMs) ? fromMs : null;
    const nowMs = this.#clock.monotonicMs();
    connection.paidUntilMs = nowMs + MINUTE_MS;
    connection.checkDueMs = nowMs + CHECK_MS;
    if (this.#listOf.size === 0) this.#heartbeatDueMs = nowMs + HEARTBEAT_MS;
    this.#add(list, connection);
    connection.onClose(() => this.#leave(connection));
    this.#task ??= startRepeatingTask({
      name: 'send streams',
      everyMs: TICK_MS,
      clock: this.#clock,
      log: this.#options.log,
      run: async () => {
        await this.#tick();
        return undefined;
      },
    });
    this.#deliver(list, connection);
  }

  /** Ends all streams; clients are told when to connect again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const connection of [...this.#listOf.keys()]) this.endForRestart(connection);
    await this.#task?.stop();
  }

  endForRestart(connection: StreamConnection): void {
    const retryMs = Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
    const data = JSON.stringify({ problem: null, retry_after_seconds: Math.ceil(retryMs / SECOND_MS) });
    this.#end(connection, new StreamEvent({ kind: 'end', data, retryMs }));
  }

  #add(list: FollowedList, connection: StreamConnection): void {
    this.#lists.set(list.key, list);
    list.connections.add(connection);
    this.#listOf.set(connection, list);
    this.#options.metrics.streamConnections.inc({ operation: connection.operation.id });
  }

  #leave(connection: StreamConnection): void {
    const list = this.#listOf.get(connection);
    if (!list) return;
    this.#listOf.delete(connection);
    list.connections.delete(connection);
    if (list.connections.size === 0) this.#lists.delete(list.key);
    this.#options.metrics.streamConnections.dec({ operation: connection.operation.id });
  }

  async #tick(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    for (const list of [...this.#lists.values()]) {
      // Requests are answered between two lists.
      if (this.#refresh(list)) await nextTurn();
    }
    if (nowMs >= this.#heartbeatDueMs) {
      this.#heartbeatDueMs = nowMs + HEARTBEAT_MS;
      for (const list of this.#lists.values()) this.#sendHeartbeats(list);
    }
    for (const connection of this.#listOf.keys()) this.#check(connection, nowMs);
  }

  /**
   * Makes and sends the page of a new snapshot; returns whether there was one. One of the readers pays for all of a list. If
   * they all have used their computing time, they get a later snapshot.
   */
  #refresh(list: FollowedList): boolean {
    const payer = list.connections.values().find(({ spender }) => spender.hasTime);
    if (!payer) return false;
    try {
      if (!payer.spender.spend(() => list.refresh())) return false;
    } catch (error) {
      for (const connection of list.connections) this.#fail(connection, error);
      return true;
    }
    payer.spender.spend(() => {
      for (const connection of list.connections) this.#deliver(list, connection);
    });
    const [first] = list.connections;
    const delayMs = (first?.admission.caller.plan.delaySeconds ?? 0) * SECOND_MS;
    const lagMs = this.#clock.nowMs() - list.asOfMs - delayMs;
    this.#options.metrics.streamLagSeconds.observe(Math.max(0, lagMs) / SECOND_MS);
    return true;
  }

  #deliver(list: FollowedList, connection: StreamConnection): void {
    if (connection.behindSinceMs !== null) return;
    if (list.deliver(connection) !== 'dropped') return;
    // The client reads too slowly. It gets a whole snapshot as soon as it has read what is waiting.
    connection.behindSinceMs = this.#clock.monotonicMs();
    connection.asOfMs = null;
    this.#options.metrics.streamDrops.inc({ operation: connection.operation.id });
  }

  #sendHeartbeats(list: FollowedList): void {
    const { current, other } = list.heartbeats();
    for (const connection of list.connections)
      if (connection.behindSinceMs === null)
        connection.send(connection.asOfMs === list.asOfMs ? current : other);
  }

  #check(connection: StreamConnection, nowMs: number): void {
    if (connection.isLost) {
      this.#leave(connection);
      return;
    }
    const { behindSinceMs } = connection;
    if (behindSinceMs !== null) {
      const list = this.#listOf.get(connection);
      if (connection.waitingBytes === 0 && list) {
        connection.behindSinceMs = null;
        this.#deliver(list, connection);
      } else if (nowMs - behindSinceMs > STALLED_MS) {
        connection.cut();
        return;
      }
    }
    if (nowMs < connection.checkDueMs || connection.isChecking) return;
    connection.checkDueMs = nowMs + CHECK_MS;
    connection.isChecking = true;
    this.#recheck(connection, nowMs)
      .catch((error: unknown) => this.#fail(connection, error))
      .finally(() => {
        connection.isChecking = false;
      });
  }

  /** Looks the key up again, and counts the minute if one has started. */
  async #recheck(connection: StreamConnection, nowMs: number): Promise<void> {
    const { entrance } = this.#options;
    const { operation, admission } = connection;
    const caller = await entrance.recheck(operation, admission.caller);
    if (!this.#listOf.has(connection)) return;
    const { plan, takerFees } = admission.caller;
    connection.admission = { ...admission, caller };
    if (caller.plan !== plan || caller.takerFees !== takerFees) this.#move(connection);
    if (nowMs < connection.paidUntilMs) return;
    connection.paidUntilMs += MINUTE_MS;
    await entrance.countOnMonth(caller);
  }

  /** Follows the list of the caller's new plan or fees, from a new snapshot on. */
  #move(connection: StreamConnection): void {
    const { operation, admission, raw } = connection;
    const list = this.listFor(operation, admission, raw);
    if (this.#listOf.get(connection)?.key === list.key) return;
    this.#leave(connection);
    connection.asOfMs = null;
    this.#add(list, connection);
    this.#deliver(list, connection);
  }

  #fail(connection: StreamConnection, error: unknown): void {
    const { requestId, operation } = connection;
    const problem: Problem = publicProblem(error, requestId, operation.path, this.#options.log);
    const seconds = Number(problem.headers['retry-after'] ?? Number.NaN);
    const hasRetry = Number.isFinite(seconds);
    const data = JSON.stringify({
      problem: problemDocument(problem, requestId, this.#options.entrance.baseUrl),
      retry_after_seconds: hasRetry ? seconds : null,
    });
    const retry = hasRetry ? { retryMs: seconds * SECOND_MS } : {};
    this.#end(connection, new StreamEvent({ kind: 'end', data, ...retry }));
  }

  #end(connection: StreamConnection, event: StreamEvent): void {
    this.#leave(connection);
    connection.end(event);
  }
}
