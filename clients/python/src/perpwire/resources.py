# Made by `npm run clients` from the operations of the service. Do not edit.

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, overload

from . import endpoints, types
from .answers import Answer, Rows, Table
from .resource import Resource
from .streams import Stream
from .transport import Transport


class FundingResource(Resource):
    @overload
    def list(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListFundingData]: ...

    @overload
    def list(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListFundingField],
    ) -> Table[types.ListFundingDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Current funding rates of every perpetual contract on every venue.

        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Venues to keep, as /exchanges spells them; at most 20
        exclude_exchange: Venues to leave out; at most 20
        min_rate_pct: Lowest rate_pct, signed
        max_rate_pct: Highest rate_pct
        min_abs_rate_pct: Lowest magnitude of rate_pct
        max_abs_rate_pct: Highest magnitude of rate_pct
        min_apr_pct: Lowest apr_pct, signed; drops nulls
        max_apr_pct: Highest apr_pct
        min_gross_apr_pct: Lowest gross_apr_pct; drops nulls
        max_gross_apr_pct: Highest gross_apr_pct
        min_sum_7d_pct: Lowest 7-day sum; drops nulls
        max_sum_7d_pct: Highest 7-day sum
        min_sum_30d_pct: Lowest 30-day sum; drops nulls
        max_sum_30d_pct: Highest 30-day sum
        interval_hours: Settlement intervals in hours
        session: State of the market of the underlying; drops crypto
        is_inverse: true = coin-margined only; false = linear only
        min_volume_usdt: Lowest 24 h volume in USDT
        max_volume_usdt: Highest 24 h volume
        min_open_interest_usdt: Lowest open interest in USDT; drops nulls
        max_open_interest_usdt: Highest open interest
        settles_within_minutes: Next settlement within this many minutes of meta.as_of
        sort: Order of the rows; default abs_rate_desc
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_FUNDING, params)

    @overload
    def all(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.FundingRateItem]: ...

    @overload
    def all(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListFundingField],
    ) -> Rows[types.FundingRateItemFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_FUNDING, params)

    @overload
    def stream(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.FundingRateItem]: ...

    @overload
    def stream(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_rate_pct: float | None = None,
        max_rate_pct: float | None = None,
        min_abs_rate_pct: float | None = None,
        max_abs_rate_pct: float | None = None,
        min_apr_pct: float | None = None,
        max_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_sum_7d_pct: float | None = None,
        max_sum_7d_pct: float | None = None,
        min_sum_30d_pct: float | None = None,
        max_sum_30d_pct: float | None = None,
        interval_hours: int | Sequence[int] | None = None,
        session: types.ListFundingSession | None = None,
        is_inverse: bool | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        settles_within_minutes: int | None = None,
        sort: types.ListFundingSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListFundingField],
    ) -> Stream[types.FundingRateItemFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_FUNDING, params)

    @overload
    def coin(
        self,
        coin: str,
        *,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_volume_usdt: float | None = None,
        session: types.GetCoinFundingSession | None = None,
        size_usd: int | None = None,
        fields: None = None,
    ) -> Table[types.GetCoinFundingData]: ...

    @overload
    def coin(
        self,
        coin: str,
        *,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_volume_usdt: float | None = None,
        session: types.GetCoinFundingSession | None = None,
        size_usd: int | None = None,
        fields: Sequence[types.GetCoinFundingField],
    ) -> Table[types.GetCoinFundingDataFields]: ...

    def coin(self, coin: str, **params: Any) -> Any:
        """Funding rates of one coin, compared over the venues.

        exchange: Rank only these venues, as /exchanges spells them; at most 20
        exclude_exchange: Leave these venues out; at most 20
        min_volume_usdt: Rank only venues whose 24 h volume over all their contracts on the coin is at least this, in USDT
        session: State of the market of the underlying; drops crypto
        size_usd: Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds to rates, of the position that receives the rate; apr_pct is then net of them.
        fields: Keep only these fields on every row of rates; the rest of data and meta are untouched
        """
        return self._table(endpoints.GET_COIN_FUNDING, params, coin)

    @overload
    def history(
        self,
        *,
        coin: str,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        symbol: str | None = None,
        resolution: types.GetFundingHistoryResolution | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
        order: types.GetFundingHistoryOrder | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Table[types.GetFundingHistoryData]: ...

    @overload
    def history(
        self,
        *,
        coin: str,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        symbol: str | None = None,
        resolution: types.GetFundingHistoryResolution | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
        order: types.GetFundingHistoryOrder | None = None,
        limit: int | None = None,
        fields: Sequence[types.GetFundingHistoryField],
    ) -> Table[types.GetFundingHistoryDataFields]: ...

    def history(self, **params: Any) -> Any:
        """Settled funding of one coin, by day or print by print.

        coin: Ticker without multiplier, in any case
        exchange: Venues, as /exchanges spells them: up to 20 with resolution=1d, exactly one with resolution=settlement
        exclude_exchange: Venues to leave out; with resolution=1d only
        symbol: Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it
        resolution: 1d (default): one annualised point per UTC day and venue. settlement: every settled print of one venue
        from_: Start of the window, included; default 30 days before to (1d) or 7 days (settlement), narrowed to the depth of the plan
        to: End of the window; default now, and never later. A print at to is included; with resolution=1d the days that start before it are, so at midnight the last one is the day that ends at it
        days: Days before to at which the window starts; ignored when from is given, whatever its value
        order: asc (default): oldest first; desc: newest first
        limit: Most points per series, counted after ordering; default all
        fields: Keep only these fields on every point: day and apr_pct with resolution=1d; time, rate_pct and interval_hours with resolution=settlement. The rest of data and meta are untouched
        """
        return self._table(endpoints.GET_FUNDING_HISTORY, params)

    def running(
        self,
        *,
        coin: str,
        exchange: str | Sequence[str] | None = None,
        symbol: str | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
        step: types.GetRunningFundingStep | None = None,
    ) -> Table[types.GetRunningFundingData]:
        """The running funding rate of a coin through time, by minute, five minutes, hour or day.

        coin: Ticker without multiplier, in any case
        exchange: Venues, as /exchanges spells them; default all that quote the coin
        symbol: Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it
        from_: Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan
        to: End of the window, included; default the end of the newest minute, and never later
        days: Days before to at which the window starts; ignored when from is given, whatever its value
        step: Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together
        """
        return self._table(endpoints.GET_RUNNING_FUNDING, {"coin": coin, "exchange": exchange, "symbol": symbol, "from": from_, "to": to, "days": days, "step": step})


class OpenInterestResource(Resource):
    def history(
        self,
        *,
        coin: str,
        exchange: str | Sequence[str] | None = None,
        symbol: str | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
        step: types.GetOpenInterestHistoryStep | None = None,
    ) -> Table[types.GetOpenInterestHistoryData]:
        """Open interest, mark price, premium and volume of a coin through time, per venue and summed.

        coin: Ticker without multiplier, in any case
        exchange: Venues, as /exchanges spells them; default all that quote the coin
        symbol: Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it
        from_: Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan
        to: End of the window, included; default the end of the newest minute, and never later
        days: Days before to at which the window starts; ignored when from is given, whatever its value
        step: Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together
        """
        return self._table(endpoints.GET_OPEN_INTEREST_HISTORY, {"coin": coin, "exchange": exchange, "symbol": symbol, "from": from_, "to": to, "days": days, "step": step})


class SpreadsBacktestResource(Resource):
    @overload
    def list(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListSpreadBacktestData]: ...

    @overload
    def list(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListSpreadBacktestField],
    ) -> Table[types.ListSpreadBacktestDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Spreads ranked by what an order of a given size would have earned against the books of the last days.

        size_usd: Order size in USD that depth is priced at; default 100
        fees: Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; fee_pct_cycle, est_profit_pct and avg_profit_pct follow, for the same cycles: which cycles opened was decided at the usual fees, so cycles and confidence stay, and lower fees would have opened more.
        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Pairs with these venues, as /exchanges spells them; at most 20
        exchange_match: any: either leg is in the exchange list; all: both are; default any
        exclude_exchange: Drop pairs with any of these on either leg; at most 20
        min_profit_pct: Lowest est_profit_pct, in percent of a round trip after fees
        max_profit_pct: Highest est_profit_pct
        min_avg_profit_pct: Lowest avg_profit_pct
        min_cycles: The spread opened and closed at least this often in the window
        min_confidence: Lowest confidence, 0 to 100
        min_volume_usdt: Both legs' 24 h volume is at least this, in USDT
        active_within_hours: The last cycle closed within this many hours before meta.as_of
        sort: Order of the rows; default profit_desc; volume is that of the smaller leg
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_SPREAD_BACKTEST, params)

    @overload
    def all(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.BacktestSpreadRow]: ...

    @overload
    def all(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListSpreadBacktestField],
    ) -> Rows[types.BacktestSpreadRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_SPREAD_BACKTEST, params)

    @overload
    def stream(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.BacktestSpreadRow]: ...

    @overload
    def stream(
        self,
        *,
        size_usd: types.ListSpreadBacktestSizeUsd | None = None,
        fees: str | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadBacktestExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        min_profit_pct: float | None = None,
        max_profit_pct: float | None = None,
        min_avg_profit_pct: float | None = None,
        min_cycles: int | None = None,
        min_confidence: int | None = None,
        min_volume_usdt: float | None = None,
        active_within_hours: int | None = None,
        sort: types.ListSpreadBacktestSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListSpreadBacktestField],
    ) -> Stream[types.BacktestSpreadRowFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_SPREAD_BACKTEST, params)


