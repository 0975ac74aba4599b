import { PerpwireError, problemError } from './errors.ts';
import { type FollowedList, FollowedRows, type Row } from './followed-rows.ts';
import type { Meta } from './generated.ts';
import type { Params, PerpwireOptions, StreamOptions, StreamUpdate } from './request.ts';
import { failureOf, pause, retryDelayMs } from './retry.ts';
import { EventParser, type ServerSentEvent } from './server-sent-events.ts';
import { DEFAULT_RETRIES, type Transport } from './transport.ts';

/** The service sends a heartbeat every 15 seconds. */
const DEFAULT_MAX_SILENCE_MS = 40_000;

export interface StreamSource {
  /** Below /api/v1, with its query. */
  path: string;
  params: Params;
  list: FollowedList;
  rowsField: string | null;
}

type Update = StreamUpdate<Row, Row, Row>;

/** The service closed the stream because it restarts; the client connects again. */
class Restart extends Error {}

/** Follows a list, and connects again with the id of the last event whenever the connection ends. */
export async function* follow(
  transport: Transport,
  source: StreamSource,
  options: StreamOptions<Row, Row>,
): AsyncGenerator<Update, void, undefined> {
  const { signal, resumeFrom, onReconnect, maxReconnects = Number.POSITIVE_INFINITY } = options;
  const reader = new UpdateReader(source, resumeFrom);
  let hasStarted = false;
  let retryMs: number | null = null;
  for (let tries = 0; ; tries++) {
    let failure: PerpwireError | null;
    try {
      for await (const event of eventsOf(transport, source.path, reader.id, options)) {
        hasStarted = true;
        tries = 0;
        retryMs = event.retryMs ?? retryMs;
        if (event.kind === 'end') throw endOf(event.data);
        const update = reader.read(event);
        if (update) yield update;
      }
      failure = new PerpwireError('unreachable', 'The connection ended');
    } catch (error) {
      signal?.throwIfAborted();
      failure = error instanceof Restart ? null : failureOf(error);
    }
    const delayMs = reconnectDelayMs(failure, tries, retryMs, transport.options);
    const { maxRetries = DEFAULT_RETRIES } = transport.options;
    if (delayMs === null || tries >= (hasStarted ? maxReconnects : maxRetries)) throw failure;
    onReconnect?.({ error: failure, delayMs });
    await pause(delayMs, signal);
  }
}

/** A restart is waited for as long as the service says; a failure as with every request. */
function reconnectDelayMs(
  failure: PerpwireError | null,
  tries: number,
  retryMs: number | null,
  options: PerpwireOptions,
): number | null {
  if (failure === null) return (retryMs ?? 0) * (1 + Math.random() / 2);
  return retryDelayMs(failure, tries, options, retryMs ?? undefined);
}

/** What an `end` event means: a restart, or the error that ended the stream. */
function endOf(data: string): Error {
  const { problem, retry_after_seconds: seconds } = JSON.parse(data) as {
    problem: unknown;
    retry_after_seconds: number | null;
  };
  if (problem === null) return new Restart();
  const unknown = new PerpwireError('unexpected-answer', 'The stream ended without a problem body');
  return problemError(problem, { retryAfterSeconds: seconds ?? undefined }) ?? unknown;
}

/** The events of one connection, until it ends or is silent for too long. */
async function* eventsOf(
  transport: Transport,
  path: string,
  lastId: string,
  { signal, maxSilenceMs = DEFAULT_MAX_SILENCE_MS }: StreamOptions<Row, Row>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const connection = new AbortController();
  const silence = () =>
    setTimeout(
      () => connection.abort(new DOMException('The stream is silent', 'TimeoutError')),
      maxSilenceMs,
    );
  let timer = silence();
  try {
    const response = await transport.open(
      path,
      lastId === '' ? {} : { 'last-event-id': lastId },
      signal ? AbortSignal.any([signal, connection.signal]) : connection.signal,
    );
    const pieces = response.body?.getReader();
    const parser = new EventParser();
    const decoder = new TextDecoder();
    for (;;) {
      const piece = await pieces?.read();
      clearTimeout(timer);
      if (!piece || piece.done) return;
      yield* parser.push(decoder.decode(piece.value, { stream: true }));
      timer = silence();
    }
  } finally {
    clearTimeout(timer);
    connection.abort();
  }
}

/** Turns the events of a stream into updates, over all its connections. */
class UpdateReader {
  readonly #rowsField: string | null;
  readonly #followed: FollowedRows;
  #fields: Row;
  id: string;

  constructor({ list, params, rowsField }: StreamSource, from: StreamOptions<Row, Row>['resumeFrom']) {
    this.#rowsField = rowsField;
    this.#followed = new FollowedRows(list, params.sort, from?.rows ?? []);
    this.#fields = from?.fields ?? {};
    this.id = from?.id ?? '';
  }

  /** Null for an event that changes nothing, such as a heartbeat. */
  read({ kind, data, id }: ServerSentEvent): Update | null {
    if (id !== '') this.id = id;
    if (kind !== 'snapshot' && kind !== 'change') return null;
    const body = JSON.parse(data) as Row & { meta: Meta };
    const changes = kind === 'snapshot' ? this.#replace(body.data) : this.#change(body);
    const { rows } = this.#followed;
    return { kind, id: this.id, ...changes, rows, fields: this.#fields, meta: body.meta };
  }

  #replace(data: unknown) {
    if (this.#rowsField === null) return this.#followed.replace(data as readonly Row[]);
    const { [this.#rowsField]: rows, ...fields } = data as Row;
    this.#fields = fields;
    return this.#followed.replace(rows as readonly Row[]);
  }

  #change(body: Row) {
    const changes = { upsert: body.upsert as readonly Row[], remove: body.remove as readonly Row[] };
    this.#followed.change(changes);
    if (body.fields !== undefined) this.#fields = body.fields as Row;
    return changes;
  }
}
