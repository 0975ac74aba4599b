"""Sends requests, with httpx: the same loop for the synchronous and the asynchronous client."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import Any

import httpx

from .errors import PerpwireError, unreachable
from .policy import Options, Policy


class Transport:
    def __init__(self, options: Options, http_client: httpx.Client) -> None:
        self.policy = Policy(options)
        self.http = http_client

    def get(self, address: str, *, is_cached: bool) -> dict[str, Any]:
        for tries in count():
            try:
                response = self.http.get(self.policy.url(address), headers=self.policy.headers(address))
                return self.policy.answer(address, response, is_cached=is_cached)
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