class SpreadsResource(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.backtest = SpreadsBacktestResource(transport)

    @overload
    def list(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListSpreadsData]: ...

    @overload
    def list(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListSpreadsField],
    ) -> Table[types.ListSpreadsDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Live spreads between two venues' perpetuals on the same coin.

        fees: Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. taker_fee_a_pct and taker_fee_b_pct show them; net_spread_pct, covers_fees and strength follow.
        size_usd: Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds; net_spread_pct, covers_fees and strength are then at that size.
        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Pairs with these venues, as /exchanges spells them; at most 20
        exchange_match: any: either leg is in the exchange list; all: both are; default any
        exclude_exchange: Drop pairs with any of these on either leg; at most 20
        leg_closed: false = no pairs with a closed market; true = only these
        min_spread_pct: Lowest spread_pct, in percent
        max_spread_pct: Highest spread_pct
        direction: Pairs whose better side is this one: long_a_short_b buys on A and sells on B
        min_net_spread_pct: Lowest net_spread_pct, in percent
        max_net_spread_pct: Highest net_spread_pct
        min_volume_usdt: Both legs' 24 h volume is at least this, in USDT
        min_strength: Lowest strength, 0 to 5
        max_age_seconds: The older quote was received within this many seconds before meta.as_of
        min_entry_cost_pct: Lowest entry_cost_pct, in percent
        max_entry_cost_pct: Highest entry_cost_pct, in percent
        min_exit_cost_pct: Lowest exit_cost_pct, in percent
        max_exit_cost_pct: Highest exit_cost_pct, in percent
        min_exit_cost_worst_pct: Lowest exit_cost_worst_pct, in percent
        max_exit_cost_worst_pct: Highest exit_cost_worst_pct, in percent
        min_book_age_seconds: Lowest book_age_seconds
        max_book_age_seconds: Highest book_age_seconds
        fills: full: leaves out pairs whose books do not take size_usd
        sort: Order of the rows; default spread_desc; volume is that of the smaller leg
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_SPREADS, params)

    @overload
    def all(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.SpreadRow]: ...

    @overload
    def all(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListSpreadsField],
    ) -> Rows[types.SpreadRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_SPREADS, params)

    @overload
    def stream(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.SpreadRow]: ...

    @overload
    def stream(
        self,
        *,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListSpreadsExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        min_spread_pct: float | None = None,
        max_spread_pct: float | None = None,
        direction: types.ListSpreadsDirection | None = None,
        min_net_spread_pct: float | None = None,
        max_net_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        min_strength: int | None = None,
        max_age_seconds: int | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListSpreadsFills | None = None,
        sort: types.ListSpreadsSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListSpreadsField],
    ) -> Stream[types.SpreadRowFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_SPREADS, params)


