"""The events of a stream."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from .types import Meta

Row = TypeVar("Row")


@dataclass(frozen=True)
class StreamEvent(Generic[Row]):
    """What has changed since the event before."""

    #: A snapshot comes first, and when too much was missed for a change.
    kind: Literal["snapshot", "change"]
    #: The rows that are new or have changed, whole.
    upsert: list[Row]
    #: The identities of the rows that left.
    remove: list[dict[str, Any]]
    meta: Meta


@dataclass(frozen=True)
class RawEvent:
    kind: str
    id: str | None
    data: dict[str, Any]


class EventParser:
    """Server-sent events from bytes that come in pieces of any size."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""

    def feed(self, piece: bytes) -> Iterator[RawEvent]:
        *blocks, self._text = (self._text + self._decoder.decode(piece)).split("\n\n")
        for block in blocks:
            lines = (line.partition(":") for line in block.split("\n"))
            # The service sends one line of data for each event.
            values = {name: value.removeprefix(" ") for name, _, value in lines}
            if "data" in values:
                yield RawEvent(values.get("event", "message"), values.get("id"), json.loads(values["data"]))
