import { AttemptLimit, takeAll } from '../../accounts/attempts/memory.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { Channel, SendFailure, SendResult } from '../channels/channel.ts';
import type { AlertMessage } from '../message.ts';
import { type EndpointStore, readTarget, type StoredEndpoint } from '../store/endpoints.ts';
import type { DeliveryResult, Outbox, WaitingEvent } from '../store/outbox.ts';
import type { RuleStore, StoredRule } from '../store/rules.ts';
import { MAX_PLACES_OF_ACCOUNT, Places } from './places.ts';

interface DeliveringOptions {
  outbox: Outbox;
  endpoints: EndpointStore;
  rules: RuleStore;
  channelOf: (endpoint: StoredEndpoint) => Channel | null;
  /** The rule is null for an event that is about the account. */
  messageOf: (event: WaitingEvent, rule: StoredRule | null) => AlertMessage;
  /** Whether the account pays for nothing: such accounts together have half of the places. */
  isFree: (accountId: string) => boolean;
  /** Tells the owner by mail that an endpoint was paused. */
  notifyPaused: (endpoint: StoredEndpoint, reason: string) => Promise<void>;
  /** Messages to one address, and to one host that owners choose freely, from all accounts together. */
  perMinute?: { address: number; host: number };
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Attempts of one endpoint at the same time. */
const MAX_ATTEMPTS_OF_ENDPOINT = 4;
/** Endpoints that are looked at in one round; what is left comes first in the next. */
const MAX_DUE = 2_000;
const PER_MINUTE = { address: 240, host: 600 };
const MAX_MESSAGES_OF_DIGEST = 100;
/** A channel has timeouts of its own; this one bounds a channel that hangs all the same. */
const ATTEMPT_TIMEOUT_MS = 30 * SECOND_MS;
/** An endpoint that has failed for this long is paused. */
export const GIVE_UP_MS = DAY_MS;
/** The pause after the first failed attempt, after the second, and so on; the last one is repeated. */
const BACKOFF_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  HOUR_MS / 2,
  HOUR_MS,
];

export function backoffMs(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
}

/**
 * Sends what waits in the outbox. Each endpoint is served on its own, so one that is slow or fails delays no other. Accounts
 * take turns, and none can take the places of all others.
 * A result is stored after the attempt: if the process is killed in between, the event is sent again with the same id.
 */
export class Delivering {
  readonly #options: DeliveringOptions;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #places: Places;
  readonly #rates: readonly [address: AttemptLimit, host: AttemptLimit];
  readonly #stopping = new AbortController();

  constructor(options: DeliveringOptions) {
    this.#options = options;
    this.#places = new Places(options.isFree);
    const { clock, perMinute = PER_MINUTE } = options;
    const limit = (most: number) => new AttemptLimit({ most, withinMs: MINUTE_MS }, clock);
    this.#rates = [limit(perMinute.address), limit(perMinute.host)];
  }

