# Written by `npm run python-client` from the OpenAPI document. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from . import models
from .calls import UNSET, Call, Group, given, new_key


class Articles(Group):
    def submit_job(
        self,
        *,
        articles: list[Mapping[str, Any]],
        max_age_seconds: int | None = UNSET,
        webhook_url: str = UNSET,
        idempotency_key: str | None = None,
    ) -> models.SubmitJobReply:
        """Submit URLs to scrape for title and content

        articles: Each page once; URLs are compared in canonical form.
        max_age_seconds: Reuse an article scraped within this many seconds. Default: any age. 0: always scrape.
        webhook_url: Receives `run.completed`, `run.failed` or `run.cancelled` when the run has ended, signed with the secret from `GET /webhooks/secret`.
        """
        return self._call(models.SubmitJobReply, "POST", "/jobs/submit", path_values={}, query=given({}), body=given({"articles": articles, "max_age_seconds": max_age_seconds, "webhook_url": webhook_url}), idempotency_key=idempotency_key or new_key())

    def get_job_status(
        self,
        job_id: str,
    ) -> models.Job:
        """Get the status of a job"""
        return self._call(models.Job, "GET", "/jobs/{job_id}/status", path_values={"job_id": job_id}, query=given({}))

    def get_job_results(
        self,
        job_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
        explain: Literal["0", "1"] = UNSET,
        format: Literal["text", "markdown", "html"] = UNSET,
    ) -> models.GetJobResultsReply:
        """Get the results of a job

        limit: Entries per page. Default: 1,000 for JSON, all for streams.
        explain: 1: adds `details`: more fields of the page, and where each field was found.
        format: What `content` is written in: plain text, Markdown or clean HTML, with headings, lists, links, pictures, tables and code. Articles stored by earlier versions have paragraphs only.
        """
        return self._call(models.GetJobResultsReply, "GET", "/jobs/{job_id}/results", path_values={"job_id": job_id}, query=given({"limit": limit, "cursor": cursor, "explain": explain, "format": format}))

    def cancel_job(
        self,
        job_id: str,
    ) -> models.CancelJobReply:
        """Cancel a job"""
        return self._call(models.CancelJobReply, "DELETE", "/jobs/{job_id}", path_values={"job_id": job_id}, query=given({}))

    def list_jobs(
        self,
        *,
        status_filter: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"] = UNSET,
        limit: int = UNSET,
        skip: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListJobsReply:
        """List jobs, newest first

        skip: For the first pages. For many pages use `cursor`, which stays fast.
        """
        return self._call(models.ListJobsReply, "GET", "/jobs/", path_values={}, query=given({"status_filter": status_filter, "limit": limit, "skip": skip, "cursor": cursor}))


class Crawls(Group):
    def start_crawl(
        self,
        *,
        url: str,
        include_paths: list[str] = UNSET,
        exclude_paths: list[str] = UNSET,
        path_prefix: str | None = UNSET,
        allow_subdomains: bool = UNSET,
        ignore_query_parameters: bool = UNSET,
        sitemap: Literal["include", "skip", "only"] = UNSET,
        engine: Literal["http", "browser"] = UNSET,
        priority: int = UNSET,
        limit: int = UNSET,
        max_depth: int = UNSET,
        follow_nofollow: bool = UNSET,
        delay_ms: int | None = UNSET,
        max_duration_seconds: int | None = UNSET,
        max_bytes: int | None = UNSET,
        webhook_url: str = UNSET,
        idempotency_key: str | None = None,
    ) -> models.CrawlAccepted:
        """Crawl a site: follow its links and sitemaps, and scrape the articles

        url: Where to begin: an absolute http or https URL without user and password.
        include_paths: Only pages that match one of these. `*` stands for anything but `/`, `**` for anything: `/blog/**`. With a `?` the query counts too, with `https://` in front the whole URL.
        exclude_paths: Not pages that match one of these.
        path_prefix: Only pages whose path begins with this: `/docs/`. Default: the whole host.
        allow_subdomains: Also pages of subdomains of the host.
        ignore_query_parameters: URLs that differ in their query only are one page, asked for without it.
        sitemap: `include`: links and sitemaps; `skip`: links only; `only`: sitemaps only.
        engine: `browser`: every page is rendered in a browser, by workers of the lane `browser`.
        priority: 1–3 high, 4–7 medium, 8–10 low.
        limit: Most pages to read; at most CRAWL_MAX_PAGES.
        max_depth: Links from the first page on. 0: only that page.
        follow_nofollow: Follow links and pages that say nofollow.
        delay_ms: Least pause between two requests to the site. Never shorter than the pace of the source and Crawl-delay.
        max_duration_seconds: After this time no further page is begun.
        max_bytes: After this much was received no further page is begun.
        webhook_url: Receives `run.completed`, `run.failed` or `run.cancelled` when the run has ended, signed with the secret from `GET /webhooks/secret`.
        """
        return self._call(models.CrawlAccepted, "POST", "/crawl", path_values={}, query=given({}), body=given({"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "path_prefix": path_prefix, "allow_subdomains": allow_subdomains, "ignore_query_parameters": ignore_query_parameters, "sitemap": sitemap, "engine": engine, "priority": priority, "limit": limit, "max_depth": max_depth, "follow_nofollow": follow_nofollow, "delay_ms": delay_ms, "max_duration_seconds": max_duration_seconds, "max_bytes": max_bytes, "webhook_url": webhook_url}), idempotency_key=idempotency_key or new_key())

    def get_crawl(
        self,
        run_id: str,
    ) -> models.CrawlStatus:
        """Get how far a crawl is, and what it left out"""
        return self._call(models.CrawlStatus, "GET", "/crawl/{run_id}", path_values={"run_id": run_id}, query=given({}))

    def cancel_crawl(
        self,
        run_id: str,
    ) -> models.CrawlStatus:
        """Cancel a crawl (what it has read is kept)"""
        return self._call(models.CrawlStatus, "DELETE", "/crawl/{run_id}", path_values={"run_id": run_id}, query=given({}))

    def get_crawl_pages(
        self,
        run_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
        status: Literal["read", "open", "all", "waiting", "queued", "done", "failed", "listed", "left_out"] = UNSET,
        search: str = UNSET,
        content: Literal["0", "1"] = UNSET,
        format: Literal["text", "markdown", "html"] = UNSET,
    ) -> models.GetCrawlPagesReply:
        """Get the pages of a crawl, with their articles

        limit: Default: 100 for JSON, all for a stream.
        status: `read`: done and failed; `open`: waiting and queued; `left_out`: URLs that were not made pages.
        search: Only URLs that contain this text.
        content: 0: without the articles.
        format: What the text of articles is written in.
        """
        return self._call(models.GetCrawlPagesReply, "GET", "/crawl/{run_id}/pages", path_values={"run_id": run_id}, query=given({"limit": limit, "cursor": cursor, "status": status, "search": search, "content": content, "format": format}))

    def map_site(
        self,
        *,
        url: str,
        include_paths: list[str] = UNSET,
        exclude_paths: list[str] = UNSET,
        path_prefix: str | None = UNSET,
        allow_subdomains: bool = UNSET,
        ignore_query_parameters: bool = UNSET,
        sitemap: Literal["include", "skip", "only"] = UNSET,
        engine: Literal["http", "browser"] = UNSET,
        priority: int = UNSET,
        limit: int = UNSET,
        search: str = UNSET,
        wait_seconds: int = UNSET,
        idempotency_key: str | None = None,
    ) -> models.SiteMap:
        """List the URLs of a site, from its first page and its sitemaps

        url: Where to begin: an absolute http or https URL without user and password.
        include_paths: Only pages that match one of these. `*` stands for anything but `/`, `**` for anything: `/blog/**`. With a `?` the query counts too, with `https://` in front the whole URL.
        exclude_paths: Not pages that match one of these.
        path_prefix: Only pages whose path begins with this: `/docs/`. Default: the whole host.
        allow_subdomains: Also pages of subdomains of the host.
        ignore_query_parameters: URLs that differ in their query only are one page, asked for without it.
        sitemap: `include`: links and sitemaps; `skip`: links only; `only`: sitemaps only.
        engine: `browser`: every page is rendered in a browser, by workers of the lane `browser`.
        priority: 1–3 high, 4–7 medium, 8–10 low.
        limit: Most URLs to list.
        search: Only URLs that contain this text.
        wait_seconds: How long to wait for the list. After this the answer is 202, with the run to ask again.
        """
        return self._call(models.SiteMap, "POST", "/map", path_values={}, query=given({}), body=given({"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "path_prefix": path_prefix, "allow_subdomains": allow_subdomains, "ignore_query_parameters": ignore_query_parameters, "sitemap": sitemap, "engine": engine, "priority": priority, "limit": limit, "search": search, "wait_seconds": wait_seconds}), idempotency_key=idempotency_key or new_key())

    def get_map(
        self,
        run_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
        search: str = UNSET,
    ) -> models.SiteMap:
        """Get the URLs that a map has found

        search: Only URLs that contain this text.
        """
        return self._call(models.SiteMap, "GET", "/map/{run_id}", path_values={"run_id": run_id}, query=given({"limit": limit, "cursor": cursor, "search": search}))


class JobBoards(Group):
    def list_sites(
        self,
    ) -> models.ListSitesReply:
        """List the sites that can be searched, with parameters and recent health"""
        return self._call(models.ListSitesReply, "GET", "/jobs/sites", path_values={}, query=given({}))

    def scrape_sites(
        self,
        *,
        site_name: str | list[str],
        search_term: str = UNSET,
        location: str = UNSET,
        results_wanted: int = UNSET,
        is_remote: bool = UNSET,
        distance: int = UNSET,
        job_type: Literal["fulltime", "parttime", "internship", "contract", "full_time", "part_time"] = UNSET,
        hours_old: int = UNSET,
        country: str = UNSET,
        offset: int = UNSET,
        easy_apply: bool = UNSET,
        company_ids: list[str | int] = UNSET,
        fetch_description: bool = UNSET,
        enforce_annual_salary: bool = UNSET,
        description_format: Literal["markdown", "html", "plain"] = UNSET,
        min_pause_seconds: float = UNSET,
        max_pause_seconds: float = UNSET,
        priority: int = UNSET,
        webhook_url: str = UNSET,
        proxies: list[str] = UNSET,
        mode: Literal["async", "sync"] = UNSET,
        idempotency_key: str | None = None,
    ) -> models.ScrapeSitesReply:
        """Search one or several sites for postings

        site_name: One site, or several.
        results_wanted: From each site; 15 by default, at most 25 with `mode=sync`.
        distance: Miles around `location`.
        job_type: `full_time` and `part_time` (as in postings) are accepted for `fulltime` and `parttime`.
        hours_old: Maximum age of postings in hours.
        country: Country for sites with several: English name or ISO code.
        offset: Number of results to skip.
        company_ids: LinkedIn company ids.
        fetch_description: Fetch full descriptions, with one more request per posting.
        enforce_annual_salary: Convert salaries to annual salaries.
        min_pause_seconds: Minimum pause between pages.
        max_pause_seconds: Maximum pause between pages.
        priority: 1–3 high, 4–7 medium, 8–10 low.
        webhook_url: Receives `run.completed`, `run.failed` or `run.cancelled` when the run has ended, signed with the secret from `GET /webhooks/secret`.
        proxies: Proxies, another one for each attempt: `scheme://user:password@host:port`, `host:port` or `host:port:user:password`. They need public addresses. They are never shown again.
        """
        return self._call(models.ScrapeSitesReply, "POST", "/jobs/scrape", path_values={}, query=given({"mode": mode}), body=given({"site_name": site_name, "search_term": search_term, "location": location, "results_wanted": results_wanted, "is_remote": is_remote, "distance": distance, "job_type": job_type, "hours_old": hours_old, "country": country, "offset": offset, "easy_apply": easy_apply, "company_ids": company_ids, "fetch_description": fetch_description, "enforce_annual_salary": enforce_annual_salary, "description_format": description_format, "min_pause_seconds": min_pause_seconds, "max_pause_seconds": max_pause_seconds, "priority": priority, "webhook_url": webhook_url, "proxies": proxies}), idempotency_key=idempotency_key or new_key())

    def get_scrape(
        self,
        run_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.GetScrapeReply:
        """Get the status and results of a search

        limit: Postings per page. Default: 200 for JSON, all for streams.
        """
        return self._call(models.GetScrapeReply, "GET", "/jobs/scrape/{run_id}", path_values={"run_id": run_id}, query=given({"limit": limit, "cursor": cursor}))

    def cancel_scrape(
        self,
        run_id: str,
    ) -> models.CancelScrapeReply:
        """Cancel a search (postings found so far are kept)"""
        return self._call(models.CancelScrapeReply, "DELETE", "/jobs/scrape/{run_id}", path_values={"run_id": run_id}, query=given({}))


class Schedules(Group):
    def list_schedules(
        self,
        *,
        task: Literal["search", "companies.scrape", "positions.stale", "cleanup"] = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListSchedulesReply:
        """List schedules, built-in ones included

        task: Only schedules of this task.
        """
        return self._call(models.ListSchedulesReply, "GET", "/schedules", path_values={}, query=given({"task": task, "limit": limit, "cursor": cursor}))

    def create_schedule(
        self,
        *,
        site_name: str | None = UNSET,
        task: Literal["search", "companies.scrape", "positions.stale", "cleanup"] = UNSET,
        enabled: bool = UNSET,
        interval_minutes: int | None = UNSET,
        cron: str | None = UNSET,
        timezone: str = UNSET,
        payload: dict[str, Any] = UNSET,
        min_pause_seconds: float | None = UNSET,
        max_pause_seconds: float | None = UNSET,
        max_retries: int | None = UNSET,
        catch_up: Literal["once", "skip"] = UNSET,
        overlap: Literal["skip", "queue"] = UNSET,
        idempotency_key: str | None = None,
    ) -> models.Schedule:
        """Create a schedule

        site_name: A site to search with `payload`.
        task: `search` needs a site. The others are built-in tasks.
        interval_minutes: Minutes, with a jitter of ±10 %.
        cron: Cron expression with five fields, in `timezone`.
        timezone: Only for `cron`.
        payload: Search parameters. For companies `incremental`, and which ones: `{"companies":["Acme"]}` (ids or names), `q` (part of the name), `scraper_type`. Also `webhook_url`.
        catch_up: After an outage: `once` runs once for all missed times, `skip` does not run.
        overlap: If it is due before its previous run has ended: `skip` this time, or `queue` it after that run.
        """
        return self._call(models.Schedule, "POST", "/schedules", path_values={}, query=given({}), body=given({"site_name": site_name, "task": task, "enabled": enabled, "interval_minutes": interval_minutes, "cron": cron, "timezone": timezone, "payload": payload, "min_pause_seconds": min_pause_seconds, "max_pause_seconds": max_pause_seconds, "max_retries": max_retries, "catch_up": catch_up, "overlap": overlap}), idempotency_key=idempotency_key or new_key())

    def get_schedule(
        self,
        schedule_id: str,
    ) -> models.GetScheduleReply:
        """Get a schedule with its latest fires"""
        return self._call(models.GetScheduleReply, "GET", "/schedules/{schedule_id}", path_values={"schedule_id": schedule_id}, query=given({}))

    def change_schedule(
        self,
        schedule_id: str,
        *,
        site_name: str | None = UNSET,
        task: Literal["search", "companies.scrape", "positions.stale", "cleanup"] = UNSET,
        enabled: bool = UNSET,
        interval_minutes: int | None = UNSET,
        cron: str | None = UNSET,
        timezone: str = UNSET,
        payload: dict[str, Any] = UNSET,
        min_pause_seconds: float | None = UNSET,
        max_pause_seconds: float | None = UNSET,
        max_retries: int | None = UNSET,
        catch_up: Literal["once", "skip"] = UNSET,
        overlap: Literal["skip", "queue"] = UNSET,
    ) -> models.Schedule:
        """Update or pause a schedule (takes effect at once)

        site_name: A site to search with `payload`.
        task: `search` needs a site. The others are built-in tasks.
        interval_minutes: Minutes, with a jitter of ±10 %.
        cron: Cron expression with five fields, in `timezone`.
        timezone: Only for `cron`.
        payload: Search parameters. For companies `incremental`, and which ones: `{"companies":["Acme"]}` (ids or names), `q` (part of the name), `scraper_type`. Also `webhook_url`.
        catch_up: After an outage: `once` runs once for all missed times, `skip` does not run.
        overlap: If it is due before its previous run has ended: `skip` this time, or `queue` it after that run.
        """
        return self._call(models.Schedule, "PATCH", "/schedules/{schedule_id}", path_values={"schedule_id": schedule_id}, query=given({}), body=given({"site_name": site_name, "task": task, "enabled": enabled, "interval_minutes": interval_minutes, "cron": cron, "timezone": timezone, "payload": payload, "min_pause_seconds": min_pause_seconds, "max_pause_seconds": max_pause_seconds, "max_retries": max_retries, "catch_up": catch_up, "overlap": overlap}))

    def delete_schedule(
        self,
        schedule_id: str,
    ) -> models.DeleteScheduleReply:
        """Delete a schedule (runs it started go on)"""
        return self._call(models.DeleteScheduleReply, "DELETE", "/schedules/{schedule_id}", path_values={"schedule_id": schedule_id}, query=given({}))

    def run_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.RunScheduleReply:
        """Run a schedule now, even if paused (its plan does not change)"""
        return self._call(models.RunScheduleReply, "POST", "/schedules/{schedule_id}/run", path_values={"schedule_id": schedule_id}, query=given({}), idempotency_key=idempotency_key or new_key())

    def run_scheduler(
        self,
    ) -> models.RunSchedulerReply:
        """Start the schedules that are due now"""
        return self._call(models.RunSchedulerReply, "POST", "/scheduler/run", path_values={}, query=given({}))

    def get_scheduler_status(
        self,
    ) -> models.GetSchedulerStatusReply:
        """Get the state of the scheduler: instances, next due schedules, recent outcomes"""
        return self._call(models.GetSchedulerStatusReply, "GET", "/scheduler/status", path_values={}, query=given({}))


class Companies(Group):
    def list_companies(
        self,
        *,
        active: bool = UNSET,
        q: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListCompaniesReply:
        """List companies by name

        q: Part of the name.
        """
        return self._call(models.ListCompaniesReply, "GET", "/companies", path_values={}, query=given({"active": active, "q": q, "limit": limit, "cursor": cursor}))

    def create_company(
        self,
        *,
        name: str,
        scraping_config: Mapping[str, Any],
        website: str | None = UNSET,
        active: bool = UNSET,
    ) -> models.Company:
        """Add a company

        scraping_config: The source that scrapes the career page, and its parameters: `{"scraper_type":"greenhouse","board":"acme"}`. Headers and other secrets are shown as `[redacted]`; sent back like that they stay as they are.
        """
        return self._call(models.Company, "POST", "/companies", path_values={}, query=given({}), body=given({"name": name, "website": website, "active": active, "scraping_config": scraping_config}))

    def scrape_companies(
        self,
        *,
        incremental: bool = UNSET,
        companies: list[str] = UNSET,
        q: str = UNSET,
        scraper_type: str = UNSET,
        idempotency_key: str | None = None,
    ) -> models.ScrapeCompaniesReply:
        """Scrape all active companies now, or those that a filter names

        companies: Ids or names.
        q: Part of the name.
        scraper_type: Only those of this source.
        """
        return self._call(models.ScrapeCompaniesReply, "POST", "/companies/scrape", path_values={}, query=given({}), body=given({"incremental": incremental, "companies": companies, "q": q, "scraper_type": scraper_type}), idempotency_key=idempotency_key or new_key())

    def import_companies(
        self,
        body: Any,
    ) -> models.ImportCompaniesReply:
        """Import companies from JSON or YAML (adds or updates by name)"""
        return self._call(models.ImportCompaniesReply, "POST", "/companies/import", path_values={}, query=given({}), body=body)

    def detect_company(
        self,
        *,
        url: str,
    ) -> models.DetectCompanyReply:
        """Detect how a career page can be scraped, with a confidence"""
        return self._call(models.DetectCompanyReply, "POST", "/companies/detect", path_values={}, query=given({}), body=given({"url": url}))

    def get_company(
        self,
        company: str,
    ) -> models.Company:
        """Get a company by id or name

        company: Id or name.
        """
        return self._call(models.Company, "GET", "/companies/{company}", path_values={"company": company}, query=given({}))

    def change_company(
        self,
        company: str,
        *,
        name: str = UNSET,
        website: str | None = UNSET,
        active: bool = UNSET,
        scraping_config: Mapping[str, Any] = UNSET,
    ) -> models.Company:
        """Update a company (fields left out stay as they are)

        company: Id or name.
        scraping_config: The source that scrapes the career page, and its parameters: `{"scraper_type":"greenhouse","board":"acme"}`. Headers and other secrets are shown as `[redacted]`; sent back like that they stay as they are.
        """
        return self._call(models.Company, "PATCH", "/companies/{company}", path_values={"company": company}, query=given({}), body=given({"name": name, "website": website, "active": active, "scraping_config": scraping_config}))

    def delete_company(
        self,
        company: str,
    ) -> models.DeleteCompanyReply:
        """Delete a company with its sessions and positions

        company: Id or name.
        """
        return self._call(models.DeleteCompanyReply, "DELETE", "/companies/{company}", path_values={"company": company}, query=given({}))

    def scrape_company(
        self,
        company: str,
        *,
        incremental: bool = UNSET,
        idempotency_key: str | None = None,
    ) -> models.ScrapeCompanyReply:
        """Scrape one company now, also if it waits to be tried again

        company: Id or name.
        """
        return self._call(models.ScrapeCompanyReply, "POST", "/companies/{company}/scrape", path_values={"company": company}, query=given({}), body=given({"incremental": incremental}), idempotency_key=idempotency_key or new_key())

    def list_sessions(
        self,
        *,
        company: str = UNSET,
        run_id: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListSessionsReply:
        """List scrape sessions of companies and what each changed, newest first

        company: Id or name.
        """
        return self._call(models.ListSessionsReply, "GET", "/sessions", path_values={}, query=given({"company": company, "run_id": run_id, "limit": limit, "cursor": cursor}))

    def list_positions(
        self,
        *,
        company: str = UNSET,
        active: bool = UNSET,
        q: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        location: str = UNSET,
        department: str = UNSET,
        new_since: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListPositionsReply:
        """List positions of companies, newest first

        company: Id or name.
        q: Words in title, department, location or company.
        new_since: First seen after this time (ISO 8601), or in the last `36h`, `1d`, `2w`.
        limit: JSON: default 100, at most 1000 per page. Other formats: default all.
        """
        return self._call(models.ListPositionsReply, "GET", "/positions", path_values={}, query=given({"company": company, "active": active, "q": q, "remote_type": remote_type, "location": location, "department": department, "new_since": new_since, "limit": limit, "cursor": cursor}))

    def get_position(
        self,
        position_id: str,
    ) -> models.GetPositionReply:
        """Get a position with its history"""
        return self._call(models.GetPositionReply, "GET", "/positions/{position_id}", path_values={"position_id": position_id}, query=given({}))


class Carts(Group):
    def submit_cart(
        self,
        *,
        items: list[str],
        zipcode: str,
        max_products_per_item: int = UNSET,
        webhook_url: str = UNSET,
        idempotency_key: str | None = None,
    ) -> models.SubmitCartReply:
        """Search products for a cart near a ZIP code

        zipcode: A US ZIP code, 10001 or 10001-1234.
        webhook_url: Receives `run.completed`, `run.failed` or `run.cancelled` when the run has ended, signed with the secret from `GET /webhooks/secret`.
        """
        return self._call(models.SubmitCartReply, "POST", "/cart", path_values={}, query=given({}), body=given({"items": items, "zipcode": zipcode, "max_products_per_item": max_products_per_item, "webhook_url": webhook_url}), idempotency_key=idempotency_key or new_key())

    def get_cart_results(
        self,
        job_id: str,
        *,
        wait: int = UNSET,
    ) -> models.GetCartResultsReply:
        """Get the status and results of a cart"""
        return self._call(models.GetCartResultsReply, "GET", "/results/{job_id}", path_values={"job_id": job_id}, query=given({"wait": wait}))


class Data(Group):
    def list_postings(
        self,
        *,
        source: str = UNSET,
        company: str = UNSET,
        location: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        posted_after: str = UNSET,
        q: str = UNSET,
        min_salary: float = UNSET,
        currency: str = UNSET,
        country: str = UNSET,
        seniority: Literal["intern", "entry", "mid", "senior", "staff", "principal", "lead", "manager", "director", "vp", "executive", "unknown"] = UNSET,
        job_type: Literal["full_time", "part_time", "contract", "temporary", "internship", "volunteer", "per_diem", "other"] = UNSET,
        degree: Literal["none", "high_school", "vocational", "associate", "university", "bachelor", "master", "doctorate"] = UNSET,
        visa_sponsorship: bool = UNSET,
        contract_kind: Literal["permanent", "fixed_term", "freelance", "agency"] = UNSET,
        max_experience: float = UNSET,
        skill: str = UNSET,
        max_salary: float = UNSET,
        salary_interval: Literal["hour", "day", "week", "month", "year"] = UNSET,
        posted_before: str = UNSET,
        first_seen_after: str = UNSET,
        first_seen_before: str = UNSET,
        group: str = UNSET,
        fuzzy: bool = UNSET,
        sort: Literal["-first_seen_at", "first_seen_at", "-posted_at", "posted_at", "-salary", "salary", "relevance"] = UNSET,
        highlight: bool = UNSET,
        provenance: Literal["0", "1", "false", "true"] = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListPostingsReply:
        """List postings of all runs, each with the group of postings for the same job

        source: One source, or several separated by commas.
        company: Words in the company name.
        location: Words in the location as shown by the source.
        posted_after: A day or a time. Postings without a date are left out.
        q: Full text search in title, company, location and description: words, "a phrase", or, -excluded.
        min_salary: Minimum annual salary, in the currency of the posting.
        country: ISO 3166-1 code of any of its places, such as `US`.
        degree: The lowest degree that is enough; `none`: the posting says that none is needed.
        visa_sponsorship: Whether the employer sponsors visas. Postings that do not say are left out either way.
        max_experience: Asks for so many years of experience at most. Postings that do not say are left out.
        skill: One skill, or several separated by commas: all of them are required. Case does not matter.
        max_salary: Maximum annual salary. Postings without a salary are left out.
        salary_interval: How the salary is stated: per hour, …, year.
        posted_before: A day or a time. Postings without a date are left out.
        first_seen_after: First seen after this day or time, whenever it was posted.
        group: Only the postings of one group.
        fuzzy: `company` finds names that are like it. `fuzzy_names` says which.
        sort: With `-`: descending. `relevance`: best matches of `q` first, of the newest 1,000 matches; `next_cursor` ends with these.
        highlight: With `q`: adds `highlights` to each item of a page.
        provenance: With `1`: adds `provenance` to each item. In CSV there is no place for it.
        limit: JSON: default 50, at most 1000 per page. Other formats: default all.
        """
        return self._call(models.ListPostingsReply, "GET", "/postings", path_values={}, query=given({"source": source, "company": company, "location": location, "remote_type": remote_type, "posted_after": posted_after, "q": q, "min_salary": min_salary, "currency": currency, "country": country, "seniority": seniority, "job_type": job_type, "degree": degree, "visa_sponsorship": visa_sponsorship, "contract_kind": contract_kind, "max_experience": max_experience, "skill": skill, "max_salary": max_salary, "salary_interval": salary_interval, "posted_before": posted_before, "first_seen_after": first_seen_after, "first_seen_before": first_seen_before, "group": group, "fuzzy": fuzzy, "sort": sort, "highlight": highlight, "provenance": provenance, "limit": limit, "cursor": cursor}))

    def count_postings_by_value(
        self,
        *,
        source: str = UNSET,
        company: str = UNSET,
        location: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        posted_after: str = UNSET,
        q: str = UNSET,
        min_salary: float = UNSET,
        currency: str = UNSET,
        country: str = UNSET,
        seniority: Literal["intern", "entry", "mid", "senior", "staff", "principal", "lead", "manager", "director", "vp", "executive", "unknown"] = UNSET,
        job_type: Literal["full_time", "part_time", "contract", "temporary", "internship", "volunteer", "per_diem", "other"] = UNSET,
        degree: Literal["none", "high_school", "vocational", "associate", "university", "bachelor", "master", "doctorate"] = UNSET,
        visa_sponsorship: bool = UNSET,
        contract_kind: Literal["permanent", "fixed_term", "freelance", "agency"] = UNSET,
        max_experience: float = UNSET,
        skill: str = UNSET,
        max_salary: float = UNSET,
        salary_interval: Literal["hour", "day", "week", "month", "year"] = UNSET,
        posted_before: str = UNSET,
        first_seen_after: str = UNSET,
        first_seen_before: str = UNSET,
        group: str = UNSET,
        fuzzy: bool = UNSET,
        facets: str = UNSET,
        limit: int = UNSET,
    ) -> models.CountPostingsByValueReply:
        """Count the postings that match, in all and by value

        source: One source, or several separated by commas.
        company: Words in the company name.
        location: Words in the location as shown by the source.
        posted_after: A day or a time. Postings without a date are left out.
        q: Full text search in title, company, location and description: words, "a phrase", or, -excluded.
        min_salary: Minimum annual salary, in the currency of the posting.
        country: ISO 3166-1 code of any of its places, such as `US`.
        degree: The lowest degree that is enough; `none`: the posting says that none is needed.
        visa_sponsorship: Whether the employer sponsors visas. Postings that do not say are left out either way.
        max_experience: Asks for so many years of experience at most. Postings that do not say are left out.
        skill: One skill, or several separated by commas: all of them are required. Case does not matter.
        max_salary: Maximum annual salary. Postings without a salary are left out.
        salary_interval: How the salary is stated: per hour, …, year.
        posted_before: A day or a time. Postings without a date are left out.
        first_seen_after: First seen after this day or time, whenever it was posted.
        group: Only the postings of one group.
        fuzzy: `company` finds names that are like it. `fuzzy_names` says which.
        facets: Separated by commas: source, company, country, remote_type, seniority, job_type, degree, visa_sponsorship, contract_kind, skill, currency, salary_interval. Default: all.
        limit: Values of each, the most frequent first.
        """
        return self._call(models.CountPostingsByValueReply, "GET", "/postings/facets", path_values={}, query=given({"source": source, "company": company, "location": location, "remote_type": remote_type, "posted_after": posted_after, "q": q, "min_salary": min_salary, "currency": currency, "country": country, "seniority": seniority, "job_type": job_type, "degree": degree, "visa_sponsorship": visa_sponsorship, "contract_kind": contract_kind, "max_experience": max_experience, "skill": skill, "max_salary": max_salary, "salary_interval": salary_interval, "posted_before": posted_before, "first_seen_after": first_seen_after, "first_seen_before": first_seen_before, "group": group, "fuzzy": fuzzy, "facets": facets, "limit": limit}))

    def process_new_postings(
        self,
    ) -> models.ProcessNewPostingsReply:
        """Process new postings now: group duplicates, match alerts, notify webhooks"""
        return self._call(models.ProcessNewPostingsReply, "POST", "/postings/process", path_values={}, query=given({}))

    def list_articles(
        self,
        *,
        source: str = UNSET,
        category: str = UNSET,
        host: str = UNSET,
        language: str = UNSET,
        author: str = UNSET,
        published_after: str = UNSET,
        published_before: str = UNSET,
        scraped_after: str = UNSET,
        scraped_before: str = UNSET,
        q: str = UNSET,
        fuzzy: bool = UNSET,
        sort: Literal["-scraped_at", "scraped_at", "-published_at", "published_at", "relevance"] = UNSET,
        highlight: bool = UNSET,
        provenance: Literal["0", "1", "false", "true"] = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListArticlesReply:
        """List articles of all runs, with filters, sorting and search

        source: The `source` label given on submit, such as BBC.
        category: The `category` label given on submit.
        host: Host name: `example.com`, with or without `www.`.
        language: Language code of the page, such as `en`.
        author: Words in the author name.
        published_after: A day or a time. Articles without a date are left out.
        scraped_after: Scraped after this day or time.
        q: Full text search in title, author and content: words, "a phrase", or, -excluded.
        fuzzy: `author` finds names that are like it. `fuzzy_names` says which.
        sort: With `-`: descending. `relevance`: best matches of `q` first, of the newest 1,000 matches; `next_cursor` ends with these.
        highlight: With `q`: adds `highlights` to each item of a page.
        provenance: With `1`: adds `provenance` to each item. In CSV there is no place for it.
        limit: JSON: default 50, at most 200 per page. Other formats: default all.
        """
        return self._call(models.ListArticlesReply, "GET", "/articles", path_values={}, query=given({"source": source, "category": category, "host": host, "language": language, "author": author, "published_after": published_after, "published_before": published_before, "scraped_after": scraped_after, "scraped_before": scraped_before, "q": q, "fuzzy": fuzzy, "sort": sort, "highlight": highlight, "provenance": provenance, "limit": limit, "cursor": cursor}))

    def count_articles_by_value(
        self,
        *,
        source: str = UNSET,
        category: str = UNSET,
        host: str = UNSET,
        language: str = UNSET,
        author: str = UNSET,
        published_after: str = UNSET,
        published_before: str = UNSET,
        scraped_after: str = UNSET,
        scraped_before: str = UNSET,
        q: str = UNSET,
        fuzzy: bool = UNSET,
        facets: str = UNSET,
        limit: int = UNSET,
    ) -> models.CountArticlesByValueReply:
        """Count the articles that match, in all and by value

        source: The `source` label given on submit, such as BBC.
        category: The `category` label given on submit.
        host: Host name: `example.com`, with or without `www.`.
        language: Language code of the page, such as `en`.
        author: Words in the author name.
        published_after: A day or a time. Articles without a date are left out.
        scraped_after: Scraped after this day or time.
        q: Full text search in title, author and content: words, "a phrase", or, -excluded.
        fuzzy: `author` finds names that are like it. `fuzzy_names` says which.
        facets: Separated by commas: source, category, host, language, author. Default: all.
        limit: Values of each, the most frequent first.
        """
        return self._call(models.CountArticlesByValueReply, "GET", "/articles/facets", path_values={}, query=given({"source": source, "category": category, "host": host, "language": language, "author": author, "published_after": published_after, "published_before": published_before, "scraped_after": scraped_after, "scraped_before": scraped_before, "q": q, "fuzzy": fuzzy, "facets": facets, "limit": limit}))

    def list_products(
        self,
        *,
        source: str = UNSET,
        seller: str = UNSET,
        zipcode: str = UNSET,
        currency: str = UNSET,
        min_price: float = UNSET,
        max_price: float = UNSET,
        scraped_after: str = UNSET,
        scraped_before: str = UNSET,
        group: str = UNSET,
        q: str = UNSET,
        fuzzy: bool = UNSET,
        sort: Literal["-scraped_at", "scraped_at", "-price", "price", "relevance"] = UNSET,
        highlight: bool = UNSET,
        provenance: Literal["0", "1", "false", "true"] = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListProductsReply:
        """List products of all carts, with filters, sorting and search

        source: One source, or several separated by commas.
        seller: Words in the seller name.
        min_price: In the currency of the product. Products without a price are left out.
        scraped_after: Seen after this day or time.
        group: Only the offers of one product, of all shops.
        q: Full text search in title and seller: words, "a phrase", or, -excluded.
        fuzzy: `seller` finds names that are like it. `fuzzy_names` says which.
        sort: With `-`: descending. `relevance`: best matches of `q` first, of the newest 1,000 matches; `next_cursor` ends with these.
        highlight: With `q`: adds `highlights` to each item of a page.
        provenance: With `1`: adds `provenance` to each item. In CSV there is no place for it.
        limit: JSON: default 50, at most 1000 per page. Other formats: default all.
        """
        return self._call(models.ListProductsReply, "GET", "/products", path_values={}, query=given({"source": source, "seller": seller, "zipcode": zipcode, "currency": currency, "min_price": min_price, "max_price": max_price, "scraped_after": scraped_after, "scraped_before": scraped_before, "group": group, "q": q, "fuzzy": fuzzy, "sort": sort, "highlight": highlight, "provenance": provenance, "limit": limit, "cursor": cursor}))

    def count_products_by_value(
        self,
        *,
        source: str = UNSET,
        seller: str = UNSET,
        zipcode: str = UNSET,
        currency: str = UNSET,
        min_price: float = UNSET,
        max_price: float = UNSET,
        scraped_after: str = UNSET,
        scraped_before: str = UNSET,
        group: str = UNSET,
        q: str = UNSET,
        fuzzy: bool = UNSET,
        facets: str = UNSET,
        limit: int = UNSET,
    ) -> models.CountProductsByValueReply:
        """Count the products that match, in all and by value

        source: One source, or several separated by commas.
        seller: Words in the seller name.
        min_price: In the currency of the product. Products without a price are left out.
        scraped_after: Seen after this day or time.
        group: Only the offers of one product, of all shops.
        q: Full text search in title and seller: words, "a phrase", or, -excluded.
        fuzzy: `seller` finds names that are like it. `fuzzy_names` says which.
        facets: Separated by commas: source, seller, zipcode, currency. Default: all.
        limit: Values of each, the most frequent first.
        """
        return self._call(models.CountProductsByValueReply, "GET", "/products/facets", path_values={}, query=given({"source": source, "seller": seller, "zipcode": zipcode, "currency": currency, "min_price": min_price, "max_price": max_price, "scraped_after": scraped_after, "scraped_before": scraped_before, "group": group, "q": q, "fuzzy": fuzzy, "facets": facets, "limit": limit}))


class Alerts(Group):
    def list_alerts(
        self,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListAlertsReply:
        """List alerts, oldest first"""
        return self._call(models.ListAlertsReply, "GET", "/alerts", path_values={}, query=given({"limit": limit, "cursor": cursor}))

    def create_alert(
        self,
        *,
        name: str,
        search: Mapping[str, Any],
        active: bool = UNSET,
        webhook_url: str | None = UNSET,
        file: str | None = UNSET,
    ) -> models.Alert:
        """Create an alert: a saved search that notifies about new postings

        search: Parameters of `GET /postings`. Empty: every new posting.
        active: `false` pauses the alert. Postings found while it is paused are not matched.
        webhook_url: Receives the event `alert.matched`, signed with the secret from `GET /webhooks/secret`.
        file: File name such as `python.ndjson` (one JSON line per match) or `python.csv` (one row per match), in the alert folder of the server.
        """
        return self._call(models.Alert, "POST", "/alerts", path_values={}, query=given({}), body=given({"name": name, "search": search, "active": active, "webhook_url": webhook_url, "file": file}))

    def preview_alert(
        self,
        *,
        search: Mapping[str, Any],
    ) -> models.PreviewAlertReply:
        """Preview a search: how many stored postings match, and the newest of them

        search: Parameters of `GET /postings`. Empty: every new posting.
        """
        return self._call(models.PreviewAlertReply, "POST", "/alerts/preview", path_values={}, query=given({}), body=given({"search": search}))

    def get_alert(
        self,
        alert_id: str,
    ) -> models.GetAlertReply:
        """Get an alert with its match count and latest match"""
        return self._call(models.GetAlertReply, "GET", "/alerts/{alert_id}", path_values={"alert_id": alert_id}, query=given({}))

    def change_alert(
        self,
        alert_id: str,
        *,
        name: str = UNSET,
        search: Mapping[str, Any] = UNSET,
        active: bool = UNSET,
        webhook_url: str | None = UNSET,
        file: str | None = UNSET,
        new_feed_token: bool = UNSET,
    ) -> models.Alert:
        """Update or pause an alert (its matches stay)

        search: Parameters of `GET /postings`. Empty: every new posting.
        active: `false` pauses the alert. Postings found while it is paused are not matched.
        webhook_url: Receives the event `alert.matched`, signed with the secret from `GET /webhooks/secret`.
        file: File name such as `python.ndjson` (one JSON line per match) or `python.csv` (one row per match), in the alert folder of the server.
        new_feed_token: `true` gives the feed a new URL. The old URL stops working.
        """
        return self._call(models.Alert, "PATCH", "/alerts/{alert_id}", path_values={"alert_id": alert_id}, query=given({}), body=given({"name": name, "search": search, "active": active, "webhook_url": webhook_url, "file": file, "new_feed_token": new_feed_token}))

    def delete_alert(
        self,
        alert_id: str,
    ) -> models.DeleteAlertReply:
        """Delete an alert with its matches and feed (its file stays)"""
        return self._call(models.DeleteAlertReply, "DELETE", "/alerts/{alert_id}", path_values={"alert_id": alert_id}, query=given({}))

    def list_alert_matches(
        self,
        alert_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListAlertMatchesReply:
        """List the matches of an alert, newest first"""
        return self._call(models.ListAlertMatchesReply, "GET", "/alerts/{alert_id}/matches", path_values={"alert_id": alert_id}, query=given({"limit": limit, "cursor": cursor}))

    def get_alert_feed(
        self,
        alert_id: str,
        *,
        token: str = UNSET,
        format: Literal["atom", "rss"] = UNSET,
    ) -> str:
        """Get the latest matches of an alert as a feed"""
        return self._call(str, "GET", "/alerts/{alert_id}/feed", path_values={"alert_id": alert_id}, query=given({"token": token, "format": format}))


class Sources(Group):
    def list_sources(
        self,
    ) -> models.ListSourcesReply:
        """List sources with health, circuit breaker, speed, data quality and pause state"""
        return self._call(models.ListSourcesReply, "GET", "/sources", path_values={}, query=given({}))

    def get_source(
        self,
        name: str,
    ) -> models.Source:
        """Get a source"""
        return self._call(models.Source, "GET", "/sources/{name}", path_values={"name": name}, query=given({}))

    def pause_source(
        self,
        name: str,
        *,
        reason: str = UNSET,
    ) -> models.PauseSourceReply:
        """Pause a source (its tasks wait until it is resumed)"""
        return self._call(models.PauseSourceReply, "POST", "/sources/{name}/pause", path_values={"name": name}, query=given({}), body=given({"reason": reason}))

    def resume_source(
        self,
        name: str,
    ) -> models.ResumeSourceReply:
        """Resume a paused source (no effect if it is not paused)"""
        return self._call(models.ResumeSourceReply, "POST", "/sources/{name}/resume", path_values={"name": name}, query=given({}))


class Analytics(Group):
    def count_postings(
        self,
        *,
        from_: str = UNSET,
        to: str = UNSET,
        bucket: Literal["hour", "day", "week"] = UNSET,
        group_by: str = UNSET,
        limit: int = UNSET,
        source: str = UNSET,
        company: str = UNSET,
        location: str = UNSET,
        country: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        currency: str = UNSET,
        q: str = UNSET,
    ) -> models.CountPostingsReply:
        """Count new postings by time and group

        from_: A day or a time. Default: 30 days before `to`, 7 with `bucket=hour`, from the beginning of the bucket.
        to: End of the period, not included. Default: now.
        group_by: One or two of source, company, country, city, remote_type, seniority, job_type, skill, separated by a comma.
        limit: Maximum number of groups (the largest ones).
        source: One source, or several separated by commas.
        company: Words in the company name.
        location: Words in the location as shown by the source.
        q: Full text, as in `GET /postings`.
        """
        return self._call(models.CountPostingsReply, "GET", "/analytics/postings", path_values={}, query=given({"from": from_, "to": to, "bucket": bucket, "group_by": group_by, "limit": limit, "source": source, "company": company, "location": location, "country": country, "remote_type": remote_type, "currency": currency, "q": q}))

    def get_salaries(
        self,
        *,
        from_: str = UNSET,
        to: str = UNSET,
        bucket: Literal["hour", "day", "week"] = UNSET,
        group_by: str = UNSET,
        limit: int = UNSET,
        source: str = UNSET,
        company: str = UNSET,
        location: str = UNSET,
        country: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        currency: str = UNSET,
        q: str = UNSET,
    ) -> models.GetSalariesReply:
        """Yearly pay of postings: percentiles by currency, time and group

        from_: A day or a time. Default: 30 days before `to`, 7 with `bucket=hour`, from the beginning of the bucket.
        to: End of the period, not included. Default: now.
        bucket: One row per bucket. Default: one row for the whole period.
        group_by: One or two of source, company, country, city, remote_type, seniority, job_type, skill, separated by a comma.
        limit: Maximum number of groups (the largest ones).
        source: One source, or several separated by commas.
        company: Words in the company name.
        location: Words in the location as shown by the source.
        q: Full text, as in `GET /postings`.
        """
        return self._call(models.GetSalariesReply, "GET", "/analytics/salaries", path_values={}, query=given({"from": from_, "to": to, "bucket": bucket, "group_by": group_by, "limit": limit, "source": source, "company": company, "location": location, "country": country, "remote_type": remote_type, "currency": currency, "q": q}))

    def count_companies(
        self,
        *,
        from_: str = UNSET,
        to: str = UNSET,
        bucket: Literal["hour", "day", "week"] = UNSET,
        group_by: str = UNSET,
        limit: int = UNSET,
        source: str = UNSET,
        company: str = UNSET,
        location: str = UNSET,
        country: str = UNSET,
        remote_type: Literal["remote", "hybrid", "onsite", "unknown"] = UNSET,
        currency: str = UNSET,
        q: str = UNSET,
    ) -> models.CountCompaniesReply:
        """Companies with the most new postings, by time and one further group

        from_: A day or a time. Default: 30 days before `to`, 7 with `bucket=hour`, from the beginning of the bucket.
        to: End of the period, not included. Default: now.
        bucket: One row per bucket. Default: one row for the whole period.
        group_by: One or two of source, company, country, city, remote_type, seniority, job_type, skill, separated by a comma.
        limit: Maximum number of groups (the largest ones).
        source: One source, or several separated by commas.
        company: Words in the company name.
        location: Words in the location as shown by the source.
        q: Full text, as in `GET /postings`.
        """
        return self._call(models.CountCompaniesReply, "GET", "/analytics/companies", path_values={}, query=given({"from": from_, "to": to, "bucket": bucket, "group_by": group_by, "limit": limit, "source": source, "company": company, "location": location, "country": country, "remote_type": remote_type, "currency": currency, "q": q}))

    def get_prices(
        self,
        *,
        from_: str = UNSET,
        to: str = UNSET,
        bucket: Literal["hour", "day", "week"] = UNSET,
        group_by: str = UNSET,
        limit: int = UNSET,
        source: str = UNSET,
        product: str = UNSET,
        q: str = UNSET,
        seller: str = UNSET,
        zipcode: str = UNSET,
        currency: str = UNSET,
    ) -> models.GetPricesReply:
        """Product prices over time: percentiles by currency, time and group

        from_: A day or a time. Default: 30 days before `to`, 7 with `bucket=hour`, from the beginning of the bucket.
        to: End of the period, not included. Default: now.
        group_by: One or two of source, seller, zipcode, product, separated by a comma.
        limit: Maximum number of groups (the largest ones).
        source: One source, or several separated by commas.
        product: One product: the `product` field of `GET /products`.
        q: Part of the title.
        seller: Part of the seller name.
        """
        return self._call(models.GetPricesReply, "GET", "/analytics/prices", path_values={}, query=given({"from": from_, "to": to, "bucket": bucket, "group_by": group_by, "limit": limit, "source": source, "product": product, "q": q, "seller": seller, "zipcode": zipcode, "currency": currency}))

    def count_sources(
        self,
        *,
        from_: str = UNSET,
        to: str = UNSET,
        bucket: Literal["hour", "day", "week"] = UNSET,
        source: str = UNSET,
    ) -> models.CountSourcesReply:
        """Source performance over time: attempts, success, latency, blocks and items

        from_: A day or a time. Default: 30 days before `to`, 7 with `bucket=hour`, from the beginning of the bucket.
        to: End of the period, not included. Default: now.
        source: One source, or several separated by commas.
        """
        return self._call(models.CountSourcesReply, "GET", "/analytics/sources", path_values={}, query=given({"from": from_, "to": to, "bucket": bucket, "source": source}))


class Operations(Group):
    def list_runs(
        self,
        *,
        kind: Literal["article", "posting", "company", "cart", "crawl", "map"] = UNSET,
        status: Literal["running", "completed", "partial", "failed", "cancelled"] = UNSET,
        source: str = UNSET,
        q: str = UNSET,
        created_after: str = UNSET,
        owner: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListRunsReply:
        """List runs of all kinds, newest first: articles, searches, companies, carts

        source: Only runs with a task of this source.
        q: Id of a run, or text in what was requested: a search term, a URL, a company, an item.
        created_after: A day or a time: 2026-11-15 or 2026-11-15T08:00:00Z.
        owner: Only of this owner of API keys. Without the scope `admin` there are none but your own.
        """
        return self._call(models.ListRunsReply, "GET", "/runs", path_values={}, query=given({"kind": kind, "status": status, "source": source, "q": q, "created_after": created_after, "owner": owner, "limit": limit, "cursor": cursor}))

    def get_run(
        self,
        run_id: str,
    ) -> models.RunDetail:
        """Get a run of any kind: its progress, and why it waits"""
        return self._call(models.RunDetail, "GET", "/runs/{run_id}", path_values={"run_id": run_id}, query=given({}))

    def cancel_run(
        self,
        run_id: str,
    ) -> models.CancelRunReply:
        """Cancel a run of any kind (results found so far are kept)"""
        return self._call(models.CancelRunReply, "DELETE", "/runs/{run_id}", path_values={"run_id": run_id}, query=given({}))

    def list_run_tasks(
        self,
        run_id: str,
        *,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListRunTasksReply:
        """List what a run requested, with the task, attempts and error of each entry"""
        return self._call(models.ListRunTasksReply, "GET", "/runs/{run_id}/tasks", path_values={"run_id": run_id}, query=given({"limit": limit, "cursor": cursor}))

    def get_overview(
        self,
    ) -> models.GetOverviewReply:
        """Get what needs attention, the numbers of now, and the last 24 hours"""
        return self._call(models.GetOverviewReply, "GET", "/overview", path_values={}, query=given({}))

    def get_health(
        self,
    ) -> models.Health:
        """Get overall health with each component"""
        return self._call(models.Health, "GET", "/health", path_values={}, query=given({}))

    def get_livez(
        self,
    ) -> models.GetLivezReply:
        """Liveness: the process answers"""
        return self._call(models.GetLivezReply, "GET", "/livez", path_values={}, query=given({}))

    def get_readyz(
        self,
    ) -> models.GetReadyzReply:
        """Readiness: this process can serve requests"""
        return self._call(models.GetReadyzReply, "GET", "/readyz", path_values={}, query=given({}))

    def get_metrics(
        self,
    ) -> str:
        """Metrics for Prometheus, of all API processes on this port"""
        return self._call(str, "GET", "/metrics", path_values={}, query=given({}))

    def get_openapi(
        self,
    ) -> Any:
        """Get this OpenAPI document"""
        return self._call(Any, "GET", "/openapi.json", path_values={}, query=given({}))

    def list_settings(
        self,
    ) -> models.ListSettingsReply:
        """List the settings in force in this process, secrets masked"""
        return self._call(models.ListSettingsReply, "GET", "/settings", path_values={}, query=given({}))


class Queue(Group):
    def get_queue_status(
        self,
    ) -> models.GetQueueStatusReply:
        """Get queue sizes by lane and band, and the workers"""
        return self._call(models.GetQueueStatusReply, "GET", "/jobs/queue/status", path_values={}, query=given({}))

    def get_jobs_health(
        self,
    ) -> models.GetJobsHealthReply:
        """Check whether submitted work is being processed"""
        return self._call(models.GetJobsHealthReply, "GET", "/jobs/health", path_values={}, query=given({}))

    def get_queue_history(
        self,
        *,
        hours: int = UNSET,
    ) -> models.GetQueueHistoryReply:
        """Get how long the queue was and how old its oldest task, over the last hours

        hours: How far back.
        """
        return self._call(models.GetQueueHistoryReply, "GET", "/jobs/queue/history", path_values={}, query=given({"hours": hours}))

    def list_worker_tasks(
        self,
        worker: str,
    ) -> models.ListWorkerTasksReply:
        """List the tasks that a worker has in hand, the oldest first"""
        return self._call(models.ListWorkerTasksReply, "GET", "/workers/{worker}/tasks", path_values={"worker": worker}, query=given({}))

    def drain_worker(
        self,
        worker: str,
        *,
        reason: str = UNSET,
    ) -> models.DrainWorkerReply:
        """Drain a worker (it ends what it has and takes no more)"""
        return self._call(models.DrainWorkerReply, "POST", "/workers/{worker}/drain", path_values={"worker": worker}, query=given({}), body=given({"reason": reason}))

    def resume_worker(
        self,
        worker: str,
    ) -> models.ResumeWorkerReply:
        """Resume a drained worker (no effect if it is not drained)"""
        return self._call(models.ResumeWorkerReply, "POST", "/workers/{worker}/resume", path_values={"worker": worker}, query=given({}))


class DeadLetters(Group):
    def list_dead_letters(
        self,
        *,
        source: str = UNSET,
        category: Literal["timeout", "network", "http_4xx", "http_5xx", "rate_limited", "blocked", "captcha", "robots", "not_found", "layout_changed", "internal", "invalid_params", "cancelled"] = UNSET,
        code: str = UNSET,
        run_id: str = UNSET,
        died_after: str = UNSET,
        died_before: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListDeadLettersReply:
        """List dead letters (tasks that ran out of attempts), newest first

        code: Cause: the code of the error.
        run_id: Those that this run asked for.
        """
        return self._call(models.ListDeadLettersReply, "GET", "/dead-letters", path_values={}, query=given({"source": source, "category": category, "code": code, "run_id": run_id, "died_after": died_after, "died_before": died_before, "limit": limit, "cursor": cursor}))

    def remove_dead_letters(
        self,
        *,
        source: str = UNSET,
        category: Literal["timeout", "network", "http_4xx", "http_5xx", "rate_limited", "blocked", "captcha", "robots", "not_found", "layout_changed", "internal", "invalid_params", "cancelled"] = UNSET,
        code: str = UNSET,
        run_id: str = UNSET,
        died_after: str = UNSET,
        died_before: str = UNSET,
        dry_run: Literal["0", "1", "true", "false"] = UNSET,
        all: bool = UNSET,
    ) -> models.RemoveDeadLettersReply:
        """Delete many dead letters

        code: Cause: the code of the error.
        run_id: Those that this run asked for.
        """
        return self._call(models.RemoveDeadLettersReply, "DELETE", "/dead-letters", path_values={}, query=given({"source": source, "category": category, "code": code, "run_id": run_id, "died_after": died_after, "died_before": died_before, "dry_run": dry_run, "all": all}))

    def list_dead_letter_groups(
        self,
        *,
        source: str = UNSET,
        category: Literal["timeout", "network", "http_4xx", "http_5xx", "rate_limited", "blocked", "captcha", "robots", "not_found", "layout_changed", "internal", "invalid_params", "cancelled"] = UNSET,
        code: str = UNSET,
        limit: int = UNSET,
    ) -> models.ListDeadLetterGroupsReply:
        """List dead letters by source and cause, the largest group first

        code: Cause: the code of the error.
        """
        return self._call(models.ListDeadLetterGroupsReply, "GET", "/dead-letters/groups", path_values={}, query=given({"source": source, "category": category, "code": code, "limit": limit}))

    def get_dead_letter(
        self,
        task_id: str,
    ) -> models.GetDeadLetterReply:
        """Get a dead letter with its attempts"""
        return self._call(models.GetDeadLetterReply, "GET", "/dead-letters/{task_id}", path_values={"task_id": task_id}, query=given({}))

    def remove_dead_letter(
        self,
        task_id: str,
    ) -> models.RemoveDeadLetterReply:
        """Delete a dead letter"""
        return self._call(models.RemoveDeadLetterReply, "DELETE", "/dead-letters/{task_id}", path_values={"task_id": task_id}, query=given({}))

    def retry_dead_letter(
        self,
        task_id: str,
        *,
        params: dict[str, Any] = UNSET,
        dry_run: bool = UNSET,
        idempotency_key: str | None = None,
    ) -> models.RetryDeadLetterReply | models.RetryDeadLetterReply202:
        """Retry a dead letter as a new job, as it is or with edited input"""
        return self._call(models.RetryDeadLetterReply | models.RetryDeadLetterReply202, "POST", "/dead-letters/{task_id}/retry", path_values={"task_id": task_id}, query=given({}), body=given({"params": params, "dry_run": dry_run}), idempotency_key=idempotency_key or new_key())

    def retry_dead_letters(
        self,
        *,
        task_ids: list[str] = UNSET,
        source: str = UNSET,
        category: Literal["timeout", "network", "http_4xx", "http_5xx", "rate_limited", "blocked", "captcha", "robots", "not_found", "layout_changed", "internal", "invalid_params", "cancelled"] = UNSET,
        code: str = UNSET,
        run_id: str = UNSET,
        died_after: str = UNSET,
        died_before: str = UNSET,
        all: bool = UNSET,
        dry_run: bool = UNSET,
        idempotency_key: str | None = None,
    ) -> models.RetryDeadLettersReply | models.RetryDeadLettersReply202:
        """Retry many dead letters as one new job

        code: Cause: the code of the error.
        run_id: Those that this run asked for.
        """
        return self._call(models.RetryDeadLettersReply | models.RetryDeadLettersReply202, "POST", "/dead-letters/retry", path_values={}, query=given({}), body=given({"task_ids": task_ids, "source": source, "category": category, "code": code, "run_id": run_id, "died_after": died_after, "died_before": died_before, "all": all, "dry_run": dry_run}), idempotency_key=idempotency_key or new_key())

    def list_evidence(
        self,
        *,
        source: str = UNSET,
        code: str = UNSET,
        run_id: str = UNSET,
        task_id: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListEvidenceReply:
        """List saved pages of failed attempts, newest first

        code: Code of the error; `suspect` for results that look wrong.
        """
        return self._call(models.ListEvidenceReply, "GET", "/evidence", path_values={}, query=given({"source": source, "code": code, "run_id": run_id, "task_id": task_id, "limit": limit, "cursor": cursor}))

    def get_evidence(
        self,
        id: str,
    ) -> models.Evidence:
        """Get what is known of a saved page"""
        return self._call(models.Evidence, "GET", "/evidence/{id}", path_values={"id": id}, query=given({}))

    def get_evidence_page(
        self,
        id: str,
        *,
        as_: Literal["text", "document"] = UNSET,
    ) -> str:
        """Get the page that an attempt saw"""
        return self._call(str, "GET", "/evidence/{id}/page", path_values={"id": id}, query=given({"as": as_}))

    def get_evidence_screenshot(
        self,
        id: str,
    ) -> bytes:
        """Get a picture of the page that an attempt saw in a browser"""
        return self._call(bytes, "GET", "/evidence/{id}/screenshot", path_values={"id": id}, query=given({}))


class Quality(Group):
    def list_quality(
        self,
        *,
        source: str = UNSET,
        verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"] = UNSET,
        state: Literal["held", "accepted", "rejected", "superseded"] = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListQualityReply:
        """List how good the results of runs were, by run and source, newest first

        state: held: only those whose items are kept apart.
        """
        return self._call(models.ListQualityReply, "GET", "/quality", path_values={}, query=given({"source": source, "verdict": verdict, "state": state, "limit": limit, "cursor": cursor}))

    def get_quality(
        self,
        run_id: str,
    ) -> models.GetQualityReply:
        """Get how good the results of a run were, by source"""
        return self._call(models.GetQualityReply, "GET", "/quality/{run_id}", path_values={"run_id": run_id}, query=given({}))

    def accept_quality(
        self,
        run_id: str,
    ) -> models.AcceptQualityReply:
        """Accept suspect results of a run"""
        return self._call(models.AcceptQualityReply, "POST", "/quality/{run_id}/accept", path_values={"run_id": run_id}, query=given({}))

    def reject_quality(
        self,
        run_id: str,
    ) -> models.RejectQualityReply:
        """Reject suspect results of a run"""
        return self._call(models.RejectQualityReply, "POST", "/quality/{run_id}/reject", path_values={"run_id": run_id}, query=given({}))


class Webhooks(Group):
    def list_webhooks(
        self,
    ) -> models.ListWebhooksReply:
        """List webhooks, newest first"""
        return self._call(models.ListWebhooksReply, "GET", "/webhooks", path_values={}, query=given({}))

    def create_webhook(
        self,
        *,
        url: str,
        events: list[Literal["run.completed", "run.failed", "run.cancelled", "postings.new", "alert.matched", "source.degraded", "source.recovered", "quality.suspect", "*"]],
        secret: str = UNSET,
        description: str | None = UNSET,
    ) -> models.Webhook:
        """Create a webhook

        url: Receiver: http or https, a public address.
        events: `*`: all events, also those of later versions. `run.completed`: A run has ended with results. `status` is `partial` if some of it failed. `run.failed`: A run has ended without results, or with too few. `run.cancelled`: A run was cancelled. `postings.new`: New postings, not seen by any scrape before. `alert.matched`: New postings that match the search of an alert. `source.degraded`: Too many tasks of a source fail. `source.recovered`: A source that was degraded has recovered. `quality.suspect`: What a run brought looks wrong next to the runs before it.
        secret: `whsec_` and the base64 of 24 to 64 random bytes. If left out, one is generated and shown once, in the response.
        """
        return self._call(models.Webhook, "POST", "/webhooks", path_values={}, query=given({}), body=given({"url": url, "events": events, "secret": secret, "description": description}))

    def get_run_webhook_secret(
        self,
    ) -> models.GetRunWebhookSecretReply:
        """Get the secret that signs deliveries to the `webhook_url` of a run"""
        return self._call(models.GetRunWebhookSecretReply, "GET", "/webhooks/secret", path_values={}, query=given({}))

    def get_webhook(
        self,
        webhook_id: str,
    ) -> models.Webhook:
        """Get a webhook and the state of its receiver"""
        return self._call(models.Webhook, "GET", "/webhooks/{webhook_id}", path_values={"webhook_id": webhook_id}, query=given({}))

    def change_webhook(
        self,
        webhook_id: str,
        *,
        url: str = UNSET,
        events: list[Literal["run.completed", "run.failed", "run.cancelled", "postings.new", "alert.matched", "source.degraded", "source.recovered", "quality.suspect", "*"]] = UNSET,
        description: str | None = UNSET,
        enabled: bool = UNSET,
    ) -> models.Webhook:
        """Update, disable or enable a webhook

        url: Receiver: http or https, a public address.
        events: `*`: all events, also those of later versions. `run.completed`: A run has ended with results. `status` is `partial` if some of it failed. `run.failed`: A run has ended without results, or with too few. `run.cancelled`: A run was cancelled. `postings.new`: New postings, not seen by any scrape before. `alert.matched`: New postings that match the search of an alert. `source.degraded`: Too many tasks of a source fail. `source.recovered`: A source that was degraded has recovered. `quality.suspect`: What a run brought looks wrong next to the runs before it.
        enabled: `true` also enables a webhook that was disabled by a 410 response.
        """
        return self._call(models.Webhook, "PATCH", "/webhooks/{webhook_id}", path_values={"webhook_id": webhook_id}, query=given({}), body=given({"url": url, "events": events, "description": description, "enabled": enabled}))

    def delete_webhook(
        self,
        webhook_id: str,
    ) -> models.DeleteWebhookReply:
        """Delete a webhook and its pending deliveries"""
        return self._call(models.DeleteWebhookReply, "DELETE", "/webhooks/{webhook_id}", path_values={"webhook_id": webhook_id}, query=given({}))

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        secret: str = UNSET,
        overlap_hours: int = UNSET,
    ) -> models.Webhook:
        """Rotate the secret (the old one signs too for a while)

        overlap_hours: Hours for which the old secret also signs. Default: 24.
        """
        return self._call(models.Webhook, "POST", "/webhooks/{webhook_id}/rotate", path_values={"webhook_id": webhook_id}, query=given({}), body=given({"secret": secret, "overlap_hours": overlap_hours}))

    def test_webhook(
        self,
        webhook_id: str,
    ) -> models.Delivery:
        """Send a test event (webhook.test)"""
        return self._call(models.Delivery, "POST", "/webhooks/{webhook_id}/test", path_values={"webhook_id": webhook_id}, query=given({}))

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "dead", "expired"] = UNSET,
        run_id: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListDeliveriesReply:
        """List deliveries and their outcomes, newest first

        run_id: Only deliveries about this run.
        """
        return self._call(models.ListDeliveriesReply, "GET", "/webhooks/{webhook_id}/deliveries", path_values={"webhook_id": webhook_id}, query=given({"state": state, "run_id": run_id, "limit": limit, "cursor": cursor}))

    def redeliver(
        self,
        webhook_id: str,
        delivery_id: str,
    ) -> models.Delivery:
        """Redeliver now, with the same event id"""
        return self._call(models.Delivery, "POST", "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", path_values={"webhook_id": webhook_id, "delivery_id": delivery_id}, query=given({}))


class Keys(Group):
    def list_keys(
        self,
        *,
        owner: str = UNSET,
        limit: int = UNSET,
        cursor: str = UNSET,
    ) -> models.ListKeysReply:
        """List API keys, newest first"""
        return self._call(models.ListKeysReply, "GET", "/keys", path_values={}, query=given({"owner": owner, "limit": limit, "cursor": cursor}))

    def create_key(
        self,
        *,
        name: str,
        scope: Literal["read", "submit", "admin"],
        owner: str = UNSET,
        expires_at: str | None = UNSET,
        requests_per_minute: int | None = UNSET,
        max_open_tasks: int | None = UNSET,
        max_tasks_per_day: int | None = UNSET,
    ) -> models.CreatedKey:
        """Create an API key

        name: What it is for.
        scope: `submit` includes `read`, `admin` includes both and sees the data of all owners.
        owner: Whose it is: runs, schedules, webhooks and alerts belong to the owner of the key that made them.
        expires_at: When it stops working; null: never.
        requests_per_minute: Requests per minute; null: API_RATE_LIMIT.
        max_open_tasks: Tasks of its owner that may wait or run at the same time; null: OWNER_MAX_OPEN_TASKS. If several keys of an owner have one, the largest counts.
        max_tasks_per_day: Tasks that its owner may ask for in a day (UTC); null: OWNER_MAX_TASKS_PER_DAY. If several keys of an owner have one, the largest counts.
        """
        return self._call(models.CreatedKey, "POST", "/keys", path_values={}, query=given({}), body=given({"name": name, "owner": owner, "scope": scope, "expires_at": expires_at, "requests_per_minute": requests_per_minute, "max_open_tasks": max_open_tasks, "max_tasks_per_day": max_tasks_per_day}))

    def get_key(
        self,
        key_id: str,
    ) -> models.Key:
        """Get an API key, without the key itself"""
        return self._call(models.Key, "GET", "/keys/{key_id}", path_values={"key_id": key_id}, query=given({}))

    def change_key(
        self,
        key_id: str,
        *,
        name: str = UNSET,
        expires_at: str | None = UNSET,
        requests_per_minute: int | None = UNSET,
        max_open_tasks: int | None = UNSET,
        max_tasks_per_day: int | None = UNSET,
    ) -> models.Key:
        """Change the name, the expiry or the limits of an API key

        name: What it is for.
        expires_at: When it stops working; null: never.
        requests_per_minute: Requests per minute; null: API_RATE_LIMIT.
        max_open_tasks: Tasks of its owner that may wait or run at the same time; null: OWNER_MAX_OPEN_TASKS. If several keys of an owner have one, the largest counts.
        max_tasks_per_day: Tasks that its owner may ask for in a day (UTC); null: OWNER_MAX_TASKS_PER_DAY. If several keys of an owner have one, the largest counts.
        """
        return self._call(models.Key, "PATCH", "/keys/{key_id}", path_values={"key_id": key_id}, query=given({}), body=given({"name": name, "expires_at": expires_at, "requests_per_minute": requests_per_minute, "max_open_tasks": max_open_tasks, "max_tasks_per_day": max_tasks_per_day}))

    def revoke_key(
        self,
        key_id: str,
    ) -> models.Key:
        """Revoke an API key"""
        return self._call(models.Key, "DELETE", "/keys/{key_id}", path_values={"key_id": key_id}, query=given({}))

    def rotate_key(
        self,
        key_id: str,
        *,
        grace_seconds: int = UNSET,
    ) -> models.RotateKeyReply:
        """Replace an API key (the old one works for a while)

        grace_seconds: How long the old key still works. Default: a day.
        """
        return self._call(models.RotateKeyReply, "POST", "/keys/{key_id}/rotate", path_values={"key_id": key_id}, query=given({}), body=given({"grace_seconds": grace_seconds}))


class Groups:
    """The operations of the API by area."""

    articles: Articles
    crawls: Crawls
    job_boards: JobBoards
    schedules: Schedules
    companies: Companies
    carts: Carts
    data: Data
    alerts: Alerts
    sources: Sources
    analytics: Analytics
    operations: Operations
    queue: Queue
    dead_letters: DeadLetters
    quality: Quality
    webhooks: Webhooks
    keys: Keys

    def __init__(self, call: Call) -> None:
        self.articles = Articles(call)
        self.crawls = Crawls(call)
        self.job_boards = JobBoards(call)
        self.schedules = Schedules(call)
        self.companies = Companies(call)
        self.carts = Carts(call)
        self.data = Data(call)
        self.alerts = Alerts(call)
        self.sources = Sources(call)
        self.analytics = Analytics(call)
        self.operations = Operations(call)
        self.queue = Queue(call)
        self.dead_letters = DeadLetters(call)
        self.quality = Quality(call)
        self.webhooks = Webhooks(call)
        self.keys = Keys(call)
