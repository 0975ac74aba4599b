"""The service that the tests call. `node --test test/clients/python.test.ts` in the repository starts it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from perpwire import AsyncPerpwire, Perpwire


class Service:
    """The running service, and commands to change it."""

    def __init__(self) -> None:
        self.url = os.environ["PERPWIRE_BASE_URL"]
        self.proxy_url = os.environ["PERPWIRE_TEST_PROXY"]
        self.stream_url = os.environ["PERPWIRE_TEST_STREAMS"]
        self.keys: dict[str, str] = json.loads(os.environ["PERPWIRE_TEST_KEYS"])
        # Reading the certificates, which are not needed here, would take longer than most of the tests.
        self._http = httpx.Client(timeout=60, verify=False)
        #: The statuses of the answers that clients of `client` got.
        self.statuses: list[int] = []

    def control(self, command: str, **values: object) -> Any:
        reply = self._http.post(f"{os.environ['PERPWIRE_TEST_CONTROL']}/{command}", json=values)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def get(self, path: str) -> Any:
        """A raw answer, to compare with what the client returns."""
        return self._http.get(f"{self.url}/api/v1{path}", headers={"x-api-key": self.keys["business"]}).json()

    def client(self, **options: Any) -> Perpwire:
        http = httpx.Client(event_hooks={"response": [self._note]}, timeout=30, verify=False)
        defaults: dict[str, Any] = {"api_key": self.keys["business"], "base_url": self.url, "http_client": http}
        return Perpwire(**{**defaults, **options})

    def async_client(self, **options: Any) -> AsyncPerpwire:
        http = httpx.AsyncClient(timeout=30, verify=False)
        defaults: dict[str, Any] = {"api_key": self.keys["business"], "base_url": self.url, "http_client": http}
        return AsyncPerpwire(**{**defaults, **options})

    def new_key(self, plan: str, **wanted: object) -> dict[str, str]:
        key: dict[str, str] = self.control("key", plan=plan, **wanted)
        return key

    def _note(self, response: httpx.Response) -> None:
        self.statuses.append(response.status_code)


@pytest.fixture(scope="session")
def running() -> Service:
    if "PERPWIRE_TEST_CONTROL" not in os.environ:
        pytest.skip("there is no service: run test/clients/python.test.ts of the repository")
    return Service()


@pytest.fixture()
def service(running: Service) -> Iterator[Service]:
    running.statuses.clear()
    yield running
    running.control("restore")


@pytest.fixture()
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits before retries, which take no time."""
    seconds: list[float] = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds
