/** The streams that are open on each slot, for the limit of the plan. */
export interface OpenStreams {
  /** Counts one more stream on the slot; false, and not counted, if the slot has as many as the limit. */
  open(slotId: string, limit: number): boolean | Promise<boolean>;
  close(slotId: string): void;
}

/** The open streams of a single process. */
export class MemoryOpenStreams implements OpenStreams {
  readonly #counts = new Map<string, number>();

  open(slotId: string, limit: number): boolean {
    const count = this.countOf(slotId);
    if (count >= limit) return false;
    this.#counts.set(slotId, count + 1);
    return true;
  }

  close(slotId: string): void {
    const count = this.countOf(slotId) - 1;
    if (count > 0) this.#counts.set(slotId, count);
    else this.#counts.delete(slotId);
  }

  countOf(slotId: string): number {
    return this.#counts.get(slotId) ?? 0;
  }

  slotIds(): string[] {
    return [...this.#counts.keys()];
  }
}
