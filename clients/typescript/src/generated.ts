// Made by `npm run clients` from the operations of the service. Do not edit.
import type { AllOptions, Answer, RequestOptions, StreamOptions, StreamUpdate } from './request.ts';

/** Every error code of the API. */
export type ApiErrorCode =
  | "invalid-parameter"
  | "unauthenticated"
  | "scope-missing"
  | "origin-refused"
  | "plan-limit"
  | "unknown-coin"
  | "unknown-exchange"
  | "not-found"
  | "method-not-allowed"
  | "address-too-long"
  | "range-not-satisfiable"
  | "rate-limited"
  | "quota-exhausted"
  | "bad-request"
  | "internal"
  | "snapshot-unavailable"
  | "overloaded"
  | "api-disabled";

export interface Meta {
  /** Time of the snapshot, UTC */
  as_of: string;
  /** Lag behind the live snapshot: 0 on paid plans, 900 on Demo */
  delayed_seconds: number;
  /** Whom to attribute the figures to */
  source: string;
  /** Human page of the same data; link it when figures are republished */
  url: string;
  /** Rows in this page; of /funding/{coin} its rates, of /funding/history its series */
  count: number | null;
  /** Rows that match in all pages */
  total: number | null;
  /** Pass it as cursor to get the next page; absent on the last page */
  next_cursor?: string | null;
}

export interface FundingRateItem {
  /** Venue name as /exchanges spells it */
  exchange: string;
  /** Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT */
  symbol: string;
  /** The venue's own spelling of the contract */
  venue_symbol: string;
  /** Ticker without multiplier, e.g. PEPE; QNT.STOCK where venues use QNT for two things */
  coin: string;
  /** true = coin-margined (settled in the base coin) */
  is_inverse: boolean;
  /** crypto, stock, commodity, index or forex */
  asset_class: string;
  /** true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker */
  price_outlier: boolean;
  /** Percent exchanged at the next settlement (0.01 = one basis point); positive = longs pay shorts */
  rate_pct: number;
  /** Simple interest over a year at this rate, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when the interval is unknown. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days */
  apr_pct: number | null;
  /** Sum of the settled rates of the 7 days that end at covered_until, in percent; null under 95 % coverage */
  sum_7d_pct: number | null;
  /** Sum of the settled rates of the 30 days that end at covered_until, in percent; null under 95 % coverage */
  sum_30d_pct: number | null;
  /** Settlement interval in hours; null when the venue does not report it */
  interval_hours: number | null;
  /** Next settlement, UTC; null when funding is continuous or the venue does not report it */
  next_funding_at: string | null;
  /** Turnover of the last 24 hours in USDT */
  volume_24h_usdt: number;
  /** The venue's mark price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it */
  mark_price: number | null;
  /** The venue's index (spot) price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it */
  index_price: number | null;
  /** Value of all open positions in USDT, one side counted; null when the bulk calls of the venue do not give it */
  open_interest_usdt: number | null;
  /** The newest settled rate that is stored, in percent: what was exchanged at last_funding_at; null while no print is stored */
  last_rate_pct: number | null;
  /** Settlement of last_rate_pct, to the minute, UTC; never after meta.as_of */
  last_funding_at: string | null;
  /** Taker fee in percent that apr_pct takes off twice: the contract's own where the venue charges one, else that of /exchanges */
  taker_fee_pct: number;
  /** Last settlement up to which the prints are complete, UTC: sum_7d_pct and sum_30d_pct are over (covered_until - N days, covered_until]; null when both are */
  covered_until: string | null;
  /** Simple interest over a year at this rate, in percent, before fees: rate_pct / interval_hours × 8,760; null when the interval is unknown */
  gross_apr_pct: number | null;
  /** open or closed: the market of the underlying, such as a stock exchange. closed = the venue says so, or the index price has not moved for 15 minutes while those of coins did; null for crypto, and while it is unknown */
  session: string | null;
}

/** What `fields` may name. */
export type ListFundingField =
  | "exchange"
  | "symbol"
  | "venue_symbol"
  | "coin"
  | "is_inverse"
  | "asset_class"
  | "price_outlier"
  | "rate_pct"
  | "apr_pct"
  | "sum_7d_pct"
  | "sum_30d_pct"
  | "interval_hours"
  | "next_funding_at"
  | "volume_24h_usdt"
  | "mark_price"
  | "index_price"
  | "open_interest_usdt"
  | "last_rate_pct"
  | "last_funding_at"
  | "taker_fee_pct"
  | "covered_until"
  | "gross_apr_pct"
  | "session";

