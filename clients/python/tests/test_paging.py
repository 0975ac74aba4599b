from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from conftest import Service
from perpwire import PerpwireError

MANY_ROWS = 10_000


def test_all_reads_every_page_to_the_end(service: Service) -> None:
    whole = service.get("/funding?limit=500&sort=coin_asc")["data"]
    client = service.client()
    assert list(client.funding.all(limit=7, sort="coin_asc")) == whole
    assert len(service.statuses) == math.ceil(len(whole) / 7) > 2
    pairs = list(client.arbitrage.all(limit=5, fields=["coin", "net_apr_pct"]))
    assert len(pairs) == client.arbitrage.list(limit=1).meta["total"]
    assert len(list(client.exchanges.all())) == 3


def test_all_of_the_async_client_reads_every_page(service: Service) -> None:
    async def rows() -> tuple[list[Any], int]:
        async with service.async_client() as client:
            found = client.funding.all(limit=7, sort="coin_asc")
            pages = [page async for page in found.pages()]
            return [row async for row in found], len(pages)

    whole = service.get("/funding?limit=500&sort=coin_asc")["data"]
    assert asyncio.run(rows()) == (whole, math.ceil(len(whole) / 7))


def test_pages_are_as_large_as_the_plan_allows(service: Service) -> None:
    service.control("manyRows")
    progress: list[tuple[int, int | None]] = []
    rows = service.client().funding.all(sort="rate_desc")
    frame = rows.to_pandas(on_page=lambda read, total: progress.append((read, total)))
    assert (len(frame), len(service.statuses)) == (MANY_ROWS, 20)
    assert progress[0] == (500, MANY_ROWS) and progress[-1] == (MANY_ROWS, MANY_ROWS)


def test_on_the_demo_plan_pages_have_50_rows(service: Service) -> None:
    client = service.client(api_key=service.keys["demo"])
    pages = client.coins.all(min_venues=1).pages()
    first = next(pages)
    assert service.statuses == [403, 200]
    assert first.meta["count"] == min(50, first.meta["total"] or 0)


def test_a_loop_that_ends_early_stops_requesting(service: Service) -> None:
    for row in service.client().funding.all(limit=2):
        assert row["symbol"]
        break
    assert len(service.statuses) == 1


def test_all_pages_are_of_one_snapshot(service: Service) -> None:
    pages = service.client().funding.all(limit=10).pages()
    first = next(pages)
    service.control("publish")
    assert {page.meta["as_of"] for page in pages} == {first.meta["as_of"]}
    assert service.client().funding.list(limit=1).meta["as_of"] > first.meta["as_of"]


def test_10000_rows_come_complete_and_in_order(service: Service) -> None:
    service.control("manyRows")
    wanted = [f"C{i}-USDT" for i in range(MANY_ROWS)]
    rows = service.client().funding.all(limit=500, sort="rate_desc")
    assert [row["symbol"] for row in rows] == wanted
    assert len(service.statuses) == 20
    frame = rows.to_pandas()
    assert list(frame["symbol"]) == wanted
    assert frame["rate_pct"].iloc[-1] == 1.0


def test_a_service_that_dies_in_the_middle_of_a_page_and_comes_back_loses_no_row(
    service: Service, waits: list[float]
) -> None:
    whole = service.get("/funding?limit=500")["data"]
    client = service.client(base_url=service.proxy_url)
    service.control("breakAt", requests=[1, 3, 4])
    assert list(client.funding.all(limit=10)) == whole
    requested = service.control("requested")
    assert len(requested) == len(set(requested)) + 3, "three pages were requested again"
    assert len(waits) == 3


def test_a_service_that_is_down_is_tried_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.control("stopProxy")
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            service.control("startProxy")

    monkeypatch.setattr("time.sleep", wait)
    assert service.client(base_url=service.proxy_url).coins.list().data
    assert 0.125 <= waits[0] <= 0.25 <= waits[1] <= 0.5
    service.control("breakAt", requests=[0, 1, 2, 3])
    with pytest.raises(PerpwireError) as caught:
        service.client(base_url=service.proxy_url).coins.list()
    assert (caught.value.code, caught.value.status) == ("unreachable", None)
    assert caught.value.__cause__ is not None
