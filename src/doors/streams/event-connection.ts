import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Spender } from '../http/turns/admission.ts';
import { GZIP_HEADER, GzipTrailer } from './shared-gzip.ts';
import type { StreamEvent } from './stream-event.ts';

/** The most bytes that wait for a client. A client that reads more slowly misses events and then gets a snapshot. */
export const MAX_WAITING_BYTES = 1024 * 1024;
/** How long the last event may take to reach a slow client before the connection is cut. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface EventConnectionOptions {
  response: ServerResponse;
  isGzip: boolean;
  /** Frees the place of the connection in the limit of its reader. */
  release: () => void;
  /** Pays for what is made for the connection. */
  spender: Spender;
}

/** A response of server-sent events. */
export class EventConnection {
  isEnded = false;
  readonly spender: Spender;
  readonly #response: ServerResponse;
  readonly #release: () => void;
  readonly #trailer: GzipTrailer | null;

  constructor({ response, isGzip, release, spender }: EventConnectionOptions) {
    this.spender = spender;
    this.#response = response;
    this.#release = release;
    this.#trailer = isGzip ? new GzipTrailer() : null;
  }

  onClose(listener: () => void): void {
    const close = () => {
      this.isEnded = true;
      this.#release();
      listener();
    };
    // A client that has left while its request was checked: the event was emitted already and does not come again.
    if (this.#response.destroyed) close();
    else this.#response.once('close', close);
  }

  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** Whether the connection is lost, so that its `close` has been emitted or will be without our doing. */
  get isLost(): boolean {
    return this.#response.destroyed;
  }

  /** Sends the headers. Gzip starts with its own, so that a client sees the stream open before the first event. */
  start(headers: OutgoingHttpHeaders | OutgoingHttpHeader[]): void {
    // The end of the connection is the end of the body: events need no chunk framing, and all clients get the same bytes.
    this.#response.removeHeader('transfer-encoding');
    this.#response.writeHead(200, headers);
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