class ArbitrageResource(Resource):
    @overload
    def list(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListArbitrageData]: ...

    @overload
    def list(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListArbitrageField],
    ) -> Table[types.ListArbitrageDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Funding arbitrage: what a long on one venue and a short on another earn, net of fees.

        hold_days: Days over which net_apr_pct and expected_net_apr_pct spread cost_pct_round_trip, and which expected_low_pct and expected_high_pct are for; default 30. For 90 the forecast is three times that of 30
        slippage_bp: Basis points from the mid price within which capacity_usd fills; default 5
        fees: Your own taker fees in percent by venue, such as Binance:0.02,OKX:0.03, or account for those saved on the page /account/fees; other venues keep the default of /exchanges. long_taker_fee_pct and short_taker_fee_pct show them; fee_pct_round_trip, cost_pct_round_trip, break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow.
        size_usd: Size in USD, of each leg. It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds, and cost_pct_round_trip counts these costs instead of the widths of the best prices; break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow. All are null where the books do not fill it.
        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Pairs with these venues, as /exchanges spells them; at most 20
        exchange_match: any: either leg is in the exchange list; all: both are; default any
        exclude_exchange: Drop pairs with any of these on either leg; at most 20
        leg_closed: false = no pairs with a closed market; true = only these
        asset_class: Kind of underlying
        same_interval: true: both legs settle at the same interval; false: they differ
        min_net_apr_pct: Lowest net_apr_pct, in percent a year
        max_net_apr_pct: Highest net_apr_pct, in percent a year
        min_gross_apr_pct: Lowest gross_apr_pct, in percent a year
        max_gross_apr_pct: Highest gross_apr_pct, in percent a year
        min_carry_pct_day: Lowest carry_pct_day, in percent a day
        max_carry_pct_day: Highest carry_pct_day, in percent a day
        min_entry_spread_pct: Lowest entry_spread_pct, in percent
        max_entry_spread_pct: Highest entry_spread_pct, in percent
        min_exit_spread_pct: Lowest exit_spread_pct, in percent
        max_exit_spread_pct: Highest exit_spread_pct, in percent
        min_expected_carry_1d_pct: Lowest expected_carry_1d_pct, in percent
        max_expected_carry_1d_pct: Highest expected_carry_1d_pct, in percent
        min_expected_carry_7d_pct: Lowest expected_carry_7d_pct, in percent
        max_expected_carry_7d_pct: Highest expected_carry_7d_pct, in percent
        min_expected_carry_30d_pct: Lowest expected_carry_30d_pct, in percent
        max_expected_carry_30d_pct: Highest expected_carry_30d_pct, in percent
        min_expected_low_pct: Lowest expected_low_pct, in percent
        max_expected_low_pct: Highest expected_low_pct, in percent
        min_expected_high_pct: Lowest expected_high_pct, in percent
        max_expected_high_pct: Highest expected_high_pct, in percent
        min_expected_low_net_apr_pct: Lowest expected_low_net_apr_pct, in percent a year
        max_expected_low_net_apr_pct: Highest expected_low_net_apr_pct, in percent a year
        min_expected_net_apr_pct: Lowest expected_net_apr_pct, in percent a year
        max_expected_net_apr_pct: Highest expected_net_apr_pct, in percent a year
        min_probability_net_positive: Lowest probability_net_positive, from 0 to 1
        max_probability_net_positive: Highest probability_net_positive, from 0 to 1
        min_fee_pct_round_trip: Lowest fee_pct_round_trip, in percent
        max_fee_pct_round_trip: Highest fee_pct_round_trip, in percent
        min_cost_pct_round_trip: Lowest cost_pct_round_trip, in percent
        max_cost_pct_round_trip: Highest cost_pct_round_trip, in percent
        min_realised_1d_pct: Lowest realised_1d_pct, in percent
        max_realised_1d_pct: Highest realised_1d_pct, in percent
        min_realised_7d_pct: Lowest realised_7d_pct, in percent
        max_realised_7d_pct: Highest realised_7d_pct, in percent
        min_realised_30d_pct: Lowest realised_30d_pct, in percent
        max_realised_30d_pct: Highest realised_30d_pct, in percent
        min_realised_90d_pct: Lowest realised_90d_pct, in percent
        max_realised_90d_pct: Highest realised_90d_pct, in percent
        min_positive_hours_30d_pct: Lowest positive_hours_30d_pct, in percent
        max_positive_hours_30d_pct: Highest positive_hours_30d_pct, in percent
        min_worst_day_30d_pct: Lowest worst_day_30d_pct, in percent
        max_worst_day_30d_pct: Highest worst_day_30d_pct, in percent
        min_max_drawdown_30d_pct: Lowest max_drawdown_30d_pct, in percent
        max_max_drawdown_30d_pct: Highest max_drawdown_30d_pct, in percent
        min_median_hours_above_fee: Lowest median_hours_above_fee
        max_median_hours_above_fee: Highest median_hours_above_fee
        min_break_even_hours: Lowest break_even_hours
        max_break_even_hours: Highest break_even_hours
        min_capacity_usd: Lowest capacity_usd, in USD
        max_capacity_usd: Highest capacity_usd, in USD
        min_volume_usdt: Lowest the smaller leg's 24 h volume, in USDT
        max_volume_usdt: Highest the smaller leg's 24 h volume, in USDT
        min_open_interest_usdt: Lowest the smaller leg's open interest, in USDT
        max_open_interest_usdt: Highest the smaller leg's open interest, in USDT
        min_entry_cost_pct: Lowest entry_cost_pct, in percent
        max_entry_cost_pct: Highest entry_cost_pct, in percent
        min_exit_cost_pct: Lowest exit_cost_pct, in percent
        max_exit_cost_pct: Highest exit_cost_pct, in percent
        min_exit_cost_worst_pct: Lowest exit_cost_worst_pct, in percent
        max_exit_cost_worst_pct: Highest exit_cost_worst_pct, in percent
        min_book_age_seconds: Lowest book_age_seconds
        max_book_age_seconds: Highest book_age_seconds
        fills: full: leaves out pairs whose books do not take size_usd
        min_possible_capacity_usd: Lowest capacity_usd, in USD, that also keeps pairs where it is a lower bound: drops what is known to take less. min_capacity_usd is a bound on the stated figure
        sort: Order of the rows; default net_apr_desc, the running rates: what pays most this hour; expected_low_net_desc is for choosing pairs to hold, by what is likely to be earned at least after costs; expected_net_desc is by the expectation
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_ARBITRAGE, params)

    @overload
    def all(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.ArbitrageRow]: ...

    @overload
    def all(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListArbitrageField],
    ) -> Rows[types.ArbitrageRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_ARBITRAGE, params)

    @overload
    def stream(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.ArbitrageRow]: ...

    @overload
    def stream(
        self,
        *,
        hold_days: types.ListArbitrageHoldDays | None = None,
        slippage_bp: types.ListArbitrageSlippageBp | None = None,
        fees: str | None = None,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListArbitrageExchangeMatch | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        leg_closed: bool | None = None,
        asset_class: types.ListArbitrageAssetClass | None = None,
        same_interval: bool | None = None,
        min_net_apr_pct: float | None = None,
        max_net_apr_pct: float | None = None,
        min_gross_apr_pct: float | None = None,
        max_gross_apr_pct: float | None = None,
        min_carry_pct_day: float | None = None,
        max_carry_pct_day: float | None = None,
        min_entry_spread_pct: float | None = None,
        max_entry_spread_pct: float | None = None,
        min_exit_spread_pct: float | None = None,
        max_exit_spread_pct: float | None = None,
        min_expected_carry_1d_pct: float | None = None,
        max_expected_carry_1d_pct: float | None = None,
        min_expected_carry_7d_pct: float | None = None,
        max_expected_carry_7d_pct: float | None = None,
        min_expected_carry_30d_pct: float | None = None,
        max_expected_carry_30d_pct: float | None = None,
        min_expected_low_pct: float | None = None,
        max_expected_low_pct: float | None = None,
        min_expected_high_pct: float | None = None,
        max_expected_high_pct: float | None = None,
        min_expected_low_net_apr_pct: float | None = None,
        max_expected_low_net_apr_pct: float | None = None,
        min_expected_net_apr_pct: float | None = None,
        max_expected_net_apr_pct: float | None = None,
        min_probability_net_positive: float | None = None,
        max_probability_net_positive: float | None = None,
        min_fee_pct_round_trip: float | None = None,
        max_fee_pct_round_trip: float | None = None,
        min_cost_pct_round_trip: float | None = None,
        max_cost_pct_round_trip: float | None = None,
        min_realised_1d_pct: float | None = None,
        max_realised_1d_pct: float | None = None,
        min_realised_7d_pct: float | None = None,
        max_realised_7d_pct: float | None = None,
        min_realised_30d_pct: float | None = None,
        max_realised_30d_pct: float | None = None,
        min_realised_90d_pct: float | None = None,
        max_realised_90d_pct: float | None = None,
        min_positive_hours_30d_pct: float | None = None,
        max_positive_hours_30d_pct: float | None = None,
        min_worst_day_30d_pct: float | None = None,
        max_worst_day_30d_pct: float | None = None,
        min_max_drawdown_30d_pct: float | None = None,
        max_max_drawdown_30d_pct: float | None = None,
        min_median_hours_above_fee: float | None = None,
        max_median_hours_above_fee: float | None = None,
        min_break_even_hours: float | None = None,
        max_break_even_hours: float | None = None,
        min_capacity_usd: float | None = None,
        max_capacity_usd: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        min_open_interest_usdt: float | None = None,
        max_open_interest_usdt: float | None = None,
        min_entry_cost_pct: float | None = None,
        max_entry_cost_pct: float | None = None,
        min_exit_cost_pct: float | None = None,
        max_exit_cost_pct: float | None = None,
        min_exit_cost_worst_pct: float | None = None,
        max_exit_cost_worst_pct: float | None = None,
        min_book_age_seconds: float | None = None,
        max_book_age_seconds: float | None = None,
        fills: types.ListArbitrageFills | None = None,
        min_possible_capacity_usd: float | None = None,
        sort: types.ListArbitrageSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListArbitrageField],
    ) -> Stream[types.ArbitrageRowFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_ARBITRAGE, params)

    def history(
        self,
        *,
        coin: str,
        long_exchange: str,
        short_exchange: str,
        long_symbol: str | None = None,
        short_symbol: str | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
    ) -> Table[types.GetArbitrageHistoryData]:
        """What a long on one venue and a short on another earned, day by day.

        coin: Ticker without multiplier, in any case
        long_exchange: Venue of the long leg, spelled as /exchanges returns it
        short_exchange: Venue of the short leg, spelled as /exchanges returns it
        long_symbol: Another contract of the long leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it
        short_symbol: Another contract of the short leg than the one that /arbitrage pairs: its symbol or the venue's own spelling of it
        from_: Start of the window, included; default 30 days before to, narrowed to the depth of the plan
        to: End of the window; default now, and never later. Days that start before it are there: at midnight the last one is the day that ends at it
        days: Days before to at which the window starts; ignored when from is given, whatever its value
        """
        return self._table(endpoints.GET_ARBITRAGE_HISTORY, {"coin": coin, "long_exchange": long_exchange, "short_exchange": short_exchange, "long_symbol": long_symbol, "short_symbol": short_symbol, "from": from_, "to": to, "days": days})


