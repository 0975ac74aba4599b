import { MINUTE_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { INTEREST_FAULTS, type InterestFault, interestFaultAt } from '../../market/figures.ts';
import type { FrozenMarket } from '../../market/freeze.ts';
import { type ChosenSides, COUNTED_FIGURES, type CountedFigure } from '../../venues/counting/sides.ts';
import type { Venue } from '../../venues/venue.ts';
import {
  CLEAR_SHARE,
  COUNTED_FIELDS,
  type CountedField,
  Counts,
  type CountVerdict,
  LEAST_CONTRACTS,
} from './counts.ts';
import { HourlyHistory, historyName, type StoredHours } from './hourly-history.ts';
import { interestFactors } from './interest-ratios.ts';
import { type Notice, Notices } from './notices.ts';

/** Real venues are some twenty times apart, so less from their median; a wrong unit is off by a price or a contract size. */
const RATIO_FAR = 30;
/** Doubled or halved, with room for the market's own ups and downs. A notice ends closer to 1 than it begins. */
const CHANGE_BEGINS = 1.8;
const CHANGE_ENDS = 1.5;
const EVERY_MS = MINUTE_MS;

const FIGURE_OF: Readonly<Record<CountedField, CountedFigure>> = {
  open_interest_usdt: 'openInterest',
  volume_24h_usdt: 'volume',
};

/** Looks at open interest and volume of all venues, once a minute, and keeps the notices about them. */
export class FigureChecks {
  readonly notices: Notices;
  readonly #counts = new Counts();
  readonly #history = new HourlyHistory();
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  readonly #chosenSides: (venue: Venue) => ChosenSides;

  constructor(
    onChange: (notice: Notice, isOn: boolean) => void,
    chosenSides: (venue: Venue) => ChosenSides = () => ({}),
  ) {
    this.notices = new Notices(onChange);
    this.#chosenSides = chosenSides;
  }

  check({ asOfMs, states, contracts }: FrozenMarket): void {
    // A clock that was set back does not stop the checks.
    if (Math.abs(asOfMs - this.#checkedAtMs) < EVERY_MS) return;
    this.#checkedAtMs = asOfMs;
    this.#counts.note(states);
    const byExchange = Map.groupBy(states, ({ venue }) => venue.facts.exchange);
    for (const [exchange, own] of byExchange) {
      for (const field of COUNTED_FIELDS) this.#judgeCounts(exchange, field, own, asOfMs);
      this.#judgeWithheld(exchange, own, asOfMs);
    }
    const factors = interestFactors(contracts);
    const nameOf = (exchange: string) => {
      const venue = byExchange.get(exchange)?.[0]?.venue;
      return venue ? historyName(venue, this.#chosenSides(venue), COUNTED_FIGURES) : exchange;
    };
    const named = new Map([...factors].map(([exchange, factor]) => [nameOf(exchange), factor]));
    const changes = this.#history.ratios(named);
    this.#history.note(named, asOfMs);
    for (const [exchange, factor] of factors)
      this.#judgeRatio(exchange, factor, changes.get(nameOf(exchange)) ?? 1, asOfMs);
  }

  stored(nowMs: number): StoredHours {
    return this.#history.stored(nowMs);
  }

  restore(
    stored: unknown,
    venues: readonly { exchange: string; notices: readonly Omit<Notice, 'exchange'>[] }[],
  ): void {
    this.#history.restore(stored);
    for (const { exchange, notices } of venues)
      this.notices.restore(notices.map((notice) => ({ exchange, ...notice })));
  }

  #judgeCounts(exchange: string, field: CountedField, states: readonly ContractState[], nowMs: number): void {
    const { contracts, values, neverOdd, halves }: CountVerdict = this.#counts.verdict(states, field);
    if (contracts < LEAST_CONTRACTS) return;
    // Digits that a venue has rounded are even, and halves, by chance.
    const isReadable = !states[0]?.venue.facts.counts[FIGURE_OF[field]].isPrintedRounded;
    const evidence = (count: number) => `${count} of ${contracts} contracts, ${values} different values`;
    for (const [kind, count] of [
      ['counted_twice', neverOdd],
      ['halved', halves],
    ] as const)
      this.notices.set(
        { exchange, kind, field, evidence: evidence(count) },
        isReadable && count >= CLEAR_SHARE * contracts,
        nowMs,
      );
  }

  #judgeWithheld(exchange: string, states: readonly ContractState[], nowMs: number): void {
    const counts = new Map<InterestFault, number>();
    for (const { figures, volume24hUsdt } of states) {
      const fault = interestFaultAt(figures, volume24hUsdt, nowMs);
      if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    }
    const evidence = [...counts].map(([fault, count]) => `${count} × ${INTEREST_FAULTS[fault]}`).join(', ');
    this.notices.set(
      { exchange, kind: 'withheld', field: 'open_interest_usdt', evidence },
      counts.size > 0,
      nowMs,
    );
  }

  #judgeRatio(exchange: string, factor: number, change: number, nowMs: number): void {
    const field = 'open_interest_usdt';
    const isOff = (ratio: number, bound: number) => ratio >= bound || ratio <= 1 / bound;
    this.notices.set(
      { exchange, kind: 'interest_ratio', field, evidence: `${factor.toPrecision(3)} times the others’` },
      isOff(factor, RATIO_FAR),
      nowMs,
    );
    const bound = this.notices.has(exchange, 'interest_change', field) ? CHANGE_ENDS : CHANGE_BEGINS;
    this.notices.set(
      { exchange, kind: 'interest_change', field, evidence: `${change.toPrecision(3)} times the usual` },
      isOff(change, bound),
      nowMs,
    );
  }
}
