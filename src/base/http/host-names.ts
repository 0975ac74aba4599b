import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { QueueFullError, WorkQueue } from '../async/work-queue.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../times.ts';

/** The addresses of a name were not found. The message is written for the user. */
export class HostNameError extends Error {
  override readonly name = 'HostNameError';
}

interface HostNameOptions {
  clock: Clock;
  /** Replaces the name servers of the machine, as `address:port`. Only tests set it. */
  servers?: readonly string[] | undefined;
  /** Of one look-up; only tests set it. */
  timeoutMs?: number;
}

/** Names that are looked up at the same time, and that wait for it. */
const MAX_RUNNING = 4;
const MAX_WAITING = 100;
const LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
/** Also for names that were not found. */
const CACHED_MS = 30 * SECOND_MS;
const MAX_CACHED = 1_000;
/** RFC 6761: never looked up at a name server. */
const LOCALHOST = /(^|\.)localhost\.?$/;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface Finding {
  found: readonly LookupAddress[] | HostNameError;
  untilMs: number;
}

/**
 * Looks up host names that users supply. `dns.lookup` would occupy one of libuv's few threads for as long as the owner of
 * the name wishes, and the names of venues, files and password hashes would wait behind it. The resolver needs no thread.
 * It asks the name servers only: names of the hosts file and search domains do not exist for it.
 */
export class HostNames {
  readonly #options: HostNameOptions;
  readonly #queue = new WorkQueue({ running: MAX_RUNNING, waiting: MAX_WAITING });
  /** In the order of storing. */
  readonly #known = new Map<string, Finding>();

  constructor(options: HostNameOptions) {
    this.#options = options;
  }

  /** IPv4 addresses first. Rejects with a `HostNameError`, or with the reason of the signal, which ends the look-up. */
  async addressesOf(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    if (LOCALHOST.test(host)) return LOOPBACK;
    try {
      return this.#remembered(host) ?? (await this.#queue.run(() => this.#ask(host, signal), signal));
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new HostNameError('too many host names are being looked up just now');
    }
  }

  #remembered(host: string): readonly LookupAddress[] | null {
    const known = this.#known.get(host);
    if (!known || known.untilMs <= this.#options.clock.monotonicMs()) return null;
    if (known.found instanceof HostNameError) throw known.found;
    return known.found;
  }

  async #ask(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    // Another request for the same name may have been answered while this one waited.
    const remembered = this.#remembered(host);
    if (remembered) return remembered;
    const found = await lookUp(host, signal, this.#options);
    signal.throwIfAborted();
    this.#keep(host, found);
    if (found instanceof HostNameError) throw found;
    return found;
  }

  #keep(host: string, found: Finding['found']): void {
    this.#known.delete(host);
    this.#known.set(host, { found, untilMs: this.#options.clock.monotonicMs() + CACHED_MS });
    const [oldest] = this.#known.size > MAX_CACHED ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Each look-up has a resolver of its own, because cancelling ends all queries of a resolver. */
async function lookUp(
  host: string,
  signal: AbortSignal,
  { servers, timeoutMs = LOOKUP_TIMEOUT_MS }: HostNameOptions,
): Promise<LookupAddress[] | HostNameError> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  // The resolver's own timeout is for each name server, so several could take longer.
  const timer = setTimeout(cancel, timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    return addresses.length > 0 ? addresses : new HostNameError('the host name cannot be resolved');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
