"""A real HTTP server with the interface of OpenAI that replays written answers, with the faults that servers have."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import HttpUrl, SecretStr

from app.llm.models import Models
from app.llm.providers import ProviderSettings
from app.llm.scripted import text_of
from app.settings import Settings
from tests.listening import listening

MODEL = "written-answers"
KEY = "sk-this-is-the-secret-key"


@dataclass
class Reply:
    """One answer to the first question that holds `when`; `times` how often it is given."""

    text: str = ""
    when: str = ""
    finish: str = "stop"
    times: int = 1
    status: int = 200
    raw: bytes | None = None
    """What is sent in the place of a completion."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    delay_s: float = 0.0
    half: bool = False
    """Whether the connection is closed in the middle."""


class ModelServer:
    """A running server. `asked` holds what came, in order."""

    def __init__(self, replies: Sequence[Reply], takes_schema: bool = True) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.takes_schema = takes_schema
        self._replies = list(replies)
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.answer(self)

            def do_GET(self) -> None:
                outer.list_models(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    @property
    def questions(self) -> list[str]:
        """What was asked, as text."""
        return [text_of(body["messages"]) for body in self.asked]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            self.asked.append(body)
            self.keys.append(handler.headers.get("Authorization", ""))
        reply = self._choose(body)
        time.sleep(reply.delay_s)
        payload = reply.raw if reply.raw is not None else json.dumps(completion(body["model"], reply)).encode()
        handler.send_response(reply.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(payload)))
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.close_connection = True
        # The caller may have timed out and gone.
        with suppress(ConnectionError):
            handler.end_headers()
            handler.wfile.write(payload[: len(payload) // 2] if reply.half else payload)

    def list_models(self, handler: BaseHTTPRequestHandler) -> None:
        payload = json.dumps({"object": "list", "data": [{"id": MODEL, "object": "model"}]}).encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(payload)))
        handler.end_headers()
        handler.wfile.write(payload)

    def _choose(self, body: dict[str, Any]) -> Reply:
        if body["model"] != MODEL:
            return Reply(status=404, raw=error(f"The model `{body['model']}` does not exist."))
        if "response_format" in body and not self.takes_schema:
            return Reply(status=400, raw=error("response_format is not supported"))
        question = text_of(body["messages"])
        with self._lock:
            found = next((one for one in self._replies if one.times and one.when in question), None)
            if found is None:
                return Reply(status=410, raw=error("no answer is left"))
            found.times -= 1
        return found


def error(message: str) -> bytes:
    """The body of an error."""
    return json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode()


def completion(model: str, reply: Reply) -> dict[str, Any]:
    """The body of an answer."""
    message = {"role": "assistant", "content": reply.text}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }


@contextmanager
def model_server(*replies: Reply, takes_schema: bool = True) -> Generator[ModelServer, None, None]:
    """The server, on a free port."""
    server = ModelServer(replies, takes_schema)
    with listening(server.http):
        yield server


def off_the_loop(read: Callable[..., Any]) -> Callable[..., Any]:
    """A function that reads what a model says, and fails where that holds up the service."""

    def guarded(*given: Any) -> Any:
        assert threading.current_thread() is not threading.main_thread()
        return read(*given)

    return guarded


def models_at(url: str) -> Models:
    """The models of a service that is set up with a server at this address."""
    provider = ProviderSettings(model=MODEL, url=HttpUrl(url), key=SecretStr(KEY), context=16384)
    return Models(Settings(providers={"custom": provider}).model_providers())
