from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from conftest import Service
from perpwire import Perpwire, PerpwireError, StreamEvent
from perpwire.events import EventParser


@pytest.fixture()
def moving(service: Service) -> Iterator[Service]:
    """A service whose clock moves, so that it sends its events."""
    service.control("pump", isOn=True)
    yield service
    service.control("heal")
    service.control("pump", isOn=False)


STREAMS = [
    ("funding", "/funding", None, {"limit": 5, "sort": "apr_desc"}),
    ("spreads", "/spreads", None, {"limit": 5, "sort": "volume_desc"}),
    ("spreads.backtest", "/spreads/backtest", "spreads", {"limit": 5}),
    ("arbitrage", "/arbitrage", "pairs", {"limit": 5}),
    ("listings", "/listings", None, {"limit": 5, "sort": "detected_desc"}),
]


@pytest.mark.parametrize(("place", "path", "rows_field", "params"), STREAMS)
def test_the_rows_of_a_stream_are_those_of_the_list_in_its_order(
    service: Service, place: str, path: str, rows_field: str | None, params: dict[str, Any]
) -> None:
    resource: Any = service.client()
    for name in place.split("."):
        resource = getattr(resource, name)
    with resource.stream(**params) as stream:
        event = next(iter(stream))
        raw = service.get(f"{path}?{httpx.QueryParams(params)}")
        rows = raw["data"] if rows_field is None else raw["data"][rows_field]
        assert (event.kind, event.remove, event.meta["as_of"]) == ("snapshot", [], raw["meta"]["as_of"])
        assert event.upsert == stream.rows == rows


def test_changes_lead_to_later_answers(moving: Service) -> None:
    with moving.client().funding.stream(sort="rate_desc", limit=7) as stream:
        events = iter(stream)
        assert next(events).kind == "snapshot"
        moving.control("publish")
        change = next(events)
        assert change.kind == "change" and change.upsert
        # The clock goes on while the list is read, so there may be changes in between.
        while True:
            raw = moving.get("/funding?sort=rate_desc&limit=7")
            if raw["meta"]["as_of"] == change.meta["as_of"]:
                break
            change = next(events)
        assert stream.rows == raw["data"]


def test_fields_keeps_the_identity(service: Service) -> None:
    with service.client().funding.stream(fields=["rate_pct"], limit=3) as stream:
        next(iter(stream))
        assert {name for row in stream.rows for name in row} == {"exchange", "venue_symbol", "rate_pct"}
        assert list(stream.to_pandas().columns) == ["exchange", "venue_symbol", "rate_pct"]


def test_a_cut_stream_resumes_with_what_it_missed(moving: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            moving.control("publish")
            moving.control("heal")

    monkeypatch.setattr("time.sleep", wait)
    with moving.client(base_url=moving.stream_url).funding.stream(limit=7) as stream:
        events = iter(stream)
        first = next(events)
        moving.control("cut")
        change = next(events)
        assert len(waits) == 3, "it tried until the service was back"
        assert change.kind == "change", "what it had was still good"
        assert change.meta["as_of"] > first.meta["as_of"]


def test_the_async_stream_resumes_too(moving: Service) -> None:
    async def kinds() -> list[str]:
        found: list[str] = []
        async with moving.async_client(base_url=moving.stream_url) as client:
            async with client.spreads.stream(limit=4) as stream:
                async for event in stream:
                    found.append(event.kind)
                    if len(found) == 3:
                        return found
                    await asyncio.to_thread(moving.control, "cut")
                    await asyncio.to_thread(moving.control, "publish")
                    await asyncio.to_thread(moving.control, "heal")
        return found

    assert asyncio.run(kinds()) == ["snapshot", "change", "change"]


def test_a_revoked_key_ends_the_stream(moving: Service) -> None:
    key = moving.new_key("pro")
    with moving.client(api_key=key["key"]).funding.stream() as stream:
        events = iter(stream)
        next(events)
        moving.control("revoke", id=key["id"])
        with pytest.raises(PerpwireError) as caught:
            for _ in events:
                pass
    assert (caught.value.code, caught.value.status) == ("unauthenticated", 401)


def test_a_stream_that_cannot_open_raises(service: Service, waits: list[float]) -> None:
    with pytest.raises(PerpwireError) as caught:
        next(iter(service.client(api_key="wrong").funding.stream()))
    assert (caught.value.code, waits) == ("unauthenticated", [])
    with pytest.raises(PerpwireError) as caught:
        next(iter(service.client(base_url="http://127.0.0.1:9").funding.stream()))
    assert (caught.value.code, len(waits)) == ("unreachable", 3)


def test_a_closed_stream_is_closed_at_the_service(service: Service) -> None:
    key = service.new_key("demo")["key"]
    for _ in range(3):
        # A demo key may have one open stream, and a further one is refused until this one is closed.
        with service.client(api_key=key, max_retries=20).funding.stream() as stream:
            assert next(iter(stream)).kind == "snapshot"


def row(symbol: str, rate: float | None) -> dict[str, Any]:
    return {"exchange": "OKX", "venue_symbol": symbol, "symbol": symbol, "coin": symbol, "rate_pct": rate}


def event_text(kind: str, at: str | None, data: object) -> str:
    identity = "" if at is None else f"id: {at}\n"
    return f"event: {kind}\n{identity}data: {json.dumps(data)}\n\n"


def test_a_restart_is_waited_for_and_a_snapshot_after_a_gap_says_what_changed(waits: list[float]) -> None:
    meta = {"as_of": "t"}
    bodies = [
        event_text("snapshot", "1", {"data": [row("A", 1), row("B", None), row("C", -2)], "meta": meta})
        + event_text("end", None, {"problem": None, "retry_after_seconds": 5}),
        event_text("snapshot", "2", {"data": [row("A", 1), row("D", 0.5)], "meta": meta}),
        "",
        event_text("end", None, {"problem": {"code": "quota-exhausted", "detail": "d", "status": 429}}),
    ]
    sent: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("last-event-id"))
        return httpx.Response(200, content=bodies[len(sent) - 1].encode())

    http = httpx.Client(transport=httpx.MockTransport(answer))
    stream = Perpwire("key", "https://perpwire.example", http_client=http).funding.stream()
    events: Iterator[StreamEvent[Any]] = iter(stream)
    assert next(events).kind == "snapshot"
    assert [one["symbol"] for one in stream.rows] == ["C", "A", "B"], "by the default sort abs_rate_desc, nulls last"
    event = next(events)
    assert [one["symbol"] for one in event.upsert] == ["D"]
    assert sorted(one["venue_symbol"] for one in event.remove) == ["B", "C"]
    with pytest.raises(PerpwireError, match="quota-exhausted"):
        next(events)
    assert sent == [None, "1", "2", "2"]
    assert 5 < waits[0] < 5.25 and len(waits) == 3


def test_events_come_whole_out_of_any_pieces() -> None:
    text = event_text("change", "1", {"symbol": "é\u2028x\n"}) + ": comment\n\n" + event_text("heartbeat", None, {})
    parser = EventParser()
    data = text.encode()
    events = [event for place in range(len(data)) for event in parser.feed(data[place : place + 1])]
    assert [(one.kind, one.id, one.data) for one in events] == [
        ("change", "1", {"symbol": "é\u2028x\n"}),
        ("heartbeat", None, {}),
    ]
