import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { Auditor } from '../../src/engines/audit/auditor.ts';
import { dayOf, settlementKey } from '../../src/history/audit/model.ts';
import type { AuditStore } from '../../src/history/audit/store.ts';
import { SettlementSums } from '../../src/history/settlements/sums.ts';

const EXCHANGE = 'OKX';
const SYMBOLS = Array.from({ length: 40 }, (_, i) => `COIN${i}`);
export const FROM_MS = Date.UTC(2026, 10, 13, 20);

const minuteAt = (hour: number) => (FROM_MS + hour * HOUR_MS) / MINUTE_MS;
const rateOf = (symbol: string, hour: number) => ((symbol.length * 7 + hour * 13) % 100) / 10_000;

/** The audit of a venue of 40 contracts that settle every hour, saved as the service does. */
export class AuditSteps {
  readonly #store: AuditStore;
  readonly #sums = new SettlementSums();
  readonly #auditor = new Auditor((key, minute, tolerance) => this.#sums.find(key, minute, tolerance));

  constructor(store: AuditStore) {
    this.#store = store;
  }

  /** As after a start: what is stored, then the publications of the last hour again. */
  async restore(hour: number): Promise<void> {
    const nowMs = FROM_MS + hour * HOUR_MS + MINUTE_MS;
    const today = dayOf(nowMs / MINUTE_MS);
    for (let at = hour - 2; at <= hour; at++) this.#takePrints(at);
    for (let day = today - 1; day <= today; day++)
      this.#auditor.restore(EXCHANGE, await this.#store.load(EXCHANGE, day), nowMs);
    this.#publish(hour, null);
    this.#auditor.settleRestored();
    await this.#save();
  }

  /** Publishes before and after the settlement of the hour, takes its prints, and saves after each of the two. */
  async pass(hour: number, onSaved: (key: string) => void = () => {}): Promise<void> {
    this.#publish(hour, FROM_MS + hour * HOUR_MS);
    for (const key of await this.#save()) onSaved(`expected ${key}`);
    this.#takePrints(hour);
    for (const symbol of SYMBOLS)
      this.#auditor.printsChanged(`${EXCHANGE}/${symbol}`, FROM_MS + hour * HOUR_MS + MINUTE_MS);
    for (const key of await this.#save()) onSaved(`compared ${key}`);
  }

  comparisons(hours: number, nowHour: number): number {
    return this.#auditor.windows(EXCHANGE).figures(hours, minuteAt(nowHour) + 30).comparisons;
  }

  #publish(hour: number, knownAtMs: number | null): void {
    for (const secondsAfter of [-5, 5]) {
      const asOfMs = FROM_MS + hour * HOUR_MS + secondsAfter * SECOND_MS;
      const nextFundingAtMs = FROM_MS + (secondsAfter < 0 ? hour : hour + 1) * HOUR_MS;
      const rows = SYMBOLS.map((venueSymbol) => ({
        key: `${EXCHANGE}/${venueSymbol}`,
        exchange: EXCHANGE,
        venueSymbol,
        ratePct: rateOf(venueSymbol, hour),
        intervalHours: 1,
        nextFundingAtMs,
      }));
      this.#auditor.observe(asOfMs, rows, knownAtMs);
    }
  }

  #takePrints(hour: number): void {
    for (const symbol of SYMBOLS)
      this.#sums.put(`${EXCHANGE}/${symbol}`, [{ minute: minuteAt(hour), ratePct: rateOf(symbol, hour) }]);
  }

  async #save(): Promise<string[]> {
    const settlements = this.#auditor.takeUnsaved().get(EXCHANGE) ?? [];
    await this.#store.merge(EXCHANGE, settlements, null);
    return settlements.map(settlementKey);
  }
}

/** All stored settlements from the first hour to the given one. */
export async function storedSettlements(store: AuditStore, hours: number) {
  const days = new Set(Array.from({ length: hours + 1 }, (_, hour) => dayOf(minuteAt(hour))));
  return (await Promise.all([...days].map((day) => store.load(EXCHANGE, day)))).flat();
}
