from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, get_args

import httpx
import pytest

from conftest import Service
from perpwire import Perpwire, PerpwireError
from perpwire.types import ApiErrorCode


def error_of(call: Callable[[], object]) -> PerpwireError:
    with pytest.raises(PerpwireError) as caught:
        call()
    return caught.value


def test_an_error_has_all_of_the_problem(service: Service) -> None:
    error = error_of(lambda: service.client().funding.coin("BTX"))
    assert (error.code, error.status) == ("unknown-coin", 404)
    assert "BTX" in error.detail and "BTC" in error.suggestions
    assert str(error) == f"unknown-coin: {error.detail}"
    assert error.request_id
    assert error.docs == f"{service.url}/developers"
    assert service.statuses == [404], "it was not tried again"


def test_the_service_raises_what_callers_do_wrong(service: Service) -> None:
    def code(**options: Any) -> str:
        return error_of(lambda: service.client(**options).funding.list(limit=100)).code

    client = service.client()
    assert error_of(lambda: client.coins.list(exchange="Nowhere")).code == "unknown-exchange"
    assert error_of(lambda: client.coins.list(limit=0)).code == "invalid-parameter"
    assert code(api_key="wrong") == "unauthenticated"
    assert code(api_key=service.keys["demo"]) == "plan-limit"
    assert code(api_key=service.new_key("pro", scopes=["usage:read"])["key"]) == "scope-missing"
    assert code(base_url=f"{service.url}/api/v1") == "not-found"


@pytest.mark.parametrize("code", get_args(ApiErrorCode))
def test_every_error_code_arrives(service: Service, code: str) -> None:
    service.control("fail", code=code, retryAfterSeconds=1000)
    error = error_of(lambda: service.client().funding.list())
    assert (error.code, error.status) == (code, service.statuses[0])
    if code != "internal":
        assert error.detail == f"This is the detail of {code}."
    assert len(service.statuses) == 1, "a Retry-After of 1000 seconds is not waited for"
    assert error.retry_after_seconds == 1000

    async def later() -> None:
        async with service.async_client() as client:
            await client.funding.list()

    assert error_of(lambda: asyncio.run(later())).code == code


@pytest.mark.parametrize(
    ("code", "tries"),
    [
        ("overloaded", 4),
        ("internal", 4),
        ("rate-limited", 4),
        ("quota-exhausted", 1),
        ("api-disabled", 1),
        ("bad-request", 1),
    ],
)
def test_only_what_may_pass_is_tried_again(service: Service, waits: list[float], code: str, tries: int) -> None:
    service.control("fail", code=code, retryAfterSeconds=3)
    error_of(lambda: service.client().funding.list())
    assert len(service.statuses) == tries
    assert len(waits) == tries - 1
    longest = [3 + 0.25 * 2**i for i in range(tries - 1)]
    assert all(3 < wait <= most for wait, most in zip(waits, longest, strict=True)), waits


def test_a_429_is_tried_again_after_retry_after(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    key = service.new_key("demo")["key"]
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        service.control("advance", ms=int(seconds * 1000))

    monkeypatch.setattr("time.sleep", wait)
    client = service.client(api_key=key)
    for limit in range(1, 21):
        client.coins.list(limit=limit)
    spent = error_of(lambda: service.client(api_key=key, max_retry_after_seconds=5).coins.list())
    assert spent.code == "rate-limited"
    after = spent.retry_after_seconds or 0
    assert 5 < after <= 60
    assert client.coins.list().data
    assert service.statuses[-2:] == [429, 200]
    assert len(waits) == 1 and after < waits[0] < after + 0.25


def test_another_server_is_an_unexpected_answer() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, html="<h1>Hi</h1>")

    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = Perpwire("key", "https://perpwire.example/", http_client=http)
    assert error_of(lambda: client.coins.list()).code == "unexpected-answer"


def test_a_key_is_not_sent_after_a_redirect() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"location": "https://elsewhere.example/"})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = Perpwire("key", "https://perpwire.example", http_client=http)
    error = error_of(lambda: client.coins.list())
    assert (error.code, error.status) == ("unexpected-answer", 302)