class DepthResource(Resource):
    @overload
    def list(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListDepthData]: ...

    @overload
    def list(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListDepthField],
    ) -> Table[types.ListDepthDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Order-book depth of every linear contract: USD that rests near the mid price.

        size_usd: Size of the order in USD of which buy_cost_pct, sell_cost_pct and their 24h figures are the costs; default 20000
        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Venues to keep, as /exchanges spells them; at most 20
        exclude_exchange: Venues to leave out; at most 20
        asset_class: Kind of underlying
        min_bid_1bp_usd: Lowest bid_1bp_usd, in USD; drops rows where it is unknown
        min_bid_2bp_usd: Lowest bid_2bp_usd, in USD; drops rows where it is unknown
        min_bid_5bp_usd: Lowest bid_5bp_usd, in USD; drops rows where it is unknown
        min_bid_10bp_usd: Lowest bid_10bp_usd, in USD; drops rows where it is unknown
        min_bid_25bp_usd: Lowest bid_25bp_usd, in USD; drops rows where it is unknown
        min_bid_50bp_usd: Lowest bid_50bp_usd, in USD; drops rows where it is unknown
        min_ask_1bp_usd: Lowest ask_1bp_usd, in USD; drops rows where it is unknown
        min_ask_2bp_usd: Lowest ask_2bp_usd, in USD; drops rows where it is unknown
        min_ask_5bp_usd: Lowest ask_5bp_usd, in USD; drops rows where it is unknown
        min_ask_10bp_usd: Lowest ask_10bp_usd, in USD; drops rows where it is unknown
        min_ask_25bp_usd: Lowest ask_25bp_usd, in USD; drops rows where it is unknown
        min_ask_50bp_usd: Lowest ask_50bp_usd, in USD; drops rows where it is unknown
        max_buy_cost_pct: Highest buy_cost_pct, in percent; drops rows where the levels do not fill size_usd
        max_sell_cost_pct: Highest sell_cost_pct, in percent; drops rows where the levels do not fill size_usd
        max_buy_cost_24h_worst_pct: Highest buy_cost_24h_worst_pct, in percent; drops rows where it is unknown
        max_sell_cost_24h_worst_pct: Highest sell_cost_24h_worst_pct, in percent; drops rows where it is unknown
        max_bid_ask_spread_pct: Highest bid_ask_spread_pct, in percent
        min_volume_usdt: Lowest 24 h volume in USDT
        max_volume_usdt: Highest 24 h volume in USDT
        max_age_seconds: The book was received within this many seconds before meta.as_of
        sort: Order of the rows; default volume_desc; depth_5bp and the like are of the smaller side
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_DEPTH, params)

    @overload
    def all(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.DepthItem]: ...

    @overload
    def all(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListDepthField],
    ) -> Rows[types.DepthItemFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_DEPTH, params)

    @overload
    def stream(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.DepthItem]: ...

    @overload
    def stream(
        self,
        *,
        size_usd: int | None = None,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        asset_class: types.ListDepthAssetClass | None = None,
        min_bid_1bp_usd: float | None = None,
        min_bid_2bp_usd: float | None = None,
        min_bid_5bp_usd: float | None = None,
        min_bid_10bp_usd: float | None = None,
        min_bid_25bp_usd: float | None = None,
        min_bid_50bp_usd: float | None = None,
        min_ask_1bp_usd: float | None = None,
        min_ask_2bp_usd: float | None = None,
        min_ask_5bp_usd: float | None = None,
        min_ask_10bp_usd: float | None = None,
        min_ask_25bp_usd: float | None = None,
        min_ask_50bp_usd: float | None = None,
        max_buy_cost_pct: float | None = None,
        max_sell_cost_pct: float | None = None,
        max_buy_cost_24h_worst_pct: float | None = None,
        max_sell_cost_24h_worst_pct: float | None = None,
        max_bid_ask_spread_pct: float | None = None,
        min_volume_usdt: float | None = None,
        max_volume_usdt: float | None = None,
        max_age_seconds: int | None = None,
        sort: types.ListDepthSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListDepthField],
    ) -> Stream[types.DepthItemFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_DEPTH, params)

    def history(
        self,
        *,
        coin: str,
        exchange: str,
        symbol: str | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days: int | None = None,
        size_usd: int | None = None,
    ) -> Table[types.GetDepthHistoryData]:
        """What an order of your size cost against the book of a contract, every five minutes.

        coin: Ticker without multiplier, in any case
        exchange: Venue, spelled as /exchanges returns it
        symbol: Another contract than the venue's most traded linear one on the coin: its symbol or the venue's own spelling of it
        from_: Start of the window, included; default 7 days before to, narrowed to the depth of the plan
        to: End of the window, included; default the newest sample, and never later
        days: Days before to at which the window starts; ignored when from is given, whatever its value
        size_usd: Size of the order in USD; default 20000
        """
        return self._table(endpoints.GET_DEPTH_HISTORY, {"coin": coin, "exchange": exchange, "symbol": symbol, "from": from_, "to": to, "days": days, "size_usd": size_usd})


