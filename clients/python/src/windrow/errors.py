"""What can go wrong. Everything raised on purpose is a WindrowError."""
from __future__ import annotations

from dataclasses import dataclass


class WindrowError(Exception):
    """Base of the errors of this package."""


class ConnectionFailed(WindrowError):
    """The server did not answer, also not when asked again where that is safe."""


class FollowTimeout(WindrowError):
    """The run has not ended in the time given. It goes on."""

    def __init__(self, run_id: str, seconds: float) -> None:
        super().__init__(f"{run_id} has not ended after {seconds:g} s. It goes on; follow it again or cancel it.")
        self.run_id = run_id


class PandasMissing(WindrowError):
    def __init__(self) -> None:
        super().__init__("pandas is not installed: pip install 'windrow[pandas]'")


@dataclass(frozen=True)
class FieldError:
    """A field of the request that is not valid."""

    pointer: str
    detail: str


class ApiError(WindrowError):
    """The server refused. `code` is stable; the text is for people."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        fields: tuple[FieldError, ...] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        lines = [detail, *(f"  {_name(field.pointer)}: {field.detail}" for field in fields)]
        super().__init__("\n".join(lines))
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = fields
        self.request_id = request_id
        self.retry_after = retry_after


class RateLimited(ApiError):
    """429, also after the retries."""


class Unavailable(ApiError):
    """503, also after the retries."""


class NotFound(ApiError):
    """404."""


class InvalidRequest(ApiError):
    """400 or 422. `fields` says what is wrong with which field."""


class AccessDenied(ApiError):
    """401 or 403: no key, or a key without the scope."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    422: InvalidRequest,
    429: RateLimited,
    503: Unavailable,
}


def error_for(
    status: int, problem: object, *, request_id: str | None = None, retry_after: float | None = None
) -> ApiError:
    """The error of a response. What stands before the server (a proxy) may answer with anything."""
    body = problem if isinstance(problem, dict) else {}
    listed = body.get("errors")
    fields = tuple(
        FieldError(str(one.get("pointer", "")), str(one.get("detail", "")))
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict)
    )
    detail = body.get("detail") or body.get("message") or f"The server answered with status {status}."
    return _BY_STATUS.get(status, ApiError)(
        status,
        str(body.get("code") or body.get("status") or "unknown"),
        str(detail),
        fields=fields,
        request_id=request_id,
        retry_after=retry_after,
    )


def _name(pointer: str) -> str:
    return pointer.strip("/").replace("/", ".") or "request"
