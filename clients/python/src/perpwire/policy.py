"""What the clients do about requests, without doing any input or output: headers, cache, retries."""

from __future__ import annotations

import json
import os
import random
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import httpx

from .errors import PerpwireError, error_of_response

FIRST_DELAY_SECONDS = 0.25
LONGEST_DELAY_SECONDS = 8.0
#: Errors that do not go away by trying again, although their status is 429 or 503.
FINAL_CODES = frozenset({"quota-exhausted", "api-disabled"})


@dataclass(frozen=True)
class Options:
    api_key: str
    base_url: str
    max_retries: int
    max_retry_after_seconds: float
    cached_answers: int


def read_options(
    api_key: str | None,
    base_url: str | None,
    *,
    max_retries: int,
    max_retry_after_seconds: float,
    cached_answers: int,
) -> Options:
    """The options, with the key and the address from the environment where they are not given."""
    key = api_key or os.environ.get("PERPWIRE_API_KEY") or ""
    url = base_url or os.environ.get("PERPWIRE_BASE_URL") or ""
    if not key:
        raise ValueError("api_key is missing: pass it, or set PERPWIRE_API_KEY")
    if not url.startswith(("http://", "https://")):
        raise ValueError("base_url must be an address such as https://perpwire.example; or set PERPWIRE_BASE_URL")
    return Options(key, url.rstrip("/"), max_retries, max_retry_after_seconds, cached_answers)


class Policy:
    """Safe to use from several threads."""

    def __init__(self, options: Options) -> None:
        self._options = options
        # Bytes, not parsed answers: each caller gets an answer of its own, which it may change. Oldest first.
        self._cache: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def url(self, address: str) -> str:
        return f"{self._options.base_url}/api/v1{address}"

    def headers(self, address: str) -> dict[str, str]:
        headers = {"authorization": f"Bearer {self._options.api_key}", "accept": "application/json"}
        with self._lock:
            known = self._cache.get(address)
        if known is not None:
            headers["if-none-match"] = known[0]
        return headers

    def file_url(self, address: str) -> str:
        return f"{self._options.base_url}{address}"

    def file_headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._options.api_key}"}

    def manifest(self, response: httpx.Response) -> dict[str, Any]:
        if response.status_code != 200:
            raise error_of_response(response)
        try:
            manifest = response.json()
        except ValueError:
            manifest = None
        if not isinstance(manifest, dict) or "days" not in manifest:
            raise PerpwireError("unexpected-answer", "The answer is not the manifest of a lake.", status=200)
        return manifest

    def part(self, response: httpx.Response, start: int, end: int) -> bytes:
        if response.status_code not in (200, 206):
            raise error_of_response(response)
        # A proxy may ignore Range and send the whole file.
        return response.content if response.status_code == 206 else response.content[start : end + 1]

    def stream_headers(self, last_event_id: str | None) -> dict[str, str]:
        headers = {"authorization": f"Bearer {self._options.api_key}", "accept": "text/event-stream"}
        if last_event_id is not None:
            headers["last-event-id"] = last_event_id
        return headers

    def answer(self, address: str, response: httpx.Response, *, is_cached: bool) -> dict[str, Any]:
        """The parsed answer; raises the problem if it is one."""
        content = self._content(address, response, is_cached)
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "data" not in answer or "meta" not in answer:
            raise PerpwireError(
                "unexpected-answer",
                "The answer is not one of the API; is base_url the address of the service?",
                status=response.status_code,
            )
        return answer

    def _content(self, address: str, response: httpx.Response, is_cached: bool) -> bytes:
        if response.status_code == 304:
            with self._lock:
                known = self._cache.get(address)
            if known is not None:
                return known[1]
        if response.status_code != 200:
            raise error_of_response(response)
        etag = response.headers.get("etag")
        is_storable = "no-store" not in response.headers.get("cache-control", "")
        if is_cached and is_storable and etag is not None:
            self._keep(address, etag, response.content)
        return response.content

    def _keep(self, address: str, etag: str, content: bytes) -> None:
        with self._lock:
            self._cache[address] = (etag, content)
            self._cache.move_to_end(address)
            while len(self._cache) > self._options.cached_answers:
                self._cache.popitem(last=False)

    def delay_seconds(self, error: PerpwireError, tries: int) -> float | None:
        """The wait before the next try; None if there should be none."""
        if tries >= self._options.max_retries or not is_temporary(error):
            return None
        after = error.retry_after_seconds
        if after is None:
            return backoff_seconds(tries)
        return None if after > self._options.max_retry_after_seconds else after + backoff_seconds(tries)


def is_temporary(error: PerpwireError) -> bool:
    return error.code not in FINAL_CODES and (
        error.code == "unreachable" or error.status == 429 or (error.status or 0) >= 500
    )


def backoff_seconds(tries: int) -> float:
    # Without jitter, all clients that were turned away together would come back together.
    longest = min(FIRST_DELAY_SECONDS * 2.0 ** min(tries, 10), LONGEST_DELAY_SECONDS)
    return longest * random.uniform(0.5, 1)
