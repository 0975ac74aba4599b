import type { ContractState } from '../../market/contract-state.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
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
  /** The row of a contract in /funding. A contract without one is no leg either. */
  shownOf(key: string): Pick<FrozenContract, 'openInterestUsdt'> | undefined;
  settledOf(key: string): SettledFigures | undefined;
  /** In USD. */
  capacitiesOf(state: ContractState): Capacities | null;
  /** The venues that copy, with the one that each copies. */
  mirrors: ReadonlyMap<string, string>;
}

/** Makes the legs of each snapshot of the market. */
export class MarketLegs {
  readonly #book = new LegBook();

  of(
    market: FrozenMarket,
    settled: ReadonlyMap<string, SettledFigures>,
    mirrors: ReadonlyMap<string, string>,
  ): Table {
    const { asOfMs, curves, states, identities } = market;
    const book = this.#book;
    const shown = new Map(market.contracts.map((contract) => [contract.key, contract]));
    book.refresh(states, identities, asOfMs, (key) => shown.get(key)?.session === 'closed');
    return legsTable(book, {
      shownOf: (key) => shown.get(key),
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
function legsTable(book: LegBook, facts: LegFacts): Table {
  const legs = usableLegs(book, facts);
  const gathered = ({ codes, values }: TextData): TextData => ({ codes: codesAt(codes, legs), values });
  const { codes, values } = book;
  const texts = new Map<string, TextData>([
    ['symbol', gathered(book.symbols)],
    ['contract', gathered(book.contracts)],
    ['asset_class', textsOf(book, legs, ({ identity }) => identity.assetClass)],
    ['mirrors', textsOf(book, legs, ({ state }) => facts.mirrors.get(state.venue.facts.exchange) ?? null)],
  ]);
  for (const name of ['coin', 'exchange', 'quote'] as const)
    texts.set(name, gathered({ codes: codes[name], values: values[name] }));
  return new Table(ARBITRAGE_LEGS_TABLE, legs.length, numbersOf(book, legs, facts), texts);
}

function usableLegs(book: LegBook, facts: LegFacts): Int32Array {
  const { layout, numbers, usable, codes } = book;
  const found = new Int32Array(usable.length);
  let count = 0;
  for (let coin = 0; coin + 1 < layout.firstLeg.length; coin++) {
    const first = count;
    let hasTwoVenues = false;
    for (let leg = layout.firstLeg[coin] ?? 0; leg < (layout.firstLeg[coin + 1] ?? 0); leg++) {
      if (usable[leg] === 0 || !facts.shownOf(book.contractOf(leg).state.key)) continue;
      if (Number.isNaN(numbers.ratePct[leg]) || Number.isNaN(numbers.intervalHours[leg])) continue;
      hasTwoVenues ||= count > first && codes.exchange[leg] !== codes.exchange[found[first] as number];
      found[count++] = leg;
    }
    if (!hasTwoVenues) count = first;
  }
  return found.slice(0, count);
}

function numbersOf(book: LegBook, legs: Int32Array, facts: LegFacts): Map<string, Float64Array> {
  const { numbers } = book;
  const columns = new Map([
    ['bid', numbersAt(numbers.bid, legs)],
    ['ask', numbersAt(numbers.ask, legs)],
    ['taker_fee_pct', numbersAt(numbers.takerFeePct, legs)],
    ['rate_pct', numbersAt(numbers.ratePct, legs)],
    ['interval_hours', numbersAt(numbers.intervalHours, legs)],
    ['next_funding_at', numbersAt(numbers.nextFundingAtMs, legs)],
    ['volume_24h_usdt', numbersAt(numbers.volume24hUsdt, legs)],
    ['received_at', numbersAt(numbers.receivedAtMs, legs)],
    ['is_closed', numbersAt(numbers.isClosed, legs)],
  ]);
  const unknown = () => new Float64Array(legs.length).fill(Number.NaN);
  const openInterests = unknown();
  const coveredUntil = unknown();
  const sums = REALISED_DAYS.map(unknown);
  const capacities = SLIPPAGES_BP.map(unknown);
  const reaches = unknown();
  for (let row = 0; row < legs.length; row++) {
    const { state } = book.contractOf(legs[row] as number);
    openInterests[row] = facts.shownOf(state.key)?.openInterestUsdt ?? Number.NaN;
    const settled = facts.settledOf(state.key);
    if (settled) put(sums, row, [settled.sum1dPct, settled.sum7dPct, settled.sum30dPct, settled.sum90dPct]);
    coveredUntil[row] = settled?.coveredUntilMs ?? Number.NaN;
    const fits = facts.capacitiesOf(state);
    put(capacities, row, fits?.values);
    reaches[row] = fits?.reachBp ?? Number.NaN;
  }
  columns.set('open_interest_usdt', openInterests);
  columns.set('covered_until', coveredUntil);
  for (const [i, days] of REALISED_DAYS.entries()) columns.set(sumColumn(days), sums[i] ?? unknown());
  for (const [i, bp] of SLIPPAGES_BP.entries()) columns.set(capacityColumn(bp), capacities[i] ?? unknown());
  columns.set('book_reach_bp', reaches);
  return columns;
}

function put(
  columns: readonly Float64Array[],
  row: number,
  values: readonly (number | null)[] | undefined,
): void {
  if (!values) return;
  for (const [i, column] of columns.entries()) column[row] = values[i] ?? Number.NaN;
}

type LegContract = ReturnType<LegBook['contractOf']>;

function textsOf(book: LegBook, legs: Int32Array, textOf: (leg: LegContract) => string | null): TextData {
  const known = new Map<string, number>();
  const values = [''];
  const codes = new Uint32Array(legs.length);
  for (let row = 0; row < legs.length; row++) {
    const text = textOf(book.contractOf(legs[row] as number));
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
