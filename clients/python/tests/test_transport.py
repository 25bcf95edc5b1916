"""What the client does about a server that refuses, is busy or loses the connection."""
from __future__ import annotations

import sys
import unittest
from unittest import mock

from answers import LOST, Answers

import windrow

PROBLEM = {
    "type": "urn:windrow:problem:invalid_params",
    "status": 422,
    "code": "invalid_params",
    "detail": "The request is not valid.",
    "errors": [{"pointer": "/articles/3/url", "detail": "has to start with http:// or https://"}],
}
ACCEPTED = {"job_id": "job_a", "status": "IN_PROGRESS", "total_articles": 1, "new_articles": 1, "cached_articles": 0, "message": ""}
RUNS = {"runs": [], "next_cursor": None}


class TransportTest(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []

    def client(self, server: Answers, **options: float) -> windrow.Client:
        client = windrow.Client(server.url, "key-of-the-test", **options)  # type: ignore[arg-type]
        client._transport._sleep = self.pauses.append
        return client

    def test_a_busy_server_is_asked_again_when_it_says(self) -> None:
        busy = (429, {"Retry-After": "7"}, {"code": "too_many_requests"})
        with Answers(busy, (503, {"Retry-After": "2"}, {}), (201, {}, ACCEPTED)) as server:
            reply = self.client(server).articles.submit_job(articles=[{"url": "https://a.example/"}])
        self.assertEqual(reply.job_id, "job_a")
        self.assertEqual(self.pauses, [7, 2])
        keys = {headers["idempotency-key"] for _, _, headers, _ in server.asked}
        self.assertEqual(len(keys), 1)
        self.assertEqual({headers["authorization"] for _, _, headers, _ in server.asked}, {"Bearer key-of-the-test"})

    def test_two_calls_have_two_keys(self) -> None:
        with Answers((201, {}, ACCEPTED), (201, {}, ACCEPTED)) as server:
            for _ in range(2):
                self.client(server).articles.submit_job(articles=[{"url": "https://a.example/"}])
        self.assertEqual(len({headers["idempotency-key"] for _, _, headers, _ in server.asked}), 2)

    def test_a_wait_that_is_too_long_is_an_error_at_once(self) -> None:
        with Answers((429, {"Retry-After": "3600"}, {"code": "too_many_requests", "detail": "Wait."})) as server:
            with self.assertRaises(windrow.RateLimited) as caught:
                self.client(server).operations.list_runs()
        self.assertEqual((caught.exception.status, caught.exception.retry_after, self.pauses), (429, 3600, []))

    def test_a_lost_answer_is_asked_for_again_only_where_that_is_safe(self) -> None:
        with Answers(LOST, (200, {}, RUNS)) as server:
            self.assertEqual(self.client(server).operations.list_runs().runs, [])
        with Answers(LOST, (201, {}, ACCEPTED)) as server:
            self.client(server).articles.submit_job(articles=[])
        with Answers(LOST) as server:
            with self.assertRaises(windrow.ConnectionFailed):
                self.client(server).companies.create_company(name="Acme", scraping_config={})
        self.assertEqual(len(server.asked), 1)

    def test_retries_have_an_end(self) -> None:
        with Answers(*[(503, {}, {"code": "unavailable", "detail": "The store is down."})] * 3) as server:
            with self.assertRaisesRegex(windrow.Unavailable, "The store is down"):
                self.client(server, retries=2).operations.list_runs()
        self.assertEqual(len(self.pauses), 2)

    def test_a_refusal_names_the_fields(self) -> None:
        with Answers((422, {"X-Request-Id": "req_1"}, PROBLEM)) as server:
            with self.assertRaises(windrow.InvalidRequest) as caught:
                self.client(server).articles.submit_job(articles=[])
        error = caught.exception
        self.assertEqual((error.status, error.code, error.request_id), (422, "invalid_params", "req_1"))
        self.assertEqual([field.pointer for field in error.fields], ["/articles/3/url"])
        self.assertIn("articles.3.url: has to start with", str(error))

    def test_a_redirect_is_not_followed_with_the_key(self) -> None:
        with Answers((200, {}, RUNS)) as other, Answers((302, {"Location": f"{other.url}/runs"}, {})) as server:
            with self.assertRaises(windrow.ApiError):
                self.client(server).operations.list_runs()
        self.assertEqual(other.asked, [])

    def test_following_gives_each_change_once_and_has_a_limit(self) -> None:
        run = {"run_id": "job_a", "kind": "article", "status": "running", "completed": 0}
        states = [run, run, {**run, "completed": 1}, {**run, "status": "completed", "completed": 2}]
        with Answers(*[(200, {}, state) for state in states]) as server:
            seen = [state.completed for state in self.client(server).follow("job_a")]
        self.assertEqual(seen, [0, 1, 2])
        with Answers((200, {}, run)) as server, self.assertRaisesRegex(windrow.FollowTimeout, "goes on"):
            self.client(server).wait("job_a", timeout=0)

    def test_none_is_sent_and_what_is_not_given_is_not(self) -> None:
        with Answers((200, {}, {"id": "k"})) as server:
            self.client(server).keys.change_key("k/1", expires_at=None)
        self.assertEqual(server.asked[0][0::3], ("PATCH", b'{"expires_at": null}'))
        self.assertEqual(server.asked[0][1], "/keys/k%2F1")

    def test_fields_that_a_newer_server_adds_are_kept(self) -> None:
        with Answers((200, {}, {**RUNS, "new": 1})) as server:
            self.assertEqual(self.client(server).operations.list_runs().to_dict()["new"], 1)

    def test_tables_need_pandas(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(windrow.PandasMissing, "pip install"):
            windrow.to_pandas([{"a": 1}])

    def test_tables_are_made_of_entries(self) -> None:
        pandas = mock.Mock()
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            windrow.to_pandas([{"a": 1}])
        pandas.DataFrame.assert_called_once_with([{"a": 1}])

    def test_a_url_without_scheme_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "http://"):
            windrow.Client("localhost:8000")


if __name__ == "__main__":
    unittest.main()
