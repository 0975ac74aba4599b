import type { CostCurve } from '../../../../engines/depth/curve-columns.ts';
import type { Tone } from '../../markup/charts/tones.ts';
import { grouped } from '../../markup/grouped.ts';
import type { CostAt } from './hours.ts';

/** One way to trade, such as buying, or getting into a pair: its costs by size now, and those of a size over a week. */
export interface CostLine {
  name: string;
  /** The name in more words, where there is room for them. */
  words?: string;
  tone: Tone;
  /** Null without a book. */
  curve: CostCurve | null;
  week: readonly CostAt[];
}

/** What the cards of a page are about. */
export interface CostPage {
  lines: readonly CostLine[];
  sizeUsd: number;
  /** `BTC on OKX`. */
  subject: string;
  /** `to buy or sell`. */
  verbs: string;
  /** The end of the week; null if no week could be read. */
  week: { fromMs: number; toMs: number; asOf: string } | null;
}

/** Both orders together; known as far as both are. */
export function curveSum(a: CostCurve | null, b: CostCurve | null): CostCurve | null {
  if (!a || !b) return null;
  return {
    knownUsd: Math.min(a.knownUsd, b.knownUsd),
    costPct: (sizeUsd) => a.costPct(sizeUsd) + b.costPct(sizeUsd),
  };
}

/** At the times at which both books were known. */
export function weekSum(a: readonly CostAt[], b: readonly CostAt[]): CostAt[] {
  const others = new Map(b.map(({ atMs, pct }) => [atMs, pct]));
  return a.flatMap(({ atMs, pct }) => {
    const other = others.get(atMs);
    if (other === undefined) return [];
    return [{ atMs, pct: pct === null || other === null ? null : pct + other }];
  });
}

/** `0.0112 %`, or `0.148 %` from a tenth on: three digits that count. */
export function costText(pct: number): string {
  return `${pct.toFixed(pct < 0.1 ? 4 : 3)}\u00a0%`;
}

/** `$2.24` of an order of 20,000 USD. */
export function costUsdText(pct: number, sizeUsd: number): string {
  const usd = (pct / 100) * sizeUsd;
  return `$${usd.toFixed(usd < 100 ? 2 : 0)}`;
}

/** `$20,000`. */
export function usdText(usd: number): string {
  return `$${grouped(usd)}`;
}
