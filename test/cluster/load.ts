import { get } from './deployment.ts';

export interface Outcome {
  status: number | 'refused';
  path: string;
  text: string;
}

const REFUSED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

interface LoadOptions {
  /** Base URLs; may change at any time. */
  targets: () => readonly string[];
  keys: readonly string[];
  /** Requests per second of all clients together. */
  perSecond: number;
  random: () => number;
  /** Whether to request history too, which needs the database. */
  withHistory?: boolean;
}

/** Clients that page across processes, repeat requests with ETags and call various endpoints. */
export class Load {
  /** Requests answered 200, by key: each was counted. */
  readonly counted = new Map<string, number>();
  readonly sent = new Map<string, number>();
  readonly statuses = new Map<string, number>();
  readonly wrong: Outcome[] = [];
  /** Every listing row that a client saw, by its unchanging fields. */
  readonly listings = new Map<string, string>();
  /** The newest as_of of /funding that a client saw, and when. */
  newestAsOf = '';
  readonly #options: LoadOptions;
  #isStopping = false;
  #clients: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Requests answered 200, of all keys. */
  get answered(): number {
    return this.counted.values().reduce((sum, count) => sum + count, 0);
  }

  start(clients = 6): void {
    const everyMs = (1000 * clients) / this.#options.perSecond;
    for (let i = 0; i < clients; i++) this.#clients.push(this.#client(i, everyMs));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
  }

  async #client(number: number, everyMs: number): Promise<void> {
    const { keys, random } = this.#options;
    const key = keys[number % keys.length] ?? '';
    let cursorPath: string | null = null;
    const etags = new Map<string, string>();
    while (!this.#isStopping) {
      const startedMs = performance.now();
      const path: string = cursorPath ?? this.#path(random());
      const etag = cursorPath === null && random() < 0.3 ? etags.get(path) : undefined;
      const reply = await this.#ask(path, key, etag);
      cursorPath = null;
      if (reply?.etag) etags.set(path, reply.etag);
      const next = reply?.body.meta?.next_cursor;
      if (next !== undefined && random() < 0.7) {
        const base = path.replace(/&cursor=.*$/, '');
        cursorPath = `${base}&cursor=${next}`;
      }
      const restMs = everyMs - (performance.now() - startedMs);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  #path(share: number): string {
    if (share < 0.35) return '/api/v1/funding?limit=25';
    if (share < 0.55) return '/api/v1/spreads?limit=25';
    if (share < 0.75) return '/api/v1/listings?limit=100';
    if (share < 0.9 || !this.#options.withHistory) return '/api/v1/coins?limit=10';
    return '/api/v1/funding/history?coin=BTC&days=2';
  }

  async #ask(path: string, key: string, etag: string | undefined) {
    const { targets, random } = this.#options;
    const all = targets();
    const target = all[Math.floor(random() * all.length)] ?? '';
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    try {
      const reply = await get(target, path, key, etag === undefined ? {} : { 'if-none-match': etag });
      this.#note(reply.status, path, reply.text);
      if (reply.status !== 200) return null;
      this.counted.set(key, (this.counted.get(key) ?? 0) + 1);
      if (path.startsWith('/api/v1/listings')) this.#noteListings(reply.body.data);
      if (path === '/api/v1/funding?limit=25' && reply.body.meta.as_of > this.newestAsOf)
        this.newestAsOf = reply.body.meta.as_of;
      return reply;
    } catch (error) {
      const code = codeOf(error);
      if (REFUSED.has(code)) this.#note('refused', path, '');
      else this.wrong.push({ status: 'refused', path, text: `${code} ${String(error)}` });
      return null;
    }
  }

  #note(status: number | 'refused', path: string, text: string): void {
    this.statuses.set(String(status), (this.statuses.get(String(status)) ?? 0) + 1);
    if (![200, 304, 429, 'refused'].includes(status))
      this.wrong.push({ status, path, text: text.slice(0, 300) });
  }

  #noteListings(rows: readonly Record<string, unknown>[]): void {
    for (const row of rows) this.listings.set(listingId(row), String(row.detected_at));
  }
}

/** Checks that a row keeps its detection time and that no two rows share one. */
export function listingId(row: Record<string, unknown>): string {
  return `${row.detected_at} ${row.exchange} ${row.symbol} ${row.kind}`;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}

/** The same numbers in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
