import { systemClock } from '../../../../base/clock.ts';
import type { Membership } from './members.ts';

/** A minute, and the time in which a dead process is still a member. */
const KEPT_MS = 65_000;

/** The processes that were members in the last minute. */
export class SeenMembers {
  readonly #seenAtMs = new Map<string, number>();

  add(processIds: readonly string[]): void {
    const nowMs = systemClock.monotonicMs();
    for (const processId of processIds) this.#seenAtMs.set(processId, nowMs);
    for (const [processId, seenAtMs] of this.#seenAtMs)
      if (nowMs - seenAtMs > KEPT_MS) this.#seenAtMs.delete(processId);
  }

  /** Whether a process that is no longer a member may have counted, in the last minute, what only the lost Redis had. */
  isAnyMissingIn({ processes }: Membership): boolean {
    const nowMs = systemClock.monotonicMs();
    return [...this.#seenAtMs].some(
      ([processId, seenAtMs]) => nowMs - seenAtMs < KEPT_MS && !processes.includes(processId),
    );
  }
}
