import type { FundingRow } from './rows.ts';

/** The rule that the run has: a crossing of the funding rate, with its return. */
export interface RateRule {
  boundPct: number;
  hysteresisPct: number;
}

/** The body of a webhook, as far as it is compared. */
export interface ReceivedAlert {
  event_id: string;
  kind: string;
  row: { exchange: string; venue_symbol: string; rate_pct: number };
}

type Side = 'above' | 'below';

/**
 * Checks that every crossing is reported once. A row is above after `crossed` and below after `returned`; a row that
 * disappears keeps its side. The same event may be delivered twice.
 */
export class AlertBook {
  readonly #rule: RateRule;
  readonly #seen = new Set<string>();
  readonly #sides = new Map<string, Side>();
  /** What the last check expected of a row that the events do not show yet. */
  #expected = new Map<string, Side>();
  #arrived: ReceivedAlert[] = [];

  constructor(rule: RateRule) {
    this.#rule = rule;
  }

  /** The number of different events. */
  get count(): number {
    return this.#seen.size;
  }

  receive(alert: ReceivedAlert): void {
    if (this.#seen.has(alert.event_id)) return;
    this.#seen.add(alert.event_id);
    this.#arrived.push(alert);
  }

  /** Compares the events since the last check with each other and with their row. */
  wrongAlerts(): string[] {
    const violations: string[] = [];
    const byRow = Map.groupBy(this.#arrived.splice(0), ({ row }) => nameOf(row));
    for (const [name, alerts] of byRow) {
      for (const { kind, row } of alerts)
        if (this.#sideOf(row.rate_pct) !== (kind === 'crossed' ? 'above' : 'below'))
          violations.push(`false alert: ${name} ${kind} at ${row.rate_pct} %`);
      // Events that waited together may arrive in any order, so they are counted.
      const crossed = alerts.filter(({ kind }) => kind === 'crossed').length;
      const returned = alerts.length - crossed;
      const surplus = crossed - returned;
      const before = this.#sides.get(name);
      const [least, most] = before === 'above' ? [-1, 0] : before === 'below' ? [0, 1] : [-1, 1];
      if (surplus < least || surplus > most)
        violations.push(
          `doubled or lost alert: ${name} was ${before ?? 'unknown'}, then crossed ${crossed} and returned ${returned} times`,
        );
      if (surplus !== 0) this.#sides.set(name, surplus > 0 ? 'above' : 'below');
      else if (before === undefined) {
        const last = alerts.at(-1);
        if (last) this.#sides.set(name, last.kind === 'crossed' ? 'above' : 'below');
      }
    }
    return violations;
  }

  /**
   * Checks that a row which is beyond the bound was reported. What changed only since the last check may still be under
   * way. The rows that fit when a rule is saved are its start, so the first known side of a row is no violation.
   */
  missingAlerts(rows: readonly FundingRow[]): string[] {
    const violations: string[] = [];
    const expected = new Map<string, Side>();
    for (const row of rows) {
      const name = nameOf(row);
      const side = this.#sideOf(row.rate_pct);
      if (side === null || this.#sides.get(name) === side) continue;
      const wasExpected = this.#expected.get(name) === side;
      if (!wasExpected) expected.set(name, side);
      else if (this.#sides.has(name))
        violations.push(`missing alert: ${name} is ${side} at ${row.rate_pct} %`);
      else this.#sides.set(name, side);
    }
    this.#expected = expected;
    return violations;
  }

  /** Null: between the bound and the return. */
  #sideOf(ratePct: number): Side | null {
    const { boundPct, hysteresisPct } = this.#rule;
    if (ratePct > boundPct) return 'above';
    return ratePct <= boundPct - hysteresisPct ? 'below' : null;
  }
}

function nameOf({ exchange, venue_symbol }: { exchange: string; venue_symbol: string }): string {
  return `${exchange} ${venue_symbol}`;
}
