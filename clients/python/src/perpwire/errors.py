"""What a failed request raises."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx


class PerpwireError(Exception):
    """A request failed.

    ``code`` is an error code of the API (``perpwire.types.ApiErrorCode``) or one of the client: ``unreachable`` when no
    complete answer came, ``unexpected-answer`` when something else than the API answered. A newer service may have
    codes that this version does not know; they are passed on as they are.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        suggestions: Sequence[str] = (),
        docs: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status
        """The HTTP status; None if there was no answer."""
        self.request_id = request_id
        """Names the request in the log of the service."""
        self.suggestions = list(suggestions)
        """Close matches for an unknown coin, venue or path."""
        self.docs = docs
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


def error_of_response(response: httpx.Response) -> PerpwireError:
    """The error of an answer that is not a success; its body must have been read."""
    status = response.status_code
    retry_after_seconds = _seconds(response.headers.get("retry-after"))
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if isinstance(body, dict):
        error = error_of_problem(body, retry_after_seconds)
        if error is not None:
            error.status = status
            error.request_id = response.headers.get("x-request-id", error.request_id)
            return error
    return PerpwireError(
        "unexpected-answer",
        f"HTTP {status} without a problem body",
        status=status,
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=retry_after_seconds,
    )


def error_of_problem(body: dict[str, Any], retry_after_seconds: float | None) -> PerpwireError | None:
    """The error of a problem body; None if it is not one."""
    code, detail, suggestions = body.get("code"), body.get("detail"), body.get("suggestions")
    status, instance, docs = body.get("status"), body.get("instance"), body.get("docs")
    if not isinstance(code, str) or not isinstance(detail, str):
        return None
    return PerpwireError(
        code,
        detail,
        status=status if isinstance(status, int) else None,
        request_id=instance if isinstance(instance, str) else None,
        suggestions=[str(one) for one in suggestions] if isinstance(suggestions, list) else (),
        docs=docs if isinstance(docs, str) else None,
        retry_after_seconds=retry_after_seconds,
    )


def unreachable(cause: httpx.RequestError) -> PerpwireError:
    is_timeout = isinstance(cause, httpx.TimeoutException)
    detail = "No answer came in time" if is_timeout else f"The connection failed: {cause}"
    error = PerpwireError("unreachable", detail)
    error.__cause__ = cause
    return error


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if seconds >= 0 else None
