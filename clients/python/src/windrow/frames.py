"""Tables for those who have pandas."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .errors import PandasMissing
from .model import Model, items_of, rows

if TYPE_CHECKING:
    import pandas


def to_pandas(items: Model | Iterable[Any]) -> pandas.DataFrame:
    """A row for each entry of a page, or of `client.items(…)`. Raises PandasMissing without pandas."""
    try:
        import pandas
    except ImportError as error:
        raise PandasMissing() from error
    return pandas.DataFrame(list(rows(items_of(items) if isinstance(items, Model) else items)))
