import type { PageViews } from '../../accounts/attempts/page-views.ts';
import type {
  Authenticate,
  Authentication,
  KeyRefusal,
  LookAgain,
} from '../../accounts/keys/authenticate.ts';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { RejectedKeys } from '../../accounts/keys/rejected-keys.ts';
import { MemoryOpenStreams, type OpenStreams } from '../../accounts/streams/memory.ts';
import type { Counted, WindowStates, Windows } from '../../accounts/windows/windows.ts';
import type { Clock } from '../../base/clock.ts';
import { Problem } from '../../base/problems.ts';
import { type RawValues, readParameters, sentInOrder } from '../../query/parameter.ts';
import type { Answer } from '../answer/answer.ts';
import type { AnyOperation, DataSources, OperationContext, StreamedOperation } from '../operation.ts';
import { SnapshotNotHeld } from '../snapshots.ts';
import { withAccountFees } from '../taker-fees.ts';
import type { Admission, GrantFinding, StreamAdmission, StreamedList } from './admission.ts';
import { FreeAnswers } from './free-answers.ts';
import {
  addressBlocked,
  apiDisabled,
  grantRefused,
  keyMissing,
  keyRefused,
  pagesSpent,
  type RateHeaders,
  rateHeaders,
  scopeMissing,
  streamsSpent,
  tokenRefused,
  windowSpent,
  withoutDatabase,
} from './refusals.ts';

export interface EntranceOptions {
  authenticate: Authenticate;
  /** Looks an unknown key up in the database; absent or null for a single process. */
  authenticateAgain?: ((keyText: string) => Promise<Authentication>) | null;
  /** Whether a text that is no key is an access token, which works elsewhere; absent: none is. */
  isAccessToken?: (text: string) => boolean | Promise<boolean>;
  /** Reloads a caller whose key another process has changed; only shared windows need it. */
  lookAgain?: LookAgain;
  windows: Windows;
  rejectedKeys: RejectedKeys;
  /** Absent: streams are counted in memory. */
  openStreams?: OpenStreams;
  /** Absent: pages do not count. */
  pageViews?: PageViews;
  clock: Clock;
  baseUrl: string;
  isApiEnabled: boolean;
  data: DataSources;
}

/**
 * Every door calls operations through this class. It checks in this order: API enabled, key, rejected-key guard, scope,
 * minute window, month window, then parameters, plan limits and snapshot. A request counts once key and scope are valid.
 */
export class Entrance {
  readonly #options: EntranceOptions;
  readonly #freeAnswers = new FreeAnswers();
  readonly #openStreams: OpenStreams;

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#openStreams = options.openStreams ?? new MemoryOpenStreams();
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get data(): DataSources {
    return this.#options.data;
  }

