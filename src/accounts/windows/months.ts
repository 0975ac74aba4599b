/** 00:00 UTC on the first day of the month that contains the time. */
export function monthStartMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function nextMonthStartMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The current month. It only advances: a clock that is set back must not start a month a second time. */
export class AdvancingMonth {
  startMs = Number.NEGATIVE_INFINITY;
  endMs = Number.NEGATIVE_INFINITY;

  advanceTo(nowMs: number): this {
    if (nowMs >= this.endMs) {
      this.startMs = monthStartMs(nowMs);
      this.endMs = nextMonthStartMs(nowMs);
    }
    return this;
  }
}
