"""How the generated code describes an endpoint, and the address of a request to it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlencode

#: How ``to_pandas`` stores a column: its type, with ``?`` where null is a value.
ColumnKind = Literal["text", "float", "int", "int?", "bool", "bool?", "time", "day", "list"]


@dataclass(frozen=True)
class Order:
    """A named order of a list. Nulls come last in both directions."""

    column: str
    is_descending: bool
    is_absolute: bool = False
    #: Compare by the smaller of the two columns.
    or_smaller: str | None = None


@dataclass(frozen=True)
class FollowedList:
    """What the client must know of a list to follow it."""

    #: The columns that identify a row.
    identity: tuple[str, ...]
    #: By the name of the sort. A sort whose rows do not show their order is not there.
    orders: Mapping[str, Order]
    default_sort: str
    ties: tuple[str, ...]


@dataclass(frozen=True)
class RowPlace:
    """Where ``data`` has rows: the names of the fields that lead to them, and their columns."""

    path: tuple[str, ...]
    columns: Mapping[str, ColumnKind]


@dataclass(frozen=True)
class Endpoint:
    path: str
    parameters: frozenset[str]
    #: The columns of ``to_pandas`` that come from the objects around the rows; ``fields`` does not leave them out.
    inherited: Mapping[str, ColumnKind]
    #: Empty for an answer without rows. History has a place for each resolution.
    rows: tuple[RowPlace, ...]
    #: None for an endpoint that has no stream.
    stream: FollowedList | None

    def address(self, params: Mapping[str, object], path_value: str | None = None) -> str:
        """Path and query, below /api/v1."""
        unknown = {name.rstrip("_") for name in params} - self.parameters
        if unknown:
            # The API ignores unknown parameters, so a misspelled filter would change the answer unnoticed.
            raise TypeError(f"{self.path} has no parameter {', '.join(sorted(unknown))}")
        path = self.path
        if path_value is not None:
            start, _, rest = path.partition("{")
            path = start + quote(path_value, safe="") + rest.partition("}")[2]
        query = urlencode(
            {name.rstrip("_"): _text(value) for name, value in params.items() if value is not None},
            safe=",:",
        )
        return f"{path}?{query}" if query else path

    def columns(self, places: Iterable[RowPlace], fields: object, always: Iterable[str] = ()) -> dict[str, ColumnKind]:
        """The columns that an answer with rows at these places has with these ``fields``."""
        own = {name: kind for place in places for name, kind in place.columns.items()}
        if fields is not None:
            kept = {*_text(fields).split(","), *always}
            own = {name: kind for name, kind in own.items() if name in kept}
        return {**self.inherited, **own}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A time without a zone is UTC, as everywhere in the API.
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(one) for one in value)
    return str(value)