class ForecastsResource(Resource):
    def accuracy(
        self,
        *,
        days: int | None = None,
    ) -> Table[types.GetForecastAccuracyData]:
        """How right the forecasts of /arbitrage were.

        days: Forecasts that were published in the last so many days count; default 90
        """
        return self._table(endpoints.GET_FORECAST_ACCURACY, {"days": days})


class ListingsResource(Resource):
    @overload
    def list(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListListingsData]: ...

    @overload
    def list(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListListingsField],
    ) -> Table[types.ListListingsDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Calendar of announced and detected listings and delistings.

        coin: Tickers to keep, in any case; at most 20, separated by commas
        exchange: Venues to keep, as /exchanges spells them; at most 20
        exclude_exchange: Venues to leave out; at most 20
        type: Only this kind of row; both by default
        status: Only rows with exactly this status: preopen, newly listed, delisting, delisted, cancelled; another one gives an empty list
        source: Only rows that were first detected this way
        from_: Rows effective at this time or later; drops rows without effective_at
        to: Rows effective before this time; drops rows without effective_at
        days_ahead: Rows effective from meta.as_of on, up to this many days ahead; ignored when from or to is given, whatever its value
        detected_after: Rows first seen after this time. To poll, send the meta.as_of of the answer before, with sort=detected_asc
        sort: Order of the rows; default nearest: upcoming soonest first, then past most recent first, undated last
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_LISTINGS, params)

    @overload
    def all(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.ListingRow]: ...

    @overload
    def all(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListListingsField],
    ) -> Rows[types.ListingRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_LISTINGS, params)

    @overload
    def stream(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        fields: None = None,
    ) -> Stream[types.ListingRow]: ...

    @overload
    def stream(
        self,
        *,
        coin: str | Sequence[str] | None = None,
        exchange: str | Sequence[str] | None = None,
        exclude_exchange: str | Sequence[str] | None = None,
        type: types.ListListingsType | None = None,
        status: str | None = None,
        source: types.ListListingsSource | None = None,
        from_: str | datetime.date | None = None,
        to: str | datetime.date | None = None,
        days_ahead: int | None = None,
        detected_after: str | datetime.date | None = None,
        sort: types.ListListingsSort | None = None,
        limit: int | None = None,
        fields: Sequence[types.ListListingsField],
    ) -> Stream[types.ListingRowFields]: ...

    def stream(self, **params: Any) -> Any:
        """The changes of the list as they happen. The parameters are those of list, without cursor."""
        return self._stream(endpoints.LIST_LISTINGS, params)


