"""The same client for asyncio: every call runs in a thread of the event loop."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from .calls import Group
from .client import Client
from .models import RunDetail

_END = object()


class _AsyncGroup:
    def __init__(self, group: Group) -> None:
        self._group = group

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._group, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            return await asyncio.to_thread(method, *args, **kwargs)

        call.__name__, call.__doc__ = name, method.__doc__
        call.sync = method  # type: ignore[attr-defined]
        return call


class AsyncClient:
    """`await client.data.list_postings(q="python")`; the parameters are those of Client."""

    def __init__(self, url: str | None = None, key: str | None = None, **options: Any) -> None:
        self._client = Client(url, key, **options)

    def __getattr__(self, name: str) -> _AsyncGroup:
        group = getattr(self._client, name)
        if not isinstance(group, Group):
            raise AttributeError(name)
        return _AsyncGroup(group)

    def pages(self, method: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        """`async for page in client.pages(client.data.list_postings)`."""
        return _in_threads(self._client.pages(method.sync, *args, **kwargs))

    def items(self, method: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        return _in_threads(self._client.items(method.sync, *args, **kwargs))

    def follow(self, run_id: str, *, timeout: float | None = None) -> AsyncIterator[RunDetail]:
        return _in_threads(self._client.follow(run_id, timeout=timeout))

    async def wait(self, run_id: str, *, timeout: float | None = None) -> RunDetail:
        last: Any = None
        async for last in self.follow(run_id, timeout=timeout):
            pass
        return last


async def _in_threads(steps: Iterator[Any]) -> AsyncIterator[Any]:
    while (step := await asyncio.to_thread(next, steps, _END)) is not _END:
        yield step
