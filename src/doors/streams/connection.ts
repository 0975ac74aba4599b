import type { IncomingMessage } from 'node:http';
import type { StreamAdmission } from '../../operations/access/admission.ts';
import type { StreamedOperation } from '../../operations/operation.ts';
import type { RawValues } from '../../query/parameter.ts';
import { EventConnection, type EventConnectionOptions } from './event-connection.ts';

interface ConnectionOptions extends EventConnectionOptions {
  requestId: string;
  operation: StreamedOperation;
  admission: StreamAdmission;
  raw: RawValues;
}

/** One client of a stream. */
export class StreamConnection extends EventConnection {
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

  constructor(options: ConnectionOptions) {
    super(options);
    this.requestId = options.requestId;
    this.operation = options.operation;
    this.admission = options.admission;
    this.raw = options.raw;
  }
}

/** The time that `Last-Event-ID` names; null if there is none or it is none of ours. */
export function lastEventMs({ headers }: IncomingMessage): number | null {
  const id = headers['last-event-id'];
  if (typeof id !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(id)) return null;
  const timeMs = Date.parse(id);
  return Number.isNaN(timeMs) ? null : timeMs;
}
