import type { UsageLedger } from '../usage-ledger.ts';
import type {
  MonthTake,
  Receipt,
  Take,
  TakeListener,
  WindowHolder,
  WindowStates,
  Windows,
} from '../windows.ts';
import type { HolderNames } from './calls/holder-names.ts';
import { awaited, tell } from './calls/listeners.ts';
import type { RedisReceipt } from './calls/receipts.ts';
import { NO_NUMBER } from './calls/shared-takes.ts';
import { type Layout, slotOfWindows, windowsName } from './layout.ts';
import type { LayoutKeeper } from './layout-keeper.ts';
import { undecided } from './refusals.ts';
import type { WindowServer } from './server.ts';
import type { RedisWindows } from './windows.ts';
import type { WindowsOfAllServers } from './windows-options.ts';

export interface CountingServer extends WindowServer {
  windows: RedisWindows;
}

export interface SpreadWindowsOptions {
  servers: ReadonlyMap<string, CountingServer>;
  layout: LayoutKeeper;
  names: HolderNames;
  ledger: UsageLedger;
  nowMs(): number;
}

/** Windows over one or more Redis servers. All windows of a slot are on one server at a time. */
export class SpreadWindows implements Windows, WindowsOfAllServers {
  readonly #options: SpreadWindowsOptions;
  /** Unique over all servers, because the names of requests move with their slot. */
  #number = 0;

  constructor(options: SpreadWindowsOptions) {
    this.#options = options;
  }

  take(holder: WindowHolder): Promise<Take> {
    return awaited((listener) => this.takeFor(holder, listener));
  }

  takeFor(holder: WindowHolder, listener: TakeListener): void {
    this.decide(holder, NO_NUMBER, false, 0, listener);
  }

  decide(
    holder: WindowHolder,
    number: number,
    isRepeated: boolean,
    attempt: number,
    listener: TakeListener,
  ): void {
    const { servers, names } = this.#options;
    const known = names.of(holder);
    const server = servers.get(known.server);
    if (server) server.windows.decide(holder, known, number, isRepeated, attempt, listener);
    else tell(listener, this.#refuse(holder));
  }

  reserveNumbers(count: number): number {
    const first = this.#number + 1;
    this.#number += count;
    return first;
  }

  takeMonth(holder: WindowHolder): Promise<MonthTake> {
    const uncounted: MonthTake = { allowed: true, spent: 'uncounted' };
    return this.#serverOf(holder)?.windows.takeMonth(holder) ?? Promise.resolve(uncounted);
  }

  async refund(receipt: Receipt): Promise<WindowStates> {
    const { holder, layoutVersion, number } = receipt as RedisReceipt;
    if (receipt.refunded) return await this.read(holder);
    receipt.refunded = true;
    this.#options.ledger.count(holder, receipt.monthStartMs, receipt.atMs, -1);
    // After a move the new server has the request only once it has taken over what the slot had counted.
    if (layoutVersion !== this.#options.layout.version) await this.read(holder);
    const isLocal = this.#forget(holder.slotId, Math.abs(number));
    return (
      (await this.#serverOf(holder)?.windows.refund(receipt as RedisReceipt, isLocal)) ??
      (await this.read(holder))
    );
  }

  read(holder: WindowHolder): Promise<WindowStates> {
    return this.#serverOf(holder)?.windows.read(holder) ?? Promise.resolve(this.#refuse(holder).states);
  }

  /**
   * Notes the last minute of each slot on its new server too, so that this process can report it, and restore it if that
   * server loses its counts.
   */
  onLayoutChange(before: Layout): void {
    const { servers, layout } = this.#options;
    for (const from of servers.values()) {
      for (const [name, slot] of [...from.counted.entries()]) {
        const slotId = slotOfWindows(name);
        if (name !== windowsName(slotId, before.version) || slot.times.length === 0) continue;
        const to = servers.get(layout.serverOf(slotId));
        to?.counted.addAll(windowsName(slotId, layout.version), slot, to.clock.mostAheadOf(from.clock));
      }
    }
    for (const { modeSwitch } of servers.values()) modeSwitch.onLayoutChange();
  }

  /** Removes a request from the lists of the last minute; returns whether it was counted without Redis. */
  #forget(slotId: string, number: number): boolean {
    const { servers, layout } = this.#options;
    const name = windowsName(slotId, layout.version);
    const { counted } = servers.get(layout.serverOf(slotId)) ?? {};
    const isLocal = counted?.remove(name, -number) ?? false;
    if (!isLocal) counted?.remove(name, number);
    return isLocal;
  }

  #serverOf(holder: WindowHolder): CountingServer | undefined {
    const { servers, names } = this.#options;
    return servers.get(names.of(holder).server);
  }

  /** For a slot on a server that this process does not know. */
  #refuse(holder: WindowHolder) {
    return undecided(holder, this.#options.nowMs());
  }
}
