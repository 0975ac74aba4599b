# Made by `npm run clients` from the operations of the service. Do not edit.

"""Types of parameters, rows and answers. Times are ISO 8601 in UTC."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

#: Every error code of the API.
ApiErrorCode = Literal[
    "invalid-parameter",
    "unauthenticated",
    "scope-missing",
    "origin-refused",
    "plan-limit",
    "unknown-coin",
    "unknown-exchange",
    "not-found",
    "method-not-allowed",
    "address-too-long",
    "range-not-satisfiable",
    "rate-limited",
    "quota-exhausted",
    "bad-request",
    "internal",
    "snapshot-unavailable",
    "overloaded",
    "api-disabled",
]

class Meta(TypedDict):
    as_of: str
    "Time of the snapshot, UTC"
    delayed_seconds: int
    "Lag behind the live snapshot: 0 on paid plans, 900 on Demo"
    source: str
    "Whom to attribute the figures to"
    url: str
    "Human page of the same data; link it when figures are republished"
    count: int | None
    "Rows in this page; of /funding/{coin} its rates, of /funding/history its series"
    total: int | None
    "Rows that match in all pages"
    next_cursor: NotRequired[str | None]
    "Pass it as cursor to get the next page; absent on the last page"


ListFundingSession = Literal["open", "closed"]

ListFundingSort = Literal[
    "abs_rate_desc",
    "abs_rate_asc",
    "rate_desc",
    "rate_asc",
    "apr_desc",
    "apr_asc",
    "gross_apr_desc",
    "gross_apr_asc",
    "sum_7d_desc",
    "sum_7d_asc",
    "sum_30d_desc",
    "sum_30d_asc",
    "volume_desc",
    "volume_asc",
    "open_interest_desc",
    "open_interest_asc",
    "next_funding_asc",
    "next_funding_desc",
    "coin_asc",
    "exchange_asc",
]

ListFundingField = Literal[
    "exchange",
    "symbol",
    "venue_symbol",
    "coin",
    "is_inverse",
    "asset_class",
    "price_outlier",
    "rate_pct",
    "apr_pct",
    "sum_7d_pct",
    "sum_30d_pct",
    "interval_hours",
    "next_funding_at",
    "volume_24h_usdt",
    "mark_price",
    "index_price",
    "open_interest_usdt",
    "last_rate_pct",
    "last_funding_at",
    "taker_fee_pct",
    "covered_until",
    "gross_apr_pct",
    "session",
]

class FundingRateItem(TypedDict):
    exchange: str
    "Venue name as /exchanges spells it"
    symbol: str
    "Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT"
    venue_symbol: str
    "The venue's own spelling of the contract"
    coin: str
    "Ticker without multiplier, e.g. PEPE; QNT.STOCK where venues use QNT for two things"
    is_inverse: bool
    "true = coin-margined (settled in the base coin)"
    asset_class: str
    "crypto, stock, commodity, index or forex"
    price_outlier: bool
    "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker"
    rate_pct: float
    "Percent exchanged at the next settlement (0.01 = one basis point); positive = longs pay shorts"
    apr_pct: float | None
    "Simple interest over a year at this rate, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when the interval is unknown. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days"
    sum_7d_pct: float | None
    "Sum of the settled rates of the 7 days that end at covered_until, in percent; null under 95 % coverage"
    sum_30d_pct: float | None
    "Sum of the settled rates of the 30 days that end at covered_until, in percent; null under 95 % coverage"
    interval_hours: int | None
    "Settlement interval in hours; null when the venue does not report it"
    next_funding_at: str | None
    "Next settlement, UTC; null when funding is continuous or the venue does not report it"
    volume_24h_usdt: float
    "Turnover of the last 24 hours in USDT"
    mark_price: float | None
    "The venue's mark price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it"
    index_price: float | None
    "The venue's index (spot) price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it"
    open_interest_usdt: float | None
    "Value of all open positions in USDT, one side counted; null when the bulk calls of the venue do not give it"
    last_rate_pct: float | None
    "The newest settled rate that is stored, in percent: what was exchanged at last_funding_at; null while no print is stored"
    last_funding_at: str | None
    "Settlement of last_rate_pct, to the minute, UTC; never after meta.as_of"
    taker_fee_pct: float
    "Taker fee in percent that apr_pct takes off twice: the contract's own where the venue charges one, else that of /exchanges"
    covered_until: str | None
    "Last settlement up to which the prints are complete, UTC: sum_7d_pct and sum_30d_pct are over (covered_until - N days, covered_until]; null when both are"
    gross_apr_pct: float | None
    "Simple interest over a year at this rate, in percent, before fees: rate_pct / interval_hours × 8,760; null when the interval is unknown"
    session: str | None
    "open or closed: the market of the underlying, such as a stock exchange. closed = the venue says so, or the index price has not moved for 15 minutes while those of coins did; null for crypto, and while it is unknown"


ListFundingData = list[FundingRateItem]

class FundingRateItemFields(TypedDict, total=False):
    exchange: str
    symbol: str
    venue_symbol: str
    coin: str
    is_inverse: bool
    asset_class: str
    price_outlier: bool
    rate_pct: float
    apr_pct: float | None
    sum_7d_pct: float | None
    sum_30d_pct: float | None
    interval_hours: int | None
    next_funding_at: str | None
    volume_24h_usdt: float
    mark_price: float | None
    index_price: float | None
    open_interest_usdt: float | None
    last_rate_pct: float | None
    last_funding_at: str | None
    taker_fee_pct: float
    covered_until: str | None
    gross_apr_pct: float | None
    session: str | None


ListFundingDataFields = list[FundingRateItemFields]

GetCoinFundingSession = Literal["open", "closed"]

GetCoinFundingField = Literal[
    "exchange",
    "symbol",
    "venue_symbol",
    "coin",
    "is_inverse",
    "asset_class",
    "price_outlier",
    "rate_pct",
    "apr_pct",
    "sum_7d_pct",
    "sum_30d_pct",
    "interval_hours",
    "next_funding_at",
    "volume_24h_usdt",
    "mark_price",
    "index_price",
    "open_interest_usdt",
    "last_rate_pct",
    "last_funding_at",
    "taker_fee_pct",
    "covered_until",
    "gross_apr_pct",
    "session",
    "sum_1d_pct",
    "absolute_30d_pct",
    "expected_1d_pct",
    "expected_7d_pct",
    "expected_30d_pct",
    "expected_30d_low_pct",
    "expected_30d_high_pct",
    "entry_cost_pct",
    "exit_cost_pct",
    "exit_cost_worst_pct",
    "fills",
    "book_age_seconds",
]

class CoinFundingResponseHighest(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol"
    rate_pct: float
    "Percent exchanged at the next settlement"
    interval_hours: int | None
    "Settlement interval in hours, with which rate_pct is quoted; null when unknown"


class CoinFundingResponseLowest(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol"
    rate_pct: float
    "Percent exchanged at the next settlement"
    interval_hours: int | None
    "Settlement interval in hours, with which rate_pct is quoted; null when unknown"


class CoinFundingRate(TypedDict):
    exchange: str
    "Venue name as /exchanges spells it"
    symbol: str
    "Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT"
    venue_symbol: str
    "The venue's own spelling of the contract"
    coin: str
    "Ticker without multiplier, e.g. PEPE; QNT.STOCK where venues use QNT for two things"
    is_inverse: bool
    "true = coin-margined (settled in the base coin)"
    asset_class: str
    "crypto, stock, commodity, index or forex"
    price_outlier: bool
    "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker"
    rate_pct: float
    "Percent exchanged at the next settlement (0.01 = one basis point); positive = longs pay shorts"
    apr_pct: float | None
    "Simple interest over a year at this rate, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when the interval is unknown. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days"
    sum_7d_pct: float | None
    "Sum of the settled rates of the 7 days that end at covered_until, in percent; null under 95 % coverage"
    sum_30d_pct: float | None
    "Sum of the settled rates of the 30 days that end at covered_until, in percent; null under 95 % coverage"
    interval_hours: int | None
    "Settlement interval in hours; null when the venue does not report it"
    next_funding_at: str | None
    "Next settlement, UTC; null when funding is continuous or the venue does not report it"
    volume_24h_usdt: float
    "Turnover of the last 24 hours in USDT"
    mark_price: float | None
    "The venue's mark price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it"
    index_price: float | None
    "The venue's index (spot) price in the quote currency, for one unit of the contract's own base; null when its bulk calls do not give it"
    open_interest_usdt: float | None
    "Value of all open positions in USDT, one side counted; null when the bulk calls of the venue do not give it"
    last_rate_pct: float | None
    "The newest settled rate that is stored, in percent: what was exchanged at last_funding_at; null while no print is stored"
    last_funding_at: str | None
    "Settlement of last_rate_pct, to the minute, UTC; never after meta.as_of"
    taker_fee_pct: float
    "Taker fee in percent that apr_pct takes off twice: the contract's own where the venue charges one, else that of /exchanges"
    covered_until: str | None
    "Last settlement up to which the prints are complete, UTC: sum_7d_pct and sum_30d_pct are over (covered_until - N days, covered_until]; null when both are"
    gross_apr_pct: float | None
    "Simple interest over a year at this rate, in percent, before fees: rate_pct / interval_hours × 8,760; null when the interval is unknown"
    session: str | None
    "open or closed: the market of the underlying, such as a stock exchange. closed = the venue says so, or the index price has not moved for 15 minutes while those of coins did; null for crypto, and while it is unknown"
    sum_1d_pct: float | None
    "Sum of the settled rates of 24 hours, in percent, over (covered_until - 1 day, covered_until]; null under 95 % coverage"
    absolute_30d_pct: float | None
    "Sum of the absolute settled rates of 30 days, in percent: forecasts limit what stands far from it, and scale their range with it; null where sum_30d_pct is"
    expected_1d_pct: float | None
    "What a short is expected to receive, and a long to pay, in the next 24 hours, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage"
    expected_7d_pct: float | None
    "What a short is expected to receive, and a long to pay, in the next 7 days, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage"
    expected_30d_pct: float | None
    "What a short is expected to receive, and a long to pay, in the next 30 days, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage"
    expected_30d_low_pct: float | None
    "Lower end of the range around expected_30d_pct that four of five past outcomes fell into"
    expected_30d_high_pct: float | None
    "Upper end of the same range"
    entry_cost_pct: NotRequired[float | None]
    "What opening a position of size_usd that receives rate_pct costs now, a short where it is positive and else a long, before fees, in percent of the mid price; null unless fills is full"
    exit_cost_pct: NotRequired[float | None]
    "What closing it cost, before fees, in percent: the median of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd"
    exit_cost_worst_pct: NotRequired[float | None]
    "The same at the worst times: what was exceeded in at most 5 % of the samples; null likewise"
    fills: NotRequired[str]
    "Whether the book takes size_usd now, to open and to close: full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour, and for inverse contracts"
    book_age_seconds: NotRequired[float | None]
    "Age of the book at meta.as_of, in seconds; null where fills is unknown"


class CoinFundingResponse(TypedDict):
    coin: str
    "Ticker without multiplier"
    venue_count: int
    "Venues in the ranking: those with a linear contract on the coin that the filters leave"
    spread_pct: float | None
    "Highest minus lowest rate_pct over the linear contracts, in percentage points; null when none is ranked"
    highest: CoinFundingResponseHighest | None
    "Linear contract with the highest rate_pct; null when none is ranked"
    lowest: CoinFundingResponseLowest | None
    "Linear contract with the lowest rate_pct; null when none is ranked"
    best_short_exchange: str | None
    "Venue that pays a short best now, by rate per hour (rate_pct / interval_hours), not per settlement; null when no ranked contract has a known interval"
    best_long_exchange: str | None
    "Venue that pays a long best now, by rate per hour; null when no ranked contract has a known interval"
    best_short_would_pay: bool | None
    "true: even there a short pays, because no venue pays shorts now; null when no ranked contract has a known interval"
    best_long_would_pay: bool | None
    "true: even there a long pays, because no venue pays longs now; null when no ranked contract has a known interval"
    median_hours_above_fee: float | None
    "How long a carry above the fee lasted before, for a long on best_long_exchange and a short on best_short_exchange: median length in hours of the times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times, under 95 % coverage, or when /arbitrage does not pair these venues"
    times_above_fee: int | None
    "How many such times began and ended in the last 720 full hours"
    hours_above_fee_now: int | None
    "Hours that the present such time has lasted, up to the last hour that both have settled; 0 when that hour was not above the fee"
    total_volume_24h_usdt: float
    "24 h turnover in USDT of all contracts in rates"
    inverse_venues: list[str]
    "Venues with an inverse (coin-margined) contract, which the ranking leaves out"
    rates: list[CoinFundingRate]
    "Linear contracts first, venues by the rate of their contract with the largest volume, from high to low, each followed by the venue's other contracts; then the inverse ones in the same way"


GetCoinFundingData = CoinFundingResponse

class CoinFundingRateFields(TypedDict, total=False):
    exchange: str
    symbol: str
    venue_symbol: str
    coin: str
    is_inverse: bool
    asset_class: str
    price_outlier: bool
    rate_pct: float
    apr_pct: float | None
    sum_7d_pct: float | None
    sum_30d_pct: float | None
    interval_hours: int | None
    next_funding_at: str | None
    volume_24h_usdt: float
    mark_price: float | None
    index_price: float | None
    open_interest_usdt: float | None
    last_rate_pct: float | None
    last_funding_at: str | None
    taker_fee_pct: float
    covered_until: str | None
    gross_apr_pct: float | None
    session: str | None
    sum_1d_pct: float | None
    absolute_30d_pct: float | None
    expected_1d_pct: float | None
    expected_7d_pct: float | None
    expected_30d_pct: float | None
    expected_30d_low_pct: float | None
    expected_30d_high_pct: float | None
    entry_cost_pct: float | None
    exit_cost_pct: float | None
    exit_cost_worst_pct: float | None
    fills: str
    book_age_seconds: float | None


class CoinFundingResponseFields(TypedDict):
    coin: str
    "Ticker without multiplier"
    venue_count: int
    "Venues in the ranking: those with a linear contract on the coin that the filters leave"
    spread_pct: float | None
    "Highest minus lowest rate_pct over the linear contracts, in percentage points; null when none is ranked"
    highest: CoinFundingResponseHighest | None
    "Linear contract with the highest rate_pct; null when none is ranked"
    lowest: CoinFundingResponseLowest | None
    "Linear contract with the lowest rate_pct; null when none is ranked"
    best_short_exchange: str | None
    "Venue that pays a short best now, by rate per hour (rate_pct / interval_hours), not per settlement; null when no ranked contract has a known interval"
    best_long_exchange: str | None
    "Venue that pays a long best now, by rate per hour; null when no ranked contract has a known interval"
    best_short_would_pay: bool | None
    "true: even there a short pays, because no venue pays shorts now; null when no ranked contract has a known interval"
    best_long_would_pay: bool | None
    "true: even there a long pays, because no venue pays longs now; null when no ranked contract has a known interval"
    median_hours_above_fee: float | None
    "How long a carry above the fee lasted before, for a long on best_long_exchange and a short on best_short_exchange: median length in hours of the times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times, under 95 % coverage, or when /arbitrage does not pair these venues"
    times_above_fee: int | None
    "How many such times began and ended in the last 720 full hours"
    hours_above_fee_now: int | None
    "Hours that the present such time has lasted, up to the last hour that both have settled; 0 when that hour was not above the fee"
    total_volume_24h_usdt: float
    "24 h turnover in USDT of all contracts in rates"
    inverse_venues: list[str]
    "Venues with an inverse (coin-margined) contract, which the ranking leaves out"
    rates: list[CoinFundingRateFields]
    "Linear contracts first, venues by the rate of their contract with the largest volume, from high to low, each followed by the venue's other contracts; then the inverse ones in the same way"


GetCoinFundingDataFields = CoinFundingResponseFields

GetFundingHistoryResolution = Literal["1d", "settlement"]

GetFundingHistoryOrder = Literal["asc", "desc"]

GetFundingHistoryField = Literal["day", "apr_pct", "time", "rate_pct", "interval_hours"]

class FundingHistoryDay(TypedDict):
    day: str
    "UTC calendar day"
    apr_pct: float | None
    "The day's settled rates as simple interest over a year, in percent: no compounding, and one round trip, the taker fee to open and to close, paid once in that year; null when prints cover less than half of the day, unless none of the day is missing. For a net of a shorter holding time use net_apr_pct of /arbitrage with hold_days"


class FundingHistoryPrint(TypedDict):
    time: str
    "Settlement, to the minute, UTC"
    rate_pct: float
    "Percent that was exchanged (0.01 = one basis point); positive = longs paid shorts"
    interval_hours: int | None
    "Hours that the print is for: since the print before, and for the first as long as the next"


class FundingHistoryResponseSeries(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol with the contract's own base"
    venue_symbol: str
    "The venue's own spelling of the contract"
    is_inverse: bool
    "true = coin-margined"
    price_outlier: bool
    "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker"
    taker_fee_pct: float
    "Taker fee in percent that apr_pct of a day takes off twice"
    held_since: str | None
    "First print that is held of this contract; null while there is none"
    daily: list[FundingHistoryDay] | None
    "Points of resolution=1d, else null"
    settlements: list[FundingHistoryPrint] | None
    "Prints of resolution=settlement, else null"


FundingHistoryResponse = TypedDict(
    "FundingHistoryResponse",
    {
        # Ticker without multiplier
        "coin": str,
        # As asked
        "resolution": Literal["1d", "settlement"],
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # One entry per venue, by name
        "series": list[FundingHistoryResponseSeries],
    },
)


GetFundingHistoryData = FundingHistoryResponse

class FundingHistoryDayFields(TypedDict, total=False):
    day: str
    apr_pct: float | None


class FundingHistoryPrintFields(TypedDict, total=False):
    time: str
    rate_pct: float
    interval_hours: int | None


class FundingHistoryResponseSeriesFields(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol with the contract's own base"
    venue_symbol: str
    "The venue's own spelling of the contract"
    is_inverse: bool
    "true = coin-margined"
    price_outlier: bool
    "true = the price is more than 25 % off the other venues' median, or in another class never within 2 %: most likely another coin under the same ticker"
    taker_fee_pct: float
    "Taker fee in percent that apr_pct of a day takes off twice"
    held_since: str | None
    "First print that is held of this contract; null while there is none"
    daily: list[FundingHistoryDayFields] | None
    "Points of resolution=1d, else null"
    settlements: list[FundingHistoryPrintFields] | None
    "Prints of resolution=settlement, else null"


FundingHistoryResponseFields = TypedDict(
    "FundingHistoryResponseFields",
    {
        # Ticker without multiplier
        "coin": str,
        # As asked
        "resolution": Literal["1d", "settlement"],
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # One entry per venue, by name
        "series": list[FundingHistoryResponseSeriesFields],
    },
)


GetFundingHistoryDataFields = FundingHistoryResponseFields

GetRunningFundingStep = Literal["1m", "5m", "1h", "1d"]

class RunningFundingPoint(TypedDict):
    at: str
    "Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end"
    rate_pct: float
    "The running rate in percent, as /funding answered it: what would be exchanged at next_funding_at; positive = longs pay shorts"
    low_rate_pct: float | None
    "The lowest rate of the minutes in the step; null with step=1m"
    high_rate_pct: float | None
    "The highest rate of the minutes in the step; null with step=1m"
    interval_hours: int | None
    "Settlement interval in hours; null when it was unknown"
    next_funding_at: str | None
    "Next settlement, UTC; null when funding is continuous or the venue did not report it"


class RunningFundingResponseSeries(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol with the contract's own base"
    venue_symbol: str
    "The venue's own spelling of the contract"
    is_inverse: bool
    "true = coin-margined"
    points: list[RunningFundingPoint]
    "Oldest first"


RunningFundingResponse = TypedDict(
    "RunningFundingResponse",
    {
        # Ticker without multiplier
        "coin": str,
        # As requested
        "step": Literal["1m", "5m", "1h", "1d"],
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # One entry per venue, by name
        "series": list[RunningFundingResponseSeries],
    },
)


GetRunningFundingData = RunningFundingResponse

GetOpenInterestHistoryStep = Literal["1m", "5m", "1h", "1d"]

class OpenInterestSum(TypedDict):
    at: str
    "Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end"
    open_interest_usdt: float | None
    "Sum over the venues whose open interest was known in the step; null if none was"
    open_interest_venues: int
    "How many venues make the sum of open interest"
    volume_24h_usdt: float | None
    "Sum over the venues whose volume was known in the step; null if none was"
    volume_venues: int
    "How many venues make the sum of volume"


class OpenInterestPoint(TypedDict):
    at: str
    "Start of the step, UTC. The figures are those of the last snapshot in the step, so they were known at its end"
    open_interest_usdt: float | None
    "Value of the open positions in USDT, one side counted, to five digits; null when it was unknown"
    low_open_interest_usdt: float | None
    "The lowest open_interest_usdt in the step; null with step=1m"
    high_open_interest_usdt: float | None
    "The highest open_interest_usdt in the step; null with step=1m"
    mark_price: float | None
    "The venue's mark price in the quote currency, for one unit of the contract's own base, to seven digits; null when it was unknown"
    low_mark_price: float | None
    "The lowest mark_price in the step; null with step=1m"
    high_mark_price: float | None
    "The highest mark_price in the step; null with step=1m"
    premium_pct: float | None
    "The mark price above the index price, in percent (0.01 = one basis point), to a thousandth; null when it was unknown"
    low_premium_pct: float | None
    "The lowest premium_pct in the step; null with step=1m"
    high_premium_pct: float | None
    "The highest premium_pct in the step; null with step=1m"
    volume_24h_usdt: float | None
    "Turnover of the 24 hours before, in USDT, to five digits"


class OpenInterestHistoryResponseSeries(TypedDict):
    exchange: str
    "Venue name"
    symbol: str
    "Contract symbol with the contract's own base"
    venue_symbol: str
    "The venue's own spelling of the contract"
    is_inverse: bool
    "true = coin-margined"
    points: list[OpenInterestPoint]
    "Oldest first"


OpenInterestHistoryResponse = TypedDict(
    "OpenInterestHistoryResponse",
    {
        # Ticker without multiplier
        "coin": str,
        # As requested
        "step": Literal["1m", "5m", "1h", "1d"],
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # Over the venues of series, oldest first
        "total": list[OpenInterestSum],
        # One entry per venue, by name
        "series": list[OpenInterestHistoryResponseSeries],
    },
)


GetOpenInterestHistoryData = OpenInterestHistoryResponse

ListSpreadsExchangeMatch = Literal["any", "all"]

ListSpreadsDirection = Literal["long_a_short_b", "short_a_long_b"]

ListSpreadsFills = Literal["full", "partial", "unknown"]

ListSpreadsSort = Literal[
    "spread_desc",
    "spread_asc",
    "net_spread_desc",
    "net_spread_asc",
    "volume_desc",
    "volume_asc",
    "strength_desc",
    "updated_desc",
    "coin_asc",
    "entry_cost_asc",
    "entry_cost_desc",
    "exit_cost_asc",
    "exit_cost_desc",
    "exit_cost_worst_asc",
    "exit_cost_worst_desc",
    "book_age_asc",
    "book_age_desc",
]

ListSpreadsField = Literal[
    "symbol",
    "coin",
    "exchange_a",
    "exchange_b",
    "spread_pct",
    "direction",
    "long_a_short_b_pct",
    "short_a_long_b_pct",
    "bid_a",
    "ask_a",
    "bid_b",
    "ask_b",
    "volume_a_usdt",
    "volume_b_usdt",
    "funding_rate_a_pct",
    "funding_rate_b_pct",
    "funding_interval_hours_a",
    "funding_interval_hours_b",
    "next_funding_at_a",
    "next_funding_at_b",
    "strength",
    "updated_at",
    "net_spread_pct",
    "taker_fee_a_pct",
    "taker_fee_b_pct",
    "covers_fees",
    "both_volumes_1m",
    "both_fresh_15s",
    "both_fill_500_usd",
    "steady_3_prints",
    "leg_closed",
    "entry_cost_pct",
    "exit_cost_pct",
    "exit_cost_worst_pct",
    "fills",
    "book_age_seconds",
]

class SpreadRow(TypedDict):
    symbol: str
    "COIN-QUOTE when both legs share the quote, else COIN-USD"
    coin: str
    "Ticker without multiplier, e.g. PEPE"
    exchange_a: str
    "Venue A; A comes before B in the order of character codes"
    exchange_b: str
    "Venue B; A comes before B in the order of character codes"
    spread_pct: float
    "The better of the two entry directions, in percent of the price that is paid; before fees"
    direction: str
    "The better one: long_a_short_b (buy on A, sell on B) or short_a_long_b"
    long_a_short_b_pct: float
    "(bid_b - ask_a) / ask_a in percent"
    short_a_long_b_pct: float
    "(bid_a - ask_b) / ask_b in percent"
    bid_a: float
    "Best bid on A for one coin in USDT"
    ask_a: float
    "Best ask on A for one coin in USDT"
    bid_b: float
    "Best bid on B for one coin in USDT"
    ask_b: float
    "Best ask on B for one coin in USDT"
    volume_a_usdt: float
    "Turnover on A in the last 24 h in USDT"
    volume_b_usdt: float
    "Turnover on B in the last 24 h in USDT"
    funding_rate_a_pct: float | None
    "Running funding rate on A in percent per settlement; positive = longs pay; null when unknown"
    funding_rate_b_pct: float | None
    "Running funding rate on B in percent per settlement; positive = longs pay; null when unknown"
    funding_interval_hours_a: int | None
    "Settlement interval on A in hours; null when unknown"
    funding_interval_hours_b: int | None
    "Settlement interval on B in hours; null when unknown"
    next_funding_at_a: str | None
    "Next settlement on A, UTC; null when continuous or unknown"
    next_funding_at_b: str | None
    "Next settlement on B, UTC; null when continuous or unknown"
    strength: int
    "0 to 5: how many of covers_fees, both_volumes_1m, both_fresh_15s, both_fill_500_usd and steady_3_prints are true"
    updated_at: str
    "When the older of the two quotes was received, UTC"
    net_spread_pct: float | None
    "spread_pct - 2 x (taker_fee_a_pct + taker_fee_b_pct), in percent: after the taker fees of a round trip, both legs opened and closed, if the gap is gone on closing. Leaving now gives the percent of the other direction. With size_usd the gap of the mid prices less entry_cost_pct, exit_cost_pct and the fees, and null where these are not known; else never null"
    taker_fee_a_pct: float
    "Taker fee on A in percent, as used in this row: the contract's own; with fees your own"
    taker_fee_b_pct: float
    "Taker fee on B in percent, as used in this row: the contract's own; with fees your own"
    covers_fees: bool
    "true = net_spread_pct is at least 0"
    both_volumes_1m: bool
    "true = volume_a_usdt and volume_b_usdt are at least 1,000,000"
    both_fresh_15s: bool
    "true = updated_at is less than 15 s before meta.as_of"
    both_fill_500_usd: bool
    "true = the best ask of the leg that direction buys and the best bid of the one it sells each hold at least 500 USD; false when a size is unknown"
    steady_3_prints: bool
    "true = direction was the same in each of the last three prints, including this one"
    leg_closed: bool
    "true = the market of the underlying of a leg is closed (session in /funding): its index stands still, and the figures may jump when it opens; false where both are open or unknown"
    entry_cost_pct: NotRequired[float | None]
    "What opening both legs at size_usd costs now, before fees, in percent of the mid prices: average fill of the bought leg on its asks plus that of the sold leg on its bids; null unless fills is full"
    exit_cost_pct: NotRequired[float | None]
    "What closing both legs at size_usd cost, before fees, in percent: the sum of the medians of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd"
    exit_cost_worst_pct: NotRequired[float | None]
    "The same at the worst times: the sum of what each leg exceeded in at most 5 % of the samples; null likewise"
    fills: NotRequired[str]
    "Whether the books of both legs take size_usd now, to open and to close; the worse leg counts. full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour"
    book_age_seconds: NotRequired[float | None]
    "Age of the older of the two books at meta.as_of, in seconds; null where fills is unknown"


ListSpreadsData = list[SpreadRow]

class SpreadRowFields(TypedDict, total=False):
    symbol: str
    coin: str
    exchange_a: str
    exchange_b: str
    spread_pct: float
    direction: str
    long_a_short_b_pct: float
    short_a_long_b_pct: float
    bid_a: float
    ask_a: float
    bid_b: float
    ask_b: float
    volume_a_usdt: float
    volume_b_usdt: float
    funding_rate_a_pct: float | None
    funding_rate_b_pct: float | None
    funding_interval_hours_a: int | None
    funding_interval_hours_b: int | None
    next_funding_at_a: str | None
    next_funding_at_b: str | None
    strength: int
    updated_at: str
    net_spread_pct: float | None
    taker_fee_a_pct: float
    taker_fee_b_pct: float
    covers_fees: bool
    both_volumes_1m: bool
    both_fresh_15s: bool
    both_fill_500_usd: bool
    steady_3_prints: bool
    leg_closed: bool
    entry_cost_pct: float | None
    exit_cost_pct: float | None
    exit_cost_worst_pct: float | None
    fills: str
    book_age_seconds: float | None


ListSpreadsDataFields = list[SpreadRowFields]

ListSpreadBacktestSizeUsd = Literal[25, 100, 500]

ListSpreadBacktestExchangeMatch = Literal["any", "all"]

ListSpreadBacktestSort = Literal[
    "profit_desc",
    "profit_asc",
    "avg_profit_desc",
    "cycles_desc",
    "confidence_desc",
    "volume_desc",
    "spread_range_desc",
    "last_cycle_desc",
    "coin_asc",
]

ListSpreadBacktestField = Literal[
    "symbol",
    "coin",
    "exchange_a",
    "exchange_b",
    "est_profit_pct",
    "avg_profit_pct",
    "fee_pct_cycle",
    "spread_range_pct",
    "cycles",
    "confidence",
    "volume_a_usdt",
    "volume_b_usdt",
    "last_cycle_at",
    "taker_fee_a_pct",
    "taker_fee_b_pct",
    "long_a_cycles",
]

class BacktestSpreadRow(TypedDict):
    symbol: str
    "COIN-QUOTE when both legs share the quote, else COIN-USD"
    coin: str
    "Ticker without multiplier"
    exchange_a: str
    "One venue, the first by alphabet"
    exchange_b: str
    "The other venue"
    est_profit_pct: float
    "Median profit of a round trip in percent, after the taker fees of all four trades"
    avg_profit_pct: float
    "Mean profit of a round trip in percent, after fees"
    fee_pct_cycle: float
    "Taker fees of a round trip in percent: 2 x (taker_fee_a_pct + taker_fee_b_pct)"
    spread_range_pct: float
    "P95 - P5 of the mid-price spread over the window, in percent"
    cycles: int
    "How often the spread opened and closed in the window, both directions together"
    confidence: int
    "0 to 100: coverage x share of wins x number of cycles x evenness of profits"
    volume_a_usdt: float
    "24 h turnover on venue A in USDT"
    volume_b_usdt: float
    "24 h turnover on venue B in USDT"
    last_cycle_at: str | None
    "When the last cycle closed, UTC"
    taker_fee_a_pct: float
    "Taker fee on A in percent, as used in this row: the contract's own; with fees your own"
    taker_fee_b_pct: float
    "Taker fee on B in percent, as used in this row: the contract's own; with fees your own"
    long_a_cycles: int | None
    "How many of the cycles were long A and short B; the others were long B and short A. Null in results from before the field was added"


class BacktestSpreads(TypedDict):
    size_usd: int
    "Order size that depth is priced at, in USD"
    withheld_top: int
    "How many of the best rows are withheld on the Demo plan; 0 on paid plans"
    spreads: list[BacktestSpreadRow]


ListSpreadBacktestData = BacktestSpreads

class BacktestSpreadRowFields(TypedDict, total=False):
    symbol: str
    coin: str
    exchange_a: str
    exchange_b: str
    est_profit_pct: float
    avg_profit_pct: float
    fee_pct_cycle: float
    spread_range_pct: float
    cycles: int
    confidence: int
    volume_a_usdt: float
    volume_b_usdt: float
    last_cycle_at: str | None
    taker_fee_a_pct: float
    taker_fee_b_pct: float
    long_a_cycles: int | None


class BacktestSpreadsFields(TypedDict):
    size_usd: int
    "Order size that depth is priced at, in USD"
    withheld_top: int
    "How many of the best rows are withheld on the Demo plan; 0 on paid plans"
    spreads: list[BacktestSpreadRowFields]


ListSpreadBacktestDataFields = BacktestSpreadsFields

ListArbitrageHoldDays = Literal[7, 30, 90]

ListArbitrageSlippageBp = Literal[2, 5, 10]

ListArbitrageExchangeMatch = Literal["any", "all"]

ListArbitrageAssetClass = Literal["crypto", "stock", "commodity", "index", "forex"]

ListArbitrageFills = Literal["full", "partial", "unknown"]

ListArbitrageSort = Literal[
    "net_apr_desc",
    "net_apr_asc",
    "gross_apr_desc",
    "gross_apr_asc",
    "carry_day_desc",
    "carry_day_asc",
    "entry_spread_desc",
    "entry_spread_asc",
    "exit_spread_desc",
    "exit_spread_asc",
    "expected_1d_desc",
    "expected_1d_asc",
    "expected_7d_desc",
    "expected_7d_asc",
    "expected_30d_desc",
    "expected_30d_asc",
    "expected_low_desc",
    "expected_low_asc",
    "expected_high_desc",
    "expected_high_asc",
    "expected_low_net_desc",
    "expected_low_net_asc",
    "expected_net_desc",
    "expected_net_asc",
    "probability_desc",
    "probability_asc",
    "fee_desc",
    "fee_asc",
    "cost_desc",
    "cost_asc",
    "realised_1d_desc",
    "realised_1d_asc",
    "realised_7d_desc",
    "realised_7d_asc",
    "realised_30d_desc",
    "realised_30d_asc",
    "realised_90d_desc",
    "realised_90d_asc",
    "positive_hours_desc",
    "positive_hours_asc",
    "worst_day_desc",
    "worst_day_asc",
    "max_drawdown_desc",
    "max_drawdown_asc",
    "hours_above_fee_desc",
    "hours_above_fee_asc",
    "break_even_desc",
    "break_even_asc",
    "capacity_desc",
    "capacity_asc",
    "volume_desc",
    "volume_asc",
    "open_interest_desc",
    "open_interest_asc",
    "updated_desc",
    "coin_asc",
    "entry_cost_asc",
    "entry_cost_desc",
    "exit_cost_asc",
    "exit_cost_desc",
    "exit_cost_worst_asc",
    "exit_cost_worst_desc",
    "book_age_asc",
    "book_age_desc",
]

ListArbitrageField = Literal[
    "coin",
    "asset_class",
    "long_exchange",
    "short_exchange",
    "long_symbol",
    "short_symbol",
    "long_rate_pct",
    "short_rate_pct",
    "long_interval_hours",
    "short_interval_hours",
    "long_next_funding_at",
    "short_next_funding_at",
    "carry_pct_day",
    "gross_apr_pct",
    "fee_pct_round_trip",
    "entry_spread_pct",
    "break_even_hours",
    "net_apr_pct",
    "realised_1d_pct",
    "realised_7d_pct",
    "realised_30d_pct",
    "realised_90d_pct",
    "positive_hours_30d_pct",
    "worst_day_30d_pct",
    "max_drawdown_30d_pct",
    "capacity_usd",
    "volume_usdt",
    "open_interest_usdt",
    "updated_at",
    "long_taker_fee_pct",
    "short_taker_fee_pct",
    "long_covered_until",
    "short_covered_until",
    "capacity_is_lower_bound",
    "exit_spread_pct",
    "cost_pct_round_trip",
    "price_gap_pct",
    "price_gap_30d_low_pct",
    "price_gap_30d_high_pct",
    "price_gap_from",
    "expected_carry_1d_pct",
    "expected_carry_7d_pct",
    "expected_carry_30d_pct",
    "expected_low_pct",
    "expected_high_pct",
    "expected_net_apr_pct",
    "probability_net_positive",
    "median_hours_above_fee",
    "times_above_fee",
    "hours_above_fee_now",
    "expected_scale_pct_day",
    "leg_closed",
    "expected_low_net_apr_pct",
    "entry_cost_pct",
    "exit_cost_pct",
    "exit_cost_worst_pct",
    "fills",
    "book_age_seconds",
]

class ArbitrageRow(TypedDict):
    coin: str
    "Ticker without multiplier, e.g. PEPE"
    asset_class: str
    "crypto, stock, commodity, index or forex"
    long_exchange: str
    "Venue of the long leg"
    short_exchange: str
    "Venue of the short leg"
    long_symbol: str
    "Contract of the long leg, BASE-QUOTE with the contract's own base"
    short_symbol: str
    "Contract of the short leg, BASE-QUOTE with the contract's own base"
    long_rate_pct: float
    "Running funding rate of the long leg in percent per settlement; positive = longs pay"
    short_rate_pct: float
    "Running funding rate of the short leg in percent per settlement; positive = longs pay"
    long_interval_hours: int
    "Settlement interval of the long leg in hours"
    short_interval_hours: int
    "Settlement interval of the short leg in hours"
    long_next_funding_at: str | None
    "Next settlement of the long leg, UTC; null when continuous or unknown"
    short_next_funding_at: str | None
    "Next settlement of the short leg, UTC; null when continuous or unknown"
    carry_pct_day: float
    "What the pair earns a day at the running rates, in percent of the size of one leg: the short leg receives its rate, the long leg pays its own"
    gross_apr_pct: float
    "carry_pct_day times 365, before fees and prices"
    fee_pct_round_trip: float
    "Taker fees of four fills in percent, both legs opened and closed: 2 x (long_taker_fee_pct + short_taker_fee_pct)"
    entry_spread_pct: float
    "Price gained (positive) or paid on opening at the present tops: (bid of the short leg - ask of the long leg) / ask of the long leg, in percent"
    break_even_hours: float | None
    "Hours until the settlements of both legs, at their running rates and times, have first paid cost_pct_round_trip; 0 when there is nothing to pay; null when that takes over 365 days"
    net_apr_pct: float | None
    "Percent a year at the running rates, net of cost_pct_round_trip (fees, opening and closing), when held for hold_days; null only where that is"
    realised_1d_pct: float | None
    "What the pair really earned in the last 24 hours, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage"
    realised_7d_pct: float | None
    "What the pair really earned in the last 7 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage"
    realised_30d_pct: float | None
    "What the pair really earned in the last 30 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage"
    realised_90d_pct: float | None
    "What the pair really earned in the last 90 days, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage"
    positive_hours_30d_pct: float | None
    "Share of the last 720 full hours in which the pair earned, in percent; each print is spread over its interval; null under 95 % coverage"
    worst_day_30d_pct: float | None
    "Settled funding of the worst of the last 30 full UTC days, in percent; negative = paid. Funding only: price_gap_30d_low_pct and price_gap_30d_high_pct say how the prices moved"
    max_drawdown_30d_pct: float | None
    "Largest fall of the cumulative settled funding from a peak in the last 720 full hours, in percent. Funding only: a move of the price gap comes on top"
    capacity_usd: float | None
    "Largest size of each leg in USD that fills within slippage_bp of the mid prices, on both books, for opening and closing; null without a book of the last ten minutes. It is at least this where capacity_is_lower_bound is true"
    volume_usdt: float
    "Turnover of the last 24 hours in USDT, of the smaller leg"
    open_interest_usdt: float | None
    "Open interest in USDT, of the smaller leg; null unless both venues publish it"
    updated_at: str
    "When the older of the two quotes was received, UTC"
    long_taker_fee_pct: float
    "Taker fee of the long leg in percent, as used in this row: the contract's own; with fees your own"
    short_taker_fee_pct: float
    "Taker fee of the short leg in percent, as used in this row: the contract's own; with fees your own"
    long_covered_until: str | None
    "Last settlement up to which the prints of the long leg are complete, UTC: its part of the realised figures is over (this - N days, this]; null without any"
    short_covered_until: str | None
    "Last settlement up to which the prints of the short leg are complete, UTC: its part of the realised figures is over (this - N days, this]; null without any"
    capacity_is_lower_bound: bool
    "true = more than capacity_usd may fit: the levels that are known of the leg that limits it end before slippage_bp; false when capacity_usd is exact or null"
    exit_spread_pct: float
    "Price gained (positive) or paid on closing at the present tops: (bid of the long leg - ask of the short leg) / ask of the long leg, in percent"
    cost_pct_round_trip: float | None
    "What opening and closing cost together, in percent: fee_pct_round_trip - entry_spread_pct - exit_spread_pct. With size_usd it is fee_pct_round_trip + entry_cost_pct + exit_cost_pct, and null where these are not known; else never null"
    price_gap_pct: float
    "How much higher the mid price of the short leg is than that of the long leg now, in percent; a pair gains what it falls by while held"
    price_gap_30d_low_pct: float | None
    "Lowest price_gap_pct of the last 30 UTC days, today included, one look a minute; null when never seen. price_gap_from says since when"
    price_gap_30d_high_pct: float | None
    "Highest price_gap_pct of the same time"
    price_gap_from: str | None
    "First look that the range of the price gap includes, UTC: later than 30 days ago if the pair has been watched for less time"
    expected_carry_1d_pct: float | None
    "What the pair is expected to earn in the next 24 hours, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage"
    expected_carry_7d_pct: float | None
    "What the pair is expected to earn in the next 7 days, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage"
    expected_carry_30d_pct: float | None
    "What the pair is expected to earn in the next 30 days, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage"
    expected_low_pct: float | None
    "Lower end of what the pair is expected to earn over hold_days, in percent, before costs: of past forecasts one in ten earned less, relative to how much the spread moves"
    expected_high_pct: float | None
    "Upper end of the same: one in ten earned more"
    expected_net_apr_pct: float | None
    "Percent a year that is expected, net of cost_pct_round_trip, when held for hold_days"
    probability_net_positive: float | None
    "Share, from 0.01 to 0.99, of past errors with which the pair would earn more than cost_pct_round_trip over hold_days"
    median_hours_above_fee: float | None
    "How long a carry above the fee lasted before: median length in hours of the times_above_fee times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times or under 95 % coverage"
    times_above_fee: int | None
    "How many such times of this direction began and ended in the last 720 full hours; null under 95 % coverage"
    hours_above_fee_now: int | None
    "Hours that the present such time has lasted, up to the last hour that both legs have settled; 0 when that hour was not above the fee; null under 95 % coverage"
    expected_scale_pct_day: float | None
    "What errors of the forecast are measured in, in percent a day: the mean of the absolute hourly spread over 30 days times 24, wider by how far the pair stands from its 30 days now. Times the days and the error_quantiles of /forecasts/accuracy it gives expected_low_pct, expected_high_pct and probability_net_positive"
    leg_closed: bool
    "true = the market of the underlying of a leg is closed (session in /funding): its index stands still, and the figures may jump when it opens; false where both are open or unknown"
    expected_low_net_apr_pct: float | None
    "Percent a year that the pair is likely to earn at least, net of cost_pct_round_trip, when held for hold_days: (expected_low_pct - cost_pct_round_trip) / hold_days x 365. Of past forecasts one in ten earned less; null where one of the two is"
    entry_cost_pct: NotRequired[float | None]
    "What opening both legs at size_usd costs now, before fees, in percent of the mid prices: average fill of the bought leg on its asks plus that of the sold leg on its bids; null unless fills is full"
    exit_cost_pct: NotRequired[float | None]
    "What closing both legs at size_usd cost, before fees, in percent: the sum of the medians of the last 24 hours, sampled every five minutes; null unless fills is full, and where half of the samples did not fill the largest stored size up to size_usd"
    exit_cost_worst_pct: NotRequired[float | None]
    "The same at the worst times: the sum of what each leg exceeded in at most 5 % of the samples; null likewise"
    fills: NotRequired[str]
    "Whether the books of both legs take size_usd now, to open and to close; the worse leg counts. full; partial where the levels that the venue sent hold less, though more may rest beyond them; unknown without a book of the last hour"
    book_age_seconds: NotRequired[float | None]
    "Age of the older of the two books at meta.as_of, in seconds; null where fills is unknown"


class ArbitragePairs(TypedDict):
    withheld_top: int
    "How many rows with the highest net_apr_pct at the default figures are withheld on the Demo plan; 0 on paid plans"
    hold_days: int
    "Holding time of net_apr_pct in days"
    slippage_bp: int
    "Slippage of capacity_usd in basis points"
    model: Literal["shipped", "fitted"]
    "Where the weights of the expected figures for hold_days come from: fitted on the prints of this service, or shipped with it while there is too little history"
    model_version: str
    "Version of the form of the model"
    model_date: str
    "UTC day up to which prints were used for the weights"
    pairs: list[ArbitrageRow]


ListArbitrageData = ArbitragePairs

class ArbitrageRowFields(TypedDict, total=False):
    coin: str
    asset_class: str
    long_exchange: str
    short_exchange: str
    long_symbol: str
    short_symbol: str
    long_rate_pct: float
    short_rate_pct: float
    long_interval_hours: int
    short_interval_hours: int
    long_next_funding_at: str | None
    short_next_funding_at: str | None
    carry_pct_day: float
    gross_apr_pct: float
    fee_pct_round_trip: float
    entry_spread_pct: float
    break_even_hours: float | None
    net_apr_pct: float | None
    realised_1d_pct: float | None
    realised_7d_pct: float | None
    realised_30d_pct: float | None
    realised_90d_pct: float | None
    positive_hours_30d_pct: float | None
    worst_day_30d_pct: float | None
    max_drawdown_30d_pct: float | None
    capacity_usd: float | None
    volume_usdt: float
    open_interest_usdt: float | None
    updated_at: str
    long_taker_fee_pct: float
    short_taker_fee_pct: float
    long_covered_until: str | None
    short_covered_until: str | None
    capacity_is_lower_bound: bool
    exit_spread_pct: float
    cost_pct_round_trip: float | None
    price_gap_pct: float
    price_gap_30d_low_pct: float | None
    price_gap_30d_high_pct: float | None
    price_gap_from: str | None
    expected_carry_1d_pct: float | None
    expected_carry_7d_pct: float | None
    expected_carry_30d_pct: float | None
    expected_low_pct: float | None
    expected_high_pct: float | None
    expected_net_apr_pct: float | None
    probability_net_positive: float | None
    median_hours_above_fee: float | None
    times_above_fee: int | None
    hours_above_fee_now: int | None
    expected_scale_pct_day: float | None
    leg_closed: bool
    expected_low_net_apr_pct: float | None
    entry_cost_pct: float | None
    exit_cost_pct: float | None
    exit_cost_worst_pct: float | None
    fills: str
    book_age_seconds: float | None


class ArbitragePairsFields(TypedDict):
    withheld_top: int
    "How many rows with the highest net_apr_pct at the default figures are withheld on the Demo plan; 0 on paid plans"
    hold_days: int
    "Holding time of net_apr_pct in days"
    slippage_bp: int
    "Slippage of capacity_usd in basis points"
    model: Literal["shipped", "fitted"]
    "Where the weights of the expected figures for hold_days come from: fitted on the prints of this service, or shipped with it while there is too little history"
    model_version: str
    "Version of the form of the model"
    model_date: str
    "UTC day up to which prints were used for the weights"
    pairs: list[ArbitrageRowFields]


ListArbitrageDataFields = ArbitragePairsFields

class ArbitrageHistoryDays(TypedDict):
    day: str
    "UTC calendar day"
    long_pct: float | None
    "What the long leg earned (positive) or paid, in percent of its size; null without a print"
    short_pct: float | None
    "What the short leg earned (positive) or paid, in percent of its size; null without a print"
    net_pct: float | None
    "long_pct plus short_pct; null if one of them is"
    cumulative_pct: float
    "Sum of net_pct from the first day on; days without it add nothing"
    is_complete: bool
    "true = settled prints of both legs cover at least 95 % of the day; false for the current day"


ArbitrageHistory = TypedDict(
    "ArbitrageHistory",
    {
        # Ticker without multiplier
        "coin": str,
        # Venue of the long leg
        "long_exchange": str,
        # Contract of the long leg
        "long_symbol": str,
        # Venue of the short leg
        "short_exchange": str,
        # Contract of the short leg
        "short_symbol": str,
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # One entry per UTC day, oldest first
        "days": list[ArbitrageHistoryDays],
    },
)


GetArbitrageHistoryData = ArbitrageHistory

ListDepthAssetClass = Literal["crypto", "stock", "commodity", "index", "forex"]

ListDepthSort = Literal[
    "volume_desc",
    "volume_asc",
    "depth_1bp_desc",
    "depth_2bp_desc",
    "depth_5bp_desc",
    "depth_10bp_desc",
    "depth_25bp_desc",
    "depth_50bp_desc",
    "buy_cost_asc",
    "sell_cost_asc",
    "bid_ask_spread_asc",
    "bid_ask_spread_desc",
    "age_asc",
    "age_desc",
    "coin_asc",
    "exchange_asc",
]

ListDepthField = Literal[
    "exchange",
    "symbol",
    "venue_symbol",
    "coin",
    "asset_class",
    "mid_price",
    "bid_ask_spread_pct",
    "bid_1bp_usd",
    "bid_2bp_usd",
    "bid_5bp_usd",
    "bid_10bp_usd",
    "bid_25bp_usd",
    "bid_50bp_usd",
    "bid_received_usd",
    "bid_reach_bp",
    "ask_1bp_usd",
    "ask_2bp_usd",
    "ask_5bp_usd",
    "ask_10bp_usd",
    "ask_25bp_usd",
    "ask_50bp_usd",
    "ask_received_usd",
    "ask_reach_bp",
    "buy_cost_pct",
    "sell_cost_pct",
    "buy_cost_24h_median_pct",
    "buy_cost_24h_worst_pct",
    "sell_cost_24h_median_pct",
    "sell_cost_24h_worst_pct",
    "volume_24h_usdt",
    "book_at",
    "book_age_seconds",
    "period_seconds",
]

class DepthItem(TypedDict):
    exchange: str
    "Venue name as /exchanges spells it"
    symbol: str
    "Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT"
    venue_symbol: str
    "The venue's own spelling of the contract"
    coin: str
    "Ticker without multiplier, e.g. PEPE"
    asset_class: str
    "crypto, stock, commodity, index or forex"
    mid_price: float
    "Mean of best bid and best ask, in quote units for one unit of the contract's own base"
    bid_ask_spread_pct: float
    "Best ask less best bid, in percent of mid_price"
    bid_1bp_usd: float | None
    "USD bought by the bids: what can be sold within 1 basis points of mid_price; null where the levels that the venue sent end before"
    bid_2bp_usd: float | None
    "USD bought by the bids: what can be sold within 2 basis points of mid_price; null where the levels that the venue sent end before"
    bid_5bp_usd: float | None
    "USD bought by the bids: what can be sold within 5 basis points of mid_price; null where the levels that the venue sent end before"
    bid_10bp_usd: float | None
    "USD bought by the bids: what can be sold within 10 basis points of mid_price; null where the levels that the venue sent end before"
    bid_25bp_usd: float | None
    "USD bought by the bids: what can be sold within 25 basis points of mid_price; null where the levels that the venue sent end before"
    bid_50bp_usd: float | None
    "USD bought by the bids: what can be sold within 50 basis points of mid_price; null where the levels that the venue sent end before"
    bid_received_usd: float
    "USD of all bid levels that the venue sent; more may rest beyond them"
    bid_reach_bp: float
    "How far from mid_price these bid levels reach, in basis points"
    ask_1bp_usd: float | None
    "USD offered by the asks: what can be bought within 1 basis points of mid_price; null where the levels that the venue sent end before"
    ask_2bp_usd: float | None
    "USD offered by the asks: what can be bought within 2 basis points of mid_price; null where the levels that the venue sent end before"
    ask_5bp_usd: float | None
    "USD offered by the asks: what can be bought within 5 basis points of mid_price; null where the levels that the venue sent end before"
    ask_10bp_usd: float | None
    "USD offered by the asks: what can be bought within 10 basis points of mid_price; null where the levels that the venue sent end before"
    ask_25bp_usd: float | None
    "USD offered by the asks: what can be bought within 25 basis points of mid_price; null where the levels that the venue sent end before"
    ask_50bp_usd: float | None
    "USD offered by the asks: what can be bought within 50 basis points of mid_price; null where the levels that the venue sent end before"
    ask_received_usd: float
    "USD of all ask levels that the venue sent; more may rest beyond them"
    ask_reach_bp: float
    "How far from mid_price these ask levels reach, in basis points"
    buy_cost_pct: float | None
    "By how much the average price of an order of size_usd to buy is worse than mid_price now, in percent, before fees; null where the levels that the venue sent do not fill it"
    sell_cost_pct: float | None
    "By how much the average price of an order of size_usd to sell is worse than mid_price now, in percent, before fees; null where the levels that the venue sent do not fill it"
    buy_cost_24h_median_pct: float | None
    "buy_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the median; null where so many samples did not fill the size, and in the first minutes of the service"
    buy_cost_24h_worst_pct: float | None
    "buy_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the cost that was exceeded in at most 5 % of the samples; null where so many samples did not fill the size, and in the first minutes of the service"
    sell_cost_24h_median_pct: float | None
    "sell_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the median; null where so many samples did not fill the size, and in the first minutes of the service"
    sell_cost_24h_worst_pct: float | None
    "sell_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the cost that was exceeded in at most 5 % of the samples; null where so many samples did not fill the size, and in the first minutes of the service"
    volume_24h_usdt: float
    "Turnover of the last 24 hours in USDT"
    book_at: str
    "When the book was received, UTC"
    book_age_seconds: float
    "Age of the book at meta.as_of, in seconds"
    period_seconds: int
    "How often the book is fetched, in seconds: 60 for the most traded third of a venue and where it comes over a stream, 300 for others, 1800 without trades; longer where the request limits of the venue do not allow it"


ListDepthData = list[DepthItem]

class DepthItemFields(TypedDict, total=False):
    exchange: str
    symbol: str
    venue_symbol: str
    coin: str
    asset_class: str
    mid_price: float
    bid_ask_spread_pct: float
    bid_1bp_usd: float | None
    bid_2bp_usd: float | None
    bid_5bp_usd: float | None
    bid_10bp_usd: float | None
    bid_25bp_usd: float | None
    bid_50bp_usd: float | None
    bid_received_usd: float
    bid_reach_bp: float
    ask_1bp_usd: float | None
    ask_2bp_usd: float | None
    ask_5bp_usd: float | None
    ask_10bp_usd: float | None
    ask_25bp_usd: float | None
    ask_50bp_usd: float | None
    ask_received_usd: float
    ask_reach_bp: float
    buy_cost_pct: float | None
    sell_cost_pct: float | None
    buy_cost_24h_median_pct: float | None
    buy_cost_24h_worst_pct: float | None
    sell_cost_24h_median_pct: float | None
    sell_cost_24h_worst_pct: float | None
    volume_24h_usdt: float
    book_at: str
    book_age_seconds: float
    period_seconds: int


ListDepthDataFields = list[DepthItemFields]

class DepthHistoryPoints(TypedDict):
    at: str
    "Minute of the books, UTC"
    buy_cost_pct: float | None
    "Average price of a buyer against the mid price, in percent, before fees; null where the levels that the venue sent do not fill the size"
    sell_cost_pct: float | None
    "Average price of a seller against the mid price, in percent, before fees; null where the levels that the venue sent do not fill the size"


DepthHistory = TypedDict(
    "DepthHistory",
    {
        # Ticker without multiplier
        "coin": str,
        # Venue
        "exchange": str,
        # Contract symbol BASE-QUOTE
        "symbol": str,
        # Size of the order in USD
        "size_usd": int,
        # Start of the window that was answered
        "from": str,
        # End of the window that was answered
        "to": str,
        # Oldest first
        "points": list[DepthHistoryPoints],
    },
)


GetDepthHistoryData = DepthHistory

class ForecastAccuracyModelsPairsWeights(TypedDict):
    now: float
    mean_1d: float
    mean_7d: float
    mean_30d: float


class ForecastAccuracyModelsPairsErrorQuantiles(TypedDict):
    level: float
    error: float


class ForecastAccuracyModelsPairs(TypedDict):
    days: int
    "Horizon"
    model: Literal["shipped", "fitted"]
    "Where the weights come from"
    weights: ForecastAccuracyModelsPairsWeights
    "Of each figure of a contract, in percent a day"
    feature_limit: float | None
    "A figure of a contract counts up to plus or minus this times absolute_30d_pct / 30; null = in full"
    jump_share: float
    "The scale of errors is the mean of |hourly spread| over 30 days times 24, plus this share of the larger of |now - mean_30d| and |mean_1d - mean_30d|"
    error_quantiles: list[ForecastAccuracyModelsPairsErrorQuantiles]
    "Quantiles of past errors, (earned - expected) / scale a day, in the direction that was expected to earn. Those at 0.1 and 0.9 make expected_low_pct and expected_high_pct, all of them probability_net_positive"


class ForecastAccuracyModelsContractsWeights(TypedDict):
    now: float
    mean_1d: float
    mean_7d: float
    mean_30d: float


class ForecastAccuracyModelsContractsErrorQuantiles(TypedDict):
    level: float
    error: float


class ForecastAccuracyModelsContracts(TypedDict):
    days: int
    "Horizon"
    model: Literal["shipped", "fitted"]
    "Where the weights come from"
    weights: ForecastAccuracyModelsContractsWeights
    "Of each figure of a contract, in percent a day"
    feature_limit: float | None
    "A figure of a contract counts up to plus or minus this times absolute_30d_pct / 30; null = in full"
    jump_share: float
    "The scale of errors is the mean of |hourly spread| over 30 days times 24, plus this share of the larger of |now - mean_30d| and |mean_1d - mean_30d|"
    error_quantiles: list[ForecastAccuracyModelsContractsErrorQuantiles]
    "Quantiles of past errors, (earned - expected) / scale a day, in the direction that was expected to earn. Those at 0.1 and 0.9 make expected_low_pct and expected_high_pct, all of them probability_net_positive"


class ForecastAccuracyModels(TypedDict):
    pairs: list[ForecastAccuracyModelsPairs]
    "Of rows of /arbitrage, for 1, 7 and 30 days"
    contracts: list[ForecastAccuracyModelsContracts]
    "Of one contract, in rows of /funding/{coin}; the scale starts from absolute_30d_pct / 30"


class ForecastAccuracyHorizonsMeanErrorBp(TypedDict):
    expected: float | None
    "Of the forecast"
    now: float | None
    "If the running rates had stayed"
    mean_7d: float | None
    "If the mean of the last 7 days had stayed"
    mean_30d: float | None
    "If the mean of the last 30 days had stayed"
    zero: float | None
    "If nothing had been expected"


class ForecastAccuracyHorizonsByExchangeMeanErrorBp(TypedDict):
    expected: float | None
    "Of the forecast"
    now: float | None
    "If the running rates had stayed"
    mean_7d: float | None
    "If the mean of the last 7 days had stayed"
    mean_30d: float | None
    "If the mean of the last 30 days had stayed"
    zero: float | None
    "If nothing had been expected"


class ForecastAccuracyHorizonsByExchange(TypedDict):
    exchange: str
    "Name"
    observations: int
    "Forecasts with a known outcome: one per pair and day"
    mean_error_bp: ForecastAccuracyHorizonsByExchangeMeanErrorBp
    "Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations"
    bias_bp: float | None
    "Mean of earned minus expected, in basis points, in the direction of the row"
    coverage_pct: float | None
    "Share of outcomes inside the interval, in percent; 80 is the aim"
    is_worse_than_zero: bool | None
    "true = expecting nothing would have had a smaller error than the forecast"


class ForecastAccuracyHorizonsByAssetClassMeanErrorBp(TypedDict):
    expected: float | None
    "Of the forecast"
    now: float | None
    "If the running rates had stayed"
    mean_7d: float | None
    "If the mean of the last 7 days had stayed"
    mean_30d: float | None
    "If the mean of the last 30 days had stayed"
    zero: float | None
    "If nothing had been expected"


class ForecastAccuracyHorizonsByAssetClass(TypedDict):
    asset_class: str
    "Name"
    observations: int
    "Forecasts with a known outcome: one per pair and day"
    mean_error_bp: ForecastAccuracyHorizonsByAssetClassMeanErrorBp
    "Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations"
    bias_bp: float | None
    "Mean of earned minus expected, in basis points, in the direction of the row"
    coverage_pct: float | None
    "Share of outcomes inside the interval, in percent; 80 is the aim"
    is_worse_than_zero: bool | None
    "true = expecting nothing would have had a smaller error than the forecast"


class ForecastAccuracyHorizonsTopTenNetApr(TypedDict):
    picks: int
    "Pairs followed: up to ten a day"
    promised_apr_pct: float | None
    "Mean of the figure that they were chosen by, in percent a year"
    earned_pct: float | None
    "Mean of what they earned over the horizon, in percent of one leg, before costs"
    earned_apr_pct: float | None
    "The same in percent a year"
    cost_pct: float | None
    "Mean of cost_pct_round_trip when they were chosen"


class ForecastAccuracyHorizonsTopTenRealised30d(TypedDict):
    picks: int
    "Pairs followed: up to ten a day"
    promised_apr_pct: float | None
    "Mean of the figure that they were chosen by, in percent a year"
    earned_pct: float | None
    "Mean of what they earned over the horizon, in percent of one leg, before costs"
    earned_apr_pct: float | None
    "The same in percent a year"
    cost_pct: float | None
    "Mean of cost_pct_round_trip when they were chosen"


class ForecastAccuracyHorizonsTopTenExpectedNet(TypedDict):
    picks: int
    "Pairs followed: up to ten a day"
    promised_apr_pct: float | None
    "Mean of the figure that they were chosen by, in percent a year"
    earned_pct: float | None
    "Mean of what they earned over the horizon, in percent of one leg, before costs"
    earned_apr_pct: float | None
    "The same in percent a year"
    cost_pct: float | None
    "Mean of cost_pct_round_trip when they were chosen"


class ForecastAccuracyHorizonsTopTenExpectedLowNet(TypedDict):
    picks: int
    "Pairs followed: up to ten a day"
    promised_apr_pct: float | None
    "Mean of the figure that they were chosen by, in percent a year"
    earned_pct: float | None
    "Mean of what they earned over the horizon, in percent of one leg, before costs"
    earned_apr_pct: float | None
    "The same in percent a year"
    cost_pct: float | None
    "Mean of cost_pct_round_trip when they were chosen"


class ForecastAccuracyHorizonsTopTen(TypedDict):
    net_apr: ForecastAccuracyHorizonsTopTenNetApr
    realised_30d: ForecastAccuracyHorizonsTopTenRealised30d
    expected_net: ForecastAccuracyHorizonsTopTenExpectedNet
    expected_low_net: ForecastAccuracyHorizonsTopTenExpectedLowNet


class ForecastAccuracyHorizonsByPlaceNetAprFirst(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceNetAprFirst10(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceNetAprFirst100(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceNetAprRest(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceNetApr(TypedDict):
    first: ForecastAccuracyHorizonsByPlaceNetAprFirst
    first_10: ForecastAccuracyHorizonsByPlaceNetAprFirst10
    first_100: ForecastAccuracyHorizonsByPlaceNetAprFirst100
    rest: ForecastAccuracyHorizonsByPlaceNetAprRest


class ForecastAccuracyHorizonsByPlaceRealised30dFirst(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceRealised30dFirst10(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceRealised30dFirst100(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceRealised30dRest(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceRealised30d(TypedDict):
    first: ForecastAccuracyHorizonsByPlaceRealised30dFirst
    first_10: ForecastAccuracyHorizonsByPlaceRealised30dFirst10
    first_100: ForecastAccuracyHorizonsByPlaceRealised30dFirst100
    rest: ForecastAccuracyHorizonsByPlaceRealised30dRest


class ForecastAccuracyHorizonsByPlaceExpectedNetFirst(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedNetFirst10(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedNetFirst100(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedNetRest(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedNet(TypedDict):
    first: ForecastAccuracyHorizonsByPlaceExpectedNetFirst
    first_10: ForecastAccuracyHorizonsByPlaceExpectedNetFirst10
    first_100: ForecastAccuracyHorizonsByPlaceExpectedNetFirst100
    rest: ForecastAccuracyHorizonsByPlaceExpectedNetRest


class ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst10(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst100(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedLowNetRest(TypedDict):
    picks: int
    "Pairs followed whose outcome is known"
    promised_bp: float | None
    "Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it"
    earned_bp: float | None
    "Mean of what they earned"
    inside_pct: float | None
    "Share of outcomes inside the interval of the forecast, in percent; 80 is the aim"
    below_costs_pct: float | None
    "Share that earned less than cost_pct_round_trip, in percent"


class ForecastAccuracyHorizonsByPlaceExpectedLowNet(TypedDict):
    first: ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst
    first_10: ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst10
    first_100: ForecastAccuracyHorizonsByPlaceExpectedLowNetFirst100
    rest: ForecastAccuracyHorizonsByPlaceExpectedLowNetRest


class ForecastAccuracyHorizonsByPlace(TypedDict):
    net_apr: ForecastAccuracyHorizonsByPlaceNetApr
    realised_30d: ForecastAccuracyHorizonsByPlaceRealised30d
    expected_net: ForecastAccuracyHorizonsByPlaceExpectedNet
    expected_low_net: ForecastAccuracyHorizonsByPlaceExpectedLowNet


class ForecastAccuracyHorizonsWeights(TypedDict):
    now: float
    mean_1d: float
    mean_7d: float
    mean_30d: float


class ForecastAccuracyHorizons(TypedDict):
    days: int
    "Horizon of the forecast"
    forecast_days: int
    "Days whose forecasts are scored"
    first_day: str | None
    "First of them, UTC"
    last_day: str | None
    "Last of them, UTC"
    observations: int
    "Forecasts with a known outcome: one per pair and day"
    mean_error_bp: ForecastAccuracyHorizonsMeanErrorBp
    "Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations"
    bias_bp: float | None
    "Mean of earned minus expected, in basis points, in the direction of the row"
    coverage_pct: float | None
    "Share of outcomes inside the interval, in percent; 80 is the aim"
    is_worse_than_zero: bool | None
    "true = expecting nothing would have had a smaller error than the forecast"
    by_exchange: list[ForecastAccuracyHorizonsByExchange]
    "The same by venue; a pair counts for both of its venues"
    by_asset_class: list[ForecastAccuracyHorizonsByAssetClass]
    "The same by kind of underlying"
    top_ten: ForecastAccuracyHorizonsTopTen
    "What the ten best pairs of each day earned, by the order they were chosen by: net_apr_pct, realised_30d_pct, expected_net_apr_pct or what is likely to be earned at least: expected_low_pct less costs"
    by_place: ForecastAccuracyHorizonsByPlace
    "The same by place in each order, best first: the first pair of each day, the first ten, the first hundred, and all after them. Null for scores of versions that did not keep it"
    model: Literal["shipped", "fitted"]
    "Where the present weights come from"
    weights: ForecastAccuracyHorizonsWeights
    "Present weights: the forecast is days times the sum of each with its figure, short minus long, in percent a day"


class ForecastAccuracyRunningRatesHoursBefore(TypedDict):
    hours: int
    "How long before the settlement"
    compared: int
    "Payments that were compared"
    mean_error_bp: float | None
    "Mean absolute difference between the running rate and the payment, in basis points"
    close_pct: float | None
    "Share of rates that were off by at most 10 % of the payment or 0.1 bp, in percent"


class ForecastAccuracyRunningRates(TypedDict):
    exchange: str
    "Venue name"
    hours_before: list[ForecastAccuracyRunningRatesHoursBefore]
    "For 1, 4 and 8 hours"


ForecastAccuracy = TypedDict(
    "ForecastAccuracy",
    {
        # First day whose forecasts count, UTC
        "from": str,
        # Last day whose forecasts count, UTC
        "to": str,
        # Version of the form of the present model
        "model_version": str,
        # What present forecasts come from: with the figures of the rows it recomputes each; /developers/forecast has a worked example
        "models": ForecastAccuracyModels,
        # Day of the present weights, UTC
        "model_date": str,
        # For 1, 7 and 30 days
        "horizons": list[ForecastAccuracyHorizons],
        # How well the running rate before a settlement predicted the payment, per venue, by name: the 7 UTC days before today, whatever days is, and the 20 most traded contracts. Null while they cannot be read
        "running_rates": list[ForecastAccuracyRunningRates] | None,
    },
)


GetForecastAccuracyData = ForecastAccuracy

ListListingsType = Literal["listing", "delisting"]

ListListingsSource = Literal["announcement", "instruments", "diff"]

ListListingsSort = Literal[
    "nearest",
    "effective_asc",
    "effective_desc",
    "detected_desc",
    "detected_asc",
    "coin_asc",
]

ListListingsField = Literal[
    "exchange",
    "symbol",
    "coin",
    "kind",
    "status",
    "effective_at",
    "source",
    "announcement_url",
    "detected_at",
]

class ListingRow(TypedDict):
    exchange: str
    "Venue name as /exchanges spells it"
    symbol: str
    "Contract as BASE-QUOTE with its own base (1000PEPE-USDT)"
    coin: str
    "Ticker without multiplier, once prices prove it"
    kind: str
    "listing or delisting"
    status: str | None
    "preopen (known, not trading yet), newly listed (trading for under 30 days), delisting (still trading), delisted, cancelled; null for an older listing and for one of a contract that was delisted since"
    effective_at: str | None
    "When trading starts or ends, UTC; null while the venue has not stated it. If only lists show the change, the time of the first list that shows it"
    source: str
    "How it was first detected: announcement, instruments or diff"
    announcement_url: str | None
    "The venue's notice; null when there is none, or it has no address"
    detected_at: str
    "When it was first seen, UTC; each row has its own time and keeps it"


ListListingsData = list[ListingRow]

class ListingRowFields(TypedDict, total=False):
    exchange: str
    symbol: str
    coin: str
    kind: str
    status: str | None
    effective_at: str | None
    source: str
    announcement_url: str | None
    detected_at: str


ListListingsDataFields = list[ListingRowFields]

ListExchangesSort = Literal["name_asc", "instruments_desc", "fee_asc", "leverage_desc"]

ListExchangesField = Literal[
    "exchange",
    "name",
    "icon_url",
    "tracked_instruments",
    "max_leverage",
    "taker_fee_pct",
    "trading_enabled",
    "has_spot",
    "fee_url",
    "specs_url",
    "funding_url",
    "page_url",
    "depth_period_seconds",
    "no_history_reason",
    "no_book_reason",
    "quote_age_seconds",
    "mirrors",
]

class ExchangeRow(TypedDict):
    exchange: str
    "Venue name, the spelling of every filter (case-sensitive)"
    name: str
    "Full name"
    icon_url: str
    "Icon of the venue"
    tracked_instruments: int
    "Perpetual contracts in the snapshot"
    max_leverage: int
    "Highest leverage on any contract"
    taker_fee_pct: float
    "Default taker fee in percent"
    trading_enabled: bool
    "true = the host product can trade there"
    has_spot: bool
    "true = the venue has a spot market"
    fee_url: str | None
    "The venue's fee page"
    specs_url: str
    "The venue's contract specifications"
    funding_url: str
    "The venue's funding page"
    page_url: str
    "Our page of the venue: its contracts, fees, intervals, health and accuracy"
    depth_period_seconds: int | None
    "How often the order books of its most traded third are fetched, in seconds: 60, or longer where its request limits do not allow it; others every 5 times this, and every 30 times without trades. null before the first book"
    no_history_reason: str | None
    "Why it has no settled history, so that sums and realised figures are null; null where it has one"
    no_book_reason: str | None
    "Why it has no bid and ask, so neither spreads nor depth; null where it has them"
    quote_age_seconds: int | None
    "Median age of the quotes that it publishes instead, in seconds; null where it has a book"
    mirrors: str | None
    "The venue whose settled rates it repeats to the digit on most contracts of the last day; /arbitrage leaves out pairs of the two. null: its rates are its own"


ListExchangesData = list[ExchangeRow]

class ExchangeRowFields(TypedDict, total=False):
    exchange: str
    name: str
    icon_url: str
    tracked_instruments: int
    max_leverage: int
    taker_fee_pct: float
    trading_enabled: bool
    has_spot: bool
    fee_url: str | None
    specs_url: str
    funding_url: str
    page_url: str
    depth_period_seconds: int | None
    no_history_reason: str | None
    no_book_reason: str | None
    quote_age_seconds: int | None
    mirrors: str | None


ListExchangesDataFields = list[ExchangeRowFields]

ListCoinsMatch = Literal["prefix", "contains"]

ListCoinsExchangeMatch = Literal["any", "all"]

ListCoinsSort = Literal[
    "volume_desc",
    "volume_asc",
    "change_desc",
    "change_asc",
    "venues_desc",
    "venues_asc",
    "coin_asc",
]

ListCoinsField = Literal[
    "coin",
    "venue_count",
    "exchanges",
    "volume_24h_usdt",
    "change_24h_pct",
    "funding_url",
]

class CoinRow(TypedDict):
    coin: str
    "Ticker without multiplier"
    venue_count: int
    "Venues quoting a linear perpetual on it"
    exchanges: list[str]
    "Venues quoting a linear perpetual on it"
    volume_24h_usdt: float
    "24 h perpetual turnover over all venues in USDT"
    change_24h_pct: float | None
    "Mark price of the contract that was the most traded linear one 24 hours ago, against its mark price then (within ten minutes), in percent; null when it is not known"
    funding_url: str
    "Page with the funding rates of the coin"


ListCoinsData = list[CoinRow]

class CoinRowFields(TypedDict, total=False):
    coin: str
    venue_count: int
    exchanges: list[str]
    volume_24h_usdt: float
    change_24h_pct: float | None
    funding_url: str


ListCoinsDataFields = list[CoinRowFields]

class GetUsageDataMonth(TypedDict):
    used: int
    "Requests counted in the window, this one included"
    limit: int
    "Requests that the plan allows in the window"
    remaining: int
    "Requests left"
    resets_at: str
    "When the window is fresh again, UTC"


class GetUsageDataMinute(TypedDict):
    used: int
    "Requests counted in the window, this one included"
    limit: int
    "Requests that the plan allows in the window"
    remaining: int
    "Requests left"
    resets_at: str
    "When the window is fresh again, UTC"


class GetUsageData(TypedDict):
    plan: Literal["demo", "developer", "pro", "business"]
    "Effective plan"
    key_prefix: str
    "Start of the key, to tell it apart from others"
    scopes: list[Literal[
    "funding:read",
    "history:read",
    "spreads:read",
    "listings:read",
    "usage:read",
]]
    "Scopes of the key"
    month: GetUsageDataMonth
    "Month window; resets on the 1st at 00:00 UTC"
    minute: GetUsageDataMinute
    "Minute window of 60 seconds"
    history_days: int | None
    "History depth in days; null = everything held"
    delay_seconds: int
    "How far the data lags behind the live snapshot"
    commercial_use: bool
    "Whether the plan includes commercial use"
    upgrade_url: str
    "Page of the plans"

