"""`scrape_jobs` with the parameters and columns of JobSpy: its users change an import. The scraping is done by a Windrow server."""
from __future__ import annotations

import warnings
from collections.abc import Sequence
from enum import Enum
from typing import Any

from .calls import UNSET
from .client import Client
from .errors import WindrowError
from .models import Posting

#: The sites of JobSpy, and their names here.
SITES = {
    "linkedin": "linkedin",
    "indeed": "indeed",
    "zip_recruiter": "ziprecruiter",
    "glassdoor": "glassdoor",
    "google": "google-jobs",
    "bayt": "bayt",
    "naukri": "naukri",
    "bdjobs": "bdjobs",
}

COLUMNS = (
    "id site job_url job_url_direct title company location date_posted job_type salary_source interval min_amount max_amount "
    "currency is_remote job_level job_function listing_type emails description company_industry company_url company_logo "
    "company_url_direct company_addresses company_num_employees company_revenue company_description skills experience_range "
    "company_rating company_reviews_count vacancy_count work_from_home_type"
).split()

_JOBSPY_SITES = {ours: theirs for theirs, ours in SITES.items()}
_INTERVALS = {"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
_JOB_TYPES = {"full_time": "fulltime", "part_time": "parttime", "per_diem": "perdiem"}
_ENDED_BADLY = ("failed", "cancelled")


def scrape_jobs(
    site_name: str | Enum | Sequence[str | Enum] | None = None,
    search_term: str | None = None,
    google_search_term: str | None = None,
    location: str | None = None,
    distance: int | None = 50,
    is_remote: bool = False,
    job_type: str | None = None,
    easy_apply: bool | None = None,
    results_wanted: int = 15,
    country_indeed: str = "usa",
    proxies: Sequence[str] | str | None = None,
    ca_cert: str | None = None,
    description_format: str = "markdown",
    linkedin_fetch_description: bool | None = False,
    linkedin_company_ids: Sequence[int] | None = None,
    offset: int | None = 0,
    hours_old: int | None = None,
    enforce_annual_salary: bool = False,
    verbose: int = 0,
    user_agent: str | None = None,
    *,
    client: Client | None = None,
    timeout: float | None = None,
) -> Any:
    """Searches job sites and waits for the postings.

    A pandas DataFrame with JobSpy's columns; a list of dicts with the same names where pandas is not installed.
    Sites that fail are warned of; if all fail, WindrowError is raised.

    client: Client() if not given, which reads WINDROW_URL and WINDROW_API_KEY
    timeout: seconds to wait for the run; it goes on after that
    """
    for name, value in {"ca_cert": ca_cert, "user_agent": user_agent}.items():
        if value is not None:
            warnings.warn(f"{name} is a setting of the Windrow server and was ignored", stacklevel=2)
    server = client or Client()
    term = search_term or google_search_term
    if not term:
        raise ValueError("search_term is missing")
    if google_search_term and search_term and google_search_term != search_term:
        warnings.warn("google_search_term was ignored: search_term is used for all sites", stacklevel=2)
    reply = server.job_boards.scrape_sites(
        site_name=_sites(server, site_name),
        search_term=term,
        location=_given(location),
        # JobSpy's own default means nothing without a place.
        distance=_given(distance if location else None),
        is_remote=is_remote,
        job_type=_given(job_type),  # type: ignore[arg-type]
        easy_apply=_given(easy_apply),
        results_wanted=results_wanted,
        country=_given(country_indeed),
        proxies=_given([proxies] if isinstance(proxies, str) else list(proxies) if proxies else None),
        description_format=description_format,  # type: ignore[arg-type]
        fetch_description=bool(linkedin_fetch_description),
        company_ids=_given(list(linkedin_company_ids) if linkedin_company_ids else None),
        offset=offset or 0,
        hours_old=_given(hours_old),
        enforce_annual_salary=enforce_annual_salary,
    )
    for run in server.follow(reply.data.run_id, timeout=timeout):
        if verbose >= 2:
            print(f"{run.run_id}: {run.completed} of {run.total}")
    return _table([jobspy_row(one, enforce_annual_salary) for one in _postings(server, reply.data.run_id)])


def jobspy_row(posting: Posting, enforce_annual_salary: bool = False) -> dict[str, Any]:
    """A posting with JobSpy's column names."""
    years = posting.experience_years
    annual = posting.salary_annual if enforce_annual_salary else None
    interval = "year" if annual else posting.salary_interval
    found = {
        "id": posting.external_id,
        "site": _JOBSPY_SITES.get(posting.source, posting.source),
        "job_url_direct": posting.apply_url,
        "date_posted": posting.posted_date,
        "job_type": _joined(_JOB_TYPES.get(one, one) for one in posting.job_types or []),
        "interval": _INTERVALS.get(interval or ""),
        "min_amount": annual.min if annual else posting.salary_min,
        "max_amount": annual.max if annual else posting.salary_max,
        "salary_source": {"employer": "direct_data"}.get(posting.salary_source or "", posting.salary_source),
        "is_remote": posting.remote_type == "remote",
        "job_level": None if posting.seniority == "unknown" else posting.seniority,
        "emails": _joined(posting.emails or []),
        "skills": _joined(posting.skills or []),
        "company_addresses": _joined(posting.company_addresses or []),
        "company_num_employees": posting.company_size,
        "experience_range": None if years is None else _joined(f"{one:g}" for one in (years.min, years.max) if one is not None),
        "work_from_home_type": None if posting.remote_type == "unknown" else posting.remote_type,
    }
    return {name: found[name] if name in found else getattr(posting, name, None) for name in COLUMNS}


def _postings(server: Client, run_id: str) -> list[Posting]:
    pages = list(server.pages(server.job_boards.get_scrape, run_id))
    run = pages[0].data
    for site in run.sites or []:
        if site.error and run.status not in _ENDED_BADLY:
            warnings.warn(f"{site.site_name}: {site.error}", stacklevel=3)
    jobs = [job for page in pages for job in page.data.jobs or []]
    if run.status in _ENDED_BADLY and not jobs:
        reasons = "\n".join(f"  {site.site_name}: {site.error}" for site in run.sites or [] if site.error)
        raise WindrowError(f"{run.run_id} {run.status}: {run.message or 'no postings'}\n{reasons}".rstrip())
    return jobs


def _sites(server: Client, wanted: str | Enum | Sequence[str | Enum] | None) -> list[str]:
    if wanted is None or (not isinstance(wanted, (str, Enum)) and len(wanted) == 0):
        known = set(SITES.values())
        return [one.name for one in server.job_boards.list_sites().data.sites if one.enabled and one.name in known]
    names = [wanted] if isinstance(wanted, (str, Enum)) else list(wanted)
    texts = [str(one.value if isinstance(one, Enum) else one).lower() for one in names]
    # What JobSpy does not have may still be a site of the server, which says so if it is not.
    return [SITES.get(one, one) for one in texts]


def _table(found: list[dict[str, Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        return found
    return pandas.DataFrame(found, columns=COLUMNS)


def _joined(parts: Any) -> str | None:
    return ", ".join(dict.fromkeys(parts)) or None


def _given(value: Any) -> Any:
    return UNSET if value is None else value
