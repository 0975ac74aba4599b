"""Sends requests, with httpx: the same loop for the synchronous and the asynchronous client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import httpx

from .errors import PerpwireError, unreachable
from .policy import Options, Policy

T = TypeVar("T")


class Transport:
    def __init__(self, options: Options, http_client: httpx.Client) -> None:
        self.policy = Policy(options)
        self.http = http_client

    def get(self, address: str, *, is_cached: bool) -> dict[str, Any]:
        def answer() -> dict[str, Any]:
            response = self.http.get(self.policy.url(address), headers=self.policy.headers(address))
            return self.policy.answer(address, response, is_cached=is_cached)

        return self._retried(answer)

    def manifest(self) -> dict[str, Any]:
        def answer() -> dict[str, Any]:
            return self.policy.manifest(self.http.get(self.policy.file_url("/lake/manifest.json"), headers=headers))

        headers = self.policy.file_headers()
        return self._retried(answer)

    def part(self, address: str, start: int, end: int) -> bytes:
        """The bytes of a file from start to end, both included."""
        headers = {**self.policy.file_headers(), "range": f"bytes={start}-{end}"}

        def answer() -> bytes:
            return self.policy.part(self.http.get(self.policy.file_url(address), headers=headers), start, end)

        return self._retried(answer)

    def _retried(self, send: Callable[[], T]) -> T:
        for tries in count():
            try:
                return send()
            except httpx.RequestError as cause:
                error = unreachable(cause)
            except PerpwireError as problem:
                error = problem
            delay = self.policy.delay_seconds(error, tries)
            if delay is None:
                raise error
            time.sleep(delay)
        raise AssertionError("the loop has no end")


class AsyncTransport:
    def __init__(self, options: Options, http_client: httpx.AsyncClient) -> None:
        self.policy = Policy(options)
        self.http = http_client

    async def get(self, address: str, *, is_cached: bool) -> dict[str, Any]:
        for tries in count():
            try:
                response = await self.http.get(self.policy.url(address), headers=self.policy.headers(address))
                return self.policy.answer(address, response, is_cached=is_cached)
            except httpx.RequestError as cause:
                error = unreachable(cause)
            except PerpwireError as problem:
                error = problem
            delay = self.policy.delay_seconds(error, tries)
            if delay is None:
                raise error
            await asyncio.sleep(delay)
        raise AssertionError("the loop has no end")
