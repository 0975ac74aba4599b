import type { ContractState } from '../../market/contract-state.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { Identity } from '../../market/identity.ts';
import { Table, type TableSpec, type TextData } from '../../market/tables/table.ts';
import type { SettledFigures } from '../funding/table.ts';
import { LegBook } from '../spreads/book.ts';
import { codesAt, numbersAt } from '../spreads/legs.ts';
import { type Capacities, capacityOf, SLIPPAGES_BP, type SlippageBp } from './capacity.ts';

/** Windows of the realised figures, in days. */
export const REALISED_DAYS = [1, 7, 30, 90] as const;
export type RealisedDays = (typeof REALISED_DAYS)[number];

export const sumColumn = (days: RealisedDays): string => `sum_${days}d_pct`;
export const capacityColumn = (slippageBp: SlippageBp): string => `capacity_${slippageBp}bp_usd`;

/**
 * The stored form of the arbitrage rows: the usable legs in the order of the pairs. Rows are computed from them, and
 * there are several times fewer legs than rows.
 */
export const ARBITRAGE_LEGS_TABLE: TableSpec = {
  name: 'arbitrage-legs',
  columns: [
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier' },
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue' },
    { name: 'quote', type: 'text', nullable: false, description: 'Quote of the contract' },
    { name: 'symbol', type: 'text', nullable: false, description: 'BASE-QUOTE of the contract' },
    { name: 'contract', type: 'text', nullable: false, description: 'Key of the contract' },
    { name: 'asset_class', type: 'text', nullable: false, description: 'Kind of underlying' },
    { name: 'bid', type: 'number', nullable: false, description: 'For one coin in USDT' },
    { name: 'ask', type: 'number', nullable: false, description: 'For one coin in USDT' },
    { name: 'taker_fee_pct', type: 'number', nullable: false, description: 'Of the contract' },
    { name: 'rate_pct', type: 'number', nullable: false, description: 'Running funding rate' },
    { name: 'interval_hours', type: 'integer', nullable: false, description: 'Settlement interval' },
    { name: 'next_funding_at', type: 'time', nullable: true, description: 'Next settlement' },
    { name: 'volume_24h_usdt', type: 'number', nullable: false, description: 'Turnover' },
    { name: 'open_interest_usdt', type: 'number', nullable: true, description: 'Open interest' },
    { name: 'received_at', type: 'time', nullable: false, description: 'When the top was received' },
    ...REALISED_DAYS.map((days) => ({
      name: sumColumn(days),
      type: 'number' as const,
      nullable: true,
      description: `Sum of the settled rates of ${days} days`,
    })),
    {
      name: 'absolute_30d_pct',
      type: 'number',
      nullable: true,
      description: 'Sum of the absolute settled rates of 30 days',
    },
    { name: 'covered_until', type: 'time', nullable: true, description: 'End of the windows of the sums' },
    ...SLIPPAGES_BP.map((slippageBp) => ({
      name: capacityColumn(slippageBp),
      type: 'number' as const,
      nullable: true,
      description: `USD that can be bought and sold within ${slippageBp} basis points of the mid`,
    })),
    {
      name: 'book_reach_bp',
      type: 'number',
      nullable: true,
      description: 'Basis points from the mid that the levels of the capacities reach',
    },
    {
      name: 'is_closed',
      type: 'flag',
      nullable: true,
      description: 'The market of the underlying is closed',
    },
  ],
  // The venue whose rates the leg's venue copies.
  internalTexts: ['mirrors'],
};

/** What legs have besides their book and rate. */
interface LegFacts {
  settledOf(key: string): SettledFigures | undefined;
  /** In USD. */
  capacitiesOf(state: ContractState): Capacities | null;
  /** The venues that copy, with the one that each copies. */
  mirrors: ReadonlyMap<string, string>;
}

/** A row of the table. */
interface Leg {
  place: number;
  state: Readonly<ContractState>;
  identity: Identity;
  /** The row of the contract in /funding. A contract without one is no leg either. */
  shown: FrozenContract;
}

/** Makes the legs of each snapshot of the market. */
export class MarketLegs {
  readonly #book = new LegBook();

  of(
    market: FrozenMarket,
    settled: ReadonlyMap<string, SettledFigures>,
    mirrors: ReadonlyMap<string, string>,
  ): Table {
    const { asOfMs, contracts, curves, states, identities } = market;
    const book = this.#book;
    const shown = new Map(contracts.map((contract) => [contract.key, contract]));
    const closed = new Set(contracts.filter(({ session }) => session === 'closed').map(({ key }) => key));
    book.refresh(states, identities, asOfMs, (key) => closed.has(key));
    return legsTable(book, usableLegs(book, shown), {
      settledOf: (key) => settled.get(key),
      capacitiesOf: (state) => {
        const usdtPerQuote = book.rates.get(state.contract.quote) ?? 1;
        const fits = capacityOf(curves.get(state.key), state, asOfMs);
        if (!fits || usdtPerQuote === 1) return fits;
        return { ...fits, values: fits.values.map((value) => value * usdtPerQuote) };
      },
      mirrors,
    });
  }
}

