"""Streams that connect again and resume where they were."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from types import TracebackType
from typing import Generic, TypeVar

import httpx

from .answers import Request
from .errors import PerpwireError, error_of_response, unreachable
from .events import EventParser, StreamEvent
from .followed_rows import FollowedRows
from .transport import AsyncTransport, Transport

Row = TypeVar("Row")


class Stream(FollowedRows[Row], Generic[Row]):
    """The changes of a list as they happen. ``rows`` has the rows after the last event.

    Use it in a ``with`` block, which closes the connection.
    """

    def __init__(self, transport: Transport, request: Request) -> None:
        super().__init__(request, transport.policy)
        self._http = transport.http
        self._events = self._follow()

    def __iter__(self) -> Iterator[StreamEvent[Row]]:
        return self._events

    def _follow(self) -> Generator[StreamEvent[Row], None, None]:
        while True:
            error: PerpwireError | None = None
            parser = EventParser()
            try:
                with self._http.stream(**self._connection()) as response:
                    if response.status_code != 200:
                        response.read()
                        raise error_of_response(response)
                    for piece in response.iter_bytes():
                        for raw in parser.feed(piece):
                            event = self._apply(raw)
                            if event is not None:
                                yield event
            except httpx.RequestError as cause:
                error = unreachable(cause)
            except PerpwireError as problem:
                error = problem
            time.sleep(self._delay_seconds(error))

    def close(self) -> None:
        self._events.close()

    def __enter__(self) -> Stream[Row]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncStream(FollowedRows[Row], Generic[Row]):
    """The changes of a list as they happen. ``rows`` has the rows after the last event.

    Use it in an ``async with`` block, which closes the connection.
    """

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        super().__init__(request, transport.policy)
        self._http = transport.http
        self._events = self._follow()

    def __aiter__(self) -> AsyncIterator[StreamEvent[Row]]:
        return self._events

    async def _follow(self) -> AsyncGenerator[StreamEvent[Row], None]:
        while True:
            error: PerpwireError | None = None
            parser = EventParser()
            try:
                async with self._http.stream(**self._connection()) as response:
                    if response.status_code != 200:
                        await response.aread()
                        raise error_of_response(response)
                    async for piece in response.aiter_bytes():
                        for raw in parser.feed(piece):
                            event = self._apply(raw)
                            if event is not None:
                                yield event
            except httpx.RequestError as cause:
                error = unreachable(cause)
            except PerpwireError as problem:
                error = problem
            await asyncio.sleep(self._delay_seconds(error))

    async def aclose(self) -> None:
        await self._events.aclose()

    async def __aenter__(self) -> AsyncStream[Row]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
