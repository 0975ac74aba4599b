import type { ContractState } from '../../market/latest.ts';
import { type Cell, type Table, TableBuilder, type TableSpec } from '../../market/table.ts';
import type { LegBook } from '../spreads/book.ts';
import { SLIPPAGES_BP, type SlippageBp } from './capacity.ts';

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
    ...SLIPPAGES_BP.map((slippageBp) => ({
      name: capacityColumn(slippageBp),
      type: 'number' as const,
      nullable: true,
      description: `USD that can be bought and sold within ${slippageBp} basis points of the top`,
    })),
  ],
};

/** What legs have besides their book and rate. */
export interface LegFacts {
  /** False: the contract has no row in /funding, so it is no leg either. */
  isShown(key: string): boolean;
  /** Sums of the settled rates over REALISED_DAYS; null under 95 % coverage. */
  sumsOf(key: string): readonly (number | null)[] | undefined;
  /** USD for each of SLIPPAGES_BP. */
  capacitiesOf(state: ContractState): readonly number[] | undefined;
  openInterestUsdtOf(key: string): number | null;
}

/** The legs of all coins that two venues or more quote with a known rate and interval. */
export function arbitrageLegs(book: LegBook, facts: LegFacts): Table {
  const { layout, numbers } = book;
  const builder = new TableBuilder(ARBITRAGE_LEGS_TABLE);
  for (let coin = 0; coin + 1 < layout.firstLeg.length; coin++) {
    const usable: number[] = [];
    const venues = new Set<number>();
    for (let leg = layout.firstLeg[coin] ?? 0; leg < (layout.firstLeg[coin + 1] ?? 0); leg++) {
      if (book.usable[leg] === 0 || !facts.isShown(book.contractOf(leg).state.key)) continue;
      if (Number.isNaN(numbers.ratePct[leg]) || Number.isNaN(numbers.intervalHours[leg])) continue;
      usable.push(leg);
      venues.add(book.codes.exchange[leg] ?? 0);
    }
    if (venues.size < 2) continue;
    for (const leg of usable) builder.add(legRow(book, leg, facts));
  }
  return builder.build();
}

function legRow(book: LegBook, leg: number, facts: LegFacts): Record<string, Cell> {
  const { numbers } = book;
  const { state, identity } = book.contractOf(leg);
  const { contract, key } = state;
  const known = (column: Float64Array) => {
    const value = column[leg] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const sums = facts.sumsOf(key);
  const capacities = facts.capacitiesOf(state);
  return {
    coin: identity.coin,
    exchange: state.venue.facts.exchange,
    quote: contract.quote,
    symbol: `${contract.base}-${contract.quote}`,
    contract: key,
    asset_class: identity.assetClass,
    bid: known(numbers.bid),
    ask: known(numbers.ask),
    taker_fee_pct: known(numbers.takerFeePct),
    rate_pct: known(numbers.ratePct),
    interval_hours: known(numbers.intervalHours),
    next_funding_at: known(numbers.nextFundingAtMs),
    volume_24h_usdt: known(numbers.volume24hUsdt),
    open_interest_usdt: facts.openInterestUsdtOf(key),
    received_at: known(numbers.receivedAtMs),
    ...Object.fromEntries(REALISED_DAYS.map((days, i) => [sumColumn(days), sums?.[i] ?? null])),
    ...Object.fromEntries(SLIPPAGES_BP.map((bp, i) => [capacityColumn(bp), capacities?.[i] ?? null])),
  };
}
