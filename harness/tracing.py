"""Traces by OpenTelemetry: the time and places of a request. Off unless `begin` was called: nothing is loaded then.

    HTTP request ─> run ─> steps, models, node ─> execution ─> processes

A trace goes on across machines by the `traceparent` of W3C, one line of text: it comes with a request, is kept with its
run, and goes to a node with an order.
"""

from __future__ import annotations

import contextlib
import importlib.util
import threading
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace.export import SpanExporter

Fact = str | int | float | bool

EXPORTER: Final = "opentelemetry.exporter.otlp.proto.http"
SENT_S: Final = 5.0
"""The longest wait for the receiver, with each batch and when the process ends."""
NAME: Final = "blendproof"

_tracers: list[trace.Tracer] = []
"""Tracers that were begun and not ended; the last one is used."""


class TraceSpan:
    """A part of a trace that is under way; if nothing is traced, it takes everything and keeps nothing."""

    def __init__(self, span: trace.Span | None = None) -> None:
        self._span = span

    def note(self, facts: Mapping[str, Fact]) -> None:
        """Add facts; no text or address that a caller chose, and no secret."""
        if self._span:
            self._span.set_attributes(facts)

    def call(self, name: str) -> None:
        """Give it another name."""
        if self._span:
            self._span.update_name(name)


UNTRACED: Final = TraceSpan()


def is_installed() -> bool:
    """True if there is an OpenTelemetry that can send."""
    try:
        return importlib.util.find_spec(EXPORTER) is not None
    except ModuleNotFoundError:
        return False


def is_on() -> bool:
    """True if spans are kept."""
    return bool(_tracers)


def begin(address: str, part: str) -> Callable[[], None]:
    """Send the spans of this process to the receiver of OTLP over HTTP at this address, such as http://127.0.0.1:4318.

    `part` names the program of the service. Answers a function that ends it and sends the rest. Headers for the
    receiver, further attributes and sampling come from the variables of OpenTelemetry (`OTEL_*`).
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return begin_with(OTLPSpanExporter(f"{address.rstrip('/')}/v1/traces", timeout=SENT_S), part)


def begin_with(exporter: SpanExporter, part: str) -> Callable[[], None]:
    """The same with another receiver of spans."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # Not the provider of the whole process: libraries that know it would send spans and facts of their own.
    provider = TracerProvider(resource=Resource.create({"service.name": part}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer(NAME)
    _tracers.append(tracer)

    def end() -> None:
        _tracers.remove(tracer)
        # The shutdown would try for half a minute to send the rest.
        ending = threading.Thread(target=provider.shutdown, daemon=True)
        ending.start()
        ending.join(SENT_S)

    return end


@contextlib.contextmanager
def span(
    name: str, facts: Mapping[str, Fact] | None = None, parent: str | None = None
) -> Generator[TraceSpan, None, None]:
    """A span for the block, below the one under way, or below `parent`, a `traceparent`.

    An error is noted by its kind: its words may be a caller's.
    """
    if not _tracers:
        yield UNTRACED
        return
    from opentelemetry.trace import StatusCode

    above = context_of(parent) if parent else None
    with _tracers[-1].start_as_current_span(
        name, above, attributes=facts, record_exception=False, set_status_on_exception=False
    ) as begun:
        try:
            yield TraceSpan(begun)
        except Exception as error:
            begun.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def traceparent() -> str | None:
    """The span under way as one line of text, for `parent` elsewhere; None if nothing is traced."""
    if not _tracers:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    said = dict[str, str]()
    TraceContextTextMapPropagator().inject(said)
    return said.get("traceparent")


def context_of(parent: str) -> Context:
    """The context of a `traceparent`; an empty one, which begins a new trace, if it cannot be read."""
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": parent}, Context())
