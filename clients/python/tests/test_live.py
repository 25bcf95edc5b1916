"""Against a running Windrow on the sandbox web: WINDROW_URL and WINDROW_API_KEY name it."""
from __future__ import annotations

import asyncio
import contextlib
import io
import re
import sys
import unittest
import warnings
from pathlib import Path
from unittest import mock

import windrow
from windrow import models
from windrow.jobspy import COLUMNS, scrape_jobs


class LiveTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = windrow.Client()

    def test_articles(self) -> None:
        urls = [f"https://harbour-courier.example/story/python-{i}" for i in range(3)]
        job = self.client.articles.submit_job(articles=[{"url": url} for url in urls])
        states = list(self.client.follow(job.job_id, timeout=120))
        self.assertIsInstance(states[-1], models.RunDetail)
        self.assertEqual((states[-1].status, states[-1].completed), ("completed", 3))
        # A page holds one: the iterator asks for three.
        results = list(self.client.items(self.client.articles.get_job_results, job.job_id, limit=1))
        self.assertEqual({one.url for one in results}, set(urls))
        self.assertTrue(all(one.title and one.content for one in results))

    def test_the_same_key_makes_one_run(self) -> None:
        body = {"articles": [{"url": "https://harbour-courier.example/story/python-key"}], "idempotency_key": "python-1"}
        first = self.client.articles.submit_job(**body)
        self.assertEqual(self.client.articles.submit_job(**body).job_id, first.job_id)
        self.client.wait(first.job_id, timeout=120)

    def test_carts(self) -> None:
        cart = self.client.carts.submit_cart(items=["milk", "eggs"], zipcode="10001", max_products_per_item=3)
        self.assertEqual(self.client.wait(cart.job_id, timeout=120).status, "completed")
        found = self.client.carts.get_cart_results(cart.job_id)
        self.assertEqual(set(found.results or {}), {"milk", "eggs"})
        self.assertIsInstance((found.results or {})["milk"][0], models.Product)

    def test_pages(self) -> None:
        pages = list(self.client.pages(self.client.companies.list_companies, limit=1))
        self.assertIsInstance(pages[0], models.ListCompaniesReply)

    def test_errors(self) -> None:
        with self.assertRaises(windrow.NotFound) as missing:
            self.client.operations.get_run("job_000000000000")
        self.assertEqual(missing.exception.status, 404)
        with self.assertRaises(windrow.InvalidRequest) as invalid:
            self.client.articles.submit_job(articles=[{"url": "ftp://a.example"}])
        self.assertEqual(invalid.exception.fields[0].pointer, "/articles/0/url")
        with self.assertRaises(windrow.AccessDenied):
            windrow.Client(key="not-a-key-of-it").operations.list_runs()

    def test_jobs_as_jobspy(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            jobs = scrape_jobs(
                site_name=["indeed", "zip_recruiter"],
                search_term="software engineer",
                location="San Francisco, CA",
                results_wanted=5,
                hours_old=720,
                country_indeed="USA",
                timeout=120,
            )
        self.assertGreaterEqual(len(jobs), 5)
        self.assertEqual(list(jobs[0]), COLUMNS)
        self.assertLessEqual({job["site"] for job in jobs}, {"indeed", "zip_recruiter"})
        self.assertTrue(all(job["title"] and job["job_url"] for job in jobs))

    def test_jobs_say_what_is_ignored_and_what_is_wrong(self) -> None:
        with self.assertRaisesRegex(windrow.InvalidRequest, "site_name"):
            scrape_jobs(site_name="no-such-site", search_term="nurse")
        with self.assertRaisesRegex(ValueError, "search_term"):
            scrape_jobs(site_name="indeed")
        with warnings.catch_warnings(record=True) as said, self.assertRaises(windrow.InvalidRequest):
            warnings.simplefilter("always")
            scrape_jobs(site_name="no-such-site", search_term="nurse", user_agent="x")
        self.assertIn("user_agent", str(said[0].message))

    def test_asyncio(self) -> None:
        async def run() -> None:
            client = windrow.AsyncClient()
            job = await client.articles.submit_job(
                articles=[{"url": f"https://harbour-courier.example/story/async-{i}"} for i in range(2)]
            )
            self.assertEqual((await client.wait(job.job_id, timeout=120)).status, "completed")
            found = [one.url async for one in client.items(client.articles.get_job_results, job.job_id, limit=1)]
            self.assertEqual(len(found), 2)

        asyncio.run(run())

    def test_the_readme_does_what_it_says(self) -> None:
        text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf8")
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
        self.assertEqual(len(blocks), 5)
        pandas = mock.Mock(DataFrame=lambda found, columns=None: list(found))
        said = io.StringIO()
        with mock.patch.dict(sys.modules, {"pandas": pandas}), contextlib.redirect_stdout(said):
            for block in blocks:
                # A server for the test listens on another port, and wants a key.
                exec(compile(block.replace('"http://localhost:8000"', ""), "README.md", "exec"), {})
        self.assertRegex(said.getvalue(), r"(?m)^[1-9]\d* jobs$")
        self.assertRegex(said.getvalue(), r"(?m)^completed 1 1$")
        self.assertIn("/zipcode", said.getvalue())
        self.assertIn("'eggs': [Product(", said.getvalue())


if __name__ == "__main__":
    unittest.main()
