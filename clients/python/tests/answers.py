"""A server that gives the answers it was told to, in turn, and keeps what it was asked."""
from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: The connection is closed without an answer.
LOST = None

Answer = tuple[int, dict[str, str], Any] | None


class Answers:
    def __init__(self, *answers: Answer) -> None:
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        left = list(answers)
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                given = left.pop(0)
                if given is LOST:
                    return
                status, headers, reply = given
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(reply).encode())

            do_GET = do_POST = do_DELETE = do_PATCH = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
