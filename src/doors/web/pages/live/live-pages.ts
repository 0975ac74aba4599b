import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../../base/clock.ts';
import type { Log } from '../../../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../../../base/repeating-task.ts';
import { SECOND_MS } from '../../../../base/times.ts';
import type { EventConnection } from '../../../streams/event-connection.ts';
import { StreamEvent } from '../../../streams/stream-event.ts';
import { htmlText } from '../../markup/html.ts';
import type { AnyMarketPage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';

const TICK_MS = SECOND_MS;
const HEARTBEAT_MS = 15 * SECOND_MS;
/** Pages without a freshness are rendered this often. */
const RENDER_MS = 10 * SECOND_MS;
/** Browsers connect again at different times within this span. */
const RETRY_MS = { least: 1_000, most: 5_000 };

/** One page at one address for one kind of reader, with the browsers that follow it. */
export interface FollowedPage {
  key: string;
  page: AnyMarketPage;
  context: PageContext;
  readers: Set<Reader>;
  freshness: string | null;
  renderedAtMs: number;
  event: StreamEvent | null;
  asOf: string;
  isRendering: boolean;
}

interface Reader {
  connection: EventConnection;
  /** The time of the data that the browser shows. */
  asOf: string;
  endsAtMs: number;
}

export interface LivePagesOptions {
  clock: Clock;
  log: Log;
  /** A stream ends after this time, and the browser opens it again with its session of then. */
  lifetimeMs: number;
}

/**
 * Sends the new content of pages to the browsers that show them. Readers of the same address with the same plan and
 * settings share what is rendered.
 */
export class LivePages {
  readonly #options: LivePagesOptions;
  readonly #pages = new Map<string, FollowedPage>();
  #task: RepeatingTask | null = null;
  #heartbeatDueMs = 0;
  #isStopped = false;

  constructor(options: LivePagesOptions) {
    this.#options = options;
  }

  get readerCount(): number {
    let count = 0;
    for (const { readers } of this.#pages.values()) count += readers.size;
    return count;
  }

  join(
    key: string,
    page: AnyMarketPage,
    context: PageContext,
    connection: EventConnection,
    asOf: string,
  ): void {
    const { clock, log, lifetimeMs } = this.#options;
    const followed = this.#pages.get(key) ?? {
      key,
      page,
      context,
      readers: new Set(),
      freshness: null,
      renderedAtMs: Number.NEGATIVE_INFINITY,
      event: null,
      asOf: '',
      isRendering: false,
    };
    this.#pages.set(key, followed);
    const reader = { connection, asOf, endsAtMs: clock.monotonicMs() + lifetimeMs };
    followed.readers.add(reader);
    connection.onClose(() => {
      followed.readers.delete(reader);
      if (followed.readers.size === 0 && this.#pages.get(key) === followed) this.#pages.delete(key);
    });
    if (this.#isStopped) {
      this.#end(reader);
      return;
    }
    this.#task ??= startRepeatingTask({
      name: 'send live pages',
      everyMs: TICK_MS,
      clock,
      log,
      run: async () => {
        await this.#tick();
        return undefined;
      },
    });
    void this.#update(followed);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { readers } of this.#pages.values()) for (const reader of readers) this.#end(reader);
    await this.#task?.stop();
  }

  async #tick(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    const isHeartbeatDue = nowMs >= this.#heartbeatDueMs;
    if (isHeartbeatDue) this.#heartbeatDueMs = nowMs + HEARTBEAT_MS;
    const heartbeat = new StreamEvent({ kind: 'heartbeat', data: '{}' });
    for (const followed of [...this.#pages.values()]) {
      await this.#update(followed);
      for (const reader of followed.readers) {
        if (nowMs >= reader.endsAtMs) this.#end(reader);
        else if (isHeartbeatDue) reader.connection.send(heartbeat);
      }
    }
  }

  /** Renders the page if its data has changed, and sends it to the readers that do not have it. */
  async #update(followed: FollowedPage): Promise<void> {
    if (followed.isRendering) return;
    followed.isRendering = true;
    try {
      await this.#render(followed);
    } catch {
      // The page cannot be rendered now, for example while the database is unavailable. The next tick tries again.
    } finally {
      followed.isRendering = false;
    }
    const { event, asOf } = followed;
    if (!event) return;
    for (const reader of followed.readers) {
      if (reader.asOf === asOf) continue;
      if (reader.connection.send(event)) reader.asOf = asOf;
    }
  }

  async #render(followed: FollowedPage): Promise<void> {
    const { page, context, readers } = followed;
    const nowMs = this.#options.clock.monotonicMs();
    const freshness = page.freshness(context);
    const isDue =
      freshness === null ? nowMs - followed.renderedAtMs >= RENDER_MS : freshness !== followed.freshness;
    if (!isDue) return;
    // Requests run between the pages of a tick.
    await pause(0);
    // One of the readers pays for all. If they have used their computing time, they get a later page.
    const payer = readers.values().find(({ connection }) => connection.spender.hasTime)?.connection.spender;
    if (!payer) return;
    const loaded = await payer.spend(() => page.load(context));
    const view = payer.spend(() => page.view(loaded, context));
    followed.freshness = freshness;
    followed.renderedAtMs = nowMs;
    followed.asOf = view.asOf ?? '';
    followed.event = new StreamEvent({
      kind: 'snapshot',
      data: payer.spend(() => JSON.stringify({ as_of: followed.asOf, html: htmlText(view.body) })),
    });
  }

  #end({ connection }: Reader): void {
    const retryMs = Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
    connection.end(new StreamEvent({ kind: 'end', data: '{}', retryMs }));
  }
}
