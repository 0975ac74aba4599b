import type { FrozenMarket } from '../../market/freeze.ts';
import type { ChosenSides } from '../../venues/counting/sides.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Alarms } from './alarms.ts';
import { checkSnapshot, type VenueChecks } from './checks.ts';
import { HourlyHistory, historyName, type StoredHours } from './hourly-history.ts';
import type { AuditReporter } from './reporter.ts';
import { StillRows } from './still-rows.ts';

/** Compares the venues of each snapshot with each other and with their own past, and raises the alarms of these checks. */
export class SnapshotChecks {
  readonly #alarms: Alarms;
  readonly #reporter: Pick<AuditReporter, 'showChecks'>;
  readonly #volumes = new HourlyHistory();
  readonly #stillRows = new StillRows();
  #byExchange: ReadonlyMap<string, VenueChecks> = new Map();

  readonly #chosenSides: (venue: Venue) => ChosenSides;

  constructor(
    alarms: Alarms,
    reporter: Pick<AuditReporter, 'showChecks'>,
    chosenSides: (venue: Venue) => ChosenSides,
  ) {
    this.#alarms = alarms;
    this.#reporter = reporter;
    this.#chosenSides = chosenSides;
  }

  /** What the last snapshot showed. */
  get byExchange(): ReadonlyMap<string, VenueChecks> {
    return this.#byExchange;
  }

  check({ contracts, states, identities, asOfMs }: FrozenMarket): void {
    const { byExchange, frozenRows } = checkSnapshot(contracts, states, identities, asOfMs, this.#stillRows);
    const names = new Map<string, string>();
    for (const { venue } of states)
      if (!names.has(venue.facts.exchange))
        names.set(venue.facts.exchange, historyName(venue, this.#chosenSides(venue), ['volume']));
    const nameOf = (exchange: string) => names.get(exchange) ?? exchange;
    const totals = new Map([...byExchange].map(([exchange, one]) => [nameOf(exchange), one.volume24hUsdt]));
    const ratios = this.#volumes.ratios(totals);
    this.#volumes.note(totals, asOfMs);
    for (const [exchange, one] of byExchange) {
      one.volumeRatio = ratios.get(nameOf(exchange)) ?? null;
      this.#alarms.judgeChecks(exchange, one, asOfMs);
      this.#reporter.showChecks(exchange, one);
    }
    this.#alarms.noteFrozenRows(frozenRows);
    this.#byExchange = byExchange;
  }

  stored(nowMs: number): StoredHours {
    return this.#volumes.stored(nowMs);
  }

  restore(stored: unknown): void {
    this.#volumes.restore(stored);
  }
}
