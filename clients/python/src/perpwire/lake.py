"""The Parquet files of the service, read in place."""

from __future__ import annotations

import datetime
import io
from typing import TYPE_CHECKING, Any, Literal

from .transport import Transport

if TYPE_CHECKING:
    import pyarrow

LakeDataset = Literal["prints", "running", "open_interest", "depth", "contracts", "listings", "forecasts"]
Day = str | datetime.date | None


def read_lake(
    transport: Transport, dataset: LakeDataset, from_: Day, to: Day, coin: str | None, columns: list[str] | None
) -> pyarrow.Table:
    import pyarrow
    from pyarrow import compute, parquet

    first, last = _day(from_) or "", _day(to) or "9999"
    parts: list[Any] = []
    for day in transport.manifest()["days"]:
        for file in day["files"]:
            if file["dataset"] != dataset or not first <= day["day"] <= last:
                continue
            opened = parquet.ParquetFile(_RangeFile(transport, f"/lake/{file['path']}", file["bytes"]))
            groups = range(opened.num_row_groups)
            if coin is None:
                parts.append(opened.read_row_groups(list(groups), columns=columns))
                continue
            coin = coin.upper()
            some = [group for group in groups if _may_have(opened.metadata.row_group(group), coin)]
            wanted = None if columns is None else list(dict.fromkeys([*columns, "coin"]))
            rows = opened.read_row_groups(some, columns=wanted)
            rows = rows.filter(compute.equal(rows["coin"], coin))
            parts.append(rows if columns is None else rows.select(columns))
    return pyarrow.concat_tables(parts) if parts else pyarrow.table({})


def _day(value: Day) -> str | None:
    text = value.isoformat() if isinstance(value, datetime.date) else value
    if text is None:
        return None
    return datetime.date.fromisoformat(text[:10]).isoformat()


def _may_have(group: Any, coin: str) -> bool:
    """Whether a row group can have rows of the coin, by its statistics."""
    for place in range(group.num_columns):
        column = group.column(place)
        if column.path_in_schema == "coin":
            found = column.statistics
            return found is None or not found.has_min_max or bool(found.min <= coin <= found.max)
    return True


class _RangeFile(io.RawIOBase):
    """A file of the service. Each read is a request for its bytes."""

    def __init__(self, transport: Transport, address: str, size: int) -> None:
        self._transport = transport
        self._address = address
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int = -1) -> bytes:
        end = self._size if size < 0 else min(self._at + size, self._size)
        if end <= self._at:
            return b""
        content = self._transport.part(self._address, self._at, end - 1)
        self._at = end
        return content
