import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../../base/repeating-task.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import { bucketOf, INITIAL_LAYOUT, type Layout, serversOfBuckets } from './layout.ts';
import type { LayoutStore } from './layout-store.ts';
import type { Peer, WindowPeers } from './members/peers.ts';

export interface LayoutKeeperOptions {
  store: LayoutStore;
  /** Rows of the first server: every process has one. */
  peers: WindowPeers;
  /** The servers on which this process can count; those that it is to leave are not among them. */
  servers: readonly string[];
  /** Whether this process counts on the server now, or could. */
  isReady(server: string): boolean;
  /** Called before this process counts by the new layout. */
  onChange(before: Layout, after: Layout): void;
  log: Log;
}

const CHECK_EVERY_MS = 2_000;
/** A minute, and a margin for requests that were under way when the layout changed. */
const EXPIRED_AFTER_MS = MINUTE_MS + 2_000;

/**
 * The layout by which this process counts. A server is used while all live processes can count on it, so a list may be
 * changed process by process. The layout is one row of the database and changes by compare and set.
 */
export class LayoutKeeper {
  readonly #options: LayoutKeeperOptions;
  #layout: Layout = INITIAL_LAYOUT;
  #serverOf = serversOfBuckets(INITIAL_LAYOUT.servers);
  #previousServerOf: readonly string[] | null = null;
  #task: RepeatingTask | null = null;
  /** A version that a server has shown. The database has at least this one, unless a backup was restored. */
  #shownVersion = 0;
  #adoptedByAllAtMs: number | null = null;
  #adopting: { version: number; done: Promise<void> } | null = null;
  #unused = '';

  constructor(options: LayoutKeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#task = startRepeatingTask({
      name: 'spread windows over Redis servers',
      everyMs: CHECK_EVERY_MS,
      clock: systemClock,
      log: this.#options.log,
      run: () => this.#check(),
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  get layout(): Layout {
    return this.#layout;
  }

  get version(): number {
    return this.#layout.version;
  }

  serverOf(slotId: string): string {
    return this.#serverOf[bucketOf(slotId)] ?? '';
  }

  /** The server of the layout before; null if nothing that was counted there matters any more. */
  previousServerOf(slotId: string): string | null {
    return this.#previousServerOf?.[bucketOf(slotId)] ?? null;
  }

  /** Called with the version that a server has; a newer one is read from the database soon. */
  onShown(version: number): void {
    this.#shownVersion = Math.max(this.#shownVersion, version);
    if (version > this.version) this.#task?.hurry();
  }

  /** Counts by the layout that a server has shown from now on, unless the database cannot tell it. */
  adopt(version: number): Promise<void> {
    // The database has a version before any server shows it, so one read is enough for all requests of a batch.
    if (this.#adopting?.version === version) return this.#adopting.done;
    this.onShown(version);
    const done = this.refresh()
      .catch(() => undefined)
      .finally(() => {
        this.#adopting = null;
      });
    this.#adopting = { version, done };
    return done;
  }

  /** Reads the layout from the database; rejects if that fails. */
  async refresh(): Promise<void> {
    const layout = await this.#options.store.read();
    if (layout.version < this.version) return;
    const before = this.#layout;
    if (layout.version === before.version && layout.previous?.length === before.previous?.length) return;
    if (layout.version > before.version) {
      this.#adoptedByAllAtMs = null;
      this.#serverOf = serversOfBuckets(layout.servers);
    }
    this.#layout = layout;
    this.#previousServerOf = layout.previous === null ? null : serversOfBuckets(layout.previous);
    if (layout.version === before.version) return;
    this.#options.onChange(before, layout);
    this.#options.log.info(
      { version: layout.version, servers: layout.servers },
      `requests are counted on ${layout.servers.length} Redis servers`,
    );
  }

  async #check(): Promise<undefined> {
    const { store, peers, log } = this.#options;
    try {
      await this.refresh();
      const others = await peers.others();
      const layout = this.#layout;
      if (this.#shownVersion > layout.version) await this.#catchUp(layout);
      else if (layout.previous === null) await this.#move(layout, others);
      else if (this.#isPreviousOver(layout, others)) await store.forgetPrevious(layout.version);
    } catch (error) {
      log.debug({ err: error }, 'could not read on which Redis servers requests are counted; trying again');
    }
    return undefined;
  }

  /** A restored backup has an older version than the servers, which would refuse it. */
  async #catchUp(layout: Layout): Promise<void> {
    const next = { ...layout, version: this.#shownVersion + 1, previous: layout.servers };
    await this.#options.store.change(layout, next);
    await this.refresh();
  }

  async #move(layout: Layout, others: readonly Peer[]): Promise<void> {
    const { store, servers: own, isReady, log } = this.#options;
    const alive = others.filter(({ isAlive }) => isAlive);
    const wanted = own.filter((server) => alive.every(({ servers }) => servers.includes(server))).toSorted();
    const unused = own.filter((server) => !wanted.includes(server)).join(', ');
    if (unused !== '' && unused !== this.#unused)
      log.warn({ servers: unused }, 'servers of REDIS_URL are not used: other processes do not list them');
    this.#unused = unused;
    if (wanted.length === 0 || wanted.join() === layout.servers.toSorted().join()) return;
    if (!wanted.every(isReady) || alive.some(({ layoutVersion }) => layoutVersion < layout.version)) return;
    const next = { version: layout.version + 1, servers: wanted, previous: layout.servers };
    await store.change(layout, next);
    await this.refresh();
  }

  /**
   * Whether nothing that was counted by the layout before is less than a minute old: all live processes have adopted this
   * one more than a minute ago, and no other has been alive since.
   */
  #isPreviousOver({ version }: Layout, others: readonly Peer[]): boolean {
    const nowMs = systemClock.monotonicMs();
    const behind = others.filter(({ layoutVersion }) => layoutVersion < version);
    if (behind.some(({ isAlive }) => isAlive)) this.#adoptedByAllAtMs = null;
    else this.#adoptedByAllAtMs ??= nowMs;
    const adoptedAtMs = this.#adoptedByAllAtMs;
    return behind.length === 0 && adoptedAtMs !== null && nowMs - adoptedAtMs > EXPIRED_AFTER_MS;
  }
}
