import { median } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { type ChosenSides, type CountedFigure, sidesOf } from '../../venues/counting/sides.ts';
import type { Venue } from '../../venues/venue.ts';

/** How far back a venue's usual figure is taken from, in hours. */
const HISTORY_HOURS = 7 * 24;
/** With less than a day nothing is usual yet. */
const LEAST_HOURS = 24;

export interface StoredHours {
  hour: number;
  /** By exchange: the last figures, oldest first, one an hour; null where there was none. */
  totals: Record<string, (number | null)[]>;
}

/**
 * The name under which a venue is remembered: what was counted in another way is not compared with what is counted now, so neither
 * an update nor a decision of the operator looks like a change of the venue.
 */
export function historyName(
  { facts }: Venue,
  chosen: ChosenSides,
  figures: readonly CountedFigure[],
): string {
  const halved = figures.filter((figure) => sidesOf(facts.counts, chosen, figure) === 'both sides');
  return [facts.exchange, ...halved].join(' / ');
}

/** One figure an hour of each venue, such as the total of its 24 h volume, over the last days. */
export class HourlyHistory {
  readonly #totals = new Map<string, Map<number, number>>();

  /** Takes the totals of a snapshot; the first of each hour is kept. */
  note(totals: ReadonlyMap<string, number>, nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    for (const [exchange, total] of totals) {
      const hours = this.#totals.get(exchange) ?? new Map<number, number>();
      this.#totals.set(exchange, hours);
      if (hours.has(hour)) continue;
      hours.set(hour, total);
      for (const held of hours.keys()) if (held <= hour - HISTORY_HOURS) hours.delete(held);
    }
  }

  /**
   * Each venue's total against its own median of the last days, divided by the median of that figure over the other
   * venues: a day on which everybody trades twice as much is no fault.
   */
  ratios(totals: ReadonlyMap<string, number>): Map<string, number> {
    const own = new Map<string, number>();
    for (const [exchange, total] of totals) {
      const hours = [...(this.#totals.get(exchange)?.values() ?? [])];
      if (hours.length < LEAST_HOURS) continue;
      const usual = median(hours);
      if (usual > 0) own.set(exchange, total / usual);
    }
    const ratios = new Map<string, number>();
    for (const [exchange, ratio] of own) {
      const others = [...own].filter(([other]) => other !== exchange).map(([, one]) => one);
      const common = others.length < 2 ? 1 : median(others);
      ratios.set(exchange, ratio / common);
    }
    return ratios;
  }

  stored(nowMs: number): StoredHours {
    const hour = Math.floor(nowMs / HOUR_MS);
    const totals: StoredHours['totals'] = {};
    for (const [exchange, hours] of this.#totals)
      totals[exchange] = Array.from({ length: HISTORY_HOURS }, (_, i) => {
        const total = hours.get(hour - HISTORY_HOURS + 1 + i);
        return total === undefined ? null : Number(total.toPrecision(9));
      });
    return { hour, totals };
  }

  /** Takes over what was stored; anything of another shape is left out. */
  restore(stored: unknown): void {
    const { hour, totals } = (stored ?? {}) as Partial<StoredHours>;
    if (typeof hour !== 'number' || typeof totals !== 'object' || totals === null) return;
    for (const [exchange, list] of Object.entries(totals)) {
      if (!Array.isArray(list)) continue;
      const hours = new Map<number, number>();
      for (const [i, total] of list.entries())
        if (typeof total === 'number') hours.set(hour - list.length + 1 + i, total);
      this.#totals.set(exchange, hours);
    }
  }
}
