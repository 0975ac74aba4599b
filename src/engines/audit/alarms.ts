import type { VenueChecks } from './checks.ts';
import { type AuditFault, CHECK_FAULTS, type CheckFault, isRateFault, RATE_FAULTS } from './faults.ts';
import { clearFault, type FaultShare, isStillLikely } from './verdict.ts';

export interface Alarm {
  exchange: string;
  fault: AuditFault;
  sinceMs: number;
  /** The numbers behind it, as a sentence. */
  evidence: string;
}

/** `rates`: rows whose rate is known to be wrong. `all`: rows of wrong prices and volumes too. */
export type Withholding = 'off' | 'rates' | 'all';

/** Which contracts are withheld. */
export type IsWithheld = (contract: { exchange: string; key: string }) => boolean;

/** A single contract can be off for its own reasons; a fifth of a venue's cannot. */
const PRICE_SHARE = 0.2;
const LEAST_PRICES_OFF = 5;
/** Doubled, with room for the market's own ups and downs; and a hundredth. Alarms end closer to 1 than they begin. */
const VOLUME_BEGINS = { above: 1.8, below: 1 / 50 };
const VOLUME_ENDS = { above: 1.5, below: 1 / 25 };

/** Which alarms are on. Reports each that begins or ends, once. */
export class Alarms {
  readonly #alarms = new Map<string, Alarm>();
  readonly #onChange: (alarm: Alarm, isOn: boolean) => void;
  #frozenRows: ReadonlySet<string> = new Set();

  constructor(onChange: (alarm: Alarm, isOn: boolean) => void) {
    this.#onChange = onChange;
  }

  get all(): readonly Alarm[] {
    return [...this.#alarms.values()];
  }

  of(exchange: string): Alarm[] {
    return this.all.filter((alarm) => alarm.exchange === exchange);
  }

  /** Alarms of an earlier process go on without being reported again. */
  restore(alarms: readonly Alarm[]): void {
    for (const alarm of alarms) this.#alarms.set(keyOf(alarm.exchange, alarm.fault), alarm);
  }

  judgeRates(exchange: string, shares: readonly FaultShare[], nowMs: number): void {
    const clear = clearFault(shares);
    for (const fault of RATE_FAULTS) {
      const share = shares.find((one) => one.fault === fault);
      const isOn =
        clear?.fault === fault || (this.#has(exchange, fault) && !clear && isStillLikely(fault, shares));
      this.#set(
        exchange,
        fault,
        isOn,
        nowMs,
        share ? `${share.fitting} of ${share.informative} comparisons` : '',
      );
    }
  }

  judgeChecks(exchange: string, checks: VenueChecks, nowMs: number): void {
    const { pricesCompared, pricesOff, settlementsPast, rowsStill, volumeRatio } = checks;
    const frozen = settlementsPast + rowsStill;
    const isPriceOff = pricesOff >= LEAST_PRICES_OFF && pricesOff >= PRICE_SHARE * pricesCompared;
    const limits = this.#has(exchange, 'volume') ? VOLUME_ENDS : VOLUME_BEGINS;
    const isVolumeOff = volumeRatio !== null && (volumeRatio >= limits.above || volumeRatio <= limits.below);
    const evidence: Record<CheckFault, [isOn: boolean, text: string]> = {
      frozen_row: [frozen > 0, `${frozen} ${frozen === 1 ? 'row' : 'rows'}`],
      price: [isPriceOff, `${pricesOff} of ${pricesCompared} contracts more than 5 % off`],
      volume: [isVolumeOff, `${volumeRatio?.toFixed(2)} times the usual`],
    };
    for (const fault of CHECK_FAULTS) this.#set(exchange, fault, ...withTime(evidence[fault], nowMs));
  }

  noteFrozenRows(keys: ReadonlySet<string>): void {
    this.#frozenRows = keys;
  }

  /** Which rows are not to be published; null: all are. */
  withheld(withholding: Withholding): IsWithheld | null {
    if (withholding === 'off' || this.#alarms.size === 0) return null;
    const exchanges = new Set<string>();
    for (const { exchange, fault } of this.#alarms.values())
      if (isRateFault(fault) || (withholding === 'all' && fault !== 'frozen_row')) exchanges.add(exchange);
    return ({ exchange, key }) => exchanges.has(exchange) || this.#frozenRows.has(key);
  }

  /** Which venues are withheld as a leg on a coin; null: none is. `identities` are by contract key. */
  withheldLegs(
    withholding: Withholding,
    identities: ReadonlyMap<string, { coin: string }>,
  ): ((exchange: string, coin: string) => boolean) | null {
    const isWithheld = this.withheld(withholding);
    if (!isWithheld) return null;
    const legs = new Set<string>();
    for (const [key, { coin }] of identities) {
      const exchange = key.slice(0, key.indexOf('/'));
      if (isWithheld({ exchange, key })) legs.add(`${exchange}/${coin}`);
    }
    // A venue that states nothing now has no identities, but may have rows made from its past.
    return (exchange, coin) => legs.has(`${exchange}/${coin}`) || isWithheld({ exchange, key: '' });
  }

  #has(exchange: string, fault: AuditFault): boolean {
    return this.#alarms.has(keyOf(exchange, fault));
  }

  #set(exchange: string, fault: AuditFault, isOn: boolean, nowMs: number, evidence: string): void {
    const key = keyOf(exchange, fault);
    const held = this.#alarms.get(key);
    if (!isOn && !held) return;
    const alarm = { exchange, fault, sinceMs: held?.sinceMs ?? nowMs, evidence };
    if (isOn) this.#alarms.set(key, alarm);
    else this.#alarms.delete(key);
    if (isOn !== (held !== undefined)) this.#onChange(alarm, isOn);
  }
}

function withTime([isOn, text]: [boolean, string], nowMs: number): [boolean, number, string] {
  return [isOn, nowMs, text];
}

function keyOf(exchange: string, fault: AuditFault): string {
  return `${exchange} ${fault}`;
}
