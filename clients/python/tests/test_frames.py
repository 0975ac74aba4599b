from __future__ import annotations

import asyncio
from typing import Any

import pandas
import pytest

from conftest import Service
from perpwire import Table
from perpwire.endpoints import LIST_FUNDING
from perpwire.frames import data_frame

UTC = "datetime64[ns, UTC]"


def dtypes(frame: Any) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


FUNDING = {
    "exchange": "string",
    "symbol": "string",
    "venue_symbol": "string",
    "coin": "string",
    "is_inverse": "bool",
    "asset_class": "string",
    "price_outlier": "bool",
    "rate_pct": "float64",
    "apr_pct": "float64",
    "sum_7d_pct": "float64",
    "sum_30d_pct": "float64",
    "interval_hours": "Int64",
    "next_funding_at": UTC,
    "volume_24h_usdt": "float64",
    "mark_price": "float64",
    "index_price": "float64",
    "open_interest_usdt": "float64",
    "last_rate_pct": "float64",
    "last_funding_at": UTC,
    "taker_fee_pct": "float64",
    "covered_until": UTC,
    "gross_apr_pct": "float64",
    "session": "string",
}
#: The forecasts, which only the rows of one coin have.
EXPECTED = [
    *(f"expected_{part}_pct" for part in ("1d", "7d", "30d", "30d_low", "30d_high")),
    "sum_1d_pct",
    "absolute_30d_pct",
]


def test_funding_has_the_columns_types_and_values_of_its_rows(service: Service) -> None:
    answer = service.client().funding.list(limit=50)
    frame = answer.to_pandas()
    assert dtypes(frame) == FUNDING
    for place, row in enumerate(answer.data):
        assert frame["symbol"][place] == row["symbol"]
        assert frame["rate_pct"][place] == row["rate_pct"]
        at = frame["next_funding_at"][place]
        assert pandas.isna(at) if row["next_funding_at"] is None else at == pandas.Timestamp(row["next_funding_at"])
    assert frame["apr_pct"].isna().sum() == sum(row["apr_pct"] is None for row in answer.data)


def test_a_frame_without_rows_has_its_columns(service: Service) -> None:
    client = service.client()
    empty = client.funding.list(min_rate_pct=1000)
    assert empty.data == []
    assert dtypes(empty.to_pandas()) == FUNDING
    some = client.funding.all(min_rate_pct=1000, fields=["rate_pct", "symbol"]).to_pandas()
    assert dtypes(some) == {"symbol": "string", "rate_pct": "float64"}


def test_days_and_prints_have_their_contract(service: Service) -> None:
    client = service.client()
    daily = client.funding.history(coin="BTC", days=5).to_pandas()
    contract = {"coin": "string", "exchange": "string", "symbol": "string", "venue_symbol": "string"}
    facts = {"is_inverse": "bool", "price_outlier": "bool", "taker_fee_pct": "float64"}
    assert dtypes(daily) == {**contract, **facts, "day": UTC, "apr_pct": "float64"}
    assert set(daily["exchange"]) == {"Binance", "Kraken", "OKX"}
    prints = client.funding.history(coin="BTC", exchange="OKX", resolution="settlement", days=3)
    frame = prints.to_pandas()
    assert [name for name in frame.columns if name not in {**contract, **facts}] == ["time", "rate_pct", "interval_hours"]
    assert (frame["time"].dtype, frame["interval_hours"].dtype) == (UTC, "Int64")
    assert list(frame["rate_pct"]) == [point["rate_pct"] for point in prints.data["series"][0]["settlements"] or []]
    none = client.funding.history(
        coin="BTC", exchange="OKX", resolution="settlement", from_="2020-01-01", to="2020-01-02"
    )
    assert none.to_pandas().dtypes.equals(frame.dtypes), "a window without prints has the columns of prints"
    only = client.funding.history(coin="BTC", days=5, fields=["apr_pct"]).to_pandas()
    assert set(only.columns) == {*contract, *facts, "apr_pct"}


