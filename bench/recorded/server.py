"""A server with the interface of OpenAI that gives recorded answers.

    question ─> the task whose request is a line of it ─> role, attempt, turn ─> its record, or 410

What is not recorded is never made up: the server says which answer is missing, and keeps its place.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, get_args

from app.llm.prompts import PromptName, prompt
from app.llm.scripted import text_of
from bench.recorded.records import Course, Record, digest_of

MODEL: Final = "recorded"
LATER: Final = frozenset({"arbiter"})
"""Roles that nobody was asked in when the answers were recorded; the service goes on without their answers."""
GONE: Final = 410
"""Not 404, which clients take for a server without support for JSON."""


class RecordedAnswers:
    """The answers by place, and what was asked for so far. `requests` are those of the tasks, by id."""

    def __init__(self, records: Sequence[Record], requests: Mapping[str, str]) -> None:
        self._records = {record.place: record for record in records}
        # The longest first, because one request may hold another.
        self._requests = sorted(requests.items(), key=lambda one: -len(one[1]))
        self._courses: dict[str, Course] = {}
        self._lock = threading.Lock()
        self.missing: dict[str, list[str]] = {}
        """The answers that were asked for and are not recorded, by task; `?` for a question about no known task."""
        self.given = 0
        self.as_recorded = 0
        """The number of given answers that met the very question that they were recorded for."""

    def answer(self, messages: list[dict[str, Any]]) -> str | None:
        """The recorded answer, or None; then `missing` says which."""
        role, question = role_in(messages), text_of(messages[-1:])
        task = self._task_in(messages)
        with self._lock:
            if task is None:
                self._miss("?", f"{role}: {question[:200]!r}")
                return None
            place = self._courses.setdefault(task, Course(task)).next(role, question)
            record = self._records.get(place)
            if record is None:
                if role not in LATER:
                    self._miss(task, str(place))
                return None
            self.given += 1
            self.as_recorded += record.question == digest_of(question)
        return record.answer

    def begin_again(self, task: str) -> None:
        """Forget what was asked about a task, so that it can be replayed once more."""
        with self._lock:
            self._courses.pop(task, None)

    def _miss(self, task: str, what: str) -> None:
        known = self.missing.setdefault(task, [])
        if what not in known:
            known.append(what)

    def _task_in(self, messages: list[dict[str, Any]]) -> str | None:
        lines = set(text_of(messages).splitlines())
        return next((task for task, request in self._requests if request in lines), None)


def role_in(messages: list[dict[str, Any]]) -> str:
    """The role that is asked: the name of the prompt whose system message begins with this sentence."""
    system = text_of(messages[:1])
    names: tuple[PromptName, ...] = get_args(PromptName)
    return next((name for name in names if system.startswith(prompt(name).system.partition(".")[0])), "?")


@contextmanager
def answering(answers: RecordedAnswers, thinks_s: float = 0.0) -> Generator[str, None, None]:
    """The address of a server with these answers, on a free port; it takes `thinks_s` for each."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            send(self, 200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = answers.answer(asked["messages"])
            time.sleep(thinks_s)
            if text is None:
                send(self, GONE, {"error": {"message": "no answer is recorded for this question"}})
            else:
                send(self, 200, completion(text))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler: BaseHTTPRequestHandler, status: int, body: dict[str, Any]) -> None:
    data = json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    # The caller may have gone.
    with suppress(ConnectionError):
        handler.end_headers()
        handler.wfile.write(data)


def completion(text: str) -> dict[str, Any]:
    """The answer in the form of the interface, without counts, so that the client counts questions as they are now."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": MODEL, "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice]}
