"""The two clients."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from .async_resources import AsyncResources
from .lake import Day, LakeDataset, read_lake
from .policy import read_options
from .resources import Resources
from .transport import AsyncTransport, Transport

if TYPE_CHECKING:
    import pyarrow

DEFAULT_RETRIES = 3
DEFAULT_RETRY_AFTER_SECONDS = 60.0
DEFAULT_TIMEOUT_SECONDS = 30.0
DEFAULT_CACHED_ANSWERS = 100


class Perpwire(Resources):
    """The synchronous client. Its attributes are the endpoints: ``perpwire.funding.list()`` and so on.

    api_key: A key of the service; by default the environment variable PERPWIRE_API_KEY.
    base_url: The address of the service; by default the environment variable PERPWIRE_BASE_URL.
    max_retries: Further tries after a 429, a 5xx or a lost connection.
    max_retry_after_seconds: A longer Retry-After is not waited for: the error is raised at once.
    timeout_seconds: For connecting, and for each wait for data. Not used with http_client.
    cached_answers: Answers that are kept to be revalidated with If-None-Match; 0 for none.
    http_client: Sends the requests, for a proxy or certificates of your own. You close it yourself.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        max_retries: int = DEFAULT_RETRIES,
        max_retry_after_seconds: float = DEFAULT_RETRY_AFTER_SECONDS,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        cached_answers: int = DEFAULT_CACHED_ANSWERS,
        http_client: httpx.Client | None = None,
    ) -> None:
        options = read_options(
            api_key,
            base_url,
            max_retries=max_retries,
            max_retry_after_seconds=max_retry_after_seconds,
            cached_answers=cached_answers,
        )
        self._own_http = None if http_client else httpx.Client(timeout=timeout_seconds)
        http = http_client or self._own_http
        assert http is not None
        self._lake = Transport(options, http)
        super().__init__(self._lake)

    def lake(
        self,
        dataset: LakeDataset,
        *,
        from_: Day = None,
        to: Day = None,
        coin: str | None = None,
        columns: list[str] | None = None,
    ) -> pyarrow.Table:
        """Rows of the Parquet files of the service, as a pyarrow table: ``.to_pandas()`` makes a data frame.

        from_, to: First and last day of the files (UTC), both included; by default all that the plan sees.
        coin: Ticker; with it only a small part of each file is read.
        columns: The columns to read; by default all.

        Needs the package pyarrow: ``pip install perpwire[lake]``.
        """
        return read_lake(self._lake, dataset, from_, to, coin, columns)

    def close(self) -> None:
        if self._own_http is not None:
            self._own_http.close()

    def __enter__(self) -> Perpwire:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncPerpwire(AsyncResources):
    """The asynchronous client, with the methods and options of ``Perpwire``."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        max_retries: int = DEFAULT_RETRIES,
        max_retry_after_seconds: float = DEFAULT_RETRY_AFTER_SECONDS,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        cached_answers: int = DEFAULT_CACHED_ANSWERS,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        options = read_options(
            api_key,
            base_url,
            max_retries=max_retries,
            max_retry_after_seconds=max_retry_after_seconds,
            cached_answers=cached_answers,
        )
        self._own_http = None if http_client else httpx.AsyncClient(timeout=timeout_seconds)
        http = http_client or self._own_http
        assert http is not None
        super().__init__(AsyncTransport(options, http))

    async def aclose(self) -> None:
        if self._own_http is not None:
            await self._own_http.aclose()

    async def __aenter__(self) -> AsyncPerpwire:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
