"""What the generated methods share."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Protocol


class _Unset:
    def __repr__(self) -> str:
        return "UNSET"


#: A parameter that is not sent. None is sent, as null: it clears a field.
UNSET: Any = _Unset()


class Call(Protocol):
    def __call__(
        self,
        reply: Any,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any = ...,
        idempotency_key: str | None = ...,
    ) -> Any: ...


class Group:
    """The operations of one area."""

    def __init__(self, call: Call) -> None:
        self._call = call


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not UNSET}


def new_key() -> str:
    """One for each call, the same in all its retries: a call makes one run."""
    return str(uuid.uuid4())
