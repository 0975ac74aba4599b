from __future__ import annotations

import asyncio
import datetime
from typing import Any

import pytest

from conftest import Service
from perpwire import Answer, PerpwireError
from perpwire.types import FundingRateItem

PAIR = {"coin": "BTC", "long_exchange": "OKX", "short_exchange": "Binance"}
SINCE = datetime.datetime(2026, 11, 10, tzinfo=datetime.timezone.utc)

#: By operationId: where the method is, its arguments, and the request that it must make.
CALLS: dict[str, tuple[str, tuple[str, ...], dict[str, Any], str]] = {
    "listFunding": (
        "funding.list",
        (),
        {"coin": ["BTC", "ETH"], "sort": "coin_asc", "is_inverse": False, "min_volume_usdt": 1e-7},
        "/funding?coin=BTC,ETH&sort=coin_asc&is_inverse=false&min_volume_usdt=1e-07",
    ),
    "getCoinFunding": ("funding.coin", ("btc",), {"min_volume_usdt": 1}, "/funding/btc?min_volume_usdt=1"),
    "getFundingHistory": (
        "funding.history",
        (),
        {"coin": "BTC", "from_": SINCE},
        "/funding/history?coin=BTC&from=2026-11-10T00:00:00%2B00:00",
    ),
    "getRunningFunding": (
        "funding.running",
        (),
        {"coin": "BTC", "step": "5m"},
        "/funding/running?coin=BTC&step=5m",
    ),
    "getOpenInterestHistory": (
        "open_interest.history",
        (),
        {"coin": "BTC", "exchange": "OKX", "days": 1},
        "/open-interest/history?coin=BTC&exchange=OKX&days=1",
    ),
    "listSpreads": ("spreads.list", (), {"limit": 3}, "/spreads?limit=3"),
    "listSpreadBacktest": ("spreads.backtest.list", (), {"size_usd": 500}, "/spreads/backtest?size_usd=500"),
    "listArbitrage": ("arbitrage.list", (), {"limit": 3}, "/arbitrage?limit=3"),
    "getArbitrageHistory": (
        "arbitrage.history",
        (),
        PAIR,
        "/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance",
    ),
    "listDepth": ("depth.list", (), {"limit": 3}, "/depth?limit=3"),
    "getDepthHistory": (
        "depth.history",
        (),
        {"coin": "BTC", "exchange": "OKX"},
        "/depth/history?coin=BTC&exchange=OKX",
    ),
    "getForecastAccuracy": ("forecasts.accuracy", (), {"days": 7}, "/forecasts/accuracy?days=7"),
    "listListings": ("listings.list", (), {"to": datetime.date(2027, 1, 1)}, "/listings?to=2027-01-01"),
    "listExchanges": ("exchanges.list", (), {}, "/exchanges"),
    "listCoins": ("coins.list", (), {"q": "B", "match": "contains"}, "/coins?q=B&match=contains"),
    "getUsage": ("usage.get", (), {}, "/usage"),
}


def method(client: object, place: str) -> Any:
    for name in place.split("."):
        client = getattr(client, name)
    return client


def test_every_operation_has_its_call_here(service: Service) -> None:
    paths = service.get("/openapi.json")["paths"]
    operations = {one["get"]["operationId"] for path, one in paths.items() if "/stream/" not in path}
    assert operations - {"getDiscovery", "getDescription"} == set(CALLS)


@pytest.mark.parametrize("operation", CALLS)
def test_sync_and_async_answer_what_the_api_answers(service: Service, operation: str) -> None:
    place, args, params, path = CALLS[operation]

    async def later() -> Answer[Any]:
        async with service.async_client() as client:
            answer: Answer[Any] = await method(client, place)(*args, **params)
            return answer

    answers = [method(service.client(), place)(*args, **params), asyncio.run(later())]
    raw = service.get(path)
    for answer in answers:
        if operation == "getUsage":
            assert answer.data["plan"] == "business"
            assert answer.data.keys() == raw["data"].keys()
        else:
            assert answer.data == raw["data"]
            assert answer.meta == raw["meta"]


def test_fields_keeps_some_fields(service: Service) -> None:
    client = service.client()
    rows = client.funding.list(fields=["symbol", "rate_pct"], limit=2).data
    assert [set(row) for row in rows] == [{"symbol", "rate_pct"}] * 2
    coin = client.funding.coin("BTC", fields=["exchange"]).data
    assert set(coin["rates"][0]) == {"exchange"}
    history = client.funding.history(coin="BTC", fields=["apr_pct"]).data
    assert set((history["series"][0]["daily"] or [])[0]) == {"apr_pct"}


def test_rows_are_typed(service: Service) -> None:
    row: FundingRateItem = service.client().funding.list(limit=1).data[0]
    with pytest.raises(KeyError):
        row["no_such_field"]  # type: ignore[typeddict-item]
    with pytest.raises(PerpwireError) as caught:
        service.client().funding.list(sort="nonsense")  # type: ignore[call-overload]
    assert caught.value.code == "invalid-parameter"


def test_a_misspelled_parameter_is_an_error(service: Service) -> None:
    with pytest.raises(TypeError, match="/funding has no parameter exhange"):
        service.client().funding.list(exhange="OKX")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="a stream of /funding has no parameter cursor"):
        service.client().funding.stream(cursor="x")  # type: ignore[call-overload]
    assert service.statuses == []


def test_key_and_address_come_from_the_environment(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERPWIRE_API_KEY", service.keys["pro"])
    assert service.client(api_key=None, base_url=None).usage.get().data["plan"] == "pro"
    monkeypatch.delenv("PERPWIRE_API_KEY")
    with pytest.raises(ValueError, match="PERPWIRE_API_KEY"):
        service.client(api_key=None)
    with pytest.raises(ValueError, match="PERPWIRE_BASE_URL"):
        service.client(base_url="perpwire.example")