class ExchangesResource(Resource):
    @overload
    def list(
        self,
        *,
        q: str | None = None,
        trading_enabled: bool | None = None,
        has_spot: bool | None = None,
        sort: types.ListExchangesSort | None = None,
        fields: None = None,
    ) -> Table[types.ListExchangesData]: ...

    @overload
    def list(
        self,
        *,
        q: str | None = None,
        trading_enabled: bool | None = None,
        has_spot: bool | None = None,
        sort: types.ListExchangesSort | None = None,
        fields: Sequence[types.ListExchangesField],
    ) -> Table[types.ListExchangesDataFields]: ...

    def list(self, **params: Any) -> Any:
        """The trading venues that the service watches.

        q: Start of exchange or of name, in any case
        trading_enabled: true keeps venues open for trading
        has_spot: true keeps venues with a spot market
        sort: Order of the rows; default name_asc
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_EXCHANGES, params)

    @overload
    def all(
        self,
        *,
        q: str | None = None,
        trading_enabled: bool | None = None,
        has_spot: bool | None = None,
        sort: types.ListExchangesSort | None = None,
        fields: None = None,
    ) -> Rows[types.ExchangeRow]: ...

    @overload
    def all(
        self,
        *,
        q: str | None = None,
        trading_enabled: bool | None = None,
        has_spot: bool | None = None,
        sort: types.ListExchangesSort | None = None,
        fields: Sequence[types.ListExchangesField],
    ) -> Rows[types.ExchangeRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_EXCHANGES, params)


class CoinsResource(Resource):
    @overload
    def list(
        self,
        *,
        q: str | None = None,
        match: types.ListCoinsMatch | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListCoinsExchangeMatch | None = None,
        min_venues: int | None = None,
        min_volume_usdt: float | None = None,
        sort: types.ListCoinsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Table[types.ListCoinsData]: ...

    @overload
    def list(
        self,
        *,
        q: str | None = None,
        match: types.ListCoinsMatch | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListCoinsExchangeMatch | None = None,
        min_venues: int | None = None,
        min_volume_usdt: float | None = None,
        sort: types.ListCoinsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListCoinsField],
    ) -> Table[types.ListCoinsDataFields]: ...

    def list(self, **params: Any) -> Any:
        """Coins with a perpetual on any venue.

        q: Text matched against the ticker, in any case; at most 24 characters
        match: How q is matched; default prefix
        exchange: Coins quoted on any of these venues; at most 20
        exchange_match: all requires every one of the venues; default any
        min_venues: Quoted on at least this many venues
        min_volume_usdt: Lowest 24 h perpetual volume over all venues in USDT
        sort: Order of the rows; default volume_desc
        limit: Rows on a page; default 100; on Demo 50, also the most
        cursor: meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes
        fields: Keep only these fields on every row; meta is untouched
        """
        return self._table(endpoints.LIST_COINS, params)

    @overload
    def all(
        self,
        *,
        q: str | None = None,
        match: types.ListCoinsMatch | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListCoinsExchangeMatch | None = None,
        min_venues: int | None = None,
        min_volume_usdt: float | None = None,
        sort: types.ListCoinsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: None = None,
    ) -> Rows[types.CoinRow]: ...

    @overload
    def all(
        self,
        *,
        q: str | None = None,
        match: types.ListCoinsMatch | None = None,
        exchange: str | Sequence[str] | None = None,
        exchange_match: types.ListCoinsExchangeMatch | None = None,
        min_venues: int | None = None,
        min_volume_usdt: float | None = None,
        sort: types.ListCoinsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[types.ListCoinsField],
    ) -> Rows[types.CoinRowFields]: ...

    def all(self, **params: Any) -> Any:
        """All rows, page after page from one snapshot. The parameters are those of list."""
        return self._all(endpoints.LIST_COINS, params)


class UsageResource(Resource):
    def get(
        self,
    ) -> Answer[types.GetUsageData]:
        """Plan, windows and limits of the key that asks"""
        return self._get(endpoints.GET_USAGE, {})


class Resources:
    "All endpoints, as attributes of the client."

    def __init__(self, transport: Transport) -> None:
        self.funding = FundingResource(transport)
        self.open_interest = OpenInterestResource(transport)
        self.spreads = SpreadsResource(transport)
        self.arbitrage = ArbitrageResource(transport)
        self.depth = DepthResource(transport)
        self.forecasts = ForecastsResource(transport)
        self.listings = ListingsResource(transport)
        self.exchanges = ExchangesResource(transport)
        self.coins = CoinsResource(transport)
        self.usage = UsageResource(transport)
