import { isoTime } from '../../base/times.ts';
import { type GzipPart, gzipPart } from './shared-gzip.ts';

export type EventKind = 'snapshot' | 'change' | 'heartbeat' | 'end';

interface EventFields {
  kind: EventKind;
  /** JSON in one line. */
  data: string;
  /** The snapshot that the client has after this event; its time is the event's id. */
  asOfMs?: number;
  /** How long a client waits before it connects again. */
  retryMs?: number;
}

/** A server-sent event. Every client that gets it is sent the same bytes, which are made once. */
export class StreamEvent {
  readonly kind: EventKind;
  readonly plain: Buffer;
  #gzip: GzipPart | null = null;

  constructor({ kind, data, asOfMs, retryMs }: EventFields) {
    this.kind = kind;
    const id = asOfMs === undefined ? '' : `id: ${isoTime(asOfMs)}\n`;
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.plain = Buffer.from(`event: ${kind}\n${id}${retry}data: ${data}\n\n`);
  }

  get gzip(): GzipPart {
    this.#gzip ??= gzipPart(this.plain);
    return this.#gzip;
  }
}
