"""What the methods of the clients return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .endpoint import Endpoint
from .errors import PerpwireError
from .frames import answer_frame, data_frame
from .transport import AsyncTransport, Transport
from .types import Meta

if TYPE_CHECKING:
    import pandas

#: The largest page of all plans but Demo, which refuses it.
LARGEST_PAGE = 500

#: Gets the number of rows that have come, and of all rows.
OnPage = Callable[[int, "int | None"], None]

Data = TypeVar("Data")
Row = TypeVar("Row")


@dataclass(frozen=True)
class Answer(Generic[Data]):
    """An answer of the API."""

    data: Data
    meta: Meta


@dataclass(frozen=True)
class Table(Answer[Data]):
    """An answer with rows."""

    _endpoint: Endpoint = field(repr=False, compare=False)
    _fields: object = field(repr=False, compare=False)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame; times and days are UTC."""
        return answer_frame(self.data, self._endpoint, self._fields)


class Request:
    """The parameters of a request, and what becomes of its answer."""

    def __init__(self, endpoint: Endpoint, params: dict[str, Any], path_value: str | None = None) -> None:
        self.endpoint = endpoint
        self.params = params
        self._path_value = path_value

    @property
    def address(self) -> str:
        return self.endpoint.address(self.params, self._path_value)

    @property
    def is_cached(self) -> bool:
        """A page behind a cursor is read once, so it is not kept."""
        return self.params.get("cursor") is None

    @property
    def is_free(self) -> bool:
        """The caller has not chosen the size of pages."""
        has_limit = "limit" in self.endpoint.parameters
        return has_limit and self.params.get("limit") is None and self.params.get("cursor") is None

    def with_largest_pages(self) -> Request:
        return Request(self.endpoint, {**self.params, "limit": LARGEST_PAGE}) if self.is_free else self

    def with_smaller_pages(self, error: PerpwireError) -> Request:
        """The request after the plan refused its pages; raises any other error."""
        if not self.is_free or error.code != "plan-limit":
            raise error
        return self

    def table(self, answer: dict[str, Any]) -> Table[Any]:
        return Table(answer["data"], answer["meta"], self.endpoint, self.params.get("fields"))

    def rows(self, data: Any) -> list[Any]:
        """The rows in ``data`` of a list."""
        for name in self.endpoint.rows[0].path:
            data = data[name]
        return list(data)

    def after(self, page: Table[Any]) -> Request | None:
        """The request for the next page; None after the last."""
        cursor = page.meta.get("next_cursor")
        return None if cursor is None else Request(self.endpoint, {**self.params, "cursor": cursor})

    def frame(self, rows: list[Any], always: tuple[str, ...] = ()) -> pandas.DataFrame:
        columns = self.endpoint.columns(self.endpoint.rows, self.params.get("fields"), always)
        return data_frame(rows, columns)


class Rows(Generic[Row]):
    """All rows of a list, page after page from one snapshot. Each loop reads them anew."""

    def __init__(self, transport: Transport, request: Request) -> None:
        self._transport = transport
        self._request = request

    def pages(self) -> Iterator[Table[Any]]:
        """Each page costs one request. Without ``limit`` pages are as large as the plan allows."""
        request: Request | None = self._request.with_largest_pages()
        while request is not None:
            try:
                answer = self._transport.get(request.address, is_cached=request.is_cached)
            except PerpwireError as error:
                request = self._request.with_smaller_pages(error)
                answer = self._transport.get(request.address, is_cached=request.is_cached)
            page = request.table(answer)
            yield page
            request = request.after(page)

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from self._request.rows(page.data)

    def to_pandas(self, on_page: OnPage | None = None) -> pandas.DataFrame:
        """Reads all pages into a data frame; times and days are UTC.

        ``on_page`` is called after each page with the number of rows that have come and the number that there are.
        """
        rows: list[Any] = []
        for page in self.pages():
            rows += self._request.rows(page.data)
            if on_page is not None:
                on_page(len(rows), page.meta["total"])
        return self._request.frame(rows)


class AsyncRows(Generic[Row]):
    """All rows of a list, page after page from one snapshot. Each loop reads them anew."""

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def pages(self) -> AsyncIterator[Table[Any]]:
        """Each page costs one request. Without ``limit`` pages are as large as the plan allows."""
        request: Request | None = self._request.with_largest_pages()
        while request is not None:
            try:
                answer = await self._transport.get(request.address, is_cached=request.is_cached)
            except PerpwireError as error:
                request = self._request.with_smaller_pages(error)
                answer = await self._transport.get(request.address, is_cached=request.is_cached)
            page = request.table(answer)
            yield page
            request = request.after(page)

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in self._request.rows(page.data):
                yield row

    async def to_pandas(self, on_page: OnPage | None = None) -> pandas.DataFrame:
        """Reads all pages into a data frame; times and days are UTC.

        ``on_page`` is called after each page with the number of rows that have come and the number that there are.
        """
        rows: list[Any] = []
        async for page in self.pages():
            rows += self._request.rows(page.data)
            if on_page is not None:
                on_page(len(rows), page.meta["total"])
        return self._request.frame(rows)
