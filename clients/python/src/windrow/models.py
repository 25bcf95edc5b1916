# Written by `npm run python-client` from the OpenAPI document. Do not edit.
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .model import Model


@dataclass(kw_only=True)
class ProblemErrors(Model):
    pointer: str  # JSON Pointer to the field, such as /articles/3/url.
    detail: str


@dataclass(kw_only=True)
class Problem(Model):
    type: str  # Kind of the problem. Stable.
    title: str
    status: int
    detail: str  # What is wrong and what to do, for people.
    code: Literal["timeout", "task_timeout", "network", "dns", "tls", "proxy", "http_4xx", "http_5xx", "rate_limited", "paced", "blocked", "login", "captcha", "robots", "not_found", "not_article", "not_product", "layout_changed", "unreadable", "too_large", "unknown_source", "no_browser", "unreadable_report", "invalid_item", "too_many_redirects", "unsupported_content", "forbidden_address", "invalid_params", "cancelled", "crashed", "internal", "malformed_json", "bad_request", "request_timeout", "headers_too_large", "unsupported_media_type", "not_cancellable", "unknown_id", "unknown_path", "unauthorized", "insufficient_scope", "key_inactive", "forbidden_origin", "keys_required", "body_too_large", "too_many_requests", "owner_quota", "idempotency_key_reused", "still_running", "nothing_to_do", "not_retryable", "webhook_disabled", "query_too_slow", "newer_database", "unusable_backup", "database_not_empty", "database_in_use", "unavailable", "invalid_config", "invalid_usage", "home_in_use", "port_in_use", "embedded_failed"]
    request_id: str
    errors: list[ProblemErrors]


@dataclass(kw_only=True)
class AcceptQualityReply(Model):
    run_id: str
    decision: str
    checks: int
    items: int


@dataclass(kw_only=True)
class Alert(Model):
    id: str
    name: str
    search: dict[str, Any]
    active: bool  # `false` pauses the alert. Postings found while it is paused are not matched.
    webhook_url: str | None  # Receives the event `alert.matched`, signed with the secret from `GET /webhooks/secret`.
    file: str | None  # File name such as `python.ndjson` (one JSON line per match) or `python.csv` (one row per match), in the alert folder of the server.
    feed_url: str  # Atom, or RSS with `&format=rss`. Anyone who has the URL can read it.
    created_at: str
    updated_at: str
    last_matched_at: str | None


@dataclass(kw_only=True)
class ArticleProvenancePages(Model):
    url: str
    id: str


@dataclass(kw_only=True)
class ArticleProvenance(Model):
    """With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded."""

    source_version: int | None
    task_id: str | None
    attempt: int | None
    pages: list[ArticleProvenancePages]
    fields: dict[str, str]


@dataclass(kw_only=True)
class Article(Model):
    article_id: str
    url: str
    source: str | None
    category: str | None
    title: str | None
    content: str
    author: str | None
    published_at: str | None
    language: str | None
    image: str | None
    scraped_at: str
    highlights: dict[str, str] | None = None  # With `highlight`: what of the texts is near the words of `q`, as HTML with `<mark>` around them. Everything else is escaped. Fields without a word of `q` are absent.
    provenance: ArticleProvenance | None = None  # With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded.


@dataclass(kw_only=True)
class Attention(Model):
    kind: Literal["part_down", "no_orchestrator", "no_wire", "no_worker", "backlog", "source_failing", "source_held", "source_paused", "source_blocked", "source_unstaffed", "dead_letters"]
    severity: Literal["bad", "warn"]
    message: str
    source: str | None
    count: int | None  # Tasks, attempts or requests that it concerns.


@dataclass(kw_only=True)
class CancelJobReply(Model):
    job_id: str
    status: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"]
    message: str


@dataclass(kw_only=True)
class CancelRunReply(Model):
    run_id: str
    status: Literal["cancelled"]
    removed_tasks: int


@dataclass(kw_only=True)
class CancelScrapeReplyData(Model):
    run_id: str
    status: Literal["cancelled"]
    removed_tasks: int


@dataclass(kw_only=True)
class CancelScrapeReply(Model):
    status: Literal["success"]
    data: CancelScrapeReplyData


@dataclass(kw_only=True)
class CompanyScrapingConfig(Model):
    scraper_type: str


@dataclass(kw_only=True)
class CompanyLastSession(Model):
    id: str
    status: Literal["running", "completed", "partial", "failed"]
    jobs_found: int
    started_at: str
    finished_at: str | None
    error: str | None


@dataclass(kw_only=True)
class Company(Model):
    id: str
    name: str
    website: str | None
    active: bool
    scraping_config: CompanyScrapingConfig
    positions: int  # Open positions.
    last_session: CompanyLastSession | None
    health: Literal["unknown", "ok", "degraded", "failing"]  # By its last five sessions: `failing` if the last three failed, or all of them.
    created_at: str
    updated_at: str


@dataclass(kw_only=True)
class CountArticlesByValueReply(Model):
    total: int  # Items that match.
    exact: bool  # False: concluded from a sample.
    facets: dict[str, list[FacetValue]]
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class CountCompaniesReply(Model):
    from_: str
    to: str
    bucket: str | None
    group_by: list[str]
    groups_cut: bool
    as_of: str  # Everything recorded until then is counted.
    rows: list[dict[str, Any]]


@dataclass(kw_only=True)
class CountPostingsByValueReply(Model):
    total: int  # Items that match.
    exact: bool  # False: concluded from a sample.
    facets: dict[str, list[FacetValue]]
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class CountPostingsReply(Model):
    from_: str
    to: str
    bucket: str | None
    group_by: list[str]
    groups_cut: bool
    as_of: str  # Everything recorded until then is counted.
    rows: list[dict[str, Any]]


@dataclass(kw_only=True)
class CountProductsByValueReply(Model):
    total: int  # Items that match.
    exact: bool  # False: concluded from a sample.
    facets: dict[str, list[FacetValue]]
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class CountSourcesReply(Model):
    from_: str
    to: str
    bucket: str | None
    group_by: list[str]
    groups_cut: bool
    as_of: str  # Everything recorded until then is counted.
    rows: list[dict[str, Any]]


@dataclass(kw_only=True)
class CrawlAccepted(Model):
    run_id: str
    status: Literal["running", "completed", "partial", "failed", "cancelled"]
    url: str
    limit: int
    pages_path: str


@dataclass(kw_only=True)
class CrawlPageArticle(Model):
    article_id: str
    title: str | None
    content: str | None
    author: str | None
    published_at: str | None
    language: str | None
    image: str | None
    scraped_at: str


@dataclass(kw_only=True)
class CrawlPage(Model):
    url: str
    depth: int
    found_on: str | None
    state: Literal["waiting", "queued", "done", "failed", "listed", "left_out"]
    outcome: Literal["article", "page", "redirect", "missing", "robots", "not_html", "sitemap"] | None
    left_out: Literal["outside", "prefix", "excluded", "not_included", "nofollow", "file", "too_deep", "too_long", "repeating", "variants", "not_in_sitemap", "limit", "budget", "cancelled"] | None
    http_status: int | None
    content_type: str | None
    title: str | None
    redirect_to: str | None
    error: str | None
    read_at: str | None
    article: CrawlPageArticle | None


