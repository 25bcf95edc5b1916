"""HTTP by the standard library: retries, time limits, and errors with the server's own sentence."""
from __future__ import annotations

import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .calls import UNSET
from .errors import ConnectionFailed, error_for
from .version import VERSION

#: "Ask again": the server has taken nothing of the request.
_AGAIN = (429, 503)
_FIRST_PAUSE = 0.5
_USER_AGENT = f"windrow-python/{VERSION}"


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key would go along to wherever a redirect leads."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Has no state between requests: threads may share one."""

    def __init__(
        self,
        url: str,
        key: str | None,
        *,
        timeout: float,
        retries: int,
        max_wait: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"url has to start with http:// or https://, not {url!r}")
        self.url = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._max_wait = max_wait
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = UNSET,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        extra_timeout: float = 0,
    ) -> Response:
        """304 and what is below 300 are returned, the rest is raised."""
        made = urllib.request.Request(
            self.url + path + _query(query or {}), method=method, headers=self._headers(headers, idempotency_key)
        )
        if body is not UNSET:
            made.data = json.dumps(body).encode()
            made.add_header("Content-Type", "application/json")
        # A request that reached a server whose answer was lost must not be done twice.
        is_repeatable = method == "GET" or idempotency_key is not None
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            try:
                response = self._once(made, self._timeout + extra_timeout)
            except (OSError, http.client.HTTPException) as error:
                if is_last or not is_repeatable:
                    raise ConnectionFailed(f"No answer from {self.url}: {_reason(error)}") from error
                self._sleep(_pause(attempt))
                continue
            if response.status < 300 or response.status == 304:
                return response
            retry_after = _retry_after(response.headers)
            pause = _pause(attempt) if retry_after is None else retry_after
            if is_last or response.status not in _AGAIN or pause > self._max_wait:
                raise _refusal(response, retry_after)
            self._sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, made: urllib.request.Request, timeout: float) -> Response:
        try:
            with self._opener.open(made, timeout=timeout) as answer:
                return Response(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                return Response(refused.code, refused.headers, refused.read())

    def _headers(self, more: Mapping[str, str] | None, idempotency_key: str | None) -> dict[str, str]:
        return {
            "Accept": "application/json",
            "User-Agent": _USER_AGENT,
            **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
            **({"Idempotency-Key": idempotency_key} if idempotency_key else {}),
            **(more or {}),
        }


def _query(values: Mapping[str, Any]) -> str:
    pairs = [(name, _text(value)) for name, value in values.items() if value is not None]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(one) for one in value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _pause(attempt: int) -> float:
    return _FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, given as such or as a date."""
    text = headers.get("Retry-After")
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _refusal(response: Response, retry_after: float | None) -> Exception:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    return error_for(
        response.status, problem, request_id=response.headers.get("X-Request-Id"), retry_after=retry_after
    )


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or error or type(error).__name__)
