import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamAdmission } from '../../operations/entrance.ts';
import type { StreamedOperation } from '../../operations/operation.ts';
import type { RawValues } from '../../query/parameter.ts';
import { GZIP_HEADER, GzipTrailer } from './shared-gzip.ts';
import type { StreamEvent } from './stream-event.ts';

/** The most bytes that wait for a client. A client that reads more slowly misses events and then gets a snapshot. */
export const MAX_WAITING_BYTES = 1024 * 1024;
/** How long the last event may take to reach a slow client before the connection is cut. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface ConnectionOptions {
  response: ServerResponse;
  isGzip: boolean;
  requestId: string;
  operation: StreamedOperation;
  admission: StreamAdmission;
  raw: RawValues;
  /** Frees the place of the stream in the plan's limit. */
  release: () => void;
}

/** One client of a stream. */
export class StreamConnection {
  readonly requestId: string;
  readonly operation: StreamedOperation;
  readonly raw: RawValues;
  admission: StreamAdmission;
  /** The snapshot that the client has; null if it has none and needs a whole one. */
  asOfMs: number | null = null;
  /** Since when events were left out because the client reads too slowly; null if it keeps up. */
  behindSinceMs: number | null = null;
  /** By the monotonic clock. */
  paidUntilMs = 0;
  checkDueMs = 0;
  isChecking = false;
  isEnded = false;
  readonly #response: ServerResponse;
  readonly #release: () => void;
  readonly #trailer: GzipTrailer | null;

  constructor(options: ConnectionOptions) {
    this.#response = options.response;
    this.requestId = options.requestId;
    this.operation = options.operation;
    this.admission = options.admission;
    this.raw = options.raw;
    this.#release = options.release;
    this.#trailer = options.isGzip ? new GzipTrailer() : null;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', () => {
      this.isEnded = true;
      this.#release();
      listener();
    });
  }

  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** Whether the connection is lost, so that its `close` has been emitted or will be without our doing. */
  get isLost(): boolean {
    return this.#response.destroyed;
  }

  /** Sends the headers. Gzip starts with its own, so that a client sees the stream open before the first event. */
  start(headers: readonly string[]): void {
    // The end of the connection is the end of the body: events need no chunk framing, and all clients get the same bytes.
    this.#response.removeHeader('transfer-encoding');
    this.#response.writeHead(200, [...headers]);
    if (this.#trailer) this.#response.write(GZIP_HEADER);
    else this.#response.flushHeaders();
  }

  /** False if the event was left out because too much is waiting. */
  send(event: StreamEvent): boolean {
    if (this.isEnded) return true;
    const bytes = this.#trailer ? event.gzip.bytes : event.plain;
    const waiting = this.waitingBytes;
    if (waiting > 0 && waiting + bytes.length > MAX_WAITING_BYTES) return false;
    this.#trailer?.add(event.gzip);
    this.#response.write(bytes);
    return true;
  }

  /** Sends the last event and closes the connection. */
  end(event: StreamEvent): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#trailer?.add(event.gzip);
    const bytes = this.#trailer ? Buffer.concat([event.gzip.bytes, this.#trailer.bytes()]) : event.plain;
    this.#response.end(bytes);
    const timer = setTimeout(() => this.cut(), CLOSE_TIMEOUT_MS).unref();
    this.#response.once('close', () => clearTimeout(timer));
  }

  cut(): void {
    this.#response.destroy();
  }
}

/** The time that `Last-Event-ID` names; null if there is none or it is none of ours. */
export function lastEventMs({ headers }: IncomingMessage): number | null {
  const id = headers['last-event-id'];
  if (typeof id !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(id)) return null;
  const timeMs = Date.parse(id);
  return Number.isNaN(timeMs) ? null : timeMs;
}