  /** Throws 503 if the operator has disabled the API. */
  refuseDisabled(): void {
    if (!this.#options.isApiEnabled) throw apiDisabled();
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The caller of a key. Throws 401, or 429 for an address that sent too many wrong keys. */
  async identify(keyText: string | null, address: string): Promise<Caller> {
    const { authenticate, authenticateAgain, isAccessToken } = this.#options;
    this.refuseDisabled();
    if (keyText === null) {
      this.#refuseBlocked(address);
      throw keyMissing();
    }
    let known = authenticate(keyText);
    if (!known.ok && known.reason === 'unknown' && authenticateAgain)
      known = await authenticateAgain(keyText);
    if (!known.ok && known.reason === 'not-a-key') {
      // An access token is no guess, so it does not count. Other texts do, so a stranger causes few look-ups.
      this.#refuseBlocked(address);
      if (await isAccessToken?.(keyText)) throw tokenRefused(this.baseUrl);
    }
    if (!known.ok) return await this.#refuseKey(known.reason, address);
    this.#refuseBlocked(address);
    return known.caller;
  }

  async #refuseKey(reason: KeyRefusal, address: string): Promise<never> {
    const block = await this.#options.rejectedKeys.noteWrong(address);
    throw block ? addressBlocked(block.retryAfterSeconds) : keyRefused(reason);
  }

  /**
   * The caller of an access token. `find` asks the authorization server, and is not called for a blocked address. Throws
   * as `identify` does.
   */
  async identifyGrant(find: () => Promise<GrantFinding>, address: string): Promise<Caller> {
    this.refuseDisabled();
    this.#refuseBlocked(address);
    const found = await find();
    if (typeof found === 'object') return found;
    if (found === 'unknown') await this.#options.rejectedKeys.noteWrong(address);
    this.#refuseBlocked(address);
    throw grantRefused(found);
  }

  /** Checks the scope and counts the request. */
  async admit(operation: Pick<AnyOperation, 'scope'>, caller: Caller): Promise<Admission> {
    await this.checkScope(operation, caller);
    return await this.#count(caller, windowSpent);
  }

  /** Throws 403 if the key does not have the scope. */
  async checkScope({ scope }: Pick<AnyOperation, 'scope'>, caller: Caller): Promise<void> {
    if (scope === null || caller.scopes.includes(scope)) return;
    throw scopeMissing(scope, caller.scopes, await this.#options.windows.read(caller));
  }

  async #count(caller: Caller, refusal: typeof windowSpent): Promise<Admission> {
    const take = await this.#options.windows.take(caller);
    if ('states' in take) return admitted(caller, take, refusal);
    const found = take.spent === 'outdated' ? this.#options.lookAgain?.(caller) : null;
    if (found?.ok) return await this.#count(found.caller, refusal);
    throw keyRefused(found?.reason ?? 'revoked');
  }

  /** The page views that are free for each account and minute; null if pages do not count. */
  get freePagesPerMinute(): number | null {
    return this.#options.pageViews?.freePerMinute ?? null;
  }

  /** Counts a page of a signed-in user. Null: it is free. Beyond the free pages it is a request like any other. */
  async admitPage(caller: Caller): Promise<Admission | null> {
    const { pageViews } = this.#options;
    if (!pageViews || (await pageViews.isFree(caller.accountId))) return null;
    const { freePerMinute } = pageViews;
    return await this.#count(caller, (...spent) => pagesSpent(freePerMinute, ...spent));
  }

  /** The rate limit headers of a caller whose request does not count. */
  async rateHeadersOf(caller: Caller): Promise<RateHeaders> {
    return rateHeaders(await this.#options.windows.read(caller));
  }

  /** The same for a key; none if it is not valid, or if its address may not learn whether it is. */
  async rateHeadersOfKey(keyText: string, address: string): Promise<Partial<RateHeaders>> {
    try {
      return await this.rateHeadersOf(await this.identify(keyText, address));
    } catch (error) {
      if (error instanceof Problem) return {};
      throw error;
    }
  }

  /** Refunds a request that was answered with 304, unless too many such answers had to be computed in this minute. */
  async refundUnchanged(admission: Admission, isComputed: boolean): Promise<WindowStates> {
    const { caller, states } = admission;
    const isFree = !isComputed || this.#freeAnswers.take(caller, this.clock.nowMs());
    return isFree ? await this.refund(admission) : states;
  }

  /** Refunds a request that was answered with 304 or 503. */
  async refund(admission: Admission): Promise<WindowStates> {
    return await this.#options.windows.refund(admission.receipt);
  }

  async run(operation: AnyOperation, caller: Caller, states: WindowStates, raw: RawValues): Promise<Answer> {
    const sent = withAccountFees(operation, caller, raw);
    const values = readParameters(operation.parameters, sent);
    const context = this.#context(caller, states, sent, operation);
    try {
      return await operation.run(values, context);
    } catch (error) {
      return await this.#runAgain(error, operation, values, context).catch(withoutDatabase);
    }
  }

  /** Once more with a snapshot that this process did not hold, but could fetch. */
  async #runAgain(
    error: unknown,
    operation: AnyOperation,
    values: Parameters<AnyOperation['run']>[0],
    context: OperationContext,
  ): Promise<Answer> {
    const isHeld = error instanceof SnapshotNotHeld && (await error.fetch());
    if (!isHeld) throw error;
    return await operation.run(values, context);
  }

  /** The list that a stream follows. Throws the problems of its parameters. */
  streamedList(operation: StreamedOperation, admission: StreamAdmission, raw: RawValues): StreamedList {
    const { caller, states } = admission;
    const { stream } = operation;
    const sent = withAccountFees(operation, caller, raw);
    const values = readParameters(stream.parameters, sent);
    const context = this.#context(caller, states, sent, stream);
    const current = () => ({ ...context, nowMs: this.clock.nowMs() });
    return {
      key: `${caller.plan.name} ${operation.id} ${JSON.stringify([...context.sent])}`,
      newestAsOfMs: () => stream.newestAsOfMs(values, current()),
      pageAt: (asOfMs) => stream.pageAt(asOfMs, values, current()),
      matchesAt: (asOfMs) => stream.matchesAt(asOfMs, values, current()),
      // Without the database a client that resumes gets a whole snapshot.
      fetch: (asOfMs) => stream.fetch(asOfMs, values, current()).catch(() => false),
    };
  }

  /** Counts an open stream of the caller until the returned function is called. Throws 429 beyond the plan. */
  async openStream({ slotId, plan }: Caller): Promise<() => void> {
    if (!(await this.#openStreams.open(slotId, plan.streamCount))) throw streamsSpent(plan);
    return () => this.#openStreams.close(slotId);
  }

  /** Counts on the month window only: a started minute of an open stream, or a file. Throws if the key may not go on. */
  async countOnMonth(caller: Caller): Promise<void> {
    const { windows, lookAgain } = this.#options;
    const take = await windows.takeMonth(caller);
    if (take.allowed) return;
    if ('states' in take) throw windowSpent(caller.plan, take.spent, take.retryAfterSeconds, take.states);
    const found = take.spent === 'outdated' ? lookAgain?.(caller) : null;
    if (!found?.ok) throw keyRefused(found?.reason ?? 'revoked');
    await this.countOnMonth(found.caller);
  }

  /** The caller of an open stream as it is now. Throws if its key or account may no longer read the operation. */
  async recheck({ scope }: AnyOperation, caller: Caller): Promise<Caller> {
    const found = this.#options.lookAgain?.(caller);
    if (!found) return caller;
    if (!found.ok) throw keyRefused(found.reason);
    const { scopes } = found.caller;
    if (scope === null || scopes.includes(scope)) return found.caller;
    throw scopeMissing(scope, scopes, await this.#options.windows.read(caller));
  }

  /** The freshness that a cached answer must have to be valid; null if answers are not cached. */
  freshness(operation: AnyOperation, caller: Caller): number | null {
    const { data, clock } = this.#options;
    return operation.freshness?.(data, caller.plan.delaySeconds, clock.nowMs()) ?? null;
  }

  #context(
    caller: Caller,
    states: WindowStates,
    sent: RawValues,
    operation: Pick<AnyOperation, 'parameters'>,
  ): OperationContext {
    const { baseUrl, clock, data } = this.#options;
    // In the operation's order, so that one query has one page address.
    const known = sentInOrder(operation.parameters, sent);
    return { baseUrl, nowMs: clock.nowMs(), plan: caller.plan, caller, states, data, sent: known };
  }

  #refuseBlocked(address: string): void {
    const block = this.#options.rejectedKeys.blockOf(address);
    if (!block) return;
    throw addressBlocked(block.retryAfterSeconds);
  }
}

function admitted(caller: Caller, take: Counted, refusal: typeof windowSpent): Admission {
  if (take.allowed) return { caller, states: take.states, receipt: take.receipt };
  throw refusal(caller.plan, take.spent, take.retryAfterSeconds, take.states);
}
