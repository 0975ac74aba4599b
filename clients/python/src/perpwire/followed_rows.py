"""Streams without input or output: the rows that the events leave, and when to connect again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .answers import Request
from .endpoint import FollowedList, Order
from .errors import PerpwireError, error_of_problem
from .events import RawEvent, StreamEvent
from .policy import Policy, backoff_seconds, is_temporary

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")

#: A heartbeat comes every 15 seconds, so a longer silence is a lost connection.
SILENCE_SECONDS = 40.0


class FollowedRows(Generic[Row]):
    """What both kinds of streams share."""

    def __init__(self, request: Request, policy: Policy) -> None:
        assert request.endpoint.stream is not None
        if "cursor" in request.params:
            raise TypeError(f"a stream of {request.endpoint.path} has no parameter cursor")
        self._request = request
        self._policy = policy
        self._list: FollowedList = request.endpoint.stream
        self._order = self._list.orders.get(request.params.get("sort") or self._list.default_sort)
        self._rows: dict[tuple[Any, ...], Any] = {}
        self._last_event_id: str | None = None
        #: Connections in a row that brought no event.
        self._failures = 0
        #: Set by the event with which a service that restarts closes a stream.
        self._restart_seconds = 0.0

    @property
    def rows(self) -> list[Row]:
        """All rows after the last event, in the order of the list if ``fields`` keeps its column."""
        rows = list(self._rows.values())
        if self._order is None or not rows or self._order.column not in rows[0]:
            return rows
        return _ordered(rows, self._order, [name for name in self._list.ties if name in rows[0]])

    def to_pandas(self) -> pandas.DataFrame:
        """The rows after the last event as a data frame; times and days are UTC."""
        # `fields` of a stream always keeps the identity.
        return self._request.frame(self.rows, self._list.identity)

    def _connection(self) -> dict[str, Any]:
        """The arguments of httpx for a connection that goes on after the last event."""
        return {
            "method": "GET",
            "url": self._policy.url(f"/stream{self._request.address}"),
            "headers": self._policy.stream_headers(self._last_event_id),
            "timeout": SILENCE_SECONDS,
        }

    def _apply(self, event: RawEvent) -> StreamEvent[Row] | None:
        """What the caller sees of an event; raises the problem with which a stream ends."""
        self._failures = 0
        if event.kind == "end":
            self._end(event.data)
            return None
        self._last_event_id = event.id or self._last_event_id
        if event.kind == "snapshot":
            return self._snapshot(event.data)
        return self._change(event.data) if event.kind == "change" else None

    def _snapshot(self, data: dict[str, Any]) -> StreamEvent[Row]:
        before = self._rows
        self._rows = {self._key(row): row for row in self._request.rows(data["data"])}
        changed = [row for key, row in self._rows.items() if before.get(key) != row]
        left = [self._identity(row) for key, row in before.items() if key not in self._rows]
        return StreamEvent("snapshot", changed, left, data["meta"])

    def _change(self, data: dict[str, Any]) -> StreamEvent[Row]:
        for row in data["remove"]:
            self._rows.pop(self._key(row), None)
        for row in data["upsert"]:
            self._rows[self._key(row)] = row
        return StreamEvent("change", data["upsert"], data["remove"], data["meta"])

    def _end(self, data: dict[str, Any]) -> None:
        problem, seconds = data.get("problem"), data.get("retry_after_seconds")
        if isinstance(problem, dict):
            error = error_of_problem(problem, seconds)
            raise error or PerpwireError("unexpected-answer", "The stream ended without a problem body")
        self._restart_seconds = float(seconds or 0)

    def _delay_seconds(self, error: PerpwireError | None) -> float:
        """The wait before the next connection; raises the error if connecting again cannot help."""
        tries, self._failures = self._failures, self._failures + 1
        after, self._restart_seconds = self._restart_seconds, 0.0
        if error is None:
            return after + backoff_seconds(tries)
        if not is_temporary(error):
            raise error
        # A service that restarts comes back, so a stream that was open tries again without limit.
        if self._last_event_id is not None:
            return (error.retry_after_seconds or 0.0) + backoff_seconds(tries)
        delay = self._policy.delay_seconds(error, tries)
        if delay is None:
            raise error
        return delay

    def _identity(self, row: Any) -> dict[str, Any]:
        return {name: row[name] for name in self._list.identity}

    def _key(self, row: Any) -> tuple[Any, ...]:
        return tuple(row[name] for name in self._list.identity)


def _ordered(rows: list[Any], order: Order, ties: list[str]) -> list[Any]:
    def value_of(row: Any) -> Any:
        value = row[order.column]
        other = None if order.or_smaller is None else row.get(order.or_smaller)
        if value is not None and other is not None:
            value = min(value, other)
        return abs(value) if order.is_absolute and value is not None else value

    tied = sorted(rows, key=lambda row: [row[name] for name in ties])
    known = [row for row in tied if value_of(row) is not None]
    # A reversed sort is stable too, so the ties stay in their order.
    known.sort(key=value_of, reverse=order.is_descending)
    return known + [row for row in tied if value_of(row) is None]
