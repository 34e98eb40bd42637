"""Traces of requests, as a receiver of OpenTelemetry gets them over HTTP; and nothing of it if they are off.

`tests/api/test_operating.py` follows a request to the processes of Blender.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from app.api.observing import RequestObserver
from app.errors import SettingsInvalid
from app.observing.metrics import Metrics
from app.service.startup import check_tracing
from app.settings import Settings, read_settings
from harness import tracing
from harness.engine import ExecutionResult
from harness.engines import local
from harness.engines.cluster import ClusterEngine
from harness.engines.local import LocalEngine
from harness.engines.node import ClusterNode, NodeSpec, NotTaken
from harness.order import Order
from harness.sandbox import selftest
from harness.sandbox.ladder import Rung, Sandbox
from tests.harness.fake_nodes import FIVE, ORDER, FakeNode, FakeNodes
from tests.rooms import ROOT, imports_in, sources
from tests.traces import CALLER, TRACE, TRACEPARENT, Receiver, receiver


@contextmanager
def traced() -> Generator[Receiver]:
    """A receiver of the spans of this process, which has all of them at the end of the block."""
    with receiver() as received:
        end = tracing.begin(received.address, "tests")
        try:
            yield received
        finally:
            end()


class LocalNode(FakeNode):
    """A node that has an engine."""

    engine: LocalEngine

    async def execute(self, caller: str, key: str, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        with tracing.span("something else of the node", parent="00-" + "1" * 32 + "-" + "1" * 16 + "-01"):
            return await self.engine.execute(order, FIVE)


async def test_a_trace_goes_on_at_a_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def execute(*_: Any) -> dict[str, str]:
        return {"outcome": "passed"}

    monkeypatch.setattr(local, "execute", execute)
    one = LocalNode("one")
    one.engine = LocalEngine(Sandbox(Rung.PROCESS), None, tmp_path)
    with traced() as received:
        engine = ClusterEngine(FakeNodes(one))
        with tracing.span("run", parent=TRACEPARENT):
            await engine.execute(ORDER, FIVE)
        await engine.close()
    assert "run > node > execution" in received.paths()
    assert {span.trace_id.hex() for span in received.spans if span.name in ("run", "node", "execution")} == {TRACE}
    assert (received.facts("node"), ORDER.trace) == ({"blendproof.node": "one"}, None)
    assert received.facts("execution") == {"blendproof.blender": FIVE.version, "blendproof.outcome": "passed"}


async def test_a_node_sends_its_own_spans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def proven(*_: object) -> Sandbox:
        return Sandbox(Rung.PROCESS)

    monkeypatch.setattr(selftest, "prove", proven)
    with receiver() as received:
        spec = NodeSpec("one", str(tmp_path), str(tmp_path), 1, 0, tracing=received.address)
        there = ClusterNode(spec)
        with tracing.span("execution", parent=TRACEPARENT):
            pass
        await there.close()
    (span,) = received.spans
    assert (span.parent_span_id.hex(), received.services, tracing.is_on()) == (CALLER, {"blendproof-node"}, False)


def test_a_step_that_fails_says_no_words_of_the_error() -> None:
    with traced() as received, pytest.raises(ValueError, match="secret"), tracing.span("step"):
        raise ValueError("a secret")
    (span,) = received.spans
    assert (span.status.message, list(span.events), tracing.is_on()) == ("ValueError", [], False)


@pytest.mark.parametrize(("raises", "status"), [(True, 500), (False, 204)])
async def test_the_span_of_a_request_is_named_even_if_it_raises(raises: bool, status: int) -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if raises:
            raise ValueError("a secret")
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def nothing(*_: Any) -> Any:
        """Take or give nothing."""

    scope: Scope = {"type": "http", "method": "GET", "path": "/nothing", "headers": []}
    with traced() as received, pytest.raises(ValueError, match="secret") if raises else nullcontext():
        await RequestObserver(answer, Metrics())(scope, nothing, nothing)
    (span,) = received.spans
    noted = {one.key: one.value.int_value for one in span.attributes}
    assert (span.name, noted["http.response.status_code"]) == ("GET other", status)


def test_nothing_of_it_is_loaded_if_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("opentelemetry")] + ["opentelemetry"]:
        monkeypatch.setitem(sys.modules, name, None)
    with tracing.span("run", {"blendproof.run": "r-1"}, TRACEPARENT) as span:
        span.note({"blendproof.status": "proven"})
        assert (tracing.traceparent(), tracing.is_on(), tracing.is_installed()) == (None, False, False)
    with pytest.raises(SettingsInvalid, match="OpenTelemetry is not installed") as missing:
        check_tracing(Settings(tracing="http://127.0.0.1:4318"))
    assert "blendproof[tracing]" in missing.value.shown_hint
    assert not check_tracing(Settings())


def test_no_file_of_ours_loads_it_ahead() -> None:
    importing = [str(path.relative_to(ROOT)) for path in sources() if "opentelemetry" in path.read_text()]
    assert importing == ["harness/tracing.py"]
    body = ast.parse((ROOT / importing[0]).read_text()).body
    ahead = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert not any("opentelemetry" in name for _, name in imports_in(ast.Module(list[ast.stmt](ahead), [])))


@pytest.mark.parametrize("address", ["127.0.0.1:4318", "http://me:word@there:4318", "http://there/?key=abc"])
def test_an_address_that_is_none_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDPROOF_TRACING", address)
    with pytest.raises(SettingsInvalid, match=r"BLENDPROOF_TRACING.*OTEL_EXPORTER_OTLP_HEADERS has credentials"):
        read_settings()
    monkeypatch.setenv("BLENDPROOF_TRACING", "http://there:4318/otlp")
    assert read_settings().tracing == "http://there:4318/otlp"
