"""Client of the Perpwire API: funding rates, history, spreads, arbitrage and listings of perpetual futures."""

from .answers import Answer, AsyncRows, Rows, Table
from .client import AsyncPerpwire, Perpwire
from .errors import PerpwireError
from .events import StreamEvent
from .streams import AsyncStream, Stream

__all__ = [
    "Answer",
    "AsyncPerpwire",
    "AsyncRows",
    "AsyncStream",
    "Perpwire",
    "PerpwireError",
    "Rows",
    "Stream",
    "StreamEvent",
    "Table",
]