@dataclass(kw_only=True)
class CrawlStatusPages(Model):
    """Pages of the crawl: `waiting` for room in the queue, `queued` or with a worker, read, failed."""

    found: int
    waiting: int
    queued: int
    done: int
    failed: int


@dataclass(kw_only=True)
class CrawlStatus(Model):
    run_id: str
    status: Literal["running", "completed", "partial", "failed", "cancelled"]
    url: str
    limit: int
    pages: CrawlStatusPages  # Pages of the crawl: `waiting` for room in the queue, `queued` or with a worker, read, failed.
    outcomes: dict[str, int]  # What the pages that were read are: article, page, redirect, missing, robots, not_html, sitemap.
    left_out: dict[str, int]  # URLs that were not made pages, by reason: outside, prefix, excluded, not_included, nofollow, file, too_deep, too_long, repeating, variants, not_in_sitemap, limit, budget, cancelled.
    left_out_complete: bool  # False: more was left out than is counted.
    links_cut: int  # Links of very long pages and sitemaps that were not read.
    sitemaps: int  # Sitemap files that were read.
    depth: int  # Depth of the deepest page read so far.
    bytes: int
    estimated_seconds: int | None  # Until the pages that are known are read, at the pace until now.
    created_at: str
    updated_at: str
    finished_at: str | None
    waiting: Waiting | None = None


@dataclass(kw_only=True)
class CreateSocketTicketReply(Model):
    ticket: str
    expires_in_seconds: int


@dataclass(kw_only=True)
class CreatedKey(Model):
    id: str
    prefix: str  # How the key begins.
    name: str
    owner: str
    scope: Literal["read", "submit", "admin"]
    status: Literal["active", "expired", "revoked"]
    requests_per_minute: int | None
    max_open_tasks: int | None
    max_tasks_per_day: int | None
    replaces: str | None  # The id of the key that it was rotated from.
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None  # Up to a minute late.
    key: str  # Shown only here.


@dataclass(kw_only=True)
class DeadLetterError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class DeadLetter(Model):
    task_id: str
    source: str
    lane: str
    run_id: str
    params: dict[str, Any]
    priority: int
    attempts: int
    error: DeadLetterError | None
    died_at: str


@dataclass(kw_only=True)
class DeleteAlertReply(Model):
    id: str
    deleted: Literal[True]


@dataclass(kw_only=True)
class DeleteCompanyReply(Model):
    id: str
    name: str
    deleted: Literal[True]


@dataclass(kw_only=True)
class DeleteScheduleReply(Model):
    id: str
    deleted: Literal[True]


@dataclass(kw_only=True)
class DeleteWebhookReply(Model):
    id: str
    deleted: Literal[True]


@dataclass(kw_only=True)
class DeliveryPayload(Model):
    type: str
    timestamp: str
    data: dict[str, Any]


@dataclass(kw_only=True)
class Delivery(Model):
    id: str
    event_id: str
    type: str
    url: str | None
    state: Literal["waiting", "delivered", "dead", "expired"]
    attempts: int
    last_status: int | None
    last_error: str | None
    last_attempt_at: str | None
    next_attempt_at: str | None
    expires_at: str | None
    created_at: str
    ended_at: str | None
    request_id: str | None
    payload: DeliveryPayload


@dataclass(kw_only=True)
class DetectCompanyReplyFindingsScrapingConfig(Model):
    scraper_type: str


@dataclass(kw_only=True)
class DetectCompanyReplyFindings(Model):
    scraping_config: DetectCompanyReplyFindingsScrapingConfig
    confidence: float
    evidence: str


@dataclass(kw_only=True)
class DetectCompanyReplyLookedAt(Model):
    url: str
    error: str | None


@dataclass(kw_only=True)
class DetectCompanyReplyHints(Model):
    vendor: str
    evidence: str
    advice: str


@dataclass(kw_only=True)
class DetectCompanyReply(Model):
    findings: list[DetectCompanyReplyFindings]
    looked_at: list[DetectCompanyReplyLookedAt]
    hints: list[DetectCompanyReplyHints]  # Systems that were recognised and have no scraper of their own, with what to do instead.


@dataclass(kw_only=True)
class DrainWorkerReply(Model):
    worker: str
    draining: bool
    tasks: int


@dataclass(kw_only=True)
class EvidencePage(Model):
    path: str
    media_type: str
    bytes: int  # Compressed, as it is kept.
    chars: int  # Of the whole page.
    is_cut: bool  # Only its beginning was kept.


@dataclass(kw_only=True)
class EvidenceScreenshot(Model):
    path: str
    media_type: str
    bytes: int


@dataclass(kw_only=True)
class Evidence(Model):
    id: str
    task_id: str
    run_id: str
    attempt: int
    source: str
    code: str  # Code of the error; `suspect` if the attempt succeeded and its results look wrong.
    worker: str
    url: str  # Address of the page after redirects, without secrets.
    status: int  # HTTP status.
    captured_at: str
    page: EvidencePage | None
    screenshot: EvidenceScreenshot | None
    left_out: list[str]  # What was not kept, and why.


@dataclass(kw_only=True)
class FacetValue(Model):
    value: str
    count: int


@dataclass(kw_only=True)
class Fire(Model):
    instant: str
    state: Literal["waiting", "started", "done", "skipped", "failed"]
    reason: str | None
    run_id: str | None


@dataclass(kw_only=True)
class FuzzyNames(Model):
    using: Literal["pg_trgm", "first_letters"]  # `pg_trgm`: all names were compared. `first_letters`: PostgreSQL has no pg_trgm, so names with the same first two letters were.
    names: list[str]  # The names that were found, at most 20, the most similar first.


@dataclass(kw_only=True)
class GetAlertReply(Model):
    id: str
    name: str
    search: dict[str, Any]
    active: bool  # `false` pauses the alert. Postings found while it is paused are not matched.
    webhook_url: str | None  # Receives the event `alert.matched`, signed with the secret from `GET /webhooks/secret`.
    file: str | None  # File name such as `python.ndjson` (one JSON line per match) or `python.csv` (one row per match), in the alert folder of the server.
    feed_url: str  # Atom, or RSS with `&format=rss`. Anyone who has the URL can read it.
    created_at: str
    updated_at: str
    last_matched_at: str | None
    matches: int
    latest: list[Match]


@dataclass(kw_only=True)
class GetCartResultsReply(Model):
    status: Literal["queued", "processing", "complete", "failed", "cancelled", "not_found"]
    queue_position: int | None = None
    estimated_time: int | None = None  # Seconds; null while nothing moves: `waiting` says why.
    estimated_time_p90: int | None = None  # Seconds; null while nothing moves: `waiting` says why.
    waiting: Waiting | None = None
    progress: str | None = None
    results: dict[str, list[Product]] | None = None
    errors: dict[str, str] | None = None
    error: str | None = None
    expires_at: str | None = None
    message: str | None = None


