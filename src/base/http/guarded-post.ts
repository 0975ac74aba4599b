import { type BlockList, isIP, isIPv6 } from 'node:net';
import { type Agent, request } from 'undici';
import { connectionCause, errorCode } from '../connection-errors.ts';
import { startOf } from './bounded-body.ts';
import { guardedAgent, isPublicAddress } from './guarded-fetch.ts';
import type { HostNames } from './host-names.ts';
import { USER_AGENT } from './http-client.ts';

export interface PostReply {
  status: number;
  /** The start of the body. */
  text: string;
  /** From Retry-After; null if there is none. */
  retryAfterMs: number | null;
}

/** Sends requests to addresses that users supply. */
export interface GuardedPoster {
  /** Null if requests may be sent there, otherwise the reason, written for the user. Names are checked when they are resolved. */
  refusalOf(url: string): string | null;
  /** Follows no redirect. Rejects with a PostError if there is no answer. */
  post(
    url: string,
    message: { headers: Readonly<Record<string, string>>; body: string },
    signal: AbortSignal,
  ): Promise<PostReply>;
  close(): Promise<void>;
}

/** There was no answer. The message is written for the user. */
export class PostError extends Error {}

interface GuardedPosterOptions {
  /** Networks that the operator allows although they are not public. Plain http is allowed only there. */
  allowedNetworks: BlockList;
  /** The time from looking up the name to the end of the answer. */
  timeoutMs: number;
  names: Pick<HostNames, 'addressesOf'>;
}

/** The status is the answer, and a body that never ends must not hold a connection. */
const MAX_READ_BYTES = 4 * 1024;
const MAX_RETRY_AFTER_SECONDS = 3_600;
const NOT_PUBLIC = 'the address must be an https URL on the public internet';

export function createGuardedPoster(options: GuardedPosterOptions): GuardedPoster {
  const { allowedNetworks, timeoutMs, names } = options;
  const isPrivateAllowed = (address: string) =>
    allowedNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const isHttpsAllowed = (address: string) => isPublicAddress(address) || isPrivateAllowed(address);
  const agents = new Set<Agent>();

  const refusalOf = (text: string): string | null => {
    const url = URL.parse(text);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return NOT_PUBLIC;
    if (url.username !== '' || url.password !== '') return 'the address must not contain a password';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isLiteral = isIP(host) !== 0;
    if (isLiteral && isPrivateAllowed(host)) return null;
    const hasAllowedNetworks = allowedNetworks.rules.length > 0;
    if (url.protocol === 'http:') return isLiteral || !hasAllowedNetworks ? NOT_PUBLIC : null;
    if (isLiteral) return isPublicAddress(host) ? null : NOT_PUBLIC;
    if (hasAllowedNetworks) return null;
    return host.includes('.') && !host.endsWith('.') ? null : NOT_PUBLIC;
  };

  return {
    refusalOf,
    post: async (url, { headers, body }, signal) => {
      const refusal = refusalOf(url);
      if (refusal !== null) throw new PostError(refusal);
      const deadline = AbortSignal.timeout(timeoutMs);
      const stop = AbortSignal.any([signal, deadline]);
      const isAllowed = URL.parse(url)?.protocol === 'https:' ? isHttpsAllowed : isPrivateAllowed;
      try {
        // One connection for each message: an idle one would be counted against the receiver and this process.
        const options = { timeoutMs, pipelining: 0 };
        const agent = await guardedAgent({ url, names, isAllowed, signal: stop }, options);
        agents.add(agent);
        try {
          const reply = await request(url, {
            dispatcher: agent,
            method: 'POST',
            signal: stop,
            headers: { 'user-agent': USER_AGENT, ...headers },
            body,
          });
          return {
            status: reply.statusCode,
            text: await startOf(reply.body, MAX_READ_BYTES),
            retryAfterMs: retryAfterMs(reply.headers['retry-after']),
          };
        } finally {
          agents.delete(agent);
          await agent.destroy();
        }
      } catch (error) {
        if (signal.aborted) throw error;
        throw new PostError(deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : causeOf(error));
      }
    },
    close: async () => {
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
}

function retryAfterMs(header: string | string[] | undefined): number | null {
  const seconds = typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : null;
  return seconds === null ? null : Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  const known = connectionCause(error);
  if (known !== null) return known;
  if (errorCode(error)?.startsWith('HPE_') || error.name === 'HTTPParserError')
    return 'the answer is not HTTP';
  return error.message.slice(0, 120) || 'the connection failed';
}
