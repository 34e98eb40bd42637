"""A receiver of traces: OpenTelemetry's protocol over HTTP."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.listening import listening

TRACE: Final = "0af7651916cd43dd8448eb211c80319c"
CALLER: Final = "b7ad6b7169203331"
TRACEPARENT: Final = f"00-{TRACE}-{CALLER}-01"
"""What a caller sends with a request that is part of a trace."""


class Receiver:
    """What was sent, and for which service."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.keys: set[str] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                outer.take(self.rfile.read(int(self.headers["Content-Length"])))
                outer.keys.add(self.headers["Authorization"])
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"

    def take(self, body: bytes) -> None:
        """Read what was sent."""
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services |= {
                one.value.string_value for one in resource.resource.attributes if one.key == "service.name"
            }
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]

    def facts(self, name: str) -> dict[str, str]:
        """The facts of the one span of this name."""
        (span,) = (span for span in self.spans if span.name == name)
        return {one.key: one.value.string_value for one in span.attributes}

    def paths(self) -> set[str]:
        """For each span, the names from the first one to it."""
        return {self.path(span) for span in self.spans}

    def path(self, span: Span) -> str:
        """The names from the first span to this one."""
        above = next((one for one in self.spans if one.span_id == span.parent_span_id), None)
        return span.name if above is None else f"{self.path(above)} > {span.name}"


@contextmanager
def receiver() -> Generator[Receiver]:
    """A receiver, which ends with the block."""
    running = Receiver()
    with listening(running.http):
        yield running
