"""What the generated resources are made of."""

from __future__ import annotations

from typing import Any

from .answers import Answer, AsyncRows, Request, Rows, Table
from .endpoint import Endpoint
from .streams import AsyncStream, Stream
from .transport import AsyncTransport, Transport


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _answer(self, request: Request) -> dict[str, Any]:
        return self._transport.get(request.address, is_cached=request.is_cached)

    def _get(self, endpoint: Endpoint, params: dict[str, Any]) -> Answer[Any]:
        answer = self._answer(Request(endpoint, params))
        return Answer(answer["data"], answer["meta"])

    def _table(self, endpoint: Endpoint, params: dict[str, Any], path_value: str | None = None) -> Table[Any]:
        request = Request(endpoint, params, path_value)
        return request.table(self._answer(request))

    def _all(self, endpoint: Endpoint, params: dict[str, Any]) -> Rows[Any]:
        return Rows(self._transport, Request(endpoint, params))

    def _stream(self, endpoint: Endpoint, params: dict[str, Any]) -> Stream[Any]:
        return Stream(self._transport, Request(endpoint, params))


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _answer(self, request: Request) -> dict[str, Any]:
        return await self._transport.get(request.address, is_cached=request.is_cached)

    async def _get(self, endpoint: Endpoint, params: dict[str, Any]) -> Answer[Any]:
        answer = await self._answer(Request(endpoint, params))
        return Answer(answer["data"], answer["meta"])

    async def _table(self, endpoint: Endpoint, params: dict[str, Any], path_value: str | None = None) -> Table[Any]:
        request = Request(endpoint, params, path_value)
        return request.table(await self._answer(request))

    def _all(self, endpoint: Endpoint, params: dict[str, Any]) -> AsyncRows[Any]:
        return AsyncRows(self._transport, Request(endpoint, params))

    def _stream(self, endpoint: Endpoint, params: dict[str, Any]) -> AsyncStream[Any]:
        return AsyncStream(self._transport, Request(endpoint, params))
