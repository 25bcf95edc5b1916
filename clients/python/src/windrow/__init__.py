"""Client of Windrow: job postings, products and articles from the web."""
from . import models
from .aio import AsyncClient
from .calls import UNSET
from .client import Client
from .errors import (
    AccessDenied,
    ApiError,
    ConnectionFailed,
    FieldError,
    FollowTimeout,
    InvalidRequest,
    NotFound,
    PandasMissing,
    RateLimited,
    Unavailable,
    WindrowError,
)
from .frames import to_pandas
from .jobspy import scrape_jobs

__all__ = [
    "UNSET",
    "AccessDenied",
    "ApiError",
    "AsyncClient",
    "Client",
    "ConnectionFailed",
    "FieldError",
    "FollowTimeout",
    "InvalidRequest",
    "NotFound",
    "PandasMissing",
    "RateLimited",
    "Unavailable",
    "WindrowError",
    "models",
    "scrape_jobs",
    "to_pandas",
]
