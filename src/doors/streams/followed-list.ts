import { isoTime } from '../../base/times.ts';
import type { StreamedList } from '../../operations/access/admission.ts';
import { snapshotUnavailable } from '../../operations/access/refusals.ts';
import type { StreamConnection } from './connection.ts';
import { changeData, pageOf, type StreamPage, snapshotData } from './page.ts';
import { StreamEvent } from './stream-event.ts';

/**
 * How far the snapshot of a client may be ahead of this process. It comes from another process, and this one will have it
 * soon; a snapshot from further ahead is not waited for.
 */
const MAX_AHEAD_MS = 60_000;

/** The result of bringing a client up to date. */
export type Delivery = 'sent' | 'current' | 'dropped';

/**
 * A list with the clients that follow it. Page and events are made once for each snapshot, however many clients there
 * are.
 */
export class FollowedList {
  readonly key: string;
  readonly connections = new Set<StreamConnection>();
  readonly #list: StreamedList;
  readonly #identity: readonly string[];
  #page: StreamPage;
  #snapshot: StreamEvent | null = null;
  /** Events from earlier snapshots to this one. Null: nothing has changed; undefined: the earlier one is not held. */
  #changes = new Map<number, StreamEvent | null | undefined>();

  /** Throws the problems of the list, such as 503 while there is no snapshot. */
  constructor(list: StreamedList, identity: readonly string[]) {
    this.key = list.key;
    this.#list = list;
    this.#identity = identity;
    const asOfMs = list.newestAsOfMs();
    const page = asOfMs === null ? null : this.#pageAt(asOfMs);
    if (!page) throw snapshotUnavailable();
    this.#page = page;
  }

  get asOfMs(): number {
    return this.#page.asOfMs;
  }

  /** Makes the page of the newest snapshot. Returns whether there is a new one. */
  refresh(): boolean {
    const newestMs = this.#list.newestAsOfMs();
    const before = this.#page;
    if (newestMs === null || newestMs === before.asOfMs) return false;
    const page = this.#pageAt(newestMs);
    if (!page) return false;
    this.#page = page;
    this.#snapshot = null;
    this.#changes = new Map();
    if (newestMs > before.asOfMs) this.#changes.set(before.asOfMs, this.#changeFrom(before));
    // The clock was set back: what the clients have is from the future.
    else for (const connection of this.connections) connection.asOfMs = null;
    return true;
  }

  /** Fetches the snapshot from which a client resumes, if this process lacks it but another one has published it. */
  async prepareResume(fromMs: number): Promise<void> {
    if (fromMs === this.asOfMs || this.#pageAt(fromMs)) return;
    if (await this.#list.fetch(fromMs)) this.refresh();
  }

  /** Whether a client with this snapshot can be brought up to date without a whole one. */
  canResume(fromMs: number): boolean {
    if (fromMs > this.asOfMs) return fromMs - this.asOfMs <= MAX_AHEAD_MS;
    return fromMs === this.asOfMs || this.#changeSince(fromMs) !== undefined;
  }

  /** Sends what the client lacks. */
  deliver(connection: StreamConnection): Delivery {
    const { asOfMs: fromMs } = connection;
    if (fromMs !== null && fromMs >= this.asOfMs) return 'current';
    const change = fromMs === null ? undefined : this.#changeSince(fromMs);
    if (change === null) {
      connection.asOfMs = this.asOfMs;
      return 'current';
    }
    if (!connection.send(change ?? this.#snapshotEvent())) return 'dropped';
    connection.asOfMs = this.asOfMs;
    return 'sent';
  }

  /** Heartbeats for clients that have the newest snapshot, and for the others, whose last id must stay. */
  heartbeats(): { current: StreamEvent; other: StreamEvent } {
    const { asOfMs } = this;
    const data = JSON.stringify({ as_of: isoTime(asOfMs) });
    return {
      current: new StreamEvent({ kind: 'heartbeat', asOfMs, data }),
      other: new StreamEvent({ kind: 'heartbeat', data }),
    };
  }

  #snapshotEvent(): StreamEvent {
    const { asOfMs } = this;
    this.#snapshot ??= new StreamEvent({ kind: 'snapshot', asOfMs, data: snapshotData(this.#page) });
    return this.#snapshot;
  }

  #changeSince(fromMs: number): StreamEvent | null | undefined {
    if (this.#changes.has(fromMs)) return this.#changes.get(fromMs);
    const from = this.#pageAt(fromMs);
    const change = from ? this.#changeFrom(from) : undefined;
    // A snapshot that is not held now may be fetched for the next client.
    if (change !== undefined) this.#changes.set(fromMs, change);
    return change;
  }

  #changeFrom(from: StreamPage): StreamEvent | null {
    const data = changeData(from, this.#page);
    return data === null ? null : new StreamEvent({ kind: 'change', asOfMs: this.asOfMs, data });
  }

  #pageAt(asOfMs: number): StreamPage | null {
    const answer = this.#list.pageAt(asOfMs);
    return answer && pageOf(asOfMs, answer, this.#identity);
  }
}
