import type { SimContract } from '../../sim/contracts.ts';
import type { Faults } from '../../sim/faults.ts';
import { settlementsBetween } from '../../sim/market.ts';
import type { SimServer } from '../../sim/server.ts';
import type { SimVenue } from '../../sim/venue.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { type SimView, viewAt } from '../../sim/view.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Venue } from '../../src/venues/venue.ts';
import type { TrueEvent } from '../invariants/listings.ts';
import type { Print, PrintsTruth } from '../invariants/prints.ts';

/** A row lives ten minutes after its rate was last confirmed, and is published within a tick or two. */
const ROW_LIFE_MS = 15 * MINUTE_MS;
/** Longer than any scheduled contract exists, with its second life. */
const LONGEST_LIFE_MS = 250 * DAY_MS;
/** Faults after which a venue shows what is not true now, or never was. */
const UNTRUE: readonly (keyof Faults)[] = [
  'frozen',
  'cachedSeconds',
  'clockSkewMs',
  'ratesInPercent',
  'ratesFlipped',
  'ratesLastSettled',
  'intervalOff',
  'frozenRow',
];

const MAX_VIEWS = 200;
/** Long enough for several readings of every list and notice. */
const INFORMED_MS = 6 * HOUR_MS;

/** The settlements of a contract in a range. */
interface Settled {
  fromMs: number;
  toMs: number;
  prints: readonly Print[];
}

interface Watched {
  venue: Venue;
  sim: SimVenue;
  /** When a fault was last set on the venue, and whether it showed wrong data. */
  faultyUntilMs: number;
  untrueUntilMs: number;
  isFaulty: boolean;
  isUntrue: boolean;
}

/** What the simulated venues really have, and when they were disturbed. */
export class Truth implements PrintsTruth {
  readonly #server: SimServer;
  readonly #watched: readonly Watched[];
  readonly #scheduled = new Map<string, SimContract[]>();
  readonly #settled = new Map<string, Settled>();
  readonly #views = new Map<string, SimView>();
  /** The times at which the venues could be observed while a row lives, newest first. */
  readonly #times: number[] = [];
  nowMs: number;