  /** Starts to serve the endpoints that have something due. Resolves when they have been started. */
  async run(): Promise<void> {
    const { outbox, metrics, log } = this.#options;
    const busy = [...this.#busy.keys()];
    const due = await outbox.dueEndpoints({ busy, mostOfAccount: MAX_PLACES_OF_ACCOUNT, most: MAX_DUE });
    for (const { endpointId, accountId } of due) {
      if (this.#stopping.signal.aborted) break;
      if (this.#busy.has(endpointId) || !this.#places.take(accountId)) continue;
      const serving = this.#serve(endpointId)
        .catch((error: unknown) =>
          log.error({ err: error, endpoint: endpointId }, 'could not deliver alerts'),
        )
        .finally(() => {
          this.#busy.delete(endpointId);
          this.#places.leave(accountId);
        });
      this.#busy.set(endpointId, serving);
    }
    metrics.alertsWaiting.set(await outbox.waitingCount());
  }

  /** Resolves when no endpoint is being served. */
  async idle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  /** Attempts that are under way may end within the given time; after that they are aborted and tried again later. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), graceMs);
    await this.idle();
    clearTimeout(timer);
    this.#stopping.abort();
  }

  async #serve(endpointId: string): Promise<void> {
    const { endpoints, outbox, clock, channelOf } = this.#options;
    const endpoint = await endpoints.find(endpointId);
    if (!endpoint) return await outbox.giveUp(endpointId, 'the endpoint was deleted');
    if (endpoint.state === 'paused') return await outbox.giveUp(endpointId, 'the endpoint is paused');
    if (endpoint.state === 'unconfirmed')
      return await outbox.giveUp(endpointId, 'the endpoint is not confirmed');
    if (endpoint.notBeforeMs > clock.nowMs()) return await outbox.postpone(endpointId, endpoint.notBeforeMs);
    const channel = channelOf(endpoint);
    if (!channel?.isOffered)
      return await outbox.giveUp(endpointId, 'this server no longer offers the channel');
    const stored = readTarget(endpoint);
    if (stored === null)
      return await this.#pause(endpoint, 'its address can no longer be read; add the channel again');
    const target = channel.parseTarget(stored);
    const digestMinutes = channel.digestMinutes?.(target) ?? null;
    const groups = await this.#withinRates(
      endpointId,
      channel,
      target,
      await this.#due(endpointId, digestMinutes),
    );
    const failures: SendFailure[] = [];
    let isDelivered = false;
    await Promise.all(
      groups.map(async (events) => {
        const result = await this.#attempt(endpoint, channel, target, events);
        if (result?.isDelivered) isDelivered = true;
        else if (result) failures.push(result);
      }),
    );
    await this.#learn(endpoint, isDelivered, failures);
  }

  /** The events to send now: each alone, or together as a digest that is due. */
  async #due(endpointId: string, digestMinutes: number | null): Promise<WaitingEvent[][]> {
    const { outbox, clock } = this.#options;
    if (digestMinutes === null) {
      const events = await outbox.waiting(endpointId, MAX_ATTEMPTS_OF_ENDPOINT, false);
      return events.map((event) => [event]);
    }
    const events = await outbox.waiting(endpointId, MAX_MESSAGES_OF_DIGEST, true);
    const [oldest] = events;
    if (!oldest) return [];
    const dueMs = oldest.createdAtMs + digestMinutes * MINUTE_MS;
    if (dueMs <= clock.nowMs()) return [events];
    await outbox.postpone(endpointId, dueMs);
    return [];
  }

  /** What the rates of the address and of its host allow now; the rest is postponed. */
  async #withinRates(
    endpointId: string,
    channel: Channel,
    target: unknown,
    groups: WaitingEvent[][],
  ): Promise<WaitingEvent[][]> {
    const [addresses, hosts] = this.#rates;
    const host = channel.hostOf?.(target) ?? null;
    const limits = [
      [addresses, channel.addressOf(target)] as const,
      ...(host === null ? [] : [[hosts, host] as const]),
    ];
    for (let allowed = 0; allowed < groups.length; allowed++) {
      const waitSeconds = await takeAll(limits);
      if (waitSeconds === null) continue;
      const { outbox, clock } = this.#options;
      await outbox.postpone(endpointId, clock.nowMs() + waitSeconds * SECOND_MS);
      return groups.slice(0, allowed);
    }
    return groups;
  }

  /** Null if there was nothing to send, or the process stopped meanwhile. */
  async #attempt(
    endpoint: StoredEndpoint,
    channel: Channel,
    target: unknown,
    events: readonly WaitingEvent[],
  ): Promise<SendResult | null> {
    const { outbox, metrics } = this.#options;
    const messages = await this.#messagesOf(endpoint.id, events);
    if (messages.length === 0) return null;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    let result: SendResult;
    try {
      result = await channel.send(target, messages, signal);
    } catch (error) {
      if (this.#stopping.signal.aborted) return null;
      this.#options.log.error({ err: error, channel: channel.kind }, 'a channel failed');
      result = { isDelivered: false, reason: 'the message could not be sent', isRetryable: true };
    }
    metrics.alertDeliveries.inc({
      channel: channel.kind,
      result: result.isDelivered ? 'delivered' : 'failed',
    });
    const ids = messages.map(({ eventId }) => eventId);
    await outbox.record(endpoint.id, ids, this.#resultOf(endpoint, events, result));
    return result;
  }

  #resultOf(endpoint: StoredEndpoint, events: readonly WaitingEvent[], result: SendResult): DeliveryResult {
    if (result.isDelivered) return { state: 'delivered' };
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const { reason, isRetryable } = result;
    if (!isRetryable || result.isGone) return { state: 'failed', reason };
    const oldestMs = Math.min(...events.map(({ createdAtMs }) => createdAtMs));
    if (nowMs - oldestMs >= GIVE_UP_MS) return { state: 'failed', reason: `${reason}; given up after 24 h` };
    const waitMs = Math.max(backoffMs(endpoint.failures + 1), result.retryAfterMs ?? 0);
    return { state: 'waiting', reason, nextAttemptMs: nowMs + waitMs };
  }

  /** Leaves out events of rules that were deleted or paused since, and records them as failed. */
  async #messagesOf(endpointId: string, events: readonly WaitingEvent[]): Promise<AlertMessage[]> {
    const { rules, outbox, messageOf } = this.#options;
    const messages: AlertMessage[] = [];
    for (const event of events) {
      const rule = event.kind === 'limited' ? null : await rules.find(event.ruleId);
      if (event.kind === 'limited' || (rule && !rule.isPaused)) {
        messages.push(messageOf(event, rule));
        continue;
      }
      const reason = rule ? 'the rule was paused' : 'the rule was deleted';
      await outbox.record(endpointId, [event.eventId], { state: 'failed', reason });
    }
    return messages;
  }

