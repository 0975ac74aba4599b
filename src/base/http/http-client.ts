import { Agent, request } from 'undici';
import { linkedAbort } from '../async/linked-abort.ts';
import { systemClock } from '../clock.ts';
import { printable } from '../printable.ts';
import { TooLarge, unpacked } from './bounded-body.ts';
import { ConfirmableReplies } from './confirmable-replies.ts';
import { unquoteShortDecimals } from './short-decimals.ts';

/** Why a call to a venue failed, by what an operator can do about it. */
type CallFailure = 'timeout' | 'network' | 'status' | 'not-json' | 'bad-reply';

export class CallError extends Error {
  readonly failure: CallFailure;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    failure: CallFailure,
    message: string,
    status: number | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.failure = failure;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  /** Sent as a JSON body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The start of the name of a header that states the pause after a refusal, besides Retry-After; in lower case. */
  retryAfterHeader?: string;
  /** The same address is requested again and again, so the request asks whether its last reply still holds. */
  isRepeated?: boolean;
  /** The reply is an order book: its short decimals are parsed as numbers, also where the venue writes them as texts. */
  isBook?: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
}

interface JsonReply {
  payload: unknown;
  /** How long a cache between the server and us has held the reply (`Age`); 0 where none says so. */
  ageMs: number;
  /** The size of the body as it was received; 0 if the server confirmed its last reply. */
  receivedBytes: number;
}

/** No venue's reply comes near this size, compressed or not; a larger one is an error. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export interface HttpClient {
  json(call: HttpCall): Promise<JsonReply>;
  close(): Promise<void>;
}

/** Sent with every call and every socket, because some venues answer 403 without one. */
export const USER_AGENT = 'perpwire';

export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAliveTimeout: 30_000, connections: 8, maxResponseSize: MAX_REPLY_BYTES });
  const replies = new ConfirmableReplies();
  return { json: (call) => callJson(agent, replies, call), close: () => agent.destroy() };
}

const NOT_MODIFIED = 304;

async function callJson(agent: Agent, replies: ConfirmableReplies, call: HttpCall): Promise<JsonReply> {
  const linked = linkedAbort(call.signal);
  let isTimeUp = false;
  const timer = setTimeout(() => {
    isTimeUp = true;
    linked.abort();
  }, call.timeoutMs);
  let status: number;
  let content: Uint8Array;
  let headers: Headers;
  let receivedBytes: number;
  try {
    const reply = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      signal: linked.signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        'user-agent': USER_AGENT,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.isRepeated ? replies.conditions(call.url) : {}),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    status = reply.statusCode;
    headers = reply.headers;
    const body = { bytes: await reply.body.bytes(), encoding: String(headers['content-encoding']) };
    receivedBytes = body.bytes.length;
    const confirmed = status === NOT_MODIFIED ? replies.confirmed(call.url) : null;
    content = await unpacked(confirmed ?? body, MAX_REPLY_BYTES);
    if (confirmed) status = 200;
    else if (call.isRepeated && status === 200) replies.put(call.url, headers, body);
  } catch (error) {
    if (call.signal?.aborted) throw error;
    if (isTimeUp) throw new CallError('timeout', `no reply within ${call.timeoutMs} ms`);
    if (error instanceof TooLarge) throw new CallError('bad-reply', error.message);
    throw new CallError('network', networkCause(error));
  } finally {
    clearTimeout(timer);
    linked.release();
  }
  if (status < 200 || status > 299) {
    throw new CallError(
      'status',
      `HTTP ${status}: ${causeIn(UTF_8.decode(content))}`,
      status,
      statedPauseSeconds(headers, call.retryAfterHeader),
    );
  }
  if (call.isBook) unquoteShortDecimals(content);
  const text = UTF_8.decode(content);
  try {
    return { payload: JSON.parse(text), ageMs: ageMsOf(headers.age), receivedBytes };
  } catch {
    throw new CallError('not-json', `the reply is not JSON: ${printable(text.slice(0, 60))}`, status);
  }
}

/** The start of an error's body; of a web page only its words, because the cause is behind its head. */
function causeIn(text: string): string {
  if (!text.trimStart().startsWith('<')) return printable(text.slice(0, 120));
  const words = text.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ').replaceAll(/\s+/g, ' ');
  return printable(words.trim().slice(0, 240));
}

const UTF_8 = new TextDecoder();

function networkCause(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message || 'the connection failed'}`;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function ageMsOf(header: string | string[] | undefined): number {
  const value = Array.isArray(header) ? header[0] : header;
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0;
}

/** The longest pause that the reply demands, in Retry-After or in a header of the venue's own. */
function statedPauseSeconds(headers: Headers, ownHeader: string | undefined): number | null {
  const stated = Object.entries(headers)
    .filter(([name]) => name === 'retry-after' || (ownHeader !== undefined && name.startsWith(ownHeader)))
    .map(([, value]) => retryAfterSeconds(value))
    .filter((seconds) => seconds !== null);
  return stated.length === 0 ? null : Math.max(...stated);
}

/** 2001. No venue demands a pause of thirty years. */
const LEAST_UNIX_SECONDS = 1e9;

/** Retry-After in seconds, as an HTTP date, or, against the standard, as a Unix time in seconds or milliseconds (BTSE). */
function retryAfterSeconds(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  const number = /^\d+$/.test(value) ? Number(value) : null;
  if (number !== null && number < LEAST_UNIX_SECONDS) return number;
  const atMs =
    number === null ? Date.parse(value) : number < LEAST_UNIX_SECONDS * 1000 ? number * 1000 : number;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - systemClock.nowMs()) / 1000));
}