@dataclass(kw_only=True)
class GetCrawlPagesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("pages",)

    pages: list[CrawlPage]
    next_cursor: str | None


@dataclass(kw_only=True)
class GetDeadLetterReplyError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class GetDeadLetterReplyTriedError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class GetDeadLetterReplyTried(Model):
    attempt: int
    worker: str | None
    started_at: str | None
    ended_at: str
    requests: int
    error: GetDeadLetterReplyTriedError


@dataclass(kw_only=True)
class GetDeadLetterReply(Model):
    task_id: str
    source: str
    lane: str
    run_id: str
    params: dict[str, Any]
    priority: int
    attempts: int
    error: GetDeadLetterReplyError | None
    died_at: str
    edited_from: dict[str, Any] | None  # If it was made by a retry with edited input: the input before.
    tried: list[GetDeadLetterReplyTried]  # Attempts that went wrong, the last one last. At most 50.
    evidence: list[Evidence]  # Pages that its attempts saw, as far as they are kept, in the order of the attempts.


@dataclass(kw_only=True)
class GetJobResultsReplyResults(Model):
    article_id: str
    url: str
    source: str | None
    category: str | None
    title: str | None
    content: str | None
    author: str | None
    published_at: str | None
    modified_at: str | None  # When the page says it was last changed.
    kind: str | None  # What the page is: `article`, `documentation`, `forum`, `product`, `service`, `listing` or `collection`.
    language: str | None
    image: str | None
    scraped_at: str | None
    cached: bool


@dataclass(kw_only=True)
class GetJobResultsReplyFailedArticles(Model):
    url: str
    error: str
    attempted_at: str | None
    attempts: int


@dataclass(kw_only=True)
class GetJobResultsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("results",)

    job_id: str
    status: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"]
    total_articles: int
    successful: int
    failed: int
    results: list[GetJobResultsReplyResults]
    failed_articles: list[GetJobResultsReplyFailedArticles]
    next_cursor: str | None


@dataclass(kw_only=True)
class GetJobsHealthReplyQueue(Model):
    waiting: int
    active: int
    delayed: int


@dataclass(kw_only=True)
class GetJobsHealthReply(Model):
    status: Literal["healthy", "degraded", "down"]
    queue: GetJobsHealthReplyQueue | None
    workers: int | None
    slots: int | None
    reasons: list[str]


@dataclass(kw_only=True)
class GetLivezReply(Model):
    status: str
    detail: str | None


@dataclass(kw_only=True)
class GetOverviewReplyQueue(Model):
    waiting: int
    delayed: int
    held: int
    active: int
    oldest_waiting_seconds: float | None


@dataclass(kw_only=True)
class GetOverviewReplyWorkers(Model):
    count: int | None
    slots: int
    busy: int


@dataclass(kw_only=True)
class GetOverviewReplyLastHourLatencySeconds(Model):
    p50: float | None
    p95: float | None
    p99: float | None


@dataclass(kw_only=True)
class GetOverviewReplyLastHour(Model):
    done: int
    retried: int
    failed: int
    requests: float
    blocks: int
    items: int
    latency_seconds: GetOverviewReplyLastHourLatencySeconds


@dataclass(kw_only=True)
class GetOverviewReply(Model):
    as_of: str
    attention: list[Attention]  # The worst first; empty while all is well.
    queue: GetOverviewReplyQueue
    workers: GetOverviewReplyWorkers
    orchestrators: int | None
    throughput_per_minute: int
    dead_letters: int
    last_hour: GetOverviewReplyLastHour
    hours: list[OverviewHour]  # The last 24 hours, oldest first, without gaps.


@dataclass(kw_only=True)
class GetPositionReplyHistoryChanges(Model):
    field: str
    before: str | None
    after: str | None


@dataclass(kw_only=True)
class GetPositionReplyHistory(Model):
    at: str
    kind: str
    changes: list[GetPositionReplyHistoryChanges]


@dataclass(kw_only=True)
class GetPositionReply(Model):
    id: str
    company: str
    company_id: str
    title: str
    job_url: str
    job_hash: str
    active: bool
    first_seen_at: str
    last_seen_at: str
    closed_at: str | None
    close_reason: str | None
    reopened_at: str | None
    history: list[GetPositionReplyHistory]


@dataclass(kw_only=True)
class GetPricesReply(Model):
    from_: str
    to: str
    bucket: str | None
    group_by: list[str]
    groups_cut: bool
    as_of: str  # Everything recorded until then is counted.
    rows: list[dict[str, Any]]


@dataclass(kw_only=True)
class GetQualityReply(Model):
    run_id: str
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"] | None
    checks: list[QualityCheck]


@dataclass(kw_only=True)
class GetQueueHistoryReply(Model):
    every_seconds: int  # Each point is the highest of this time.
    points: list[QueuePoint]  # The oldest first. Where no orchestrator was running, points are missing.


@dataclass(kw_only=True)
class GetQueueStatusReplyData(Model):
    queues: dict[str, QueueCounts]
    oldest_waiting_seconds: float | None
    throughput_per_minute: int
    failed_is_at_least: bool
    wire: Literal["up", "down"]
    workers: list[Worker]


@dataclass(kw_only=True)
class GetQueueStatusReply(Model):
    status: Literal["success"]
    data: GetQueueStatusReplyData


@dataclass(kw_only=True)
class GetReadyzReply(Model):
    status: str
    detail: str | None


@dataclass(kw_only=True)
class GetRunWebhookSecretReply(Model):
    secret: str


@dataclass(kw_only=True)
class GetSalariesReply(Model):
    from_: str
    to: str
    bucket: str | None
    group_by: list[str]
    groups_cut: bool
    as_of: str  # Everything recorded until then is counted.
    rows: list[dict[str, Any]]


@dataclass(kw_only=True)
class GetScheduleReply(Model):
    id: str
    site_name: str | None  # A site to search with `payload`.
    task: Literal["search", "companies.scrape", "positions.stale", "cleanup"]  # `search` needs a site. The others are built-in tasks.
    enabled: bool
    interval_minutes: int | None  # Minutes, with a jitter of ±10 %.
    cron: str | None  # Cron expression with five fields, in `timezone`.
    timezone: str  # Only for `cron`.
    payload: dict[str, Any]
    min_pause_seconds: float | None
    max_pause_seconds: float | None
    max_retries: int | None
    catch_up: Literal["once", "skip"]  # After an outage: `once` runs once for all missed times, `skip` does not run.
    overlap: Literal["skip", "queue"]  # If it is due before its previous run has ended: `skip` this time, or `queue` it after that run.
    last_run_at: str | None
    last_run_id: str | None
    next_run_at: str | None
    waiting_for: str | None  # The run it waits for.
    fires: list[Fire]  # The latest times it was due, newest first, with the reason if it did not run.


@dataclass(kw_only=True)
class GetSchedulerStatusReplyDataInstances(Model):
    name: str
    started_at: str
    last_tick_at: str


@dataclass(kw_only=True)
class GetSchedulerStatusReplyDataNextDue(Model):
    id: str
    next_run_at: str


