/** 00:00 UTC on the first day of the month that contains the time. */
export function monthStartMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function nextMonthStartMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The month of the clock. When a clock is set back, the month before goes on with what was counted in it. */
export class CurrentMonth {
  startMs = Number.NEGATIVE_INFINITY;
  endMs = Number.NEGATIVE_INFINITY;

  at(nowMs: number): this {
    if (nowMs < this.startMs || nowMs >= this.endMs) {
      this.startMs = monthStartMs(nowMs);
      this.endMs = nextMonthStartMs(nowMs);
    }
    return this;
  }
}
