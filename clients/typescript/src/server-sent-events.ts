/** One event of a stream. */
export interface ServerSentEvent {
  kind: string;
  data: string;
  /** The newest id so far, of this event or of an earlier one. */
  id: string;
  /** The newest `retry` so far; null if there was none. */
  retryMs: number | null;
}

/** Parses `text/event-stream` from pieces of text that may end anywhere (HTML standard, 9.2.6). */
export class EventParser {
  #rest = '';
  #kind = '';
  #data: string[] = [];
  #id = '';
  #retryMs: number | null = null;

  /** The events that this piece completes. */
  push(piece: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const text = this.#rest + piece;
    // A final CR may be the first half of a CRLF.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(end);
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else if (this.#data.length > 0) events.push(this.#event());
      else this.#kind = '';
    }
    return events;
  }

  #event(): ServerSentEvent {
    const kind = this.#kind === '' ? 'message' : this.#kind;
    const event = { kind, data: this.#data.join('\n'), id: this.#id, retryMs: this.#retryMs };
    this.#kind = '';
    this.#data = [];
    return event;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#kind = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#retryMs = Number(value);
  }
}
