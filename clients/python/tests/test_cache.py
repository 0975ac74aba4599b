from __future__ import annotations

import asyncio

from conftest import Service


def test_an_unchanged_answer_is_a_304_which_costs_nothing(service: Service) -> None:
    client = service.client(api_key=service.new_key("developer")["key"])
    first = client.coins.list(limit=5)
    before = client.usage.get().data["minute"]["used"]
    second = client.coins.list(limit=5)
    assert second == first
    second.data.clear()
    assert client.coins.list(limit=5) == first, "what a caller does to its answer does not change the cache"
    assert service.statuses == [200, 200, 304, 304]
    assert client.usage.get().data["minute"]["used"] == before + 1, "only the usage report counted"


def test_the_async_client_revalidates_too(service: Service) -> None:
    key = service.new_key("developer")["key"]

    async def used() -> tuple[int, int]:
        async with service.async_client(api_key=key) as client:
            await client.coins.list()
            before = (await client.usage.get()).data["minute"]["used"]
            for _ in range(3):
                await client.coins.list()
            return before, (await client.usage.get()).data["minute"]["used"]

    before, after = asyncio.run(used())
    assert after == before + 1


def test_the_cache_keeps_the_newest_answers(service: Service) -> None:
    client = service.client(cached_answers=2)
    for limit in [1, 2, 3, 3, 2, 1]:
        client.coins.list(limit=limit)
    assert service.statuses == [200, 200, 200, 304, 304, 200]
    uncached = service.client(cached_answers=0)
    uncached.coins.list()
    uncached.coins.list()
    assert service.statuses[-2:] == [200, 200]


def test_a_new_snapshot_is_a_new_answer(service: Service) -> None:
    client = service.client()
    first = client.funding.list(limit=3)
    service.control("publish")
    assert client.funding.list(limit=3).meta["as_of"] > first.meta["as_of"]
    assert service.statuses == [200, 200]
