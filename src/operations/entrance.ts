import type { Authenticate, KeyRefusal } from '../accounts/authenticate.ts';
import type { Caller } from '../accounts/directory.ts';
import { isWrongKey, type RejectedKeys } from '../accounts/rejected-keys.ts';
import type { Receipt, Take, WindowStates, Windows } from '../accounts/windows.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/problems.ts';
import { type RawValues, readParameters } from '../query/parameter.ts';
import type { Answer, AnyOperation, DataSources, OperationContext } from './operation.ts';

export interface EntranceOptions {
  authenticate: Authenticate;
  windows: Windows;
  rejectedKeys: RejectedKeys;
  clock: Clock;
  baseUrl: string;
  isApiEnabled: boolean;
  data: DataSources;
}

/** Somebody who may ask, with the request already counted. */
export interface Admission {
  caller: Caller;
  states: WindowStates;
  receipt: Receipt;
}

const REALM = 'Bearer realm="perpwire"';

const REFUSALS: Readonly<Record<KeyRefusal, string>> = {
  malformed: 'The key is mistyped: its checksum does not fit. Copy it again, whole.',
  unknown: 'This key is not known here.',
  revoked: 'This key was revoked. Create a new one.',
  expired: 'This key has expired. Create a new one, or set a later expiry.',
  'rotated-out': 'This key was rotated more than 24 hours ago. Use the new one.',
  'test-key-not-on-loopback': 'A pw_test_ key works only on a loopback address. Use a pw_live_ key.',
};

/**
 * The one way in, for every door: API enabled, key, rejected-key guard, scope, minute window, month window, then
 * parameters, plan limits and snapshot. A request counts once it has passed the key and the scope.
 */
export class Entrance {
  readonly #options: EntranceOptions;

  constructor(options: EntranceOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Who sent the key. Throws 401, or 429 for an address that tried too many. */
  identify(keyText: string | null, address: string): Caller {
    const { authenticate, rejectedKeys, isApiEnabled } = this.#options;
    if (!isApiEnabled)
      throw new Problem('api-disabled', 'The operator of this host has not enabled the API.');
    if (keyText === null) {
      this.#refuseBlocked(address);
      throw new Problem(
        'unauthenticated',
        'Send an API key as "Authorization: Bearer <key>" or in the X-Api-Key header.',
        {
          headers: { 'www-authenticate': REALM },
        },
      );
    }
    const known = authenticate(keyText);
    if (!known.ok && isWrongKey(known.reason)) rejectedKeys.noteWrong(address);
    this.#refuseBlocked(address);
    if (known.ok) return known.caller;
    throw new Problem('unauthenticated', REFUSALS[known.reason], {
      headers: {
        'www-authenticate': `${REALM}, error="invalid_token", error_description="The key is unknown, expired or revoked"`,
      },
    });
  }

  /** Checks the scope and counts the request. Windows in memory answer without a turn of the event loop. */
  admit(operation: AnyOperation, caller: Caller): Admission | Promise<Admission> {
    if (operation.scope !== null && !caller.scopes.includes(operation.scope)) {
      const has = caller.scopes.length === 0 ? 'none' : caller.scopes.join(', ');
      throw new Problem(
        'scope-missing',
        `This endpoint needs the scope ${operation.scope}; the key has: ${has}.`,
        {
          headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${operation.scope}"` },
        },
      );
    }
    const take = this.#options.windows.take(caller);
    return take instanceof Promise ? take.then((taken) => admitted(caller, taken)) : admitted(caller, take);
  }

  /** Gives the request back: nothing new was sent (304), or nothing could be (503). */
  refund(admission: Admission): WindowStates | Promise<WindowStates> {
    return this.#options.windows.refund(admission.receipt);
  }

  run(operation: AnyOperation, caller: Caller, states: WindowStates, sent: RawValues): Answer {
    const values = readParameters(operation.parameters, sent);
    return operation.run(values, this.#context(caller, states, sent, operation));
  }

  /** What a kept answer must have been made from to be still good; null when nothing is kept. */
  freshness(operation: AnyOperation, caller: Caller): number | null {
    const { data, clock } = this.#options;
    return operation.freshness?.(data, caller.plan.delaySeconds, clock.nowMs()) ?? null;
  }

  #context(caller: Caller, states: WindowStates, sent: RawValues, operation: AnyOperation): OperationContext {
    const { baseUrl, clock, data } = this.#options;
    const known = new Map([...sent].filter(([name]) => operation.parameters[name]?.in === 'query'));
    return { baseUrl, nowMs: clock.nowMs(), plan: caller.plan, caller, states, data, sent: known };
  }

  #refuseBlocked(address: string): void {
    const block = this.#options.rejectedKeys.blockOf(address);
    if (!block) return;
    throw new Problem(
      'rate-limited',
      `Too many wrong keys came from this address. Wait ${block.retryAfterSeconds} s.`,
      {
        headers: { 'retry-after': String(block.retryAfterSeconds) },
      },
    );
  }
}

function admitted(caller: Caller, take: Take): Admission {
  if (take.allowed) return { caller, states: take.states, receipt: take.receipt };
  const headers = { 'retry-after': String(take.retryAfterSeconds), ...rateHeaders(take.states) };
  const { plan } = caller;
  if (take.spent === 'minute') {
    throw new Problem(
      'rate-limited',
      `The ${plan.title} plan allows ${plan.requestsPerMinute} requests a minute; wait ${take.retryAfterSeconds} s.`,
      { headers },
    );
  }
  throw new Problem(
    'quota-exhausted',
    `The ${plan.title} plan allows ${plan.requestsPerMonth} requests a month; it resets on the 1st at 00:00 UTC.`,
    { headers },
  );
}

const MINUTE_SECONDS = 60;
const MONTH_SECONDS = 2_592_000;

/** The IETF fields exactly as the contract prints them, and the older X- ones for the minute window. */
export function rateHeaders({ minute, month }: WindowStates): Record<string, string> {
  return {
    'ratelimit-policy': `minute;q=${minute.limit};w=${MINUTE_SECONDS}, month;q=${month.limit};w=${MONTH_SECONDS}`,
    ratelimit: `minute;r=${minute.remaining};t=${minute.resetSeconds}, month;r=${month.remaining};t=${month.resetSeconds}`,
    'x-ratelimit-limit': String(minute.limit),
    'x-ratelimit-remaining': String(minute.remaining),
    'x-ratelimit-reset': String(Math.ceil(minute.resetsAtMs / 1000)),
  };
}
