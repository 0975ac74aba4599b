import { until } from '../support/until.ts';

export interface SseEvent {
  event: string;
  id: string | null;
  retryMs: number | null;
  data: Record<string, unknown>;
}

export interface OpenStream {
  status: number;
  headers: Headers;
  events: SseEvent[];
  /** Set once the server has closed the stream. */
  isClosed(): boolean;
  /** Waits for the next event that was not returned before. */
  next(kind?: string): Promise<SseEvent>;
  close(): void;
}

/** Opens a stream as a client does: with fetch, which also decompresses it. */
export async function openStream(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const stopping = new AbortController();
  const reply = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: stopping.signal,
  });
  const events: SseEvent[] = [];
  let isClosed = false;
  let taken = 0;
  const read = async () => {
    let text = '';
    for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      events.push(...parts.map(parseEvent));
    }
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      isClosed = true;
    });
  return {
    status: reply.status,
    headers: reply.headers,
    events,
    isClosed: () => isClosed,
    next: async (kind) => {
      const found = () => events.findIndex((one, place) => place >= taken && (!kind || one.event === kind));
      await until(() => found() >= 0, `an event ${kind ?? ''} of ${url}`);
      taken = found() + 1;
      return events[taken - 1] as SseEvent;
    },
    close: () => stopping.abort(),
  };
}

export function parseEvent(text: string): SseEvent {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const retry = fields.get('retry');
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? null,
    retryMs: retry === undefined ? null : Number(retry),
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}

type Row = Record<string, unknown>;

/** What a client knows of a list from its events, and whether an event told it something that it knew already. */
export class Followed {
  readonly rows = new Map<string, string>();
  readonly #identity: readonly string[];
  readonly #rowsField: string | null;
  asOf = '';
  snapshots = 0;

  constructor(identity: readonly string[], rowsField: string | null = null) {
    this.#identity = identity;
    this.#rowsField = rowsField;
  }

  apply({ event, id, data }: SseEvent): void {
    if (event === 'snapshot') {
      this.snapshots++;
      this.rows.clear();
      const list = this.#rowsField === null ? data.data : (data.data as Row)[this.#rowsField];
      for (const row of list as Row[]) this.rows.set(this.#key(row), JSON.stringify(row));
    }
    if (event === 'change') {
      for (const row of data.upsert as Row[]) {
        const text = JSON.stringify(row);
        if (this.rows.get(this.#key(row)) === text) throw new Error(`${text} had not changed`);
        this.rows.set(this.#key(row), text);
      }
      for (const row of data.remove as Row[])
        if (!this.rows.delete(this.#key(row))) throw new Error(`${JSON.stringify(row)} was not there`);
    }
    if (id !== null) {
      if (id < this.asOf) throw new Error(`${id} after ${this.asOf}`);
      this.asOf = id;
    }
  }

  #key(row: Row): string {
    return JSON.stringify(this.#identity.map((name) => row[name]));
  }
}
