"""The client: the operations of the API by area, pages as iterators, and runs followed to their end."""
from __future__ import annotations

import os
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

from .calls import UNSET
from .errors import FollowTimeout
from .model import Model, cursor_of, decode, items_of
from .models import RunDetail
from .operations import Groups
from .transport import Transport

P = ParamSpec("P")
R = TypeVar("R", bound=Model)

DEFAULT_URL = "http://127.0.0.1:8000"
_FIRST_POLL = 0.25
_LAST_POLL = 5.0
_CART_ATTEMPTS = 5


class Client(Groups):
    """Client of a running Windrow.

    url: WINDROW_URL if not given, else http://127.0.0.1:8000
    key: WINDROW_API_KEY if not given
    timeout: seconds that the server may be silent
    retries: how often a request is sent again after 429, 503 or a lost connection (that only where it is safe)
    max_wait: longest Retry-After that is waited for, in seconds; above it the error is raised at once
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 30,
        retries: int = 5,
        max_wait: float = 60,
    ) -> None:
        self._transport = Transport(
            url or os.environ.get("WINDROW_URL") or DEFAULT_URL,
            key or os.environ.get("WINDROW_API_KEY"),
            timeout=timeout,
            retries=retries,
            max_wait=max_wait,
        )
        self.url = self._transport.url
        super().__init__(self._call)

    def pages(self, method: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        """All pages of a list: `client.pages(client.data.list_postings, q="python")`."""
        while True:
            page = method(*args, **kwargs)
            yield page
            cursor = cursor_of(page)
            if cursor is None:
                return
            kwargs["cursor"] = cursor

    def items(self, method: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Iterator[Any]:
        """All entries of a list, page after page: `client.items(client.runs.list_runs)`."""
        for page in self.pages(method, *args, **kwargs):
            yield from items_of(page)

    def follow(self, run_id: str, *, timeout: float | None = None) -> Iterator[RunDetail]:
        """The state of a run of any kind now and whenever it changes, until it has ended. To stop following does not stop the run.

        timeout: seconds, after which FollowTimeout is raised
        """
        end = None if timeout is None else time.monotonic() + timeout
        last: dict[str, Any] | None = None
        pause = _FIRST_POLL
        while True:
            run = self.operations.get_run(run_id)
            if run.kind == "cart" and run.status != "running":
                self._settle_cart(run_id)
            if run.to_dict() != last:
                last, pause = run.to_dict(), _FIRST_POLL
                yield run
            if run.status != "running":
                return
            if end is not None and time.monotonic() >= end:
                raise FollowTimeout(run_id, timeout or 0)
            time.sleep(pause if end is None else max(0.0, min(pause, end - time.monotonic())))
            pause = min(pause * 1.5, _LAST_POLL)

    def wait(self, run_id: str, *, timeout: float | None = None) -> RunDetail:
        """Follows a run to its end and returns its last state."""
        *_, last = self.follow(run_id, timeout=timeout)
        return last

    def _settle_cart(self, run_id: str) -> None:
        """Polls of a cart may be a moment behind the list of runs: who waited finds all results."""
        for _ in range(_CART_ATTEMPTS):
            if self.carts.get_cart_results(run_id, wait=2).status not in ("queued", "processing"):
                return

    def _call(
        self,
        reply: Any,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any = UNSET,
        idempotency_key: str | None = None,
    ) -> Any:
        for name, value in path_values.items():
            path = path.replace(f"{{{name}}}", urllib.parse.quote(str(value), safe=""))
        wait = query.get("wait")
        response = self._transport.request(
            method,
            path,
            query=query,
            body=body,
            headers={"Accept": "*/*"} if reply in (str, bytes) else None,
            idempotency_key=idempotency_key,
            extra_timeout=float(wait) if wait else 0,
        )
        if reply is bytes:
            return response.body
        return response.body.decode() if reply is str else decode(reply, response.json())