  /** Remembers how the endpoint did, and pauses one that is gone or has failed for a day. */
  async #learn(
    endpoint: StoredEndpoint,
    isDelivered: boolean,
    failures: readonly SendFailure[],
  ): Promise<void> {
    const { endpoints, clock } = this.#options;
    const gone = failures.find(({ isGone }) => isGone);
    if (gone) return await this.#pause(endpoint, gone.reason);
    if (isDelivered) {
      if (endpoint.failures === 0) return;
      return await endpoints.change(endpoint.id, { failingSinceMs: null, failures: 0, notBeforeMs: 0 });
    }
    const failure = failures.find(({ isRetryable }) => isRetryable);
    if (!failure) return;
    const nowMs = clock.nowMs();
    const failingSinceMs = endpoint.failingSinceMs ?? nowMs;
    if (nowMs - failingSinceMs >= GIVE_UP_MS)
      return await this.#pause(endpoint, `every attempt for 24 h failed: ${failure.reason}`);
    const count = endpoint.failures + 1;
    const waitMs = Math.max(backoffMs(count), failure.retryAfterMs ?? 0);
    await endpoints.change(endpoint.id, { failingSinceMs, failures: count, notBeforeMs: nowMs + waitMs });
  }

  async #pause(endpoint: StoredEndpoint, reason: string): Promise<void> {
    const { endpoints, outbox, notifyPaused, clock, log } = this.#options;
    await endpoints.change(endpoint.id, { pausedAtMs: clock.nowMs(), pausedReason: reason });
    await outbox.giveUp(endpoint.id, `the endpoint was paused: ${reason}`);
    // Without the reason: it can quote the receiver, and that its address.
    log.info({ endpoint: endpoint.id, channel: endpoint.kind }, 'paused an endpoint of alerts');
    await notifyPaused(endpoint, reason);
  }
}
