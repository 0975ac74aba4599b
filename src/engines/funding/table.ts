import { roundPercent } from '../../base/numbers.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import { tableOf } from '../../market/tables/table-builder.ts';

const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365;

/** One row per perpetual contract on every venue. */
export const FUNDING_TABLE: TableSpec = {
  name: 'funding',
  rowTitle: 'FundingRateItem',
  columns: [
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue name as /exchanges spells it' },
    {
      name: 'symbol',
      type: 'text',
      nullable: false,
      description: "Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT",
    },
    {
      name: 'venue_symbol',
      type: 'text',
      nullable: false,
      description: "The venue's own spelling of the contract",
    },
    {
      name: 'coin',
      type: 'text',
      nullable: false,
      description: 'Ticker without multiplier, e.g. PEPE; QNT.STOCK where venues use QNT for two things',
    },
    {
      name: 'is_inverse',
      type: 'flag',
      nullable: false,
      description: 'true = coin-margined (settled in the base coin)',
    },
    {
      name: 'asset_class',
      type: 'text',
      nullable: false,
      description: 'crypto, stock, commodity, index or forex',
    },
    {
      name: 'price_outlier',
      type: 'flag',
      nullable: false,
      description:
        "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker",
    },
    {
      name: 'rate_pct',
      type: 'number',
      nullable: false,
      description:
        'Percent exchanged at the next settlement (0.01 = one basis point); positive = longs pay shorts',
    },
    {
      name: 'apr_pct',
      type: 'number',
      nullable: true,
      description:
        'Simple interest over a year at this rate, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when the interval is unknown. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days',
    },
    {
      name: 'sum_7d_pct',
      type: 'number',
      nullable: true,
      description:
        'Sum of the settled rates of the 7 days that end at covered_until, in percent; null under 95 % coverage',
    },
    {
      name: 'sum_30d_pct',
      type: 'number',
      nullable: true,
      description:
        'Sum of the settled rates of the 30 days that end at covered_until, in percent; null under 95 % coverage',
    },
    {
      name: 'interval_hours',
      type: 'integer',
      nullable: true,
      description: 'Settlement interval in hours; null when the venue does not report it',
    },
    {
      name: 'next_funding_at',
      type: 'time',
      nullable: true,
      description: 'Next settlement, UTC; null when funding is continuous or the venue does not report it',
    },
    {
      name: 'volume_24h_usdt',
      type: 'number',
      nullable: false,
      description: 'Turnover of the last 24 hours in USDT',
    },
    {
      name: 'mark_price',
      type: 'number',
      nullable: true,
      description:
        "The venue's mark price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it",
    },
    {
      name: 'index_price',
      type: 'number',
      nullable: true,
      description:
        "The venue's index (spot) price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it",
    },
    {
      name: 'open_interest_usdt',
      type: 'number',
      nullable: true,
      description:
        'Value of all open positions in USDT, one side counted; null when the bulk calls of the venue do not give it',
    },
    {
      name: 'last_rate_pct',
      type: 'number',
      nullable: true,
      description:
        'The newest settled rate that is stored, in percent: what was exchanged at last_funding_at; null while no print is stored',
    },
    {
      name: 'last_funding_at',
      type: 'time',
      nullable: true,
      description: 'Settlement of last_rate_pct, to the minute, UTC; never after meta.as_of',
    },
    {
      name: 'taker_fee_pct',
      type: 'number',
      nullable: false,
      description:
        "Taker fee in percent that apr_pct takes off twice: the contract's own where the venue charges one, else that of /exchanges",
    },
    {
      name: 'covered_until',
      type: 'time',
      nullable: true,
      description:
        'Last settlement up to which the prints are complete, UTC: sum_7d_pct and sum_30d_pct are over (covered_until - N days, covered_until]; null when both are',
    },
    {
      name: 'gross_apr_pct',
      type: 'number',
      nullable: true,
      description:
        'Simple interest over a year at this rate, in percent, before fees: rate_pct / interval_hours × 8,760; null when the interval is unknown',
    },
    {
      name: 'session',
      type: 'text',
      nullable: true,
      description:
        'open or closed: the market of the underlying, such as a stock exchange. closed = the venue says so, or the index price has not moved for 15 minutes while those of coins did; null for crypto, and while it is unknown',
    },
  ],
  internalColumns: [
    'max_leverage',
    'rate_at_ms',
    'sum_1d_pct',
    'absolute_30d_pct',
    'depth_period_ms',
    // Of the quotes at venues that have no book.
    'quote_age_ms',
    // Units of the coin in one unit of the contract's own base.
    'multiplier',
    // Of one unit of the coin; on the contract whose price was stored then.
    'price_24h_ago',
  ],
  // The venue whose rates the row's venue copies.
  internalTexts: ['mirrors'],
};