  constructor(server: SimServer, slugs: readonly string[], startMs: number) {
    this.#server = server;
    this.nowMs = startMs;
    this.#watched = slugs.map((slug) => {
      const sim = SIM_VENUES.find(({ profile }) => profile.slug === slug);
      const venue = VENUES.find((one) => one.slug === slug);
      if (!sim || !venue) throw new Error(`no venue ${slug}`);
      const never = Number.NEGATIVE_INFINITY;
      return { venue, sim, faultyUntilMs: never, untrueUntilMs: never, isFaulty: false, isUntrue: false };
    });
    for (const { sim } of this.#watched)
      this.#scheduled.set(
        sim.profile.slug,
        server.universe.scheduled(sim.profile, startMs - LONGEST_LIFE_MS, startMs + LONGEST_LIFE_MS),
      );
  }

  setFaults(slug: string, faults: Partial<Faults>): void {
    this.#server.setFaults(slug, faults);
    const watched = this.#watched.find(({ venue }) => venue.slug === slug);
    if (!watched) return;
    this.moveTo(this.nowMs);
    watched.isFaulty = Object.keys(faults).length > 0;
    watched.isUntrue = UNTRUE.some((name) => name in faults);
    this.moveTo(this.nowMs);
  }

  moveTo(nowMs: number): void {
    this.nowMs = nowMs;
    if (this.#times[0] !== nowMs) this.#times.unshift(nowMs);
    while ((this.#times.at(-1) ?? nowMs) < nowMs - ROW_LIFE_MS) this.#times.pop();
    for (const watched of this.#watched) {
      if (watched.isFaulty) watched.faultyUntilMs = nowMs;
      if (watched.isUntrue) watched.untrueUntilMs = nowMs;
    }
  }

  venueOf = (exchange: string): Venue | undefined => this.#of(exchange)?.venue;

  faultyUntilMs(exchange: string): number {
    return this.#of(exchange)?.faultyUntilMs ?? Number.NEGATIVE_INFINITY;
  }

  listed() {
    return this.#watched.flatMap(({ venue, sim }) =>
      this.#server.universe
        .at(sim.profile, this.nowMs)
        .filter(({ listedAtMs }) => listedAtMs <= this.nowMs)
        .map(({ venueSymbol, listedAtMs }) => ({
          exchange: venue.facts.exchange,
          venueSymbol,
          listedAtMs,
        })),
    );
  }

  prints(exchange: string, venueSymbol: string, fromMs: number, toMs: number): Print[] {
    const watched = this.#of(exchange);
    if (!watched) return [];
    const name = `${exchange} ${venueSymbol}`;
    const known = this.#settled.get(name);
    const isKnown = known && known.fromMs <= fromMs && known.toMs >= toMs;
    // Further than requested, because the next check requests a little more.
    const settled = isKnown ? known : this.#settledPrints(watched, venueSymbol, fromMs, toMs + DAY_MS);
    this.#settled.set(name, settled);
    return settled.prints.filter(({ settledAtMs }) => settledAtMs >= fromMs && settledAtMs <= toMs);
  }

  #settledPrints(watched: Watched, venueSymbol: string, fromMs: number, toMs: number): Settled {
    const { sim } = watched;
    const view = viewAt(this.#server.universe, sim.profile, toMs);
    const prints = this.#contracts(watched, venueSymbol).flatMap(
      (contract) =>
        sim.settledPrints?.(contract, view, fromMs, toMs) ??
        settlementsBetween(contract, fromMs, toMs).map(({ settledAtMs, rateE8 }) => ({
          settledAtMs,
          ratePct: rateE8 / 1e6,
        })),
    );
    return { fromMs, toMs, prints };
  }

  /** Since when at least one venue is not disturbed: without any, nothing is published. */
  get allFaultyUntilMs(): number {
    return Math.min(...this.#watched.map(({ faultyUntilMs }) => faultyUntilMs));
  }

  /**
   * `isClockRight`: whether the service can tell a settlement that has passed. Otherwise it may take the rate of one that
   * a venue still shows for an estimate.
   */
  hasShown(exchange: string, venueSymbol: string, ratePct: number, isClockRight: boolean): boolean | null {
    const watched = this.#of(exchange);
    if (!watched || this.nowMs - watched.untrueUntilMs < 2 * ROW_LIFE_MS) return null;
    const { sim } = watched;
    for (const atMs of this.#times) {
      const view = this.#view(sim, atMs);
      const contract = view.find(venueSymbol);
      if (!contract) continue;
      const quote = view.quote(contract);
      if (ratePct === (sim.publishes?.(contract, quote, view).ratePct ?? quote.rateE8 / 1e6)) return true;
      if (!isClockRight && ratePct === quote.lastRateE8 / 1e6) return true;
    }
    return false;
  }

  /** Several rows and checks look at the same times. */
  #view(sim: SimVenue, atMs: number): SimView {
    const name = `${sim.profile.slug} ${atMs}`;
    const view = this.#views.get(name) ?? viewAt(this.#server.universe, sim.profile, atMs);
    if (this.#views.size > MAX_VIEWS) this.#views.clear();
    this.#views.set(name, view);
    return view;
  }

  isTraded(exchange: string, venueSymbol: string): boolean {
    const watched = this.#of(exchange);
    if (!watched) return false;
    const marginMs = this.nowMs - watched.untrueUntilMs < 2 * ROW_LIFE_MS ? DAY_MS / 2 : ROW_LIFE_MS;
    return this.#contracts(watched, venueSymbol).some(
      ({ listedAtMs, delistsAtMs }) =>
        listedAtMs - marginMs <= this.nowMs && (delistsAtMs ?? Infinity) + marginMs > this.nowMs,
    );
  }

  events(): TrueEvent[] {
    return this.#watched.flatMap(({ venue, sim }) =>
      (this.#scheduled.get(sim.profile.slug) ?? []).flatMap(({ life, base, quote }) =>
        life
          ? (['listing', 'delisting'] as const).map((kind): TrueEvent => {
              const { shownAtMs, noticeAtMs, plannedAtMs, finalAtMs } = life[kind];
              const firstMs = Math.min(shownAtMs ?? Infinity, noticeAtMs ?? Infinity, finalAtMs);
              return {
                exchange: venue.facts.exchange,
                symbol: `${base}-${quote}`,
                kind,
                shownAtMs: firstMs,
                plannedAtMs,
                finalAtMs,
              };
            })
          : [],
      ),
    );
  }

  isInformed(exchange: string): boolean {
    return this.nowMs - this.faultyUntilMs(exchange) > INFORMED_MS;
  }

  #of(exchange: string): Watched | undefined {
    return this.#watched.find(({ venue }) => venue.facts.exchange === exchange);
  }

  /** Every life of the contract, with its final dates. */
  #contracts({ sim }: Watched, venueSymbol: string): SimContract[] {
    const scheduled = this.#scheduled.get(sim.profile.slug) ?? [];
    const lives = scheduled.filter((contract) => contract.venueSymbol === venueSymbol);
    if (lives.length > 0) return lives;
    return this.#server.universe
      .at(sim.profile, this.nowMs)
      .filter((contract) => contract.venueSymbol === venueSymbol);
  }
}