export interface ListFundingParams<F extends ListFundingField = ListFundingField> {
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Venues to keep, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** Venues to leave out; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Lowest rate_pct, signed */
  min_rate_pct?: number | undefined;
  /** Highest rate_pct */
  max_rate_pct?: number | undefined;
  /** Lowest magnitude of rate_pct */
  min_abs_rate_pct?: number | undefined;
  /** Highest magnitude of rate_pct */
  max_abs_rate_pct?: number | undefined;
  /** Lowest apr_pct, signed; drops nulls */
  min_apr_pct?: number | undefined;
  /** Highest apr_pct */
  max_apr_pct?: number | undefined;
  /** Lowest gross_apr_pct; drops nulls */
  min_gross_apr_pct?: number | undefined;
  /** Highest gross_apr_pct */
  max_gross_apr_pct?: number | undefined;
  /** Lowest 7-day sum; drops nulls */
  min_sum_7d_pct?: number | undefined;
  /** Highest 7-day sum */
  max_sum_7d_pct?: number | undefined;
  /** Lowest 30-day sum; drops nulls */
  min_sum_30d_pct?: number | undefined;
  /** Highest 30-day sum */
  max_sum_30d_pct?: number | undefined;
  /** Settlement intervals in hours */
  interval_hours?: number | readonly number[] | undefined;
  /** State of the market of the underlying; drops crypto */
  session?: "open" | "closed" | undefined;
  /** true = coin-margined only; false = linear only */
  is_inverse?: boolean | undefined;
  /** Lowest 24 h volume in USDT */
  min_volume_usdt?: number | undefined;
  /** Highest 24 h volume */
  max_volume_usdt?: number | undefined;
  /** Lowest open interest in USDT; drops nulls */
  min_open_interest_usdt?: number | undefined;
  /** Highest open interest */
  max_open_interest_usdt?: number | undefined;
  /** Next settlement within this many minutes of meta.as_of */
  settles_within_minutes?: number | undefined;
  /** Order of the rows; default abs_rate_desc */
  sort?: "abs_rate_desc" | "abs_rate_asc" | "rate_desc" | "rate_asc" | "apr_desc" | "apr_asc" | "gross_apr_desc" | "gross_apr_asc" | "sum_7d_desc" | "sum_7d_asc" | "sum_30d_desc" | "sum_30d_asc" | "volume_desc" | "volume_asc" | "open_interest_desc" | "open_interest_asc" | "next_funding_asc" | "next_funding_desc" | "coin_asc" | "exchange_asc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListFundingData<F extends ListFundingField = ListFundingField> = Pick<FundingRateItem, F & keyof FundingRateItem>[];

/** The columns that together identify a row. */
export type ListFundingIdentity = "exchange" | "venue_symbol";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListFundingStreamRow<F extends ListFundingField = ListFundingField> = Pick<ListFundingData[number], F | ListFundingIdentity>;

/** The fields of `data` beside the rows. */
export type ListFundingStreamFields = Record<never, never>;

export interface CoinFundingRate {
  /** Venue name as /exchanges spells it */
  exchange: string;
  /** Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT */
  symbol: string;
  /** The venue's own spelling of the contract */
  venue_symbol: string;
  /** Ticker without multiplier, e.g. PEPE; QNT.STOCK where venues use QNT for two things */
  coin: string;
  /** true = coin-margined (settled in the base coin) */
  is_inverse: boolean;
  /** crypto, stock, commodity, index or forex */
  asset_class: string;
  /** true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker */
  price_outlier: boolean;
  /** Percent exchanged at the next settlement (0.01 = one basis point); positive = longs pay shorts */
  rate_pct: number;
  /** Simple interest over a year at this rate, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when the interval is unknown. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days */
  apr_pct: number | null;
  /** Sum of the settled rates of the 7 days that end at covered_until, in percent; null under 95 % coverage */
  sum_7d_pct: number | null;
  /** Sum of the settled rates of the 30 days that end at covered_until, in percent; null under 95 % coverage */
  sum_30d_pct: number | null;
  /** Settlement interval in hours; null when the venue does not report it */
  interval_hours: number | null;
  /** Next settlement, UTC; null when funding is continuous or the venue does not report it */
  next_funding_at: string | null;
  /** Turnover of the last 24 hours in USDT */
  volume_24h_usdt: number;
  /** The venue's mark price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it */
  mark_price: number | null;
  /** The venue's index (spot) price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it */
  index_price: number | null;
  /** Value of all open positions in USDT, one side counted; null when the bulk calls of the venue do not give it */
  open_interest_usdt: number | null;
  /** The newest settled rate that is stored, in percent: what was exchanged at last_funding_at; null while no print is stored */
  last_rate_pct: number | null;
  /** Settlement of last_rate_pct, to the minute, UTC; never after meta.as_of */
  last_funding_at: string | null;
  /** Taker fee in percent that apr_pct takes off twice: the contract's own where the venue charges one, else that of /exchanges */
  taker_fee_pct: number;
  /** Last settlement up to which the prints are complete, UTC: sum_7d_pct and sum_30d_pct are over (covered_until - N days, covered_until]; null when both are */
  covered_until: string | null;
  /** Simple interest over a year at this rate, in percent, before fees: rate_pct / interval_hours × 8,760; null when the interval is unknown */
  gross_apr_pct: number | null;
  /** open or closed: the market of the underlying, such as a stock exchange. closed = the venue says so, or the index price has not moved for 15 minutes while those of coins did; null for crypto, and while it is unknown */
  session: string | null;
  /** Sum of the settled rates of 24 hours, in percent, over (covered_until - 1 day, covered_until]; null under 95 % coverage */
  sum_1d_pct: number | null;
  /** Sum of the absolute settled rates of 30 days, in percent: forecasts limit what stands far from it, and scale their range with it; null where sum_30d_pct is */
  absolute_30d_pct: number | null;
  /** What a short is expected to receive, and a long to pay, in the next 24 hours, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage */
  expected_1d_pct: number | null;
  /** What a short is expected to receive, and a long to pay, in the next 7 days, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage */
  expected_7d_pct: number | null;
  /** What a short is expected to receive, and a long to pay, in the next 30 days, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage */
  expected_30d_pct: number | null;
  /** Lower end of the range around expected_30d_pct that four of five past outcomes fell into */
  expected_30d_low_pct: number | null;
  /** Upper end of the same range */
  expected_30d_high_pct: number | null;
  /** What opening a position of size_usd that receives rate_pct costs now, a short where it is positive and else a long, before fees, in percent of the mid price; null unless fills is full */
  entry_cost_pct?: number | null;
  /** What closing it cost, before fees, in percent: the median of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd */
  exit_cost_pct?: number | null;
  /** The same at the worst times: what was exceeded in at most 5 % of the samples; null likewise */
  exit_cost_worst_pct?: number | null;
  /** Whether the book takes size_usd now, to open and to close: full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour, and for inverse contracts */
  fills?: string;
  /** Age of the book at meta.as_of, in seconds; null where fills is unknown */
  book_age_seconds?: number | null;
}

export interface CoinFundingResponse<F extends GetCoinFundingField = GetCoinFundingField> {
  /** Ticker without multiplier */
  coin: string;
  /** Venues in the ranking: those with a linear contract on the coin that the filters leave */
  venue_count: number;
  /** Highest minus lowest rate_pct over the linear contracts, in percentage points; null when none is ranked */
  spread_pct: number | null;
  /** Linear contract with the highest rate_pct; null when none is ranked */
  highest: {
    /** Venue name */
    exchange: string;
    /** Contract symbol */
    symbol: string;
    /** Percent exchanged at the next settlement */
    rate_pct: number;
    /** Settlement interval in hours, with which rate_pct is quoted; null when unknown */
    interval_hours: number | null;
  } | null;
  /** Linear contract with the lowest rate_pct; null when none is ranked */
  lowest: {
    /** Venue name */
    exchange: string;
    /** Contract symbol */
    symbol: string;
    /** Percent exchanged at the next settlement */
    rate_pct: number;
    /** Settlement interval in hours, with which rate_pct is quoted; null when unknown */
    interval_hours: number | null;
  } | null;
  /** Venue that pays a short best now, by rate per hour (rate_pct / interval_hours), not per settlement; null when no ranked contract has a known interval */
  best_short_exchange: string | null;
  /** Venue that pays a long best now, by rate per hour; null when no ranked contract has a known interval */
  best_long_exchange: string | null;
  /** true: even there a short pays, because no venue pays shorts now; null when no ranked contract has a known interval */
  best_short_would_pay: boolean | null;
  /** true: even there a long pays, because no venue pays longs now; null when no ranked contract has a known interval */
  best_long_would_pay: boolean | null;
  /** How long a carry above the fee lasted before, for a long on best_long_exchange and a short on best_short_exchange: median length in hours of the times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times, under 95 % coverage, or when /arbitrage does not pair these venues */
  median_hours_above_fee: number | null;
  /** How many such times began and ended in the last 720 full hours */
  times_above_fee: number | null;
  /** Hours that the present such time has lasted, up to the last hour that both have settled; 0 when that hour was not above the fee */
  hours_above_fee_now: number | null;
  /** 24 h turnover in USDT of all contracts in rates */
  total_volume_24h_usdt: number;
  /** Venues with an inverse (coin-margined) contract, which the ranking leaves out */
  inverse_venues: string[];
  /** Linear contracts first, venues by the rate of their contract with the largest volume, from high to low, each followed by the venue's other contracts; then the inverse ones in the same way */
  rates: Pick<CoinFundingRate, F & keyof CoinFundingRate>[];
}

/** What `fields` may name. */
export type GetCoinFundingField =
  | "exchange"
  | "symbol"
  | "venue_symbol"
  | "coin"
  | "is_inverse"
  | "asset_class"
  | "price_outlier"
  | "rate_pct"
  | "apr_pct"
  | "sum_7d_pct"
  | "sum_30d_pct"
  | "interval_hours"
  | "next_funding_at"
  | "volume_24h_usdt"
  | "mark_price"
  | "index_price"
  | "open_interest_usdt"
  | "last_rate_pct"
  | "last_funding_at"
  | "taker_fee_pct"
  | "covered_until"
  | "gross_apr_pct"
  | "session"
  | "sum_1d_pct"
  | "absolute_30d_pct"
  | "expected_1d_pct"
  | "expected_7d_pct"
  | "expected_30d_pct"
  | "expected_30d_low_pct"
  | "expected_30d_high_pct"
  | "entry_cost_pct"
  | "exit_cost_pct"
  | "exit_cost_worst_pct"
  | "fills"
  | "book_age_seconds";

export interface GetCoinFundingParams<F extends GetCoinFundingField = GetCoinFundingField> {
  /** Rank only these venues, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** Leave these venues out; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Rank only venues whose 24 h volume over all their contracts on the coin is at least this, in USDT */
  min_volume_usdt?: number | undefined;
  /** State of the market of the underlying; drops crypto */
  session?: "open" | "closed" | undefined;
  /** Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds to rates, of the position that receives the rate; apr_pct is then net of them. */
  size_usd?: number | undefined;
  /** Keep only these fields on every row of rates; the rest of data and meta are untouched */
  fields?: readonly F[] | undefined;
}

export type GetCoinFundingData<F extends GetCoinFundingField = GetCoinFundingField> = CoinFundingResponse<F>;

export interface FundingHistoryDay {
  /** UTC calendar day */
  day: string;
  /** The day's settled rates as simple interest over a year, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when prints cover less than half of the day, unless none of the day is missing. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days */
  apr_pct: number | null;
}

export interface FundingHistoryPrint {
  /** Settlement, to the minute, UTC */
  time: string;
  /** Percent that was exchanged (0.01 = one basis point); positive = longs paid shorts */
  rate_pct: number;
  /** Hours that the print is for: since the print before, and for the first as long as the next */
  interval_hours: number | null;
}

export interface FundingHistoryResponse<F extends GetFundingHistoryField = GetFundingHistoryField> {
  /** Ticker without multiplier */
  coin: string;
  /** As asked */
  resolution: "1d" | "settlement";
  /** Start of the window that was answered */
  from: string;
  /** End of the window that was answered */
  to: string;
  /** One entry per venue, by name */
  series: ({
    /** Venue name */
    exchange: string;
    /** Contract symbol with the contract's own base */
    symbol: string;
    /** The venue's own spelling of the contract */
    venue_symbol: string;
    /** true = coin-margined */
    is_inverse: boolean;
    /** true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker */
    price_outlier: boolean;
    /** Taker fee in percent that apr_pct of a day takes off twice */
    taker_fee_pct: number;
    /** First print that is held of this contract; null while there is none */
    held_since: string | null;
    /** Points of resolution=1d, else null */
    daily: Pick<FundingHistoryDay, F & keyof FundingHistoryDay>[] | null;
    /** Prints of resolution=settlement, else null */
    settlements: Pick<FundingHistoryPrint, F & keyof FundingHistoryPrint>[] | null;
  })[];
}

/** What `fields` may name. */
export type GetFundingHistoryField =
  | "day"
  | "apr_pct"
  | "time"
  | "rate_pct"
  | "interval_hours";

export interface GetFundingHistoryParams<F extends GetFundingHistoryField = GetFundingHistoryField> {
  /** Ticker without multiplier, in any case */
  coin: string;
  /** Venues, as /exchanges spells them: up to 20 with resolution=1d, exactly one with resolution=settlement */
  exchange?: string | readonly string[] | undefined;
  /** Venues to leave out; with resolution=1d only */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it */
  symbol?: string | undefined;
  /** 1d (default): one annualised point per UTC day and venue. settlement: every settled print of one venue */
  resolution?: "1d" | "settlement" | undefined;
  /** Start of the window, included; default 30 days before to (1d) or 7 days (settlement), narrowed to the depth of the plan */
  from?: string | Date | undefined;
  /** End of the window; default now, and never later. A print at to is included; with resolution=1d the days that start before it are, so at midnight the last one is the day that ends at it */
  to?: string | Date | undefined;
  /** Days before to at which the window starts; ignored when from is given, whatever its value */
  days?: number | undefined;
  /** asc (default): oldest first; desc: newest first */
  order?: "asc" | "desc" | undefined;
  /** Most points per series, counted after ordering; default all */
  limit?: number | undefined;
  /** Keep only these fields on every point: day and apr_pct with resolution=1d; time, rate_pct and interval_hours with resolution=settlement. The rest of data and meta are untouched */
  fields?: readonly F[] | undefined;
}

export type GetFundingHistoryData<F extends GetFundingHistoryField = GetFundingHistoryField> = FundingHistoryResponse<F>;

export interface RunningFundingPoint {
  /** Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end */
  at: string;
  /** The running rate in percent, as /funding answered it: what would be exchanged at next_funding_at; positive = longs pay shorts */
  rate_pct: number;
  /** The lowest rate of the minutes in the step; null with step=1m */
  low_rate_pct: number | null;
  /** The highest rate of the minutes in the step; null with step=1m */
  high_rate_pct: number | null;
  /** Settlement interval in hours; null when it was unknown */
  interval_hours: number | null;
  /** Next settlement, UTC; null when funding is continuous or the venue did not report it */
  next_funding_at: string | null;
}

export interface RunningFundingResponse {
  /** Ticker without multiplier */
  coin: string;
  /** As requested */
  step: "1m" | "5m" | "1h" | "1d";
  /** Start of the window that was answered */
  from: string;
  /** End of the window that was answered */
  to: string;
  /** One entry per venue, by name */
  series: {
    /** Venue name */
    exchange: string;
    /** Contract symbol with the contract's own base */
    symbol: string;
    /** The venue's own spelling of the contract */
    venue_symbol: string;
    /** true = coin-margined */
    is_inverse: boolean;
    /** Oldest first */
    points: RunningFundingPoint[];
  }[];
}

export interface GetRunningFundingParams {
  /** Ticker without multiplier, in any case */
  coin: string;
  /** Venues, as /exchanges spells them; default all that quote the coin */
  exchange?: string | readonly string[] | undefined;
  /** Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it */
  symbol?: string | undefined;
  /** Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan */
  from?: string | Date | undefined;
  /** End of the window, included; default the end of the newest minute, and never later */
  to?: string | Date | undefined;
  /** Days before to at which the window starts; ignored when from is given, whatever its value */
  days?: number | undefined;
  /** Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together */
  step?: "1m" | "5m" | "1h" | "1d" | undefined;
}

export type GetRunningFundingData = RunningFundingResponse;

export interface OpenInterestSum {
  /** Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end */
  at: string;
  /** Sum over the venues whose open interest was known in the step; null if none was */
  open_interest_usdt: number | null;
  /** How many venues make the sum of open interest */
  open_interest_venues: number;
  /** Sum over the venues whose volume was known in the step; null if none was */
  volume_24h_usdt: number | null;
  /** How many venues make the sum of volume */
  volume_venues: number;
}

export interface OpenInterestPoint {
  /** Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end */
  at: string;
  /** Value of the open positions in USDT, one side counted, to five digits; null when it was unknown */
  open_interest_usdt: number | null;
  /** The lowest open_interest_usdt in the step; null with step=1m */
  low_open_interest_usdt: number | null;
  /** The highest open_interest_usdt in the step; null with step=1m */
  high_open_interest_usdt: number | null;
  /** The venue's mark price in the quote currency, for one unit of the contract's own base, to seven digits; null when it was unknown */
  mark_price: number | null;
  /** The lowest mark_price in the step; null with step=1m */
  low_mark_price: number | null;
  /** The highest mark_price in the step; null with step=1m */
  high_mark_price: number | null;
  /** The mark price above the index price, in percent (0.01 = one basis point), to a thousandth; null when it was unknown */
  premium_pct: number | null;
  /** The lowest premium_pct in the step; null with step=1m */
  low_premium_pct: number | null;
  /** The highest premium_pct in the step; null with step=1m */
  high_premium_pct: number | null;
  /** Turnover of the 24 hours before, in USDT, to five digits */
  volume_24h_usdt: number | null;
}

export interface OpenInterestHistoryResponse {
  /** Ticker without multiplier */
  coin: string;
  /** As requested */
  step: "1m" | "5m" | "1h" | "1d";
  /** Start of the window that was answered */
  from: string;
  /** End of the window that was answered */
  to: string;
  /** Over the venues of series, oldest first */
  total: OpenInterestSum[];
  /** One entry per venue, by name */
  series: {
    /** Venue name */
    exchange: string;
    /** Contract symbol with the contract's own base */
    symbol: string;
    /** The venue's own spelling of the contract */
    venue_symbol: string;
    /** true = coin-margined */
    is_inverse: boolean;
    /** Oldest first */
    points: OpenInterestPoint[];
  }[];
}

export interface GetOpenInterestHistoryParams {
  /** Ticker without multiplier, in any case */
  coin: string;
  /** Venues, as /exchanges spells them; default all that quote the coin */
  exchange?: string | readonly string[] | undefined;
  /** Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it */
  symbol?: string | undefined;
  /** Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan */
  from?: string | Date | undefined;
  /** End of the window, included; default the end of the newest minute, and never later */
  to?: string | Date | undefined;
  /** Days before to at which the window starts; ignored when from is given, whatever its value */
  days?: number | undefined;
  /** Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together */
  step?: "1m" | "5m" | "1h" | "1d" | undefined;
}

export type GetOpenInterestHistoryData = OpenInterestHistoryResponse;

export interface SpreadRow {
  /** COIN-QUOTE when both legs share the quote, else COIN-USD */
  symbol: string;
  /** Ticker without multiplier, e.g. PEPE */
  coin: string;
  /** Venue A; A comes before B in the order of character codes */
  exchange_a: string;
  /** Venue B; A comes before B in the order of character codes */
  exchange_b: string;
  /** The better of the two entry directions, in percent of the price that is paid; before fees */
  spread_pct: number;
  /** The better one: long_a_short_b (buy on A, sell on B) or short_a_long_b */
  direction: string;
  /** (bid_b - ask_a) / ask_a in percent */
  long_a_short_b_pct: number;
  /** (bid_a - ask_b) / ask_b in percent */
  short_a_long_b_pct: number;
  /** Best bid on A for one coin in USDT */
  bid_a: number;
  /** Best ask on A for one coin in USDT */
  ask_a: number;
  /** Best bid on B for one coin in USDT */
  bid_b: number;
  /** Best ask on B for one coin in USDT */
  ask_b: number;
  /** Turnover on A in the last 24 h in USDT */
  volume_a_usdt: number;
  /** Turnover on B in the last 24 h in USDT */
  volume_b_usdt: number;
  /** Running funding rate on A in percent per settlement; positive = longs pay; null when unknown */
  funding_rate_a_pct: number | null;
  /** Running funding rate on B in percent per settlement; positive = longs pay; null when unknown */
  funding_rate_b_pct: number | null;
  /** Settlement interval on A in hours; null when unknown */
  funding_interval_hours_a: number | null;
  /** Settlement interval on B in hours; null when unknown */
  funding_interval_hours_b: number | null;
  /** Next settlement on A, UTC; null when continuous or unknown */
  next_funding_at_a: string | null;
  /** Next settlement on B, UTC; null when continuous or unknown */
  next_funding_at_b: string | null;
  /** 0 to 5: how many of covers_fees, both_volumes_1m, both_fresh_15s, both_fill_500_usd and steady_3_prints are true */
  strength: number;
  /** When the older of the two quotes was received, UTC */
  updated_at: string;
  /** spread_pct - 2 x (taker_fee_a_pct + taker_fee_b_pct), in percent: after the taker fees of a round trip, both legs opened and closed, if the gap is gone on closing. Leaving now gives the percent of the other direction. With size_usd the gap of the mid prices less entry_cost_pct, exit_cost_pct and the fees, and null where these are not known; else never null */
  net_spread_pct: number | null;
  /** Taker fee on A in percent, as used in this row: the contract's own; with fees your own */
  taker_fee_a_pct: number;
  /** Taker fee on B in percent, as used in this row: the contract's own; with fees your own */
  taker_fee_b_pct: number;
  /** true = net_spread_pct is at least 0 */
  covers_fees: boolean;
  /** true = volume_a_usdt and volume_b_usdt are at least 1,000,000 */
  both_volumes_1m: boolean;
  /** true = updated_at is less than 15 s before meta.as_of */
  both_fresh_15s: boolean;
  /** true = the best ask of the leg that direction buys and the best bid of the one it sells each hold at least 500 USD; false when a size is unknown */
  both_fill_500_usd: boolean;
  /** true = direction was the same in each of the last three prints, including this one */
  steady_3_prints: boolean;
  /** true = the market of the underlying of a leg is closed (session in /funding): its index stands still, and the figures may jump when it opens; false where both are open or unknown */
  leg_closed: boolean;
  /** What opening both legs at size_usd costs now, before fees, in percent of the mid prices: average fill of the bought leg on its asks plus that of the sold leg on its bids; null unless fills is full */
  entry_cost_pct?: number | null;
  /** What closing both legs at size_usd cost, before fees, in percent: the sum of the medians of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd */
  exit_cost_pct?: number | null;
  /** The same at the worst times: the sum of what each leg exceeded in at most 5 % of the samples; null likewise */
  exit_cost_worst_pct?: number | null;
  /** Whether the books of both legs take size_usd now, to open and to close; the worse leg counts. full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour */
  fills?: string;
  /** Age of the older of the two books at meta.as_of, in seconds; null where fills is unknown */
  book_age_seconds?: number | null;
}

/** What `fields` may name. */
export type ListSpreadsField =
  | "symbol"
  | "coin"
  | "exchange_a"
  | "exchange_b"
  | "spread_pct"
  | "direction"
  | "long_a_short_b_pct"
  | "short_a_long_b_pct"
  | "bid_a"
  | "ask_a"
  | "bid_b"
  | "ask_b"
  | "volume_a_usdt"
  | "volume_b_usdt"
  | "funding_rate_a_pct"
  | "funding_rate_b_pct"
  | "funding_interval_hours_a"
  | "funding_interval_hours_b"
  | "next_funding_at_a"
  | "next_funding_at_b"
  | "strength"
  | "updated_at"
  | "net_spread_pct"
  | "taker_fee_a_pct"
  | "taker_fee_b_pct"
  | "covers_fees"
  | "both_volumes_1m"
  | "both_fresh_15s"
  | "both_fill_500_usd"
  | "steady_3_prints"
  | "leg_closed"
  | "entry_cost_pct"
  | "exit_cost_pct"
  | "exit_cost_worst_pct"
  | "fills"
  | "book_age_seconds";

export interface ListSpreadsParams<F extends ListSpreadsField = ListSpreadsField> {
  /** Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; net_spread_pct, covers_fees and strength follow. */
  fees?: string | undefined;
  /** Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds; net_spread_pct, covers_fees and strength are then at that size. */
  size_usd?: number | undefined;
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Pairs with these venues, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** any: either leg is in the exchange list; all: both are; default any */
  exchange_match?: "any" | "all" | undefined;
  /** Drop pairs with any of these on either leg; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** false = no pairs with a closed market; true = only these */
  leg_closed?: boolean | undefined;
  /** Lowest spread_pct, in percent */
  min_spread_pct?: number | undefined;
  /** Highest spread_pct */
  max_spread_pct?: number | undefined;
  /** Pairs whose better side is this one: long_a_short_b buys on A and sells on B */
  direction?: "long_a_short_b" | "short_a_long_b" | undefined;
  /** Lowest net_spread_pct, in percent */
  min_net_spread_pct?: number | undefined;
  /** Highest net_spread_pct */
  max_net_spread_pct?: number | undefined;
  /** Both legs' 24 h volume is at least this, in USDT */
  min_volume_usdt?: number | undefined;
  /** Lowest strength, 0 to 5 */
  min_strength?: number | undefined;
  /** The older quote was received within this many seconds before meta.as_of */
  max_age_seconds?: number | undefined;
  /** Lowest entry_cost_pct, in percent */
  min_entry_cost_pct?: number | undefined;
  /** Highest entry_cost_pct, in percent */
  max_entry_cost_pct?: number | undefined;
  /** Lowest exit_cost_pct, in percent */
  min_exit_cost_pct?: number | undefined;
  /** Highest exit_cost_pct, in percent */
  max_exit_cost_pct?: number | undefined;
  /** Lowest exit_cost_worst_pct, in percent */
  min_exit_cost_worst_pct?: number | undefined;
  /** Highest exit_cost_worst_pct, in percent */
  max_exit_cost_worst_pct?: number | undefined;
  /** Lowest book_age_seconds */
  min_book_age_seconds?: number | undefined;
  /** Highest book_age_seconds */
  max_book_age_seconds?: number | undefined;
  /** full: leaves out pairs whose books do not take size_usd */
  fills?: "full" | "partial" | "unknown" | undefined;
  /** Order of the rows; default spread_desc; volume is that of the smaller leg */
  sort?: "spread_desc" | "spread_asc" | "net_spread_desc" | "net_spread_asc" | "volume_desc" | "volume_asc" | "strength_desc" | "updated_desc" | "coin_asc" | "entry_cost_asc" | "entry_cost_desc" | "exit_cost_asc" | "exit_cost_desc" | "exit_cost_worst_asc" | "exit_cost_worst_desc" | "book_age_asc" | "book_age_desc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListSpreadsData<F extends ListSpreadsField = ListSpreadsField> = Pick<SpreadRow, F & keyof SpreadRow>[];

/** The columns that together identify a row. */
export type ListSpreadsIdentity = "coin" | "exchange_a" | "exchange_b";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListSpreadsStreamRow<F extends ListSpreadsField = ListSpreadsField> = Pick<ListSpreadsData[number], F | ListSpreadsIdentity>;

/** The fields of `data` beside the rows. */
export type ListSpreadsStreamFields = Record<never, never>;

export interface BacktestSpreadRow {
  /** COIN-QUOTE when both legs share the quote, else COIN-USD */
  symbol: string;
  /** Ticker without multiplier */
  coin: string;
  /** One venue, the first by alphabet */
  exchange_a: string;
  /** The other venue */
  exchange_b: string;
  /** Median profit of a round trip in percent, after the taker fees of all four trades */
  est_profit_pct: number;
  /** Mean profit of a round trip in percent, after fees */
  avg_profit_pct: number;
  /** Taker fees of a round trip in percent: 2 x (taker_fee_a_pct + taker_fee_b_pct) */
  fee_pct_cycle: number;
  /** P95 - P5 of the mid-price spread over the window, in percent */
  spread_range_pct: number;
  /** How often the spread opened and closed in the window, both directions together */
  cycles: number;
  /** 0 to 100: coverage x share of wins x number of cycles x evenness of profits */
  confidence: number;
  /** 24 h turnover on venue A in USDT */
  volume_a_usdt: number;
  /** 24 h turnover on venue B in USDT */
  volume_b_usdt: number;
  /** When the last cycle closed, UTC */
  last_cycle_at: string | null;
  /** Taker fee on A in percent, as used in this row: the contract's own; with fees your own */
  taker_fee_a_pct: number;
  /** Taker fee on B in percent, as used in this row: the contract's own; with fees your own */
  taker_fee_b_pct: number;
  /** How many of the cycles were long A and short B; the others were long B and short A. Null in results from before the field was added */
  long_a_cycles: number | null;
}

export interface BacktestSpreads<F extends ListSpreadBacktestField = ListSpreadBacktestField> {
  /** Order size that depth is priced at, in USD */
  size_usd: number;
  /** How many of the best rows are withheld on the Demo plan; 0 on paid plans */
  withheld_top: number;
  spreads: Pick<BacktestSpreadRow, F & keyof BacktestSpreadRow>[];
}

/** What `fields` may name. */
export type ListSpreadBacktestField =
  | "symbol"
  | "coin"
  | "exchange_a"
  | "exchange_b"
  | "est_profit_pct"
  | "avg_profit_pct"
  | "fee_pct_cycle"
  | "spread_range_pct"
  | "cycles"
  | "confidence"
  | "volume_a_usdt"
  | "volume_b_usdt"
  | "last_cycle_at"
  | "taker_fee_a_pct"
  | "taker_fee_b_pct"
  | "long_a_cycles";

export interface ListSpreadBacktestParams<F extends ListSpreadBacktestField = ListSpreadBacktestField> {
  /** Order size in USD that depth is priced at; default 100 */
  size_usd?: 25 | 100 | 500 | undefined;
  /** Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; fee_pct_cycle, est_profit_pct and avg_profit_pct follow, for the same cycles: which cycles opened was decided at the usual fees, so cycles and confidence stay, and lower fees would have opened more. */
  fees?: string | undefined;
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Pairs with these venues, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** any: either leg is in the exchange list; all: both are; default any */
  exchange_match?: "any" | "all" | undefined;
  /** Drop pairs with any of these on either leg; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Lowest est_profit_pct, in percent of a round trip after fees */
  min_profit_pct?: number | undefined;
  /** Highest est_profit_pct */
  max_profit_pct?: number | undefined;
  /** Lowest avg_profit_pct */
  min_avg_profit_pct?: number | undefined;
  /** The spread opened and closed at least this often in the window */
  min_cycles?: number | undefined;
  /** Lowest confidence, 0 to 100 */
  min_confidence?: number | undefined;
  /** Both legs' 24 h volume is at least this, in USDT */
  min_volume_usdt?: number | undefined;
  /** The last cycle closed within this many hours before meta.as_of */
  active_within_hours?: number | undefined;
  /** Order of the rows; default profit_desc; volume is that of the smaller leg */
  sort?: "profit_desc" | "profit_asc" | "avg_profit_desc" | "cycles_desc" | "confidence_desc" | "volume_desc" | "spread_range_desc" | "last_cycle_desc" | "coin_asc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListSpreadBacktestData<F extends ListSpreadBacktestField = ListSpreadBacktestField> = BacktestSpreads<F>;

/** The columns that together identify a row. */
export type ListSpreadBacktestIdentity = "coin" | "exchange_a" | "exchange_b";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListSpreadBacktestStreamRow<F extends ListSpreadBacktestField = ListSpreadBacktestField> = Pick<ListSpreadBacktestData["spreads"][number], F | ListSpreadBacktestIdentity>;

/** The fields of `data` beside the rows. */
export type ListSpreadBacktestStreamFields = Omit<ListSpreadBacktestData, "spreads">;

export interface ArbitrageRow {
  /** Ticker without multiplier, e.g. PEPE */
  coin: string;
  /** crypto, stock, commodity, index or forex */
  asset_class: string;
  /** Venue of the long leg */
  long_exchange: string;
  /** Venue of the short leg */
  short_exchange: string;
  /** Contract of the long leg, BASE-QUOTE with the contract's own base */
  long_symbol: string;
  /** Contract of the short leg, BASE-QUOTE with the contract's own base */
  short_symbol: string;
  /** Running funding rate of the long leg in percent per settlement; positive = longs pay */
  long_rate_pct: number;
  /** Running funding rate of the short leg in percent per settlement; positive = longs pay */
  short_rate_pct: number;
  /** Settlement interval of the long leg in hours */
  long_interval_hours: number;
  /** Settlement interval of the short leg in hours */
  short_interval_hours: number;
  /** Next settlement of the long leg, UTC; null when continuous or unknown */
  long_next_funding_at: string | null;
  /** Next settlement of the short leg, UTC; null when continuous or unknown */
  short_next_funding_at: string | null;
  /** What the pair earns a day at the running rates, in percent of the size of one leg: the short leg receives its rate, the long leg pays its own */
  carry_pct_day: number;
  /** carry_pct_day times 365, before fees and prices */
  gross_apr_pct: number;
  /** Taker fees of four fills in percent, both legs opened and closed: 2 x (long_taker_fee_pct + short_taker_fee_pct) */
  fee_pct_round_trip: number;
  /** Price gained (positive) or paid on opening at the present tops: (bid of the short leg - ask of the long leg) / ask of the long leg, in percent */
  entry_spread_pct: number;
  /** Hours until the settlements of both legs, at their running rates and times, have first paid cost_pct_round_trip; 0 when there is nothing to pay; null when that takes over 365 days */
  break_even_hours: number | null;
  /** Percent a year at the running rates, net of cost_pct_round_trip (fees, opening and closing), when held for hold_days; null only where that is */
  net_apr_pct: number | null;
  /** What the pair really earned in the last 24 hours, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage */
  realised_1d_pct: number | null;
  /** What the pair really earned in the last 7 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage */
  realised_7d_pct: number | null;
  /** What the pair really earned in the last 30 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage */
  realised_30d_pct: number | null;
  /** What the pair really earned in the last 90 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage */
  realised_90d_pct: number | null;
  /** Share of the last 720 full hours in which the pair earned, in percent; each print is spread over its interval; null under 95 % coverage */
  positive_hours_30d_pct: number | null;
  /** Settled funding of the worst of the last 30 full UTC days, in percent; negative = paid. Funding only: price_gap_30d_low_pct and price_gap_30d_high_pct say how the prices moved */
  worst_day_30d_pct: number | null;
  /** Largest fall of the cumulative settled funding from a peak in the last 720 full hours, in percent. Funding only: a move of the price gap comes on top */
  max_drawdown_30d_pct: number | null;
  /** Largest size of each leg in USD that fills within slippage_bp of the mid prices, on both books, for opening and closing; null without a book of the last ten minutes. It is at least this where capacity_is_lower_bound is true */
  capacity_usd: number | null;
  /** Turnover of the last 24 hours in USDT, of the smaller leg */
  volume_usdt: number;
  /** Open interest in USDT, of the smaller leg; null unless both venues publish it */
  open_interest_usdt: number | null;
  /** When the older of the two quotes was received, UTC */
  updated_at: string;
  /** Taker fee of the long leg in percent, as used in this row: the contract's own; with fees your own */
  long_taker_fee_pct: number;
  /** Taker fee of the short leg in percent, as used in this row: the contract's own; with fees your own */
  short_taker_fee_pct: number;
  /** Last settlement up to which the prints of the long leg are complete, UTC: its part of the realised figures is over (this - N days, this]; null without any */
  long_covered_until: string | null;
  /** Last settlement up to which the prints of the short leg are complete, UTC: its part of the realised figures is over (this - N days, this]; null without any */
  short_covered_until: string | null;
  /** true = more than capacity_usd may fit: the levels that are known of the leg that limits it end before slippage_bp; false when capacity_usd is exact or null */
  capacity_is_lower_bound: boolean;
  /** Price gained (positive) or paid on closing at the present tops: (bid of the long leg - ask of the short leg) / ask of the long leg, in percent */
  exit_spread_pct: number;
  /** What opening and closing cost together, in percent: fee_pct_round_trip - entry_spread_pct - exit_spread_pct. With size_usd it is fee_pct_round_trip + entry_cost_pct + exit_cost_pct, and null where these are not known; else never null */
  cost_pct_round_trip: number | null;
  /** How much higher the mid price of the short leg is than that of the long leg now, in percent; a pair gains what it falls by while held */
  price_gap_pct: number;
  /** Lowest price_gap_pct of the last 30 UTC days, today included, one look a minute; null when never seen. price_gap_from says since when */
  price_gap_30d_low_pct: number | null;
  /** Highest price_gap_pct of the same time */
  price_gap_30d_high_pct: number | null;
  /** First look that the range of the price gap includes, UTC: later than 30 days ago if the pair has been watched for less time */
  price_gap_from: string | null;
  /** What the pair is expected to earn in the next 24 hours, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage */
  expected_carry_1d_pct: number | null;
  /** What the pair is expected to earn in the next 7 days, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage */
  expected_carry_7d_pct: number | null;
  /** What the pair is expected to earn in the next 30 days, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage */
  expected_carry_30d_pct: number | null;
  /** Lower end of what the pair is expected to earn over hold_days, in percent, before costs: of past forecasts one in ten earned less, relative to how much the spread moves */
  expected_low_pct: number | null;
  /** Upper end of the same: one in ten earned more */
  expected_high_pct: number | null;
  /** Percent a year that is expected, net of cost_pct_round_trip, when held for hold_days */
  expected_net_apr_pct: number | null;
  /** Share, from 0.01 to 0.99, of past errors with which the pair would earn more than cost_pct_round_trip over hold_days */
  probability_net_positive: number | null;
  /** How long a carry above the fee lasted before: median length in hours of the times_above_fee times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times or under 95 % coverage */
  median_hours_above_fee: number | null;
  /** How many such times of this direction began and ended in the last 720 full hours; null under 95 % coverage */
  times_above_fee: number | null;
  /** Hours that the present such time has lasted, up to the last hour that both legs have settled; 0 when that hour was not above the fee; null under 95 % coverage */
  hours_above_fee_now: number | null;
  /** What errors of the forecast are measured in, in percent a day: the mean of the absolute hourly spread over 30 days times 24, wider by how far the pair stands from its 30 days now. Times the days and the error_quantiles of /forecasts/accuracy it gives expected_low_pct, expected_high_pct and probability_net_positive */
  expected_scale_pct_day: number | null;
  /** true = the market of the underlying of a leg is closed (session in /funding): its index stands still, and the figures may jump when it opens; false where both are open or unknown */
  leg_closed: boolean;
  /** Percent a year that the pair is likely to earn at least, net of cost_pct_round_trip, when held for hold_days: (expected_low_pct - cost_pct_round_trip) / hold_days x 365. Of past forecasts one in ten earned less; null where one of the two is */
  expected_low_net_apr_pct: number | null;
  /** What opening both legs at size_usd costs now, before fees, in percent of the mid prices: average fill of the bought leg on its asks plus that of the sold leg on its bids; null unless fills is full */
  entry_cost_pct?: number | null;
  /** What closing both legs at size_usd cost, before fees, in percent: the sum of the medians of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd */
  exit_cost_pct?: number | null;
  /** The same at the worst times: the sum of what each leg exceeded in at most 5 % of the samples; null likewise */
  exit_cost_worst_pct?: number | null;
  /** Whether the books of both legs take size_usd now, to open and to close; the worse leg counts. full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour */
  fills?: string;
  /** Age of the older of the two books at meta.as_of, in seconds; null where fills is unknown */
  book_age_seconds?: number | null;
}

export interface ArbitragePairs<F extends ListArbitrageField = ListArbitrageField> {
  /** How many rows with the highest net_apr_pct at the default figures are withheld on the Demo plan; 0 on paid plans */
  withheld_top: number;
  /** Holding time of net_apr_pct in days */
  hold_days: number;
  /** Slippage of capacity_usd in basis points */
  slippage_bp: number;
  /** Where the weights of the expected figures for hold_days come from: fitted on the prints of this service, or shipped with it while there is too little history */
  model: "shipped" | "fitted";
  /** Version of the form of the model */
  model_version: string;
  /** UTC day up to which prints were used for the weights */
  model_date: string;
  pairs: Pick<ArbitrageRow, F & keyof ArbitrageRow>[];
}

/** What `fields` may name. */
export type ListArbitrageField =
  | "coin"
  | "asset_class"
  | "long_exchange"
  | "short_exchange"
  | "long_symbol"
  | "short_symbol"
  | "long_rate_pct"
  | "short_rate_pct"
  | "long_interval_hours"
  | "short_interval_hours"
  | "long_next_funding_at"
  | "short_next_funding_at"
  | "carry_pct_day"
  | "gross_apr_pct"
  | "fee_pct_round_trip"
  | "entry_spread_pct"
  | "break_even_hours"
  | "net_apr_pct"
  | "realised_1d_pct"
  | "realised_7d_pct"
  | "realised_30d_pct"
  | "realised_90d_pct"
  | "positive_hours_30d_pct"
  | "worst_day_30d_pct"
  | "max_drawdown_30d_pct"
  | "capacity_usd"
  | "volume_usdt"
  | "open_interest_usdt"
  | "updated_at"
  | "long_taker_fee_pct"
  | "short_taker_fee_pct"
  | "long_covered_until"
  | "short_covered_until"
  | "capacity_is_lower_bound"
  | "exit_spread_pct"
  | "cost_pct_round_trip"
  | "price_gap_pct"
  | "price_gap_30d_low_pct"
  | "price_gap_30d_high_pct"
  | "price_gap_from"
  | "expected_carry_1d_pct"
  | "expected_carry_7d_pct"
  | "expected_carry_30d_pct"
  | "expected_low_pct"
  | "expected_high_pct"
  | "expected_net_apr_pct"
  | "probability_net_positive"
  | "median_hours_above_fee"
  | "times_above_fee"
  | "hours_above_fee_now"
  | "expected_scale_pct_day"
  | "leg_closed"
  | "expected_low_net_apr_pct"
  | "entry_cost_pct"
  | "exit_cost_pct"
  | "exit_cost_worst_pct"
  | "fills"
  | "book_age_seconds";

export interface ListArbitrageParams<F extends ListArbitrageField = ListArbitrageField> {
  /** Days over which net_apr_pct and expected_net_apr_pct spread cost_pct_round_trip, and which expected_low_pct and expected_high_pct are for; default 30. For 90 the forecast is three times that of 30 */
  hold_days?: 7 | 30 | 90 | undefined;
  /** Basis points from the mid price within which capacity_usd fills; default 5 */
  slippage_bp?: 2 | 5 | 10 | undefined;
  /** Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. long_taker_fee_pct and short_taker_fee_pct show them; fee_pct_round_trip, cost_pct_round_trip, break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow. */
  fees?: string | undefined;
  /** Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds, and cost_pct_round_trip counts these costs instead of the widths of the best prices; break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow. All are null where the books do not fill it. */
  size_usd?: number | undefined;
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Pairs with these venues, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** any: either leg is in the exchange list; all: both are; default any */
  exchange_match?: "any" | "all" | undefined;
  /** Drop pairs with any of these on either leg; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** false = no pairs with a closed market; true = only these */
  leg_closed?: boolean | undefined;
  /** Kind of underlying */
  asset_class?: "crypto" | "stock" | "commodity" | "index" | "forex" | undefined;
  /** true: both legs settle at the same interval; false: they differ */
  same_interval?: boolean | undefined;
  /** Lowest net_apr_pct, in percent a year */
  min_net_apr_pct?: number | undefined;
  /** Highest net_apr_pct, in percent a year */
  max_net_apr_pct?: number | undefined;
  /** Lowest gross_apr_pct, in percent a year */
  min_gross_apr_pct?: number | undefined;
  /** Highest gross_apr_pct, in percent a year */
  max_gross_apr_pct?: number | undefined;
  /** Lowest carry_pct_day, in percent a day */
  min_carry_pct_day?: number | undefined;
  /** Highest carry_pct_day, in percent a day */
  max_carry_pct_day?: number | undefined;
  /** Lowest entry_spread_pct, in percent */
  min_entry_spread_pct?: number | undefined;
  /** Highest entry_spread_pct, in percent */
  max_entry_spread_pct?: number | undefined;
  /** Lowest exit_spread_pct, in percent */
  min_exit_spread_pct?: number | undefined;
  /** Highest exit_spread_pct, in percent */
  max_exit_spread_pct?: number | undefined;
  /** Lowest expected_carry_1d_pct, in percent */
  min_expected_carry_1d_pct?: number | undefined;
  /** Highest expected_carry_1d_pct, in percent */
  max_expected_carry_1d_pct?: number | undefined;
  /** Lowest expected_carry_7d_pct, in percent */
  min_expected_carry_7d_pct?: number | undefined;
  /** Highest expected_carry_7d_pct, in percent */
  max_expected_carry_7d_pct?: number | undefined;
  /** Lowest expected_carry_30d_pct, in percent */
  min_expected_carry_30d_pct?: number | undefined;
  /** Highest expected_carry_30d_pct, in percent */
  max_expected_carry_30d_pct?: number | undefined;
  /** Lowest expected_low_pct, in percent */
  min_expected_low_pct?: number | undefined;
  /** Highest expected_low_pct, in percent */
  max_expected_low_pct?: number | undefined;
  /** Lowest expected_high_pct, in percent */
  min_expected_high_pct?: number | undefined;
  /** Highest expected_high_pct, in percent */
  max_expected_high_pct?: number | undefined;
  /** Lowest expected_low_net_apr_pct, in percent a year */
  min_expected_low_net_apr_pct?: number | undefined;
  /** Highest expected_low_net_apr_pct, in percent a year */
  max_expected_low_net_apr_pct?: number | undefined;
  /** Lowest expected_net_apr_pct, in percent a year */
  min_expected_net_apr_pct?: number | undefined;
  /** Highest expected_net_apr_pct, in percent a year */
  max_expected_net_apr_pct?: number | undefined;
  /** Lowest probability_net_positive, from 0 to 1 */
  min_probability_net_positive?: number | undefined;
  /** Highest probability_net_positive, from 0 to 1 */
  max_probability_net_positive?: number | undefined;
  /** Lowest fee_pct_round_trip, in percent */
  min_fee_pct_round_trip?: number | undefined;
  /** Highest fee_pct_round_trip, in percent */
  max_fee_pct_round_trip?: number | undefined;
  /** Lowest cost_pct_round_trip, in percent */
  min_cost_pct_round_trip?: number | undefined;
  /** Highest cost_pct_round_trip, in percent */
  max_cost_pct_round_trip?: number | undefined;
  /** Lowest realised_1d_pct, in percent */
  min_realised_1d_pct?: number | undefined;
  /** Highest realised_1d_pct, in percent */
  max_realised_1d_pct?: number | undefined;
  /** Lowest realised_7d_pct, in percent */
  min_realised_7d_pct?: number | undefined;
  /** Highest realised_7d_pct, in percent */
  max_realised_7d_pct?: number | undefined;
  /** Lowest realised_30d_pct, in percent */
  min_realised_30d_pct?: number | undefined;
  /** Highest realised_30d_pct, in percent */
  max_realised_30d_pct?: number | undefined;
  /** Lowest realised_90d_pct, in percent */
  min_realised_90d_pct?: number | undefined;
  /** Highest realised_90d_pct, in percent */
  max_realised_90d_pct?: number | undefined;
  /** Lowest positive_hours_30d_pct, in percent */
  min_positive_hours_30d_pct?: number | undefined;
  /** Highest positive_hours_30d_pct, in percent */
  max_positive_hours_30d_pct?: number | undefined;
  /** Lowest worst_day_30d_pct, in percent */
  min_worst_day_30d_pct?: number | undefined;
  /** Highest worst_day_30d_pct, in percent */
  max_worst_day_30d_pct?: number | undefined;
  /** Lowest max_drawdown_30d_pct, in percent */
  min_max_drawdown_30d_pct?: number | undefined;
  /** Highest max_drawdown_30d_pct, in percent */
  max_max_drawdown_30d_pct?: number | undefined;
  /** Lowest median_hours_above_fee */
  min_median_hours_above_fee?: number | undefined;
  /** Highest median_hours_above_fee */
  max_median_hours_above_fee?: number | undefined;
  /** Lowest break_even_hours */
  min_break_even_hours?: number | undefined;
  /** Highest break_even_hours */
  max_break_even_hours?: number | undefined;
  /** Lowest capacity_usd, in USD */
  min_capacity_usd?: number | undefined;
  /** Highest capacity_usd, in USD */
  max_capacity_usd?: number | undefined;
  /** Lowest the smaller leg's 24 h volume, in USDT */
  min_volume_usdt?: number | undefined;
  /** Highest the smaller leg's 24 h volume, in USDT */
  max_volume_usdt?: number | undefined;
  /** Lowest the smaller leg's open interest, in USDT */
  min_open_interest_usdt?: number | undefined;
  /** Highest the smaller leg's open interest, in USDT */
  max_open_interest_usdt?: number | undefined;
  /** Lowest entry_cost_pct, in percent */
  min_entry_cost_pct?: number | undefined;
  /** Highest entry_cost_pct, in percent */
  max_entry_cost_pct?: number | undefined;
  /** Lowest exit_cost_pct, in percent */
  min_exit_cost_pct?: number | undefined;
  /** Highest exit_cost_pct, in percent */
  max_exit_cost_pct?: number | undefined;
  /** Lowest exit_cost_worst_pct, in percent */
  min_exit_cost_worst_pct?: number | undefined;
  /** Highest exit_cost_worst_pct, in percent */
  max_exit_cost_worst_pct?: number | undefined;
  /** Lowest book_age_seconds */
  min_book_age_seconds?: number | undefined;
  /** Highest book_age_seconds */
  max_book_age_seconds?: number | undefined;
  /** full: leaves out pairs whose books do not take size_usd */
  fills?: "full" | "partial" | "unknown" | undefined;
  /** Lowest capacity_usd, in USD, that also keeps pairs where it is a lower bound: drops what is known to take less. min_capacity_usd is a bound on the stated figure */
  min_possible_capacity_usd?: number | undefined;
  /** Order of the rows; default net_apr_desc, the running rates: what pays most this hour; expected_low_net_desc is for choosing pairs to hold, by what is likely to be earned at least after costs; expected_net_desc is by the expectation */
  sort?: "net_apr_desc" | "net_apr_asc" | "gross_apr_desc" | "gross_apr_asc" | "carry_day_desc" | "carry_day_asc" | "entry_spread_desc" | "entry_spread_asc" | "exit_spread_desc" | "exit_spread_asc" | "expected_1d_desc" | "expected_1d_asc" | "expected_7d_desc" | "expected_7d_asc" | "expected_30d_desc" | "expected_30d_asc" | "expected_low_desc" | "expected_low_asc" | "expected_high_desc" | "expected_high_asc" | "expected_low_net_desc" | "expected_low_net_asc" | "expected_net_desc" | "expected_net_asc" | "probability_desc" | "probability_asc" | "fee_desc" | "fee_asc" | "cost_desc" | "cost_asc" | "realised_1d_desc" | "realised_1d_asc" | "realised_7d_desc" | "realised_7d_asc" | "realised_30d_desc" | "realised_30d_asc" | "realised_90d_desc" | "realised_90d_asc" | "positive_hours_desc" | "positive_hours_asc" | "worst_day_desc" | "worst_day_asc" | "max_drawdown_desc" | "max_drawdown_asc" | "hours_above_fee_desc" | "hours_above_fee_asc" | "break_even_desc" | "break_even_asc" | "capacity_desc" | "capacity_asc" | "volume_desc" | "volume_asc" | "open_interest_desc" | "open_interest_asc" | "updated_desc" | "coin_asc" | "entry_cost_asc" | "entry_cost_desc" | "exit_cost_asc" | "exit_cost_desc" | "exit_cost_worst_asc" | "exit_cost_worst_desc" | "book_age_asc" | "book_age_desc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListArbitrageData<F extends ListArbitrageField = ListArbitrageField> = ArbitragePairs<F>;

/** The columns that together identify a row. */
export type ListArbitrageIdentity = "coin" | "long_exchange" | "short_exchange";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListArbitrageStreamRow<F extends ListArbitrageField = ListArbitrageField> = Pick<ListArbitrageData["pairs"][number], F | ListArbitrageIdentity>;

/** The fields of `data` beside the rows. */
export type ListArbitrageStreamFields = Omit<ListArbitrageData, "pairs">;

export interface ArbitrageHistory {
  /** Ticker without multiplier */
  coin: string;
  /** Venue of the long leg */
  long_exchange: string;
  /** Contract of the long leg */
  long_symbol: string;
  /** Venue of the short leg */
  short_exchange: string;
  /** Contract of the short leg */
  short_symbol: string;
  /** Start of the window that was answered */
  from: string;
  /** End of the window that was answered */
  to: string;
  /** One entry per UTC day, oldest first */
  days: ({
    /** UTC calendar day */
    day: string;
    /** What the long leg earned (positive) or paid, in percent of its size; null without a print */
    long_pct: number | null;
    /** What the short leg earned (positive) or paid, in percent of its size; null without a print */
    short_pct: number | null;
    /** long_pct plus short_pct; null if one of them is */
    net_pct: number | null;
    /** Sum of net_pct from the first day on; days without it add nothing */
    cumulative_pct: number;
    /** true = settled prints of both legs cover at least 95 % of the day; false for the current day */
    is_complete: boolean;
  })[];
}

export interface GetArbitrageHistoryParams {
  /** Ticker without multiplier, in any case */
  coin: string;
  /** Venue of the long leg, spelled as /exchanges returns it */
  long_exchange: string;
  /** Venue of the short leg, spelled as /exchanges returns it */
  short_exchange: string;
  /** Another contract of the long leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it */
  long_symbol?: string | undefined;
  /** Another contract of the short leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it */
  short_symbol?: string | undefined;
  /** Start of the window, included; default 30 days before to, narrowed to the depth of the plan */
  from?: string | Date | undefined;
  /** End of the window; default now, and never later. Days that start before it are there: at midnight the last one is the day that ends at it */
  to?: string | Date | undefined;
  /** Days before to at which the window starts; ignored when from is given, whatever its value */
  days?: number | undefined;
}

export type GetArbitrageHistoryData = ArbitrageHistory;

export interface DepthItem {
  /** Venue name as /exchanges spells it */
  exchange: string;
  /** Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT */
  symbol: string;
  /** The venue's own spelling of the contract */
  venue_symbol: string;
  /** Ticker without multiplier, e.g. PEPE */
  coin: string;
  /** crypto, stock, commodity, index or forex */
  asset_class: string;
  /** Mean of best bid and best ask, in quote units for one unit of the contract's own base */
  mid_price: number;
  /** Best ask less best bid, in percent of mid_price */
  bid_ask_spread_pct: number;
  /** USD bought by the bids: what can be sold within 1 basis points of mid_price; null where the levels that the venue sent end before */
  bid_1bp_usd: number | null;
  /** USD bought by the bids: what can be sold within 2 basis points of mid_price; null where the levels that the venue sent end before */
  bid_2bp_usd: number | null;
  /** USD bought by the bids: what can be sold within 5 basis points of mid_price; null where the levels that the venue sent end before */
  bid_5bp_usd: number | null;
  /** USD bought by the bids: what can be sold within 10 basis points of mid_price; null where the levels that the venue sent end before */
  bid_10bp_usd: number | null;
  /** USD bought by the bids: what can be sold within 25 basis points of mid_price; null where the levels that the venue sent end before */
  bid_25bp_usd: number | null;
  /** USD bought by the bids: what can be sold within 50 basis points of mid_price; null where the levels that the venue sent end before */
  bid_50bp_usd: number | null;
  /** USD of all bid levels that the venue sent; more may rest beyond them */
  bid_received_usd: number;
  /** How far from mid_price these bid levels reach, in basis points */
  bid_reach_bp: number;
  /** USD offered by the asks: what can be bought within 1 basis points of mid_price; null where the levels that the venue sent end before */
  ask_1bp_usd: number | null;
  /** USD offered by the asks: what can be bought within 2 basis points of mid_price; null where the levels that the venue sent end before */
  ask_2bp_usd: number | null;
  /** USD offered by the asks: what can be bought within 5 basis points of mid_price; null where the levels that the venue sent end before */
  ask_5bp_usd: number | null;
  /** USD offered by the asks: what can be bought within 10 basis points of mid_price; null where the levels that the venue sent end before */
  ask_10bp_usd: number | null;
  /** USD offered by the asks: what can be bought within 25 basis points of mid_price; null where the levels that the venue sent end before */
  ask_25bp_usd: number | null;
  /** USD offered by the asks: what can be bought within 50 basis points of mid_price; null where the levels that the venue sent end before */
  ask_50bp_usd: number | null;
  /** USD of all ask levels that the venue sent; more may rest beyond them */
  ask_received_usd: number;
  /** How far from mid_price these ask levels reach, in basis points */
  ask_reach_bp: number;
  /** By how much the average price of an order of size_usd to buy is worse than mid_price now, in percent, before fees; null where the levels that the venue sent do not fill it */
  buy_cost_pct: number | null;
  /** By how much the average price of an order of size_usd to sell is worse than mid_price now, in percent, before fees; null where the levels that the venue sent do not fill it */
  sell_cost_pct: number | null;
  /** buy_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the median; null where so many samples did not fill the size, and in the first minutes of the service */
  buy_cost_24h_median_pct: number | null;
  /** buy_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the cost that was exceeded in at most 5 % of the samples; null where so many samples did not fill the size, and in the first minutes of the service */
  buy_cost_24h_worst_pct: number | null;
  /** sell_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the median; null where so many samples did not fill the size, and in the first minutes of the service */
  sell_cost_24h_median_pct: number | null;
  /** sell_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the cost that was exceeded in at most 5 % of the samples; null where so many samples did not fill the size, and in the first minutes of the service */
  sell_cost_24h_worst_pct: number | null;
  /** Turnover of the last 24 hours in USDT */
  volume_24h_usdt: number;
  /** When the book was received, UTC */
  book_at: string;
  /** Age of the book at meta.as_of, in seconds */
  book_age_seconds: number;
  /** How often the book is fetched, in seconds: 60 for the most traded third of a venue and where it comes over a stream, 300 for others, 1800 without trades; longer where the request limits of the venue do not allow it */
  period_seconds: number;
}

/** What `fields` may name. */
export type ListDepthField =
  | "exchange"
  | "symbol"
  | "venue_symbol"
  | "coin"
  | "asset_class"
  | "mid_price"
  | "bid_ask_spread_pct"
  | "bid_1bp_usd"
  | "bid_2bp_usd"
  | "bid_5bp_usd"
  | "bid_10bp_usd"
  | "bid_25bp_usd"
  | "bid_50bp_usd"
  | "bid_received_usd"
  | "bid_reach_bp"
  | "ask_1bp_usd"
  | "ask_2bp_usd"
  | "ask_5bp_usd"
  | "ask_10bp_usd"
  | "ask_25bp_usd"
  | "ask_50bp_usd"
  | "ask_received_usd"
  | "ask_reach_bp"
  | "buy_cost_pct"
  | "sell_cost_pct"
  | "buy_cost_24h_median_pct"
  | "buy_cost_24h_worst_pct"
  | "sell_cost_24h_median_pct"
  | "sell_cost_24h_worst_pct"
  | "volume_24h_usdt"
  | "book_at"
  | "book_age_seconds"
  | "period_seconds";

export interface ListDepthParams<F extends ListDepthField = ListDepthField> {
  /** Size of the order in USD of which buy_cost_pct, sell_cost_pct and their 24h figures are the costs; default 20000 */
  size_usd?: number | undefined;
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Venues to keep, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** Venues to leave out; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Kind of underlying */
  asset_class?: "crypto" | "stock" | "commodity" | "index" | "forex" | undefined;
  /** Lowest bid_1bp_usd, in USD; drops rows where it is unknown */
  min_bid_1bp_usd?: number | undefined;
  /** Lowest bid_2bp_usd, in USD; drops rows where it is unknown */
  min_bid_2bp_usd?: number | undefined;
  /** Lowest bid_5bp_usd, in USD; drops rows where it is unknown */
  min_bid_5bp_usd?: number | undefined;
  /** Lowest bid_10bp_usd, in USD; drops rows where it is unknown */
  min_bid_10bp_usd?: number | undefined;
  /** Lowest bid_25bp_usd, in USD; drops rows where it is unknown */
  min_bid_25bp_usd?: number | undefined;
  /** Lowest bid_50bp_usd, in USD; drops rows where it is unknown */
  min_bid_50bp_usd?: number | undefined;
  /** Lowest ask_1bp_usd, in USD; drops rows where it is unknown */
  min_ask_1bp_usd?: number | undefined;
  /** Lowest ask_2bp_usd, in USD; drops rows where it is unknown */
  min_ask_2bp_usd?: number | undefined;
  /** Lowest ask_5bp_usd, in USD; drops rows where it is unknown */
  min_ask_5bp_usd?: number | undefined;
  /** Lowest ask_10bp_usd, in USD; drops rows where it is unknown */
  min_ask_10bp_usd?: number | undefined;
  /** Lowest ask_25bp_usd, in USD; drops rows where it is unknown */
  min_ask_25bp_usd?: number | undefined;
  /** Lowest ask_50bp_usd, in USD; drops rows where it is unknown */
  min_ask_50bp_usd?: number | undefined;
  /** Highest buy_cost_pct, in percent; drops rows where the levels do not fill size_usd */
  max_buy_cost_pct?: number | undefined;
  /** Highest sell_cost_pct, in percent; drops rows where the levels do not fill size_usd */
  max_sell_cost_pct?: number | undefined;
  /** Highest buy_cost_24h_worst_pct, in percent; drops rows where it is unknown */
  max_buy_cost_24h_worst_pct?: number | undefined;
  /** Highest sell_cost_24h_worst_pct, in percent; drops rows where it is unknown */
  max_sell_cost_24h_worst_pct?: number | undefined;
  /** Highest bid_ask_spread_pct, in percent */
  max_bid_ask_spread_pct?: number | undefined;
  /** Lowest 24 h volume in USDT */
  min_volume_usdt?: number | undefined;
  /** Highest 24 h volume in USDT */
  max_volume_usdt?: number | undefined;
  /** The book was received within this many seconds before meta.as_of */
  max_age_seconds?: number | undefined;
  /** Order of the rows; default volume_desc; depth_5bp and the like are of the smaller side */
  sort?: "volume_desc" | "volume_asc" | "depth_1bp_desc" | "depth_2bp_desc" | "depth_5bp_desc" | "depth_10bp_desc" | "depth_25bp_desc" | "depth_50bp_desc" | "buy_cost_asc" | "sell_cost_asc" | "bid_ask_spread_asc" | "bid_ask_spread_desc" | "age_asc" | "age_desc" | "coin_asc" | "exchange_asc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListDepthData<F extends ListDepthField = ListDepthField> = Pick<DepthItem, F & keyof DepthItem>[];

/** The columns that together identify a row. */
export type ListDepthIdentity = "exchange" | "venue_symbol";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListDepthStreamRow<F extends ListDepthField = ListDepthField> = Pick<ListDepthData[number], F | ListDepthIdentity>;

/** The fields of `data` beside the rows. */
export type ListDepthStreamFields = Record<never, never>;

export interface DepthHistory {
  /** Ticker without multiplier */
  coin: string;
  /** Venue */
  exchange: string;
  /** Contract symbol BASE-QUOTE */
  symbol: string;
  /** Size of the order in USD */
  size_usd: number;
  /** Start of the window that was answered */
  from: string;
  /** End of the window that was answered */
  to: string;
  /** Oldest first */
  points: ({
    /** Minute of the books, UTC */
    at: string;
    /** Average price of a buyer against the mid price, in percent, before fees; null where the levels that the venue sent do not fill the size */
    buy_cost_pct: number | null;
    /** Average price of a seller against the mid price, in percent, before fees; null where the levels that the venue sent do not fill the size */
    sell_cost_pct: number | null;
  })[];
}

export interface GetDepthHistoryParams {
  /** Ticker without multiplier, in any case */
  coin: string;
  /** Venue, spelled as /exchanges returns it */
  exchange: string;
  /** Another contract than the venue's most traded linear one on the coin: its symbol or the venue's own spelling of it */
  symbol?: string | undefined;
  /** Start of the window, included; default 7 days before to, narrowed to the depth of the plan */
  from?: string | Date | undefined;
  /** End of the window, included; default the newest sample, and never later */
  to?: string | Date | undefined;
  /** Days before to at which the window starts; ignored when from is given, whatever its value */
  days?: number | undefined;
  /** Size of the order in USD; default 20000 */
  size_usd?: number | undefined;
}

export type GetDepthHistoryData = DepthHistory;

export interface ForecastAccuracy {
  /** First day whose forecasts count, UTC */
  from: string;
  /** Last day whose forecasts count, UTC */
  to: string;
  /** Version of the form of the present model */
  model_version: string;
  /** What present forecasts come from: with the figures of the rows it recomputes each; /developers/forecast has a worked example */
  models: {
    /** Of rows of /arbitrage, for 1, 7 and 30 days */
    pairs: ({
      /** Horizon */
      days: number;
      /** Where the weights come from */
      model: "shipped" | "fitted";
      /** Of each figure of a contract, in percent a day */
      weights: {
        now: number;
        mean_1d: number;
        mean_7d: number;
        mean_30d: number;
      };
      /** A figure of a contract counts up to plus or minus this times absolute_30d_pct / 30; null = in full */
      feature_limit: number | null;
      /** The scale of errors is the mean of |hourly spread| over 30 days times 24, plus this share of the larger of |now - mean_30d| and |mean_1d - mean_30d| */
      jump_share: number;
      /** Quantiles of past errors, (earned - expected) / scale a day, in the direction that was expected to earn. Those at 0.1 and 0.9 make expected_low_pct and expected_high_pct, all of them probability_net_positive */
      error_quantiles: {
        level: number;
        error: number;
      }[];
    })[];
    /** Of one contract, in rows of /funding/{coin}; the scale starts from absolute_30d_pct / 30 */
    contracts: ({
      /** Horizon */
      days: number;
      /** Where the weights come from */
      model: "shipped" | "fitted";
      /** Of each figure of a contract, in percent a day */
      weights: {
        now: number;
        mean_1d: number;
        mean_7d: number;
        mean_30d: number;
      };
      /** A figure of a contract counts up to plus or minus this times absolute_30d_pct / 30; null = in full */
      feature_limit: number | null;
      /** The scale of errors is the mean of |hourly spread| over 30 days times 24, plus this share of the larger of |now - mean_30d| and |mean_1d - mean_30d| */
      jump_share: number;
      /** Quantiles of past errors, (earned - expected) / scale a day, in the direction that was expected to earn. Those at 0.1 and 0.9 make expected_low_pct and expected_high_pct, all of them probability_net_positive */
      error_quantiles: {
        level: number;
        error: number;
      }[];
    })[];
  };
  /** Day of the present weights, UTC */
  model_date: string;
  /** For 1, 7 and 30 days */
  horizons: ({
    /** Horizon of the forecast */
    days: number;
    /** Days whose forecasts are scored */
    forecast_days: number;
    /** First of them, UTC */
    first_day: string | null;
    /** Last of them, UTC */
    last_day: string | null;
    /** Forecasts with a known outcome: one per pair and day */
    observations: number;
    /** Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations */
    mean_error_bp: {
      /** Of the forecast */
      expected: number | null;
      /** If the running rates had stayed */
      now: number | null;
      /** If the mean of the last 7 days had stayed */
      mean_7d: number | null;
      /** If the mean of the last 30 days had stayed */
      mean_30d: number | null;
      /** If nothing had been expected */
      zero: number | null;
    };
    /** Mean of earned minus expected, in basis points, in the direction of the row */
    bias_bp: number | null;
    /** Share of outcomes inside the interval, in percent; 80 is the aim */
    coverage_pct: number | null;
    /** true = expecting nothing would have had a smaller error than the forecast */
    is_worse_than_zero: boolean | null;
    /** The same by venue; a pair counts for both of its venues */
    by_exchange: ({
      /** Name */
      exchange: string;
      /** Forecasts with a known outcome: one per pair and day */
      observations: number;
      /** Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations */
      mean_error_bp: {
        /** Of the forecast */
        expected: number | null;
        /** If the running rates had stayed */
        now: number | null;
        /** If the mean of the last 7 days had stayed */
        mean_7d: number | null;
        /** If the mean of the last 30 days had stayed */
        mean_30d: number | null;
        /** If nothing had been expected */
        zero: number | null;
      };
      /** Mean of earned minus expected, in basis points, in the direction of the row */
      bias_bp: number | null;
      /** Share of outcomes inside the interval, in percent; 80 is the aim */
      coverage_pct: number | null;
      /** true = expecting nothing would have had a smaller error than the forecast */
      is_worse_than_zero: boolean | null;
    })[];
    /** The same by kind of underlying */
    by_asset_class: ({
      /** Name */
      asset_class: string;
      /** Forecasts with a known outcome: one per pair and day */
      observations: number;
      /** Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations */
      mean_error_bp: {
        /** Of the forecast */
        expected: number | null;
        /** If the running rates had stayed */
        now: number | null;
        /** If the mean of the last 7 days had stayed */
        mean_7d: number | null;
        /** If the mean of the last 30 days had stayed */
        mean_30d: number | null;
        /** If nothing had been expected */
        zero: number | null;
      };
      /** Mean of earned minus expected, in basis points, in the direction of the row */
      bias_bp: number | null;
      /** Share of outcomes inside the interval, in percent; 80 is the aim */
      coverage_pct: number | null;
      /** true = expecting nothing would have had a smaller error than the forecast */
      is_worse_than_zero: boolean | null;
    })[];
    /** What the ten best pairs of each day earned, by the order they were chosen by: net_apr_pct, realised_30d_pct, expected_net_apr_pct or what is likely to be earned at least: expected_low_pct less costs */
    top_ten: {
      net_apr: {
        /** Pairs followed: up to ten a day */
        picks: number;
        /** Mean of the figure that they were chosen by, in percent a year */
        promised_apr_pct: number | null;
        /** Mean of what they earned over the horizon, in percent of one leg, before costs */
        earned_pct: number | null;
        /** The same in percent a year */
        earned_apr_pct: number | null;
        /** Mean of cost_pct_round_trip when they were chosen */
        cost_pct: number | null;
      };
      realised_30d: {
        /** Pairs followed: up to ten a day */
        picks: number;
        /** Mean of the figure that they were chosen by, in percent a year */
        promised_apr_pct: number | null;
        /** Mean of what they earned over the horizon, in percent of one leg, before costs */
        earned_pct: number | null;
        /** The same in percent a year */
        earned_apr_pct: number | null;
        /** Mean of cost_pct_round_trip when they were chosen */
        cost_pct: number | null;
      };
      expected_net: {
        /** Pairs followed: up to ten a day */
        picks: number;
        /** Mean of the figure that they were chosen by, in percent a year */
        promised_apr_pct: number | null;
        /** Mean of what they earned over the horizon, in percent of one leg, before costs */
        earned_pct: number | null;
        /** The same in percent a year */
        earned_apr_pct: number | null;
        /** Mean of cost_pct_round_trip when they were chosen */
        cost_pct: number | null;
      };
      expected_low_net: {
        /** Pairs followed: up to ten a day */
        picks: number;
        /** Mean of the figure that they were chosen by, in percent a year */
        promised_apr_pct: number | null;
        /** Mean of what they earned over the horizon, in percent of one leg, before costs */
        earned_pct: number | null;
        /** The same in percent a year */
        earned_apr_pct: number | null;
        /** Mean of cost_pct_round_trip when they were chosen */
        cost_pct: number | null;
      };
    };
    /** The same by place in each order, best first: the first pair of each day, the first ten, the first hundred, and all after them. Null for scores of versions that did not keep it */
    by_place: {
      net_apr: {
        first: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_10: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_100: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        rest: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
      };
      realised_30d: {
        first: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_10: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_100: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        rest: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
      };
      expected_net: {
        first: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_10: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_100: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        rest: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
      };
      expected_low_net: {
        first: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_10: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        first_100: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
        rest: {
          /** Pairs followed whose outcome is known */
          picks: number;
          /** Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it */
          promised_bp: number | null;
          /** Mean of what they earned */
          earned_bp: number | null;
          /** Share of outcomes inside the interval of the forecast, in percent; 80 is the aim */
          inside_pct: number | null;
          /** Share that earned less than cost_pct_round_trip, in percent */
          below_costs_pct: number | null;
        };
      };
    };
    /** Where the present weights come from */
    model: "shipped" | "fitted";
    /** Present weights: the forecast is days times the sum of each with its figure, short minus long, in percent a day */
    weights: {
      now: number;
      mean_1d: number;
      mean_7d: number;
      mean_30d: number;
    };
  })[];
  /** How well the running rate before a settlement predicted the payment, per venue, by name: the 7 UTC days before today, whatever days is, and the 20 most traded contracts. Null while they cannot be read */
  running_rates: ({
    /** Venue name */
    exchange: string;
    /** For 1, 4 and 8 hours */
    hours_before: ({
      /** How long before the settlement */
      hours: number;
      /** Payments that were compared */
      compared: number;
      /** Mean absolute difference between the running rate and the payment, in basis points */
      mean_error_bp: number | null;
      /** Share of rates that were off by at most 10 % of the payment or 0.1 bp, in percent */
      close_pct: number | null;
    })[];
  })[] | null;
}

export interface GetForecastAccuracyParams {
  /** Forecasts that were published in the last so many days count; default 90 */
  days?: number | undefined;
}

export type GetForecastAccuracyData = ForecastAccuracy;

export interface ListingRow {
  /** Venue name as /exchanges spells it */
  exchange: string;
  /** Contract as BASE-QUOTE with its own base (1000PEPE-USDT) */
  symbol: string;
  /** Ticker without multiplier, once prices prove it */
  coin: string;
  /** listing or delisting */
  kind: string;
  /** preopen (known, not trading yet), newly listed (trading for under 30 days), delisting (still trading), delisted, cancelled; null for an older listing and for one of a contract that was delisted since */
  status: string | null;
  /** When trading starts or ends, UTC; null while the venue has not stated it. If only lists show the change, the time of the first list that shows it */
  effective_at: string | null;
  /** How it was first detected: announcement, instruments or diff */
  source: string;
  /** The venue's notice; null when there is none, or it has no address */
  announcement_url: string | null;
  /** When it was first seen, UTC; each row has its own time and keeps it */
  detected_at: string;
}

/** What `fields` may name. */
export type ListListingsField =
  | "exchange"
  | "symbol"
  | "coin"
  | "kind"
  | "status"
  | "effective_at"
  | "source"
  | "announcement_url"
  | "detected_at";

export interface ListListingsParams<F extends ListListingsField = ListListingsField> {
  /** Tickers to keep, in any case; at most 20, separated by commas */
  coin?: string | readonly string[] | undefined;
  /** Venues to keep, as /exchanges spells them; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** Venues to leave out; at most 20 */
  exclude_exchange?: string | readonly string[] | undefined;
  /** Only this kind of row; both by default */
  type?: "listing" | "delisting" | undefined;
  /** Only rows with exactly this status: preopen, newly listed, delisting, delisted, cancelled; another one gives an empty list */
  status?: string | undefined;
  /** Only rows that were first detected this way */
  source?: "announcement" | "instruments" | "diff" | undefined;
  /** Rows effective at this time or later; drops rows without effective_at */
  from?: string | Date | undefined;
  /** Rows effective before this time; drops rows without effective_at */
  to?: string | Date | undefined;
  /** Rows effective from meta.as_of on, up to this many days ahead; ignored when from or to is given, whatever its value */
  days_ahead?: number | undefined;
  /** Rows first seen after this time. To poll, send the meta.as_of of the answer before, with sort=detected_asc */
  detected_after?: string | Date | undefined;
  /** Order of the rows; default nearest: upcoming soonest first, then past most recent first, undated last */
  sort?: "nearest" | "effective_asc" | "effective_desc" | "detected_desc" | "detected_asc" | "coin_asc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListListingsData<F extends ListListingsField = ListListingsField> = Pick<ListingRow, F & keyof ListingRow>[];

/** The columns that together identify a row. */
export type ListListingsIdentity = "exchange" | "symbol" | "kind" | "detected_at";

/** A row of the stream: it has the columns of its identity, whatever `fields` names. */
export type ListListingsStreamRow<F extends ListListingsField = ListListingsField> = Pick<ListListingsData[number], F | ListListingsIdentity>;

/** The fields of `data` beside the rows. */
export type ListListingsStreamFields = Record<never, never>;

export interface ExchangeRow {
  /** Venue name, the spelling of every filter (case-sensitive) */
  exchange: string;
  /** Full name */
  name: string;
  /** Icon of the venue */
  icon_url: string;
  /** Perpetual contracts in the snapshot */
  tracked_instruments: number;
  /** Highest leverage on any contract */
  max_leverage: number;
  /** Default taker fee in percent */
  taker_fee_pct: number;
  /** true = the host product can trade there */
  trading_enabled: boolean;
  /** true = the venue has a spot market */
  has_spot: boolean;
  /** The venue's fee page */
  fee_url: string | null;
  /** The venue's contract specifications */
  specs_url: string;
  /** The venue's funding page */
  funding_url: string;
  /** Our page of the venue: its contracts, fees, intervals, health and accuracy */
  page_url: string;
  /** How often the order books of its most traded third are fetched, in seconds: 60, or longer where its request limits do not allow it; others every 5 times this, and every 30 times without trades. null before the first book */
  depth_period_seconds: number | null;
  /** Why it has no settled history, so that sums and realised figures are null; null where it has one */
  no_history_reason: string | null;
  /** Why it has no bid and ask, so neither spreads nor depth; null where it has them */
  no_book_reason: string | null;
  /** Median age of the quotes that it publishes instead, in seconds; null where it has a book */
  quote_age_seconds: number | null;
  /** The venue whose settled rates it repeats to the digit on most contracts of the last day; /arbitrage leaves out pairs of the two. null: its rates are its own */
  mirrors: string | null;
}

/** What `fields` may name. */
export type ListExchangesField =
  | "exchange"
  | "name"
  | "icon_url"
  | "tracked_instruments"
  | "max_leverage"
  | "taker_fee_pct"
  | "trading_enabled"
  | "has_spot"
  | "fee_url"
  | "specs_url"
  | "funding_url"
  | "page_url"
  | "depth_period_seconds"
  | "no_history_reason"
  | "no_book_reason"
  | "quote_age_seconds"
  | "mirrors";

export interface ListExchangesParams<F extends ListExchangesField = ListExchangesField> {
  /** Start of exchange or of name, in any case */
  q?: string | undefined;
  /** true keeps venues open for trading */
  trading_enabled?: boolean | undefined;
  /** true keeps venues with a spot market */
  has_spot?: boolean | undefined;
  /** Order of the rows; default name_asc */
  sort?: "name_asc" | "instruments_desc" | "fee_asc" | "leverage_desc" | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListExchangesData<F extends ListExchangesField = ListExchangesField> = Pick<ExchangeRow, F & keyof ExchangeRow>[];

export interface CoinRow {
  /** Ticker without multiplier */
  coin: string;
  /** Venues quoting a linear perpetual on it */
  venue_count: number;
  /** Venues quoting a linear perpetual on it */
  exchanges: string[];
  /** 24 h perpetual turnover over all venues in USDT */
  volume_24h_usdt: number;
  /** Mark price of the contract that was the most traded linear one 24 hours ago, against its mark price then (within ten minutes), in percent; null when it is not known */
  change_24h_pct: number | null;
  /** Page with the funding rates of the coin */
  funding_url: string;
}

/** What `fields` may name. */
export type ListCoinsField =
  | "coin"
  | "venue_count"
  | "exchanges"
  | "volume_24h_usdt"
  | "change_24h_pct"
  | "funding_url";

export interface ListCoinsParams<F extends ListCoinsField = ListCoinsField> {
  /** Text matched against the ticker, in any case; at most 24 characters */
  q?: string | undefined;
  /** How q is matched; default prefix */
  match?: "prefix" | "contains" | undefined;
  /** Coins quoted on any of these venues; at most 20 */
  exchange?: string | readonly string[] | undefined;
  /** all requires every one of the venues; default any */
  exchange_match?: "any" | "all" | undefined;
  /** Quoted on at least this many venues */
  min_venues?: number | undefined;
  /** Lowest 24 h perpetual volume over all venues in USDT */
  min_volume_usdt?: number | undefined;
  /** Order of the rows; default volume_desc */
  sort?: "volume_desc" | "volume_asc" | "change_desc" | "change_asc" | "venues_desc" | "venues_asc" | "coin_asc" | undefined;
  /** Rows on a page; default 100; on Demo 50, also the most */
  limit?: number | undefined;
  /** meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes */
  cursor?: string | undefined;
  /** Keep only these fields on every row; meta is untouched */
  fields?: readonly F[] | undefined;
}

export type ListCoinsData<F extends ListCoinsField = ListCoinsField> = Pick<CoinRow, F & keyof CoinRow>[];

export interface GetUsageParams {
}

export type GetUsageData = {
  /** Effective plan */
  plan: "demo" | "developer" | "pro" | "business";
  /** Start of the key, to tell it apart from others */
  key_prefix: string;
  /** Scopes of the key */
  scopes: ("funding:read" | "history:read" | "spreads:read" | "listings:read" | "usage:read")[];
  /** Month window; resets on the 1st at 00:00 UTC */
  month: {
    /** Requests counted in the window, this one included */
    used: number;
    /** Requests that the plan allows in the window */
    limit: number;
    /** Requests left */
    remaining: number;
    /** When the window is fresh again, UTC */
    resets_at: string;
  };
  /** Minute window of 60 seconds */
  minute: {
    /** Requests counted in the window, this one included */
    used: number;
    /** Requests that the plan allows in the window */
    limit: number;
    /** Requests left */
    remaining: number;
    /** When the window is fresh again, UTC */
    resets_at: string;
  };
  /** History depth in days; null = everything held */
  history_days: number | null;
  /** How far the data lags behind the live snapshot */
  delay_seconds: number;
  /** Whether the plan includes commercial use */
  commercial_use: boolean;
  /** Page of the plans */
  upgrade_url: string;
};

/** All endpoints, as properties of the client. */
export interface Resources {
  readonly funding: {
    /** Current funding rates of every perpetual contract on every venue */
    list<F extends ListFundingField = ListFundingField>(params?: ListFundingParams<F>, options?: RequestOptions): Promise<Answer<ListFundingData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListFundingField = ListFundingField>(params?: ListFundingParams<F>, options?: AllOptions): AsyncGenerator<ListFundingData<F>[number], void, undefined>;
    /** Follows the first rows of the list as they change. Connects again by itself. */
    stream<F extends ListFundingField = ListFundingField>(params?: Omit<ListFundingParams<F>, "cursor">, options?: StreamOptions<ListFundingStreamRow<F>, ListFundingStreamFields>): AsyncGenerator<StreamUpdate<ListFundingStreamRow<F>, Pick<ListFundingStreamRow, ListFundingIdentity>, ListFundingStreamFields>, void, undefined>;
    /** Funding rates of one coin, compared over the venues */
    coin<F extends GetCoinFundingField = GetCoinFundingField>(coin: string, params?: GetCoinFundingParams<F>, options?: RequestOptions): Promise<Answer<GetCoinFundingData<F>>>;
    /** Settled funding of one coin, by day or print by print */
    history<F extends GetFundingHistoryField = GetFundingHistoryField>(params: GetFundingHistoryParams<F>, options?: RequestOptions): Promise<Answer<GetFundingHistoryData<F>>>;
    /** The running funding rate of a coin through time, by minute, five minutes, hour or day */
    running(params: GetRunningFundingParams, options?: RequestOptions): Promise<Answer<GetRunningFundingData>>;
  };
  readonly open_interest: {
    /** Open interest, mark price, premium and volume of a coin through time, per venue and summed */
    history(params: GetOpenInterestHistoryParams, options?: RequestOptions): Promise<Answer<GetOpenInterestHistoryData>>;
  };
  readonly spreads: {
    /** Live spreads between two venues' perpetuals on the same coin */
    list<F extends ListSpreadsField = ListSpreadsField>(params?: ListSpreadsParams<F>, options?: RequestOptions): Promise<Answer<ListSpreadsData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListSpreadsField = ListSpreadsField>(params?: ListSpreadsParams<F>, options?: AllOptions): AsyncGenerator<ListSpreadsData<F>[number], void, undefined>;
    /** Follows the first rows of the list as they change. Connects again by itself. */
    stream<F extends ListSpreadsField = ListSpreadsField>(params?: Omit<ListSpreadsParams<F>, "cursor">, options?: StreamOptions<ListSpreadsStreamRow<F>, ListSpreadsStreamFields>): AsyncGenerator<StreamUpdate<ListSpreadsStreamRow<F>, Pick<ListSpreadsStreamRow, ListSpreadsIdentity>, ListSpreadsStreamFields>, void, undefined>;
    readonly backtest: {
      /** Spreads ranked by what an order of a given size would have earned against the books of the last days */
      list<F extends ListSpreadBacktestField = ListSpreadBacktestField>(params?: ListSpreadBacktestParams<F>, options?: RequestOptions): Promise<Answer<ListSpreadBacktestData<F>>>;
      /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
      all<F extends ListSpreadBacktestField = ListSpreadBacktestField>(params?: ListSpreadBacktestParams<F>, options?: AllOptions): AsyncGenerator<ListSpreadBacktestData<F>["spreads"][number], void, undefined>;
      /** Follows the first rows of the list as they change. Connects again by itself. */
      stream<F extends ListSpreadBacktestField = ListSpreadBacktestField>(params?: Omit<ListSpreadBacktestParams<F>, "cursor">, options?: StreamOptions<ListSpreadBacktestStreamRow<F>, ListSpreadBacktestStreamFields>): AsyncGenerator<StreamUpdate<ListSpreadBacktestStreamRow<F>, Pick<ListSpreadBacktestStreamRow, ListSpreadBacktestIdentity>, ListSpreadBacktestStreamFields>, void, undefined>;
    };
  };
  readonly arbitrage: {
    /** Funding arbitrage: what a long on one venue and a short on another earn, net of fees */
    list<F extends ListArbitrageField = ListArbitrageField>(params?: ListArbitrageParams<F>, options?: RequestOptions): Promise<Answer<ListArbitrageData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListArbitrageField = ListArbitrageField>(params?: ListArbitrageParams<F>, options?: AllOptions): AsyncGenerator<ListArbitrageData<F>["pairs"][number], void, undefined>;
    /** Follows the first rows of the list as they change. Connects again by itself. */
    stream<F extends ListArbitrageField = ListArbitrageField>(params?: Omit<ListArbitrageParams<F>, "cursor">, options?: StreamOptions<ListArbitrageStreamRow<F>, ListArbitrageStreamFields>): AsyncGenerator<StreamUpdate<ListArbitrageStreamRow<F>, Pick<ListArbitrageStreamRow, ListArbitrageIdentity>, ListArbitrageStreamFields>, void, undefined>;
    /** What a long on one venue and a short on another earned, day by day */
    history(params: GetArbitrageHistoryParams, options?: RequestOptions): Promise<Answer<GetArbitrageHistoryData>>;
  };
  readonly depth: {
    /** Order-book depth of every linear contract: USD that rests near the mid price */
    list<F extends ListDepthField = ListDepthField>(params?: ListDepthParams<F>, options?: RequestOptions): Promise<Answer<ListDepthData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListDepthField = ListDepthField>(params?: ListDepthParams<F>, options?: AllOptions): AsyncGenerator<ListDepthData<F>[number], void, undefined>;
    /** Follows the first rows of the list as they change. Connects again by itself. */
    stream<F extends ListDepthField = ListDepthField>(params?: Omit<ListDepthParams<F>, "cursor">, options?: StreamOptions<ListDepthStreamRow<F>, ListDepthStreamFields>): AsyncGenerator<StreamUpdate<ListDepthStreamRow<F>, Pick<ListDepthStreamRow, ListDepthIdentity>, ListDepthStreamFields>, void, undefined>;
    /** What an order of your size cost against the book of a contract, every five minutes */
    history(params: GetDepthHistoryParams, options?: RequestOptions): Promise<Answer<GetDepthHistoryData>>;
  };
  readonly forecasts: {
    /** How right the forecasts of /arbitrage were */
    accuracy(params?: GetForecastAccuracyParams, options?: RequestOptions): Promise<Answer<GetForecastAccuracyData>>;
  };
  readonly listings: {
    /** Calendar of announced and detected listings and delistings */
    list<F extends ListListingsField = ListListingsField>(params?: ListListingsParams<F>, options?: RequestOptions): Promise<Answer<ListListingsData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListListingsField = ListListingsField>(params?: ListListingsParams<F>, options?: AllOptions): AsyncGenerator<ListListingsData<F>[number], void, undefined>;
    /** Follows the first rows of the list as they change. Connects again by itself. */
    stream<F extends ListListingsField = ListListingsField>(params?: Omit<ListListingsParams<F>, "cursor">, options?: StreamOptions<ListListingsStreamRow<F>, ListListingsStreamFields>): AsyncGenerator<StreamUpdate<ListListingsStreamRow<F>, Pick<ListListingsStreamRow, ListListingsIdentity>, ListListingsStreamFields>, void, undefined>;
  };
  readonly exchanges: {
    /** The trading venues that the service watches */
    list<F extends ListExchangesField = ListExchangesField>(params?: ListExchangesParams<F>, options?: RequestOptions): Promise<Answer<ListExchangesData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListExchangesField = ListExchangesField>(params?: ListExchangesParams<F>, options?: AllOptions): AsyncGenerator<ListExchangesData<F>[number], void, undefined>;
  };
  readonly coins: {
    /** Coins with a perpetual on any venue */
    list<F extends ListCoinsField = ListCoinsField>(params?: ListCoinsParams<F>, options?: RequestOptions): Promise<Answer<ListCoinsData<F>>>;
    /** All rows, page after page from one snapshot; pages are as large as the plan allows unless `limit` is set. */
    all<F extends ListCoinsField = ListCoinsField>(params?: ListCoinsParams<F>, options?: AllOptions): AsyncGenerator<ListCoinsData<F>[number], void, undefined>;
  };
  readonly usage: {
    /** Plan, windows and limits of the key that asks */
    get(params?: GetUsageParams, options?: RequestOptions): Promise<Answer<GetUsageData>>;
  };
}

export const ENDPOINTS = [
  {
    "at": [
      "funding"
    ],
    "path": "/funding",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": {
      "identity": [
        "exchange",
        "venue_symbol"
      ],
      "sorts": {
        "abs_rate_desc": {
          "column": "rate_pct",
          "direction": "desc",
          "isAbsolute": true
        },
        "abs_rate_asc": {
          "column": "rate_pct",
          "direction": "asc",
          "isAbsolute": true
        },
        "rate_desc": {
          "column": "rate_pct",
          "direction": "desc"
        },
        "rate_asc": {
          "column": "rate_pct",
          "direction": "asc"
        },
        "apr_desc": {
          "column": "apr_pct",
          "direction": "desc"
        },
        "apr_asc": {
          "column": "apr_pct",
          "direction": "asc"
        },
        "gross_apr_desc": {
          "column": "gross_apr_pct",
          "direction": "desc"
        },
        "gross_apr_asc": {
          "column": "gross_apr_pct",
          "direction": "asc"
        },
        "sum_7d_desc": {
          "column": "sum_7d_pct",
          "direction": "desc"
        },
        "sum_7d_asc": {
          "column": "sum_7d_pct",
          "direction": "asc"
        },
        "sum_30d_desc": {
          "column": "sum_30d_pct",
          "direction": "desc"
        },
        "sum_30d_asc": {
          "column": "sum_30d_pct",
          "direction": "asc"
        },
        "volume_desc": {
          "column": "volume_24h_usdt",
          "direction": "desc"
        },
        "volume_asc": {
          "column": "volume_24h_usdt",
          "direction": "asc"
        },
        "open_interest_desc": {
          "column": "open_interest_usdt",
          "direction": "desc"
        },
        "open_interest_asc": {
          "column": "open_interest_usdt",
          "direction": "asc"
        },
        "next_funding_asc": {
          "column": "next_funding_at",
          "direction": "asc"
        },
        "next_funding_desc": {
          "column": "next_funding_at",
          "direction": "desc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        },
        "exchange_asc": {
          "column": "exchange",
          "direction": "asc"
        }
      },
      "defaultSort": "abs_rate_desc",
      "ties": [
        "exchange",
        "symbol",
        "venue_symbol"
      ]
    }
  },
  {
    "at": [
      "funding",
      "coin"
    ],
    "path": "/funding/{coin}",
    "isList": false,
    "rowsField": null,
    "pathParameter": "coin",
    "stream": null
  },
  {
    "at": [
      "funding",
      "history"
    ],
    "path": "/funding/history",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "funding",
      "running"
    ],
    "path": "/funding/running",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "open_interest",
      "history"
    ],
    "path": "/open-interest/history",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "spreads"
    ],
    "path": "/spreads",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": {
      "identity": [
        "coin",
        "exchange_a",
        "exchange_b"
      ],
      "sorts": {
        "spread_desc": {
          "column": "spread_pct",
          "direction": "desc"
        },
        "spread_asc": {
          "column": "spread_pct",
          "direction": "asc"
        },
        "net_spread_desc": {
          "column": "net_spread_pct",
          "direction": "desc"
        },
        "net_spread_asc": {
          "column": "net_spread_pct",
          "direction": "asc"
        },
        "volume_desc": {
          "column": "volume_a_usdt",
          "orSmaller": "volume_b_usdt",
          "direction": "desc"
        },
        "volume_asc": {
          "column": "volume_a_usdt",
          "orSmaller": "volume_b_usdt",
          "direction": "asc"
        },
        "strength_desc": {
          "column": "strength",
          "direction": "desc"
        },
        "updated_desc": {
          "column": "updated_at",
          "direction": "desc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        },
        "entry_cost_asc": {
          "column": "entry_cost_pct",
          "direction": "asc"
        },
        "entry_cost_desc": {
          "column": "entry_cost_pct",
          "direction": "desc"
        },
        "exit_cost_asc": {
          "column": "exit_cost_pct",
          "direction": "asc"
        },
        "exit_cost_desc": {
          "column": "exit_cost_pct",
          "direction": "desc"
        },
        "exit_cost_worst_asc": {
          "column": "exit_cost_worst_pct",
          "direction": "asc"
        },
        "exit_cost_worst_desc": {
          "column": "exit_cost_worst_pct",
          "direction": "desc"
        },
        "book_age_asc": {
          "column": "book_age_seconds",
          "direction": "asc"
        },
        "book_age_desc": {
          "column": "book_age_seconds",
          "direction": "desc"
        }
      },
      "defaultSort": "spread_desc",
      "ties": []
    }
  },
  {
    "at": [
      "spreads",
      "backtest"
    ],
    "path": "/spreads/backtest",
    "isList": true,
    "rowsField": "spreads",
    "pathParameter": null,
    "stream": {
      "identity": [
        "coin",
        "exchange_a",
        "exchange_b"
      ],
      "sorts": {
        "profit_desc": {
          "column": "est_profit_pct",
          "direction": "desc"
        },
        "profit_asc": {
          "column": "est_profit_pct",
          "direction": "asc"
        },
        "avg_profit_desc": {
          "column": "avg_profit_pct",
          "direction": "desc"
        },
        "cycles_desc": {
          "column": "cycles",
          "direction": "desc"
        },
        "confidence_desc": {
          "column": "confidence",
          "direction": "desc"
        },
        "volume_desc": {
          "column": "volume_a_usdt",
          "orSmaller": "volume_b_usdt",
          "direction": "desc"
        },
        "spread_range_desc": {
          "column": "spread_range_pct",
          "direction": "desc"
        },
        "last_cycle_desc": {
          "column": "last_cycle_at",
          "direction": "desc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        }
      },
      "defaultSort": "profit_desc",
      "ties": [
        "coin",
        "exchange_a",
        "exchange_b"
      ]
    }
  },
  {
    "at": [
      "arbitrage"
    ],
    "path": "/arbitrage",
    "isList": true,
    "rowsField": "pairs",
    "pathParameter": null,
    "stream": {
      "identity": [
        "coin",
        "long_exchange",
        "short_exchange"
      ],
      "sorts": {
        "net_apr_desc": {
          "column": "net_apr_pct",
          "direction": "desc"
        },
        "net_apr_asc": {
          "column": "net_apr_pct",
          "direction": "asc"
        },
        "gross_apr_desc": {
          "column": "gross_apr_pct",
          "direction": "desc"
        },
        "gross_apr_asc": {
          "column": "gross_apr_pct",
          "direction": "asc"
        },
        "carry_day_desc": {
          "column": "carry_pct_day",
          "direction": "desc"
        },
        "carry_day_asc": {
          "column": "carry_pct_day",
          "direction": "asc"
        },
        "entry_spread_desc": {
          "column": "entry_spread_pct",
          "direction": "desc"
        },
        "entry_spread_asc": {
          "column": "entry_spread_pct",
          "direction": "asc"
        },
        "exit_spread_desc": {
          "column": "exit_spread_pct",
          "direction": "desc"
        },
        "exit_spread_asc": {
          "column": "exit_spread_pct",
          "direction": "asc"
        },
        "expected_1d_desc": {
          "column": "expected_carry_1d_pct",
          "direction": "desc"
        },
        "expected_1d_asc": {
          "column": "expected_carry_1d_pct",
          "direction": "asc"
        },
        "expected_7d_desc": {
          "column": "expected_carry_7d_pct",
          "direction": "desc"
        },
        "expected_7d_asc": {
          "column": "expected_carry_7d_pct",
          "direction": "asc"
        },
        "expected_30d_desc": {
          "column": "expected_carry_30d_pct",
          "direction": "desc"
        },
        "expected_30d_asc": {
          "column": "expected_carry_30d_pct",
          "direction": "asc"
        },
        "expected_low_desc": {
          "column": "expected_low_pct",
          "direction": "desc"
        },
        "expected_low_asc": {
          "column": "expected_low_pct",
          "direction": "asc"
        },
        "expected_high_desc": {
          "column": "expected_high_pct",
          "direction": "desc"
        },
        "expected_high_asc": {
          "column": "expected_high_pct",
          "direction": "asc"
        },
        "expected_low_net_desc": {
          "column": "expected_low_net_apr_pct",
          "direction": "desc",
          "thenBy": {
            "column": "gross_apr_pct",
            "direction": "desc"
          }
        },
        "expected_low_net_asc": {
          "column": "expected_low_net_apr_pct",
          "direction": "asc"
        },
        "expected_net_desc": {
          "column": "expected_net_apr_pct",
          "direction": "desc",
          "thenBy": {
            "column": "gross_apr_pct",
            "direction": "desc"
          }
        },
        "expected_net_asc": {
          "column": "expected_net_apr_pct",
          "direction": "asc"
        },
        "probability_desc": {
          "column": "probability_net_positive",
          "direction": "desc"
        },
        "probability_asc": {
          "column": "probability_net_positive",
          "direction": "asc"
        },
        "fee_desc": {
          "column": "fee_pct_round_trip",
          "direction": "desc"
        },
        "fee_asc": {
          "column": "fee_pct_round_trip",
          "direction": "asc"
        },
        "cost_desc": {
          "column": "cost_pct_round_trip",
          "direction": "desc"
        },
        "cost_asc": {
          "column": "cost_pct_round_trip",
          "direction": "asc"
        },
        "realised_1d_desc": {
          "column": "realised_1d_pct",
          "direction": "desc"
        },
        "realised_1d_asc": {
          "column": "realised_1d_pct",
          "direction": "asc"
        },
        "realised_7d_desc": {
          "column": "realised_7d_pct",
          "direction": "desc"
        },
        "realised_7d_asc": {
          "column": "realised_7d_pct",
          "direction": "asc"
        },
        "realised_30d_desc": {
          "column": "realised_30d_pct",
          "direction": "desc"
        },
        "realised_30d_asc": {
          "column": "realised_30d_pct",
          "direction": "asc"
        },
        "realised_90d_desc": {
          "column": "realised_90d_pct",
          "direction": "desc"
        },
        "realised_90d_asc": {
          "column": "realised_90d_pct",
          "direction": "asc"
        },
        "positive_hours_desc": {
          "column": "positive_hours_30d_pct",
          "direction": "desc"
        },
        "positive_hours_asc": {
          "column": "positive_hours_30d_pct",
          "direction": "asc"
        },
        "worst_day_desc": {
          "column": "worst_day_30d_pct",
          "direction": "desc"
        },
        "worst_day_asc": {
          "column": "worst_day_30d_pct",
          "direction": "asc"
        },
        "max_drawdown_desc": {
          "column": "max_drawdown_30d_pct",
          "direction": "desc"
        },
        "max_drawdown_asc": {
          "column": "max_drawdown_30d_pct",
          "direction": "asc"
        },
        "hours_above_fee_desc": {
          "column": "median_hours_above_fee",
          "direction": "desc"
        },
        "hours_above_fee_asc": {
          "column": "median_hours_above_fee",
          "direction": "asc"
        },
        "break_even_desc": {
          "column": "break_even_hours",
          "direction": "desc"
        },
        "break_even_asc": {
          "column": "break_even_hours",
          "direction": "asc"
        },
        "capacity_desc": {
          "column": "capacity_usd",
          "direction": "desc"
        },
        "capacity_asc": {
          "column": "capacity_usd",
          "direction": "asc"
        },
        "volume_desc": {
          "column": "volume_usdt",
          "direction": "desc"
        },
        "volume_asc": {
          "column": "volume_usdt",
          "direction": "asc"
        },
        "open_interest_desc": {
          "column": "open_interest_usdt",
          "direction": "desc"
        },
        "open_interest_asc": {
          "column": "open_interest_usdt",
          "direction": "asc"
        },
        "updated_desc": {
          "column": "updated_at",
          "direction": "desc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        },
        "entry_cost_asc": {
          "column": "entry_cost_pct",
          "direction": "asc"
        },
        "entry_cost_desc": {
          "column": "entry_cost_pct",
          "direction": "desc"
        },
        "exit_cost_asc": {
          "column": "exit_cost_pct",
          "direction": "asc"
        },
        "exit_cost_desc": {
          "column": "exit_cost_pct",
          "direction": "desc"
        },
        "exit_cost_worst_asc": {
          "column": "exit_cost_worst_pct",
          "direction": "asc"
        },
        "exit_cost_worst_desc": {
          "column": "exit_cost_worst_pct",
          "direction": "desc"
        },
        "book_age_asc": {
          "column": "book_age_seconds",
          "direction": "asc"
        },
        "book_age_desc": {
          "column": "book_age_seconds",
          "direction": "desc"
        }
      },
      "defaultSort": "net_apr_desc",
      "ties": [
        "coin",
        "long_exchange",
        "short_exchange"
      ]
    }
  },
  {
    "at": [
      "arbitrage",
      "history"
    ],
    "path": "/arbitrage/history",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "depth"
    ],
    "path": "/depth",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": {
      "identity": [
        "exchange",
        "venue_symbol"
      ],
      "sorts": {
        "volume_desc": {
          "column": "volume_24h_usdt",
          "direction": "desc"
        },
        "volume_asc": {
          "column": "volume_24h_usdt",
          "direction": "asc"
        },
        "depth_1bp_desc": {
          "column": "bid_1bp_usd",
          "orSmaller": "ask_1bp_usd",
          "direction": "desc"
        },
        "depth_2bp_desc": {
          "column": "bid_2bp_usd",
          "orSmaller": "ask_2bp_usd",
          "direction": "desc"
        },
        "depth_5bp_desc": {
          "column": "bid_5bp_usd",
          "orSmaller": "ask_5bp_usd",
          "direction": "desc"
        },
        "depth_10bp_desc": {
          "column": "bid_10bp_usd",
          "orSmaller": "ask_10bp_usd",
          "direction": "desc"
        },
        "depth_25bp_desc": {
          "column": "bid_25bp_usd",
          "orSmaller": "ask_25bp_usd",
          "direction": "desc"
        },
        "depth_50bp_desc": {
          "column": "bid_50bp_usd",
          "orSmaller": "ask_50bp_usd",
          "direction": "desc"
        },
        "buy_cost_asc": {
          "column": "buy_cost_pct",
          "direction": "asc"
        },
        "sell_cost_asc": {
          "column": "sell_cost_pct",
          "direction": "asc"
        },
        "bid_ask_spread_asc": {
          "column": "bid_ask_spread_pct",
          "direction": "asc"
        },
        "bid_ask_spread_desc": {
          "column": "bid_ask_spread_pct",
          "direction": "desc"
        },
        "age_asc": {
          "column": "book_age_seconds",
          "direction": "asc"
        },
        "age_desc": {
          "column": "book_age_seconds",
          "direction": "desc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        },
        "exchange_asc": {
          "column": "exchange",
          "direction": "asc"
        }
      },
      "defaultSort": "volume_desc",
      "ties": [
        "exchange",
        "symbol",
        "venue_symbol"
      ]
    }
  },
  {
    "at": [
      "depth",
      "history"
    ],
    "path": "/depth/history",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "forecasts",
      "accuracy"
    ],
    "path": "/forecasts/accuracy",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "listings"
    ],
    "path": "/listings",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": {
      "identity": [
        "exchange",
        "symbol",
        "kind",
        "detected_at"
      ],
      "sorts": {
        "nearest": null,
        "effective_asc": {
          "column": "effective_at",
          "direction": "asc"
        },
        "effective_desc": {
          "column": "effective_at",
          "direction": "desc"
        },
        "detected_desc": {
          "column": "detected_at",
          "direction": "desc"
        },
        "detected_asc": {
          "column": "detected_at",
          "direction": "asc"
        },
        "coin_asc": {
          "column": "coin",
          "direction": "asc"
        }
      },
      "defaultSort": "nearest",
      "ties": [
        "exchange",
        "symbol",
        "kind"
      ]
    }
  },
  {
    "at": [
      "exchanges"
    ],
    "path": "/exchanges",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "coins"
    ],
    "path": "/coins",
    "isList": true,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  },
  {
    "at": [
      "usage",
      "get"
    ],
    "path": "/usage",
    "isList": false,
    "rowsField": null,
    "pathParameter": null,
    "stream": null
  }
] as const;