def test_other_answers(service: Service) -> None:
    client = service.client()
    rates = client.funding.coin("BTC").to_pandas()
    assert dtypes(rates) == FUNDING | {name: "float64" for name in EXPECTED}
    assert len(rates) == len(client.funding.coin("BTC").data["rates"]) > 0
    assert list(client.funding.coin("BTC", fields=["rate_pct"]).to_pandas().columns) == ["rate_pct"]
    carry = client.arbitrage.history(coin="BTC", long_exchange="OKX", short_exchange="Binance", days=5)
    frame = carry.to_pandas()
    assert list(frame["net_pct"].fillna(0)) == [day["net_pct"] or 0 for day in carry.data["days"]]
    assert dtypes(frame)["is_complete"] == "bool"
    assert set(frame["long_exchange"]) == {"OKX"}
    coins = client.coins.list(limit=3)
    assert list(coins.to_pandas()["exchanges"]) == [row["exchanges"] for row in coins.data]
    others: list[Table[Any]] = [client.spreads.list(), client.spreads.backtest.list(), client.listings.list()]
    for answer in [*others, client.exchanges.list()]:
        assert len(answer.to_pandas()) == answer.meta["count"]


def test_open_interest_has_the_rows_of_its_venues(service: Service) -> None:
    contract = {"coin": "string", "exchange": "string", "symbol": "string", "venue_symbol": "string"}
    answer = service.client().open_interest.history(coin="BTC", step="1h")
    frame = answer.to_pandas()
    points = [point for one in answer.data["series"] for point in one["points"]]
    assert len(frame) == len(points) > 0
    assert dtypes(frame) == {
        **contract,
        "is_inverse": "bool",
        "at": UTC,
        **{
            f"{end}{name}": "float64"
            for name in ("open_interest_usdt", "mark_price", "premium_pct")
            for end in ("", "low_", "high_")
        },
        "volume_24h_usdt": "float64",
    }
    assert frame["at"].tolist() == [pandas.Timestamp(point["at"]) for point in points]
    assert len(answer.data["total"]) > 0


def test_the_score_of_the_forecasts_has_a_row_for_each_horizon(service: Service) -> None:
    answer = service.client().forecasts.accuracy()
    frame = answer.to_pandas()
    assert list(frame["days"]) == [1, 7, 30]
    assert dtypes(frame)["mean_error_bp.expected"] == "float64"
    assert list(frame["weights.now"]) == [one["weights"]["now"] for one in answer.data["horizons"]]
    assert "by_exchange" not in frame, "lists of groups are left out"
    assert not frame.columns.str.startswith(("by_exchange.", "by_asset_class.")).any()


def test_the_async_client_makes_frames_too(service: Service) -> None:
    async def frame() -> Any:
        async with service.async_client() as client:
            return await client.funding.all(limit=20).to_pandas()

    pandas.testing.assert_frame_equal(asyncio.run(frame()), service.client().funding.all(limit=20).to_pandas())


def test_null_and_unknown_columns() -> None:
    rows: list[dict[str, Any]] = [
        {"interval_hours": None, "next_funding_at": None, "rate_pct": 1, "new": "x"},
        {"interval_hours": 8, "next_funding_at": "2026-11-15T12:00:00.250Z", "rate_pct": 0.5, "new": "y"},
    ]
    frame = data_frame(rows, LIST_FUNDING.rows[0].columns)
    assert list(frame.columns) == ["rate_pct", "interval_hours", "next_funding_at", "new"]
    assert frame["interval_hours"].isna().tolist() == [True, False]
    assert frame["next_funding_at"].isna().tolist() == [True, False]
    assert frame["next_funding_at"][1] == pandas.Timestamp("2026-11-15T12:00:00.250", tz="UTC")
    missing = data_frame([{"is_inverse": None}, {"is_inverse": True}], LIST_FUNDING.rows[0].columns)
    assert dtypes(missing) == {"is_inverse": "boolean"}, "a null where the service promises none"
    with pytest.raises((TypeError, ValueError)):
        data_frame([{"is_inverse": "perhaps", "interval_hours": "many"}], LIST_FUNDING.rows[0].columns)
