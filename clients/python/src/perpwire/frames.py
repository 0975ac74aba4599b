"""Answers as data frames."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .endpoint import ColumnKind, Endpoint

if TYPE_CHECKING:
    import pandas

#: Null is NaN in floats, NaT in times and NA elsewhere.
DTYPES: Mapping[ColumnKind, str] = {
    "text": "string",
    "float": "float64",
    "int": "int64",
    "int?": "Int64",
    "bool": "bool",
    "bool?": "boolean",
    "time": "datetime64[ns, UTC]",
    "day": "datetime64[ns, UTC]",
    "list": "object",
}


def data_frame(rows: list[dict[str, Any]], columns: Mapping[str, ColumnKind]) -> pandas.DataFrame:
    """A frame with these columns and their types, also if there are no rows.

    Columns that an older service does not have are left out. Columns that this version does not know come last, with
    the type that pandas gives them.
    """
    import pandas

    present = {name for row in rows for name in row}
    known = [name for name in columns if name in present or not rows]
    unknown = dict.fromkeys(name for row in rows for name in row if name not in columns)
    series = {name: _series([row.get(name) for row in rows], columns[name]) for name in known}
    others = {name: pandas.Series([row.get(name) for row in rows]) for name in unknown}
    return pandas.DataFrame({**series, **others}, index=pandas.RangeIndex(len(rows)))


def _series(values: list[Any], kind: ColumnKind) -> pandas.Series[Any]:
    import pandas

    if kind in ("time", "day"):
        values = [None if value is None else _utc(value) for value in values]
    # A service of another version may not know what this one promises.
    if kind in ("int", "bool") and None in values:
        return pandas.Series(values, dtype={"int": "Int64", "bool": "boolean"}[kind])
    return pandas.Series(values, dtype=DTYPES[kind])


def _utc(text: str) -> datetime.datetime:
    """A day is its midnight."""
    time = datetime.datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)


def answer_frame(data: object, endpoint: Endpoint, fields: object) -> pandas.DataFrame:
    """The rows of an answer, each with the inherited columns of the objects around it."""
    lists = {place.path: list(_lists(data, place.path, {}, endpoint)) for place in endpoint.rows}
    # Without any list it is unknown which of the places would have had the rows.
    places = [place for place in endpoint.rows if lists[place.path]] or endpoint.rows
    columns = endpoint.columns(places, fields)
    rows = [{**outer, **_flat(row, columns)} for found in lists.values() for outer, rows in found for row in rows]
    return data_frame(rows, columns)


def _flat(row: Mapping[str, Any], columns: Mapping[str, ColumnKind], before: str = "") -> dict[str, Any]:
    """A row whose objects are columns with dotted names. Lists that are no column have rows of their own: they are left out."""
    flat: dict[str, Any] = {}
    for inner, value in row.items():
        name = f"{before}{inner}"
        if isinstance(value, dict):
            flat |= _flat(value, columns, f"{name}.")
        elif name in columns or not isinstance(value, list):
            flat[name] = value
    return flat


def _lists(
    data: Any, path: tuple[str, ...], outer: dict[str, Any], endpoint: Endpoint
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The lists of rows at a place, each with the inherited columns; null is no list."""
    if not path:
        yield outer, data
        return
    for one in data if isinstance(data, list) else [data]:
        if one[path[0]] is not None:
            own = {name: value for name, value in one.items() if name in endpoint.inherited}
            yield from _lists(one[path[0]], path[1:], {**outer, **own}, endpoint)
