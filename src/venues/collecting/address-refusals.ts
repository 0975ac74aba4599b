import type { Clock } from '../../base/clock.ts';
import { CallError } from '../../base/http/http-client.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Venue } from '../venue.ts';

/** How long a host that refuses this address is left alone. */
export const REFUSED_RETRY_MS = 30 * MINUTE_MS;
/** A host that has answered lately must refuse this many calls in a row: one 403 may be about one call. */
const REFUSALS_AFTER_AN_ANSWER = 3;
const LATELY_MS = 10 * MINUTE_MS;
/** While one call tries the host again, the others wait for its outcome. */
const TRIAL_MS = MINUTE_MS;

const FORBIDDEN = 403;
const LEGAL_REASONS = 451;
const NAMES_A_PLACE = /\b(?:countr(?:y|ies)|regions?|jurisdictions?|locations?|territor(?:y|ies)|geo)/i;

/** Whether a status refuses callers from some regions, and not this one call or too many calls. */
export function isAddressRefusal(
  status: number | null,
  message: string,
  { pauseAfterStatus }: Pick<Venue, 'pauseAfterStatus'>,
): boolean {
  if (status === LEGAL_REASONS) return true;
  // Some venues answer 403 to too many requests. Only a text that names a place says otherwise there.
  return status === FORBIDDEN && (pauseAfterStatus?.[FORBIDDEN] === undefined || NAMES_A_PLACE.test(message));
}

export function refusalText(cause: string): string {
  return `refuses this address: ${cause}`;
}

interface Host {
  lastGoodAtMs: number;
  refusalsInARow: number;
  /** What calls fail with while the host is left alone; null if it does not refuse this address. */
  cause: CallError | null;
  retryAtMs: number;
}

/** Which hosts of a venue refuse this address. After a long pause one call tries such a host again; others fail at once. */
export class AddressRefusals {
  readonly #venue: Venue;
  readonly #clock: Clock;
  readonly #hosts = new Map<string, Host>();

  constructor(venue: Venue, clock: Clock) {
    this.#venue = venue;
    this.#clock = clock;
  }

  /** True if every host that was called refuses this address. */
  get refusesAll(): boolean {
    return this.#hosts.size > 0 && [...this.#hosts.values()].every((host) => host.cause !== null);
  }

  /** Milliseconds until the host that caused this error is tried again; 0 for other errors. */
  pauseMsAfter(error: unknown): number {
    const host = [...this.#hosts.values()].find(({ cause }) => cause !== null && cause === error);
    return host ? Math.max(0, host.retryAtMs - this.#clock.nowMs()) : 0;
  }

  /** Call it before a request. Throws while the host is left alone. */
  admit(name: string): void {
    const host = this.#host(name);
    const nowMs = this.#clock.nowMs();
    if (host.cause === null) return;
    if (nowMs < host.retryAtMs) throw host.cause;
    host.retryAtMs = nowMs + TRIAL_MS;
  }

  succeeded(name: string): void {
    const host = this.#host(name);
    host.lastGoodAtMs = this.#clock.nowMs();
    host.refusalsInARow = 0;
    host.cause = null;
  }

  /** Takes the error of a request and returns the one to throw. */
  failed(name: string, error: unknown): unknown {
    if (!(error instanceof CallError) || error.retryAfterSeconds !== null) return error;
    if (!isAddressRefusal(error.status, error.message, this.#venue)) return error;
    const host = this.#host(name);
    const nowMs = this.#clock.nowMs();
    host.refusalsInARow++;
    const answeredLately = nowMs - host.lastGoodAtMs <= LATELY_MS;
    if (answeredLately && host.refusalsInARow < REFUSALS_AFTER_AN_ANSWER) return error;
    host.cause = new CallError('status', refusalText(error.message), error.status);
    host.retryAtMs = nowMs + REFUSED_RETRY_MS;
    return host.cause;
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (!host) {
      host = { lastGoodAtMs: Number.NEGATIVE_INFINITY, refusalsInARow: 0, cause: null, retryAtMs: 0 };
      this.#hosts.set(name, host);
    }
    return host;
  }
}