/** Annual return of a position at this rate, before fees. */
function grossAprPct(ratePct: number, intervalHours: number | null): number | null {
  return intervalHours === null
    ? null
    : roundPercent(ratePct * (HOURS_PER_DAY / intervalHours) * DAYS_PER_YEAR);
}

/** Annual return of a position at this rate, net of the taker fee to open and to close. */
export function aprPct(ratePct: number, intervalHours: number | null, takerFeePct: number): number | null {
  if (intervalHours === null) return null;
  const grossPct = Math.abs(ratePct) * (HOURS_PER_DAY / intervalHours) * DAYS_PER_YEAR;
  return roundPercent(Math.sign(ratePct) * Math.max(0, grossPct - 2 * takerFeePct));
}

/** What is known of a contract's settled prints. Sums are null while too few are stored. */
export interface SettledFigures {
  sum1dPct: number | null;
  sum7dPct: number | null;
  sum30dPct: number | null;
  sum90dPct: number | null;
  /** The sum of the absolute rates of 30 days. */
  absolute30dPct: number | null;
  /** The end of the windows of the sums; null if all of them are. */
  coveredUntilMs: number | null;
  /** The newest print that had settled by the time of the snapshot. */
  last: { ratePct: number; settledAtMs: number };
}

export function fundingTable(
  market: FrozenMarket,
  settledFigures: ReadonlyMap<string, SettledFigures>,
  priceDayAgoOf: (contract: FrozenContract) => number | null = () => null,
  mirrors: ReadonlyMap<string, string> = new Map(),
): Table {
  const quoteAgesMs = quoteAgesOf(market);
  const sources = market.contracts.map((contract) => ({
    contract,
    settled: settledFigures.get(contract.key),
  }));
  return tableOf(FUNDING_TABLE, sources, {
    exchange: ({ contract }) => contract.exchange,
    symbol: ({ contract }) => contract.symbol,
    venue_symbol: ({ contract }) => contract.venueSymbol,
    coin: ({ contract }) => contract.coin,
    is_inverse: ({ contract }) => contract.isInverse,
    asset_class: ({ contract }) => contract.assetClass,
    price_outlier: ({ contract }) => contract.isPriceOutlier,
    rate_pct: ({ contract }) => contract.ratePct,
    apr_pct: ({ contract }) => aprPct(contract.ratePct, contract.intervalHours, contract.takerFeePct),
    sum_7d_pct: ({ settled }) => settled?.sum7dPct ?? null,
    sum_30d_pct: ({ settled }) => settled?.sum30dPct ?? null,
    interval_hours: ({ contract }) => contract.intervalHours,
    next_funding_at: ({ contract }) => contract.nextFundingAtMs,
    volume_24h_usdt: ({ contract }) => toCents(contract.volume24hUsdt),
    mark_price: ({ contract }) => contract.markPrice,
    index_price: ({ contract }) => contract.indexPrice,
    open_interest_usdt: ({ contract: { openInterestUsdt } }) =>
      openInterestUsdt === null ? null : toCents(openInterestUsdt),
    last_rate_pct: ({ settled }) => settled?.last.ratePct ?? null,
    last_funding_at: ({ settled }) => settled?.last.settledAtMs ?? null,
    taker_fee_pct: ({ contract }) => contract.takerFeePct,
    covered_until: ({ settled }) => coveredUntilMs(settled),
    gross_apr_pct: ({ contract }) => grossAprPct(contract.ratePct, contract.intervalHours),
    session: ({ contract }) => contract.session,
    max_leverage: ({ contract }) => contract.maxLeverage,
    rate_at_ms: ({ contract }) => contract.rateAtMs,
    sum_1d_pct: ({ settled }) => settled?.sum1dPct ?? null,
    absolute_30d_pct: ({ settled }) => settled?.absolute30dPct ?? null,
    multiplier: ({ contract }) => contract.multiplier,
    price_24h_ago: ({ contract }) => priceDayAgoOf(contract),
    depth_period_ms: ({ contract }) => market.curves.get(contract.key)?.periodMs ?? null,
    quote_age_ms: ({ contract }) => quoteAgesMs.get(contract.key) ?? null,
    mirrors: ({ contract }) => mirrors.get(contract.exchange) ?? null,
  });
}

/** How old the quotes of contracts are, by key, where a venue has quotes on request instead of a book. */
function quoteAgesOf({ states, asOfMs }: FrozenMarket): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { key, venue, rateVenueTimeMs } of states)
    if (venue.facts.noBook !== undefined && rateVenueTimeMs !== null)
      ages.set(key, Math.max(0, asOfMs - rateVenueTimeMs));
  return ages;
}

/** A row without sums has no end of their windows either. */
function coveredUntilMs(settled: SettledFigures | undefined): number | null {
  if (!settled || (settled.sum7dPct === null && settled.sum30dPct === null)) return null;
  return settled.coveredUntilMs;
}

function toCents(usdt: number): number {
  return Math.round(usdt * 100) / 100;
}
