"""Jobs of several boards as a CSV file, one row each. Run it every morning (docs/recipes.md has the line for cron):

    pip install ./clients/python
    npx windrow up                                      # the server; --sandbox keeps it off the real web
    python3 examples/jobs-to-csv.py "registered nurse" Boston jobs.csv

A job that is in the file already is not written again, so the file grows by what is new.
"""
import csv, sys, warnings
from pathlib import Path

from windrow import Client

COLUMNS = ["job_hash", "source", "title", "company", "location", "posted_date", "salary_min", "salary_max", "currency", "job_url"]


def known(file: Path) -> set[str]:
    if not file.exists():
        return set()
    with file.open(newline="", encoding="utf-8") as rows:
        return {row["job_hash"] for row in csv.DictReader(rows)}


def plain(value: object) -> object:
    """A text that a spreadsheet would take for a formula is text."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def main(term: str, location: str, path: str) -> None:
    client, file = Client(), Path(path)
    run = client.job_boards.scrape_sites(site_name=["indeed", "linkedin"], search_term=term, location=location, results_wanted=25)
    ended = client.wait(run.data.run_id, timeout=900)
    if ended.status == "failed":
        sys.exit(f"No site answered; why: npx windrow run {ended.run_id}")
    seen, new = known(file), 0
    is_empty = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as out:
        rows = csv.DictWriter(out, COLUMNS)
        if is_empty:
            rows.writeheader()
        for job in client.items(client.job_boards.get_scrape, run.data.run_id):
            if job.job_hash not in seen:
                seen.add(job.job_hash)
                rows.writerow({name: plain(getattr(job, name)) for name in COLUMNS})
                new += 1
    print(f"{new} new jobs in {file}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