/** The legs of all coins that two venues or more quote with a known rate and interval. */
function usableLegs(book: LegBook, shown: ReadonlyMap<string, FrozenContract>): Leg[] {
  const { layout, numbers, usable, codes } = book;
  const legs: Leg[] = [];
  for (let coin = 0; coin + 1 < layout.firstLeg.length; coin++) {
    const first = legs.length;
    let hasTwoVenues = false;
    for (let place = layout.firstLeg[coin] ?? 0; place < (layout.firstLeg[coin + 1] ?? 0); place++) {
      if (usable[place] === 0) continue;
      if (Number.isNaN(numbers.ratePct[place]) || Number.isNaN(numbers.intervalHours[place])) continue;
      const { state, identity } = book.contractOf(place);
      const row = shown.get(state.key);
      if (!row) continue;
      hasTwoVenues ||=
        legs.length > first && codes.exchange[place] !== codes.exchange[legs[first]?.place ?? 0];
      legs.push({ place, state, identity, shown: row });
    }
    if (!hasTwoVenues) legs.length = first;
  }
  return legs;
}

function legsTable(book: LegBook, legs: readonly Leg[], facts: LegFacts): Table {
  const places = Int32Array.from(legs, ({ place }) => place);
  const gathered = ({ codes, values }: TextData): TextData => ({ codes: codesAt(codes, places), values });
  const { codes, values } = book;
  const texts = new Map<string, TextData>([
    ['symbol', gathered(book.symbols)],
    ['contract', gathered(book.contracts)],
    ['asset_class', textsOf(legs, ({ identity }) => identity.assetClass)],
    ['mirrors', textsOf(legs, ({ state }) => facts.mirrors.get(state.venue.facts.exchange) ?? null)],
  ]);
  for (const name of ['coin', 'exchange', 'quote'] as const)
    texts.set(name, gathered({ codes: codes[name], values: values[name] }));
  const numbers = new Map([...ofBook(book, places), ...ofContracts(legs, facts)]);
  return new Table(ARBITRAGE_LEGS_TABLE, legs.length, numbers, texts);
}

function ofBook({ numbers }: LegBook, places: Int32Array): [string, Float64Array][] {
  return [
    ['bid', numbersAt(numbers.bid, places)],
    ['ask', numbersAt(numbers.ask, places)],
    ['taker_fee_pct', numbersAt(numbers.takerFeePct, places)],
    ['rate_pct', numbersAt(numbers.ratePct, places)],
    ['interval_hours', numbersAt(numbers.intervalHours, places)],
    ['next_funding_at', numbersAt(numbers.nextFundingAtMs, places)],
    ['volume_24h_usdt', numbersAt(numbers.volume24hUsdt, places)],
    ['received_at', numbersAt(numbers.receivedAtMs, places)],
    ['is_closed', numbersAt(numbers.isClosed, places)],
  ];
}

const SUMS = [
  ...REALISED_DAYS.map((days) => [sumColumn(days), `sum${days}dPct`] as const),
  ['absolute_30d_pct', 'absolute30dPct'] as const,
];

function ofContracts(legs: readonly Leg[], facts: LegFacts): Map<string, Float64Array> {
  const unknown = () => new Float64Array(legs.length).fill(Number.NaN);
  const openInterests = unknown();
  const coveredUntil = unknown();
  const reaches = unknown();
  const sums = SUMS.map(([name, field]) => ({ name, field, column: unknown() }));
  const capacities = SLIPPAGES_BP.map((bp, place) => ({
    name: capacityColumn(bp),
    place,
    column: unknown(),
  }));
  for (let row = 0; row < legs.length; row++) {
    const { state, shown } = legs[row] as Leg;
    openInterests[row] = shown.openInterestUsdt ?? Number.NaN;
    const settled = facts.settledOf(state.key);
    coveredUntil[row] = settled?.coveredUntilMs ?? Number.NaN;
    if (settled) for (const { field, column } of sums) column[row] = settled[field] ?? Number.NaN;
    const fits = facts.capacitiesOf(state);
    if (!fits) continue;
    reaches[row] = fits.reachBp;
    for (const { place, column } of capacities) column[row] = fits.values[place] ?? Number.NaN;
  }
  return new Map([
    ['open_interest_usdt', openInterests],
    ['covered_until', coveredUntil],
    ['book_reach_bp', reaches],
    ...[...sums, ...capacities].map(({ name, column }) => [name, column] as const),
  ]);
}

function textsOf(legs: readonly Leg[], textOf: (leg: Leg) => string | null): TextData {
  const known = new Map<string, number>();
  const values = [''];
  const codes = new Uint32Array(legs.length);
  for (let row = 0; row < legs.length; row++) {
    const text = textOf(legs[row] as Leg);
    if (text === null) continue;
    let code = known.get(text);
    if (code === undefined) {
      code = values.push(text) - 1;
      known.set(text, code);
    }
    codes[row] = code;
  }
  return { codes, values };
}