@dataclass(kw_only=True)
class GetSchedulerStatusReplyDataSchedules(Model):
    id: str
    enabled: bool
    next_run_at: str | None
    started: int
    skipped: int
    failed: int


@dataclass(kw_only=True)
class GetSchedulerStatusReplyData(Model):
    instances: list[GetSchedulerStatusReplyDataInstances]
    last_tick_at: str | None
    next_due: GetSchedulerStatusReplyDataNextDue | None
    schedules: list[GetSchedulerStatusReplyDataSchedules]


@dataclass(kw_only=True)
class GetSchedulerStatusReply(Model):
    status: Literal["success"]
    data: GetSchedulerStatusReplyData


@dataclass(kw_only=True)
class GetScrapeReplyDataSites(Model):
    site_name: str
    status: str
    jobs_found: int
    error: str | None


@dataclass(kw_only=True)
class GetScrapeReplyDataMetadata(Model):
    proxy_used: str | None
    requests_made: int
    rate_limited: bool
    captcha_encountered: bool
    rows_skipped: int  # Rows that could not be read completely. See `warnings`.
    warnings: list[str]


@dataclass(kw_only=True)
class GetScrapeReplyData(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("jobs",)

    run_id: str
    task_id: str
    site_name: str | list[str]
    trigger: Literal["schedule", "manual"]
    status: Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
    execution_mode: Literal["async", "sync"]
    started_at: str
    finished_at: str | None
    requested_pages: int
    completed_pages: int
    errors_count: int
    message: str | None
    waiting: Waiting | None = None
    jobs_found: int
    jobs: list[Posting]
    sites: list[GetScrapeReplyDataSites]
    metadata: GetScrapeReplyDataMetadata
    next_cursor: str | None


@dataclass(kw_only=True)
class GetScrapeReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("data", "jobs",)

    status: Literal["success"]
    data: GetScrapeReplyData


@dataclass(kw_only=True)
class Health(Model):
    status: Literal["ok", "degraded", "down"]
    version: str
    uptime_seconds: int
    parts: dict[str, HealthPart]


@dataclass(kw_only=True)
class HealthPart(Model):
    status: Literal["up", "degraded", "down"]
    latency_ms: float | None
    checked_at: str
    detail: str | None


@dataclass(kw_only=True)
class ImportCompaniesReplyRows(Model):
    row: int
    name: str | None
    result: Literal["created", "updated", "unchanged", "refused"]
    problems: list[str]


@dataclass(kw_only=True)
class ImportCompaniesReply(Model):
    total: int
    created: int
    updated: int
    unchanged: int
    refused: int
    rows: list[ImportCompaniesReplyRows]


@dataclass(kw_only=True)
class Job(Model):
    job_id: str
    status: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"]
    total_articles: int
    completed: int
    failed: int
    pending: int
    created_at: str
    updated_at: str
    completed_at: str | None
    message: str | None = None  # Why articles wait, while nothing moves.
    waiting: Waiting | None = None


@dataclass(kw_only=True)
class Key(Model):
    id: str
    prefix: str  # How the key begins.
    name: str
    owner: str
    scope: Literal["read", "submit", "admin"]
    status: Literal["active", "expired", "revoked"]
    requests_per_minute: int | None
    max_open_tasks: int | None
    max_tasks_per_day: int | None
    replaces: str | None  # The id of the key that it was rotated from.
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None  # Up to a minute late.


@dataclass(kw_only=True)
class ListAlertMatchesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("matches",)

    matches: list[Match]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListAlertsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("alerts",)

    alerts: list[Alert]
    total: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListArticlesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("articles",)

    articles: list[Article]
    next_cursor: str | None
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class ListCompaniesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("companies",)

    companies: list[Company]
    total: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListDeadLetterGroupsReplyGroupsSampleError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class ListDeadLetterGroupsReplyGroupsSampleTriedError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class ListDeadLetterGroupsReplyGroupsSampleTried(Model):
    attempt: int
    worker: str | None
    started_at: str | None
    ended_at: str
    requests: int
    error: ListDeadLetterGroupsReplyGroupsSampleTriedError


@dataclass(kw_only=True)
class ListDeadLetterGroupsReplyGroupsSample(Model):
    task_id: str
    source: str
    lane: str
    run_id: str
    params: dict[str, Any]
    priority: int
    attempts: int
    error: ListDeadLetterGroupsReplyGroupsSampleError | None
    died_at: str
    edited_from: dict[str, Any] | None  # If it was made by a retry with edited input: the input before.
    tried: list[ListDeadLetterGroupsReplyGroupsSampleTried]  # Attempts that went wrong, the last one last. At most 50.
    evidence: list[Evidence]  # Pages that its attempts saw, as far as they are kept, in the order of the attempts.


@dataclass(kw_only=True)
class ListDeadLetterGroupsReplyGroups(Model):
    source: str
    category: str
    code: str
    count: int
    first_died_at: str
    last_died_at: str
    sample: ListDeadLetterGroupsReplyGroupsSample | None  # The newest one.
    evidence: Evidence | None  # The newest page saved for this source and cause; it may be of another letter than the sample.


@dataclass(kw_only=True)
class ListDeadLetterGroupsReply(Model):
    total: int
    groups: list[ListDeadLetterGroupsReplyGroups]


@dataclass(kw_only=True)
class ListDeadLettersReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("dead_letters",)

    dead_letters: list[DeadLetter]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListDeliveriesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("deliveries",)

    deliveries: list[Delivery]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListEvidenceReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("evidence",)

    evidence: list[Evidence]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListJobsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("jobs",)

    jobs: list[Job]
    total: int
    limit: int
    skip: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListKeysReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("keys",)

    keys: list[Key]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListPositionsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("positions",)

    positions: list[Position]
    total: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListPostingsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("postings",)

    postings: list[ListedPosting]
    next_cursor: str | None
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class ListProductsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("products",)

    products: list[ListedProduct]
    next_cursor: str | None
    fuzzy_names: FuzzyNames | None = None


@dataclass(kw_only=True)
class ListQualityReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("checks",)

    checks: list[QualityCheck]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListRunTasksReplyTasksError(Model):
    category: str
    code: str | None
    message: str


@dataclass(kw_only=True)
class ListRunTasksReplyTasks(Model):
    position: int
    entry: dict[str, Any]  # What was requested: a URL, site, company or item.
    task_id: str | None
    source: str | None
    lane: str | None
    state: Literal["stored", "ready", "delayed", "held", "sent", "started", "done", "failed", "cancelled"]  # `stored`: its result was stored already. `ready`, `delayed`, `held`: it waits. `sent`, `started`: it is with a worker.
    attempts: int
    error: ListRunTasksReplyTasksError | None
    worker: str | None
    created_at: str | None
    retry_at: str | None
    sent_at: str | None
    finished_at: str | None


@dataclass(kw_only=True)
class ListRunTasksReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("tasks",)

    tasks: list[ListRunTasksReplyTasks]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListRunsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("runs",)

    runs: list[Run]
    next_cursor: str | None


@dataclass(kw_only=True)
class ListSchedulesReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("schedules",)

    schedules: list[Schedule]
    total: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListSessionsReplySessions(Model):
    id: str
    company: str
    run_id: str
    status: Literal["running", "completed", "partial", "failed"]
    incremental: bool
    jobs_found: int
    new: int
    updated: int
    unchanged: int
    deactivated: int
    closing_refused: str | None  # Why positions that were not seen were not closed.
    errors: list[str]
    waiting_reason: str | None  # Why it waits, while it does.
    cause: str | None  # While it is running: why the last attempt failed.
    next_try_at: str | None  # When the next attempt is due.
    started_at: str
    finished_at: str | None
    duration_seconds: float | None


@dataclass(kw_only=True)
class ListSessionsReply(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("sessions",)

    sessions: list[ListSessionsReplySessions]
    total: int
    next_cursor: str | None


@dataclass(kw_only=True)
class ListSettingsReply(Model):
    topics: list[SettingTopic]


@dataclass(kw_only=True)
class ListSitesReplyDataSitesHealth(Model):
    state: Literal["unknown", "ok", "degraded", "failing"]
    done_last_hour: int
    failed_last_hour: int


@dataclass(kw_only=True)
class ListSitesReplyDataSites(Model):
    name: str
    title: str
    kind: str
    enabled: bool
    params: dict[str, Any]
    countries: list[str] | None = None  # ISO codes of the supported countries. Absent if the site has no country choice.
    health: ListSitesReplyDataSitesHealth


@dataclass(kw_only=True)
class ListSitesReplyData(Model):
    sites: list[ListSitesReplyDataSites]


@dataclass(kw_only=True)
class ListSitesReply(Model):
    status: Literal["success"]
    data: ListSitesReplyData


@dataclass(kw_only=True)
class ListSourcesReplyProblems(Model):
    module: str
    reason: str


@dataclass(kw_only=True)
class ListSourcesReply(Model):
    sources: list[Source]
    problems: list[ListSourcesReplyProblems]  # Source modules that could not be used, and why.


@dataclass(kw_only=True)
class ListWebhooksReply(Model):
    webhooks: list[Webhook]
    total: int
    max: int  # Maximum number of webhooks.


@dataclass(kw_only=True)
class ListWorkerTasksReply(Model):
    tasks: list[WorkerTask]


@dataclass(kw_only=True)
class ListedPostingLocations(Model):
    raw: str
    city: str | None
    region: str | None
    country: str | None
    lat: float | None
    lon: float | None
    kind: Literal["city", "region", "country", "area", "macro", "remote", "unknown"]


@dataclass(kw_only=True)
class ListedPostingSalaryZones(Model):
    min: float | None
    max: float | None
    label: str | None


@dataclass(kw_only=True)
class ListedPostingSalary(Model):
    min: float | None
    max: float | None
    currency: str | None
    interval: Literal["hour", "day", "week", "month", "year"] | None
    source: Literal["employer", "description", "estimated"]
    raw: str | None
    is_ote: bool
    is_net: bool
    payments_per_year: float | None
    zones: list[ListedPostingSalaryZones]
    flags: list[str]


@dataclass(kw_only=True)
class ListedPostingExperienceYears(Model):
    min: float | None
    max: float | None


@dataclass(kw_only=True)
class ListedPostingSalaryAnnual(Model):
    min: float | None
    max: float | None


@dataclass(kw_only=True)
class ListedPostingGroupSources(Model):
    source: str
    job_url: str
    first_seen_at: str


@dataclass(kw_only=True)
class ListedPostingGroup(Model):
    id: str | None
    sources: list[ListedPostingGroupSources]


@dataclass(kw_only=True)
class ListedPostingProvenancePages(Model):
    url: str
    id: str


@dataclass(kw_only=True)
class ListedPostingProvenance(Model):
    """With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded."""

    source_version: int | None
    task_id: str | None
    attempt: int | None
    pages: list[ListedPostingProvenancePages]
    fields: dict[str, str]


@dataclass(kw_only=True)
class ListedPosting(Model):
    source: str
    external_id: str
    company_ref: str | None
    title: str
    company: str | None
    company_url: str | None
    company_logo: str | None
    company_industry: str | None
    company_size: str | None
    company_revenue: str | None
    company_description: str | None
    company_rating: float | None
    company_reviews_count: float | None
    company_addresses: list[str]
    location: str | None
    locations: list[ListedPostingLocations]
    remote_type: Literal["remote", "hybrid", "onsite", "unknown"]
    remote_regions: list[str]
    job_types: list[Literal["full_time", "part_time", "contract", "temporary", "internship", "volunteer", "per_diem", "other"]]
    salary: ListedPostingSalary | None
    job_url: str
    apply_url: str | None
    description: str | None
    description_format: Literal["markdown", "html", "plain"]
    description_html: str | None
    language: str | None
    posted_at: str | None
    posted_precision: Literal["exact", "day", "approximate", "unknown"]
    posted_not_after: str | None
    listed_at: str | None
    updated_at: str | None
    valid_through: str | None
    is_closed: bool
    department: str | None
    team: str | None
    job_function: str | None
    seniority: Literal["intern", "entry", "mid", "senior", "staff", "principal", "lead", "manager", "director", "vp", "executive", "unknown"]
    experience_years: ListedPostingExperienceYears | None
    degree: Literal["none", "high_school", "vocational", "associate", "university", "bachelor", "master", "doctorate"] | None
    visa_sponsorship: bool | None
    contract_kinds: list[Literal["permanent", "fixed_term", "freelance", "agency"]]
    skills: list[str]
    emails: list[str]
    vacancy_count: int | None
    listing_type: Literal["organic", "sponsored", "easy_apply"] | None
    raw: Any
    salary_min: float | None
    salary_max: float | None
    currency: str | None
    salary_interval: Literal["hour", "day", "week", "month", "year"] | None
    salary_source: Literal["employer", "description", "estimated"] | None
    salary_annual: ListedPostingSalaryAnnual | None
    posted_date: str | None
    job_hash: str
    fingerprint: str
    first_seen_at: str
    last_seen_at: str
    group: ListedPostingGroup
    highlights: dict[str, str] | None = None  # With `highlight`: what of the texts is near the words of `q`, as HTML with `<mark>` around them. Everything else is escaped. Fields without a word of `q` are absent.
    provenance: ListedPostingProvenance | None = None  # With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded.


@dataclass(kw_only=True)
class ListedProductGroupOffers(Model):
    source: str
    seller: str | None
    zipcode: str | None
    price: float | None
    currency: str | None
    link: str | None


@dataclass(kw_only=True)
class ListedProductGroup(Model):
    id: str | None
    offers: list[ListedProductGroupOffers]


@dataclass(kw_only=True)
class ListedProductProvenancePages(Model):
    url: str
    id: str


@dataclass(kw_only=True)
class ListedProductProvenance(Model):
    """With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded."""

    source_version: int | None
    task_id: str | None
    attempt: int | None
    pages: list[ListedProductProvenancePages]
    fields: dict[str, str]


@dataclass(kw_only=True)
class ListedProduct(Model):
    title: str
    price: float | None
    currency: str | None
    price_text: str | None
    old_price: float | None
    unit_price: float | None
    unit: str | None  # What the unit price is for: `fl oz`, `100 g`.
    seller: str | None
    link: str | None
    image: str | None
    rating: float | None
    reviews: int | None
    delivery: str | None
    product_id: str | None
    same_as: str | None  # The same for offers of the same product in several shops.
    zipcode: str | None
    scraped_at: str
    product: str
    source: str
    first_seen_at: str
    group: ListedProductGroup
    highlights: dict[str, str] | None = None  # With `highlight`: what of the texts is near the words of `q`, as HTML with `<mark>` around them. Everything else is escaped. Fields without a word of `q` are absent.
    provenance: ListedProductProvenance | None = None  # With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded.


@dataclass(kw_only=True)
class Match(Model):
    announced_at: str
    posting: Notice


@dataclass(kw_only=True)
class Notice(Model):
    job_hash: str
    source: str
    title: str
    company: str | None
    location: str | None
    remote_type: Literal["remote", "hybrid", "onsite", "unknown"] | None
    salary_min: float | None
    salary_max: float | None
    currency: str | None
    salary_interval: Literal["hour", "day", "week", "month", "year"] | None
    job_url: str | None
    posted_date: str | None
    first_seen_at: str
    group_id: str | None


@dataclass(kw_only=True)
class OverviewHourLatencySeconds(Model):
    p50: float | None
    p95: float | None
    p99: float | None


@dataclass(kw_only=True)
class OverviewHour(Model):
    at: str
    done: int
    retried: int
    failed: int
    requests: float
    blocks: int
    items: int
    latency_seconds: OverviewHourLatencySeconds


@dataclass(kw_only=True)
class PauseSourceReply(Model):
    name: str
    paused: bool
    tasks: int


@dataclass(kw_only=True)
class Position(Model):
    id: str
    company: str
    company_id: str
    title: str
    job_url: str
    job_hash: str
    active: bool
    first_seen_at: str
    last_seen_at: str
    closed_at: str | None
    close_reason: str | None
    reopened_at: str | None


@dataclass(kw_only=True)
class PostingLocations(Model):
    raw: str
    city: str | None
    region: str | None
    country: str | None
    lat: float | None
    lon: float | None
    kind: Literal["city", "region", "country", "area", "macro", "remote", "unknown"]


@dataclass(kw_only=True)
class PostingSalaryZones(Model):
    min: float | None
    max: float | None
    label: str | None


@dataclass(kw_only=True)
class PostingSalary(Model):
    min: float | None
    max: float | None
    currency: str | None
    interval: Literal["hour", "day", "week", "month", "year"] | None
    source: Literal["employer", "description", "estimated"]
    raw: str | None
    is_ote: bool
    is_net: bool
    payments_per_year: float | None
    zones: list[PostingSalaryZones]
    flags: list[str]


@dataclass(kw_only=True)
class PostingExperienceYears(Model):
    min: float | None
    max: float | None


@dataclass(kw_only=True)
class PostingSalaryAnnual(Model):
    min: float | None
    max: float | None


@dataclass(kw_only=True)
class Posting(Model):
    source: str
    external_id: str
    company_ref: str | None
    title: str
    company: str | None
    company_url: str | None
    company_logo: str | None
    company_industry: str | None
    company_size: str | None
    company_revenue: str | None
    company_description: str | None
    company_rating: float | None
    company_reviews_count: float | None
    company_addresses: list[str]
    location: str | None
    locations: list[PostingLocations]
    remote_type: Literal["remote", "hybrid", "onsite", "unknown"]
    remote_regions: list[str]
    job_types: list[Literal["full_time", "part_time", "contract", "temporary", "internship", "volunteer", "per_diem", "other"]]
    salary: PostingSalary | None
    job_url: str
    apply_url: str | None
    description: str | None
    description_format: Literal["markdown", "html", "plain"]
    description_html: str | None
    language: str | None
    posted_at: str | None
    posted_precision: Literal["exact", "day", "approximate", "unknown"]
    posted_not_after: str | None
    listed_at: str | None
    updated_at: str | None
    valid_through: str | None
    is_closed: bool
    department: str | None
    team: str | None
    job_function: str | None
    seniority: Literal["intern", "entry", "mid", "senior", "staff", "principal", "lead", "manager", "director", "vp", "executive", "unknown"]
    experience_years: PostingExperienceYears | None
    degree: Literal["none", "high_school", "vocational", "associate", "university", "bachelor", "master", "doctorate"] | None
    visa_sponsorship: bool | None
    contract_kinds: list[Literal["permanent", "fixed_term", "freelance", "agency"]]
    skills: list[str]
    emails: list[str]
    vacancy_count: int | None
    listing_type: Literal["organic", "sponsored", "easy_apply"] | None
    raw: Any
    salary_min: float | None
    salary_max: float | None
    currency: str | None
    salary_interval: Literal["hour", "day", "week", "month", "year"] | None
    salary_source: Literal["employer", "description", "estimated"] | None
    salary_annual: PostingSalaryAnnual | None
    posted_date: str | None
    job_hash: str
    fingerprint: str


@dataclass(kw_only=True)
class PreviewAlertReply(Model):
    matching: int  # Counted up to 10000.
    has_more: bool
    newest: list[Notice]


@dataclass(kw_only=True)
class ProcessNewPostingsReplyData(Model):
    grouped: int
    announced: int
    matches: int


@dataclass(kw_only=True)
class ProcessNewPostingsReply(Model):
    status: Literal["success"]
    data: ProcessNewPostingsReplyData


@dataclass(kw_only=True)
class Product(Model):
    title: str
    price: float | None
    currency: str | None
    price_text: str | None
    old_price: float | None
    unit_price: float | None
    unit: str | None  # What the unit price is for: `fl oz`, `100 g`.
    seller: str | None
    link: str | None
    image: str | None
    rating: float | None
    reviews: int | None
    delivery: str | None
    product_id: str | None
    same_as: str | None  # The same for offers of the same product in several shops.
    zipcode: str | None
    scraped_at: str


@dataclass(kw_only=True)
class QualityCheckMeasureSelectors(Model):
    rows: int
    found: int


@dataclass(kw_only=True)
class QualityCheckMeasure(Model):
    items: int
    duplicate_share: float | None
    refused_share: float | None
    completeness: dict[str, float]  # Share of the items that have the field, by field.
    title_length: float | None
    text_length: float | None
    selectors: dict[str, QualityCheckMeasureSelectors]  # In how many rows each selector or path of the settings found something.


@dataclass(kw_only=True)
class QualityCheck(Model):
    run_id: str
    task_id: str | None  # Null for articles, which are judged together, by site.
    source: str
    kind: str
    about: str | None  # The site, for articles.
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    findings: list[QualityFinding]
    measure: QualityCheckMeasure
    evidence: list[Evidence]  # Pages of suspect results, as far as they are kept.
    state: Literal["held", "accepted", "rejected", "superseded"] | None  # `held`: its items are kept apart. `superseded`: a later run was good. Null: nothing was decided, and its items are stored.
    held_items: int
    decided_at: str | None
    checked_at: str


@dataclass(kw_only=True)
class QualityFinding(Model):
    rule: str  # A field, or `items`, `refused`, `duplicates`, `title_length`, `text_length`, `selectors`.
    selector: str | None = None  # Of the rule `selectors`: the field with its selector or path, which finds less than it did.
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    value: float
    expected: float | None  # Median of the runs before; null where there were none.
    runs: int  # Runs before that it was compared with.
    message: str
    held: bool  # Items were kept apart because of it.


@dataclass(kw_only=True)
class QueueCounts(Model):
    waiting: int
    active: int
    delayed: int
    failed: int
    paused: int
    oldest_waiting_seconds: float | None


@dataclass(kw_only=True)
class QueuePoint(Model):
    at: str
    waiting: int
    active: int
    delayed: int
    held: int
    oldest_waiting_seconds: float | None


@dataclass(kw_only=True)
class RejectQualityReply(Model):
    run_id: str
    decision: str
    checks: int
    items: int


@dataclass(kw_only=True)
class RemoveDeadLetterReply(Model):
    removed: int
    has_more: bool


@dataclass(kw_only=True)
class RemoveDeadLettersReply1(Model):
    removed: int
    has_more: bool


@dataclass(kw_only=True)
class RemoveDeadLettersReply2(Model):
    dry_run: Literal[True]
    matching: int  # By age or run counted no further than 100,000.
    task_ids: list[str]  # The newest of them.


@dataclass(kw_only=True)
class ResumeSourceReply(Model):
    name: str
    paused: bool
    tasks: int


@dataclass(kw_only=True)
class ResumeWorkerReply(Model):
    worker: str
    draining: bool
    tasks: int


@dataclass(kw_only=True)
class RetryDeadLetterReply(Model):
    dry_run: Literal[True]
    matching: int  # By age or run counted no further than 100,000.
    task_ids: list[str]  # The newest of them.


@dataclass(kw_only=True)
class RetryDeadLetterReply202(Model):
    job_id: str
    status: str
    retried: int
    has_more: bool
    died_before: str | None = None  # Send it with the next call while has_more: what fails again meanwhile is left out.


@dataclass(kw_only=True)
class RetryDeadLettersReply(Model):
    dry_run: Literal[True]
    matching: int  # By age or run counted no further than 100,000.
    task_ids: list[str]  # The newest of them.


@dataclass(kw_only=True)
class RetryDeadLettersReply202(Model):
    job_id: str
    status: str
    retried: int
    has_more: bool
    died_before: str | None = None  # Send it with the next call while has_more: what fails again meanwhile is left out.


@dataclass(kw_only=True)
class RotateKeyReply(Model):
    id: str
    prefix: str  # How the key begins.
    name: str
    owner: str
    scope: Literal["read", "submit", "admin"]
    status: Literal["active", "expired", "revoked"]
    requests_per_minute: int | None
    max_open_tasks: int | None
    max_tasks_per_day: int | None
    replaces: str | None  # The id of the key that it was rotated from.
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None  # Up to a minute late.
    key: str  # Shown only here.
    replaced: Key


@dataclass(kw_only=True)
class RunQualityFindings(Model):
    rule: str  # A field, or `items`, `refused`, `duplicates`, `title_length`, `text_length`, `selectors`.
    selector: str | None = None  # Of the rule `selectors`: the field with its selector or path, which finds less than it did.
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    value: float
    expected: float | None  # Median of the runs before; null where there were none.
    runs: int  # Runs before that it was compared with.
    message: str
    held: bool  # Items were kept apart because of it.
    source: str


@dataclass(kw_only=True)
class RunQuality(Model):
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    findings: list[RunQualityFindings]


@dataclass(kw_only=True)
class Run(Model):
    run_id: str
    kind: Literal["article", "posting", "company", "cart", "crawl", "map"]
    trigger: str
    status: Literal["running", "completed", "partial", "failed", "cancelled"]
    about: str | None  # What was requested, or the first entry of it.
    total: int
    cached: int
    completed: int
    failed: int
    created_at: str
    updated_at: str
    finished_at: str | None
    owner: str | None  # Of the API key that asked; null where none was needed.
    path: str | None  # Path of the results.
    quality: RunQuality | None  # How good the results were next to the runs before; null where nothing was judged, or not yet.


@dataclass(kw_only=True)
class RunDetailQualityFindings(Model):
    rule: str  # A field, or `items`, `refused`, `duplicates`, `title_length`, `text_length`, `selectors`.
    selector: str | None = None  # Of the rule `selectors`: the field with its selector or path, which finds less than it did.
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    value: float
    expected: float | None  # Median of the runs before; null where there were none.
    runs: int  # Runs before that it was compared with.
    message: str
    held: bool  # Items were kept apart because of it.
    source: str


@dataclass(kw_only=True)
class RunDetailQuality(Model):
    verdict: Literal["succeeded", "succeeded_with_warnings", "suspect"]
    findings: list[RunDetailQualityFindings]


@dataclass(kw_only=True)
class RunDetail(Model):
    run_id: str
    kind: Literal["article", "posting", "company", "cart", "crawl", "map"]
    trigger: str
    status: Literal["running", "completed", "partial", "failed", "cancelled"]
    about: str | None  # What was requested, or the first entry of it.
    total: int
    cached: int
    completed: int
    failed: int
    created_at: str
    updated_at: str
    finished_at: str | None
    owner: str | None  # Of the API key that asked; null where none was needed.
    path: str | None  # Path of the results.
    quality: RunDetailQuality | None  # How good the results were next to the runs before; null where nothing was judged, or not yet.
    estimated_time: int | None  # Seconds until it has ended, by its own speed so far; null where nothing of it is done yet, or nothing moves.
    waiting: Waiting | None = None
    request: dict[str, Any]  # What it was requested with, besides its entries.


@dataclass(kw_only=True)
class RunScheduleReplyData(Model):
    run_id: str | None
    status: Literal["queued", "done"]
    message: str | None


@dataclass(kw_only=True)
class RunScheduleReply(Model):
    status: Literal["success"]
    data: RunScheduleReplyData


@dataclass(kw_only=True)
class RunSchedulerReplyDataSkipped(Model):
    schedule_id: str
    site_name: str | None
    reason: str


@dataclass(kw_only=True)
class RunSchedulerReplyData(Model):
    enqueued: list[str]
    skipped: list[RunSchedulerReplyDataSkipped]


@dataclass(kw_only=True)
class RunSchedulerReply(Model):
    status: Literal["success"]
    data: RunSchedulerReplyData


@dataclass(kw_only=True)
class Schedule(Model):
    id: str
    site_name: str | None  # A site to search with `payload`.
    task: Literal["search", "companies.scrape", "positions.stale", "cleanup"]  # `search` needs a site. The others are built-in tasks.
    enabled: bool
    interval_minutes: int | None  # Minutes, with a jitter of ±10 %.
    cron: str | None  # Cron expression with five fields, in `timezone`.
    timezone: str  # Only for `cron`.
    payload: dict[str, Any]
    min_pause_seconds: float | None
    max_pause_seconds: float | None
    max_retries: int | None
    catch_up: Literal["once", "skip"]  # After an outage: `once` runs once for all missed times, `skip` does not run.
    overlap: Literal["skip", "queue"]  # If it is due before its previous run has ended: `skip` this time, or `queue` it after that run.
    last_run_at: str | None
    last_run_id: str | None
    next_run_at: str | None
    waiting_for: str | None  # The run it waits for.


@dataclass(kw_only=True)
class ScrapeCompaniesReplyData(Model):
    run_id: str
    status: str
    companies: int


@dataclass(kw_only=True)
class ScrapeCompaniesReply(Model):
    status: Literal["success"]
    data: ScrapeCompaniesReplyData


@dataclass(kw_only=True)
class ScrapeCompanyReplyData(Model):
    run_id: str
    status: str
    companies: int


@dataclass(kw_only=True)
class ScrapeCompanyReply(Model):
    status: Literal["success"]
    data: ScrapeCompanyReplyData


@dataclass(kw_only=True)
class ScrapeSitesReplyData(Model):
    task_id: str
    run_id: str
    status: Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
    execution_mode: Literal["async", "sync"]
    jobs_found: int | None = None
    jobs: list[Posting] | None = None


@dataclass(kw_only=True)
class ScrapeSitesReply(Model):
    status: Literal["success"]
    data: ScrapeSitesReplyData


@dataclass(kw_only=True)
class SessionKey(Model):
    id: str
    owner: str


@dataclass(kw_only=True)
class Session(Model):
    scope: Literal["read", "submit", "admin"]  # What may be done; `admin` where no keys are needed.
    key: SessionKey | None  # The key that asks; null where no keys are needed.
    expires_at: str | None  # When the session of a browser ends.
    sandbox: bool  # All pages come from the sandbox web, none from the internet.
    version: str


@dataclass(kw_only=True)
class Setting(Model):
    name: str  # Its variable.
    value: str | None  # As text; `***` if it is secret, null if it is not set.
    is_default: bool
    about: str


@dataclass(kw_only=True)
class SettingTopic(Model):
    topic: str
    settings: list[Setting]


@dataclass(kw_only=True)
class SignOutReply(Model):
    status: Literal["signed_out"]


@dataclass(kw_only=True)
class SiteMapUrls(Model):
    url: str
    found_in: Literal["start", "page", "sitemap"]


@dataclass(kw_only=True)
class SiteMap(Model):
    ITEMS: ClassVar[tuple[str, ...]] = ("urls",)

    run_id: str
    status: Literal["running", "completed", "partial", "failed", "cancelled"]
    url: str
    urls: list[SiteMapUrls]
    next_cursor: str | None
    left_out: dict[str, int]
    error: str | None  # Why the first page could not be read.


@dataclass(kw_only=True)
class SourceHealth(Model):
    state: Literal["unknown", "ok", "degraded", "failing"]
    done_last_hour: int
    failed_last_hour: int


@dataclass(kw_only=True)
class SourcePaused(Model):
    since: str
    reason: str | None
    by: str | None


@dataclass(kw_only=True)
class SourceBreaker(Model):
    state: Literal["closed", "open", "half_open", "given_up"]
    since: str | None
    until: str | None
    opens: int
    reason: str | None


@dataclass(kw_only=True)
class SourceQuality(Model):
    items: int
    filled: dict[str, float] | None


@dataclass(kw_only=True)
class SourceLastError(Model):
    category: str
    message: str
    at: str


@dataclass(kw_only=True)
class Source(Model):
    name: str
    title: str
    kind: Literal["article", "posting", "product"]
    lane: str
    hosts: list[str]
    module: str | None  # The module that brought it; null for a built-in source.
    params: dict[str, Any]  # JSON Schema of its parameters.
    workers: int | None  # Workers that take its tasks now; null while that is not known.
    waiting_reason: str | None  # Why no worker takes its tasks; null when one does.
    health: SourceHealth
    paused: SourcePaused | None
    breaker: SourceBreaker
    waiting: int
    active: int
    last_hour: SourcePeriod
    last_day: SourcePeriod
    quality: SourceQuality
    last_error: SourceLastError | None


@dataclass(kw_only=True)
class SourcePeriodLatencySeconds(Model):
    mean: float | None
    p50: float | None
    p90: float | None
    p99: float | None


@dataclass(kw_only=True)
class SourcePeriod(Model):
    attempts: int
    done: int
    retried: int
    failed: int
    success_rate: float | None
    latency_seconds: SourcePeriodLatencySeconds
    requests: float
    bytes: float
    blocks: int
    captchas: int
    items: int


@dataclass(kw_only=True)
class SubmitCartReplyReused(Model):
    item: str
    age_seconds: int


@dataclass(kw_only=True)
class SubmitCartReply(Model):
    job_id: str
    status: Literal["queued", "complete"]
    estimated_time: int | None  # Seconds; null while nothing moves: `waiting` says why.
    estimated_time_p90: int | None  # Seconds; null while nothing moves: `waiting` says why.
    queue_position: int
    waiting: Waiting | None = None
    reused: list[SubmitCartReplyReused]


@dataclass(kw_only=True)
class SubmitJobReply(Model):
    job_id: str
    status: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"]
    total_articles: int
    new_articles: int
    cached_articles: int
    message: str


@dataclass(kw_only=True)
class Waiting(Model):
    """Why nothing of it is being worked on; absent while something is."""

    reason: Literal["no_orchestrator", "no_wire", "paused", "breaker", "no_worker", "retry", "pace", "slots_full", "queue"]
    message: str
    until: str | None = None  # When it goes on, where that is known.
    ahead: int | None = None  # Tasks (carts, for a cart) that go first.


@dataclass(kw_only=True)
class Webhook(Model):
    id: str
    url: str
    events: list[str]
    description: str | None
    secret: str
    old_secret_until: str | None
    enabled: bool
    disabled_at: str | None
    disabled_reason: str | None
    failures_in_a_row: int
    rests_until: str | None  # After many failures, deliveries are paused until then.
    last_success_at: str | None
    created_at: str


@dataclass(kw_only=True)
class WorkerDrain(Model):
    since: str
    reason: str | None
    by: str | None


@dataclass(kw_only=True)
class Worker(Model):
    worker: str
    host: str
    pid: int
    version: str
    lanes: list[str]
    slots: int
    busy: int
    rss_bytes: int
    started_at: str
    last_seen_at: str
    draining: bool  # It takes no more tasks: it was drained, or it is about to stop.
    drain: WorkerDrain | None  # Who drained it; null when nobody did. It is ended by resuming the worker.


@dataclass(kw_only=True)
class WorkerTask(Model):
    task_id: str
    source: str
    run_id: str
    params: dict[str, Any]
    attempt: int
    sent_at: str


RemoveDeadLettersReply: TypeAlias = RemoveDeadLettersReply1 | RemoveDeadLettersReply2
