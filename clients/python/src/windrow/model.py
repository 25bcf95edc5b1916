"""From JSON to dataclasses. A server may be newer or older than this package: what it adds is kept in `to_dict()`, and a field it does not send is None."""
from __future__ import annotations

import functools
import keyword
import types
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

M = TypeVar("M", bound="Model")


class Model:
    """An object of a reply."""

    #: Where the entries of a page are.
    ITEMS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_dict(cls: type[M], json: dict[str, Any]) -> M:
        made = cls(**{name: decode(kind, json.get(key)) for name, key, kind, _ in _fields(cls)})
        made.__dict__["_json"] = json
        return made

    def to_dict(self) -> dict[str, Any]:
        """The object as the server sent it."""
        return self.__dict__["_json"]


def decode(kind: Any, value: Any) -> Any:
    """`value` as the type says. A value of another form stays as it is."""
    if value is None:
        return None
    if isinstance(kind, type) and issubclass(kind, Model):
        return kind.from_dict(value) if isinstance(value, dict) else value
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return decode(_choice(args, value), value)
    if origin is list and isinstance(value, list):
        return [decode(args[0], one) for one in value]
    if origin is dict and isinstance(value, dict):
        return {key: decode(args[1], one) for key, one in value.items()}
    return value


def items_of(reply: Model) -> list[Any]:
    """The entries of a page."""
    found: Any = reply
    for name in reply.ITEMS:
        found = getattr(found, _python_name(name))
    return found or []


def cursor_of(reply: Model) -> str | None:
    """The cursor of the page that follows."""
    found: Any = reply
    for name in reply.ITEMS[:-1]:
        found = getattr(found, name)
    return getattr(found, "next_cursor", None)


def _choice(kinds: tuple[Any, ...], value: Any) -> Any:
    models = [one for one in kinds if isinstance(one, type) and issubclass(one, Model)]
    if isinstance(value, dict) and models:
        fitting = (one for one in models if all(key in value for _, key, _, needed in _fields(one) if needed))
        return next(fitting, models[0])
    for form in (list, dict):
        if isinstance(value, form):
            return next((one for one in kinds if get_origin(one) is form), Any)
    return Any


@functools.cache
def _fields(cls: type[Model]) -> tuple[tuple[str, str, Any, bool], ...]:
    hints = get_type_hints(cls)
    return tuple(
        (field.name, _json_name(field.name), hints[field.name], field.default is MISSING)
        for field in fields(cls)  # type: ignore[arg-type]
    )


def _json_name(name: str) -> str:
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _python_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def rows(items: Any) -> Iterator[dict[str, Any]]:
    for one in items:
        yield one.to_dict() if isinstance(one, Model) else one
