"""The counts and times of the service, for Prometheus; each service has a registry of its own.

Labels take few values: states, stages, kinds, builds and configured providers, never ids, texts or addresses that a
caller chooses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from app.verdict.verdict import Verdict

QUICK: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Seconds of searches, stages and HTTP requests."""
LONG: Final = (0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640)
"""Seconds of runs and of models' answers."""


class Metrics:
    """The counters and gauges of one service; calls may come from several threads."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self._gauges: dict[str, Gauge] = {}
        ProcessCollector(registry=own)
        self._jobs = Counter("blendproof_jobs", "Jobs that ended.", ("kind", "status", "blender"), registry=own)
        self._job_seconds = Histogram(
            "blendproof_job_seconds",
            "From the acceptance of a job to its end.",
            ("kind",),
            buckets=LONG,
            registry=own,
        )
        self._executions = Counter(
            "blendproof_executions", "Executions of snippets.", ("outcome", "blender"), registry=own
        )
        self._attempts = Counter("blendproof_attempts", "Attempts judged.", ("author", "verdict"), registry=own)
        self._stages = Histogram(
            "blendproof_stage_seconds",
            "Work on each stage of a verdict.",
            ("stage",),
            buckets=QUICK,
            registry=own,
        )
        self._calls = Counter("blendproof_model_calls", "Questions to models.", ("provider", "result"), registry=own)
        self._tokens = Counter(
            "blendproof_model_tokens",
            "Tokens of questions (in) and of answers (out).",
            ("provider", "direction"),
            registry=own,
        )
        self._cost = Counter(
            "blendproof_model_cost_dollars", "Cost by the prices that are set.", ("provider",), registry=own
        )
        self._answers = Histogram(
            "blendproof_model_seconds", "Waiting for an answer.", ("provider",), buckets=LONG, registry=own
        )
        self._searches = Histogram("blendproof_search_seconds", "Searches.", ("kind",), buckets=QUICK, registry=own)
        self._requests = Counter(
            "blendproof_http_requests", "Requests answered.", ("method", "route", "status"), registry=own
        )
        self._request_seconds = Histogram(
            "blendproof_http_request_seconds",
            "From the first byte of a request to the last of the answer.",
            ("method", "route"),
            buckets=(*QUICK, 60, 120, 300),
            registry=own,
        )

    def ask_for(self, name: str, meaning: str, value: Callable[[], float], **labels: str) -> None:
        """Make a gauge ask for its value whenever the metrics are read."""
        gauge = self._gauges.get(name)
        if gauge is None:
            gauge = self._gauges[name] = Gauge(name, meaning, tuple(labels), registry=self.registry)
        (gauge.labels(**labels) if labels else gauge).set_function(value)

    def job_ended(self, kind: str, status: str, blender: str, seconds: float) -> None:
        """A job ended `seconds` after it was accepted."""
        self._jobs.labels(kind, status, blender).inc()
        self._job_seconds.labels(kind).observe(seconds)

    def executed(self, outcome: str, blender: str) -> None:
        """A snippet was executed."""
        self._executions.labels(outcome, blender).inc()

    def judged(self, author: str, verdict: Verdict) -> None:
        """An attempt has its verdict."""
        self._attempts.labels(author, "passed" if verdict.passed else "failed").inc()
        for stage in verdict.stages:
            if stage.state != "skipped":
                self._stages.labels(stage.name).observe(stage.seconds)

    def model_answered(self, provider: str, tokens_in: int, tokens_out: int, seconds: float, cost: float) -> None:
        """A model gave an answer."""
        self._calls.labels(provider, "answered").inc()
        self._tokens.labels(provider, "in").inc(tokens_in)
        self._tokens.labels(provider, "out").inc(tokens_out)
        self._cost.labels(provider).inc(cost)
        self._answers.labels(provider).observe(seconds)

    def model_failed(self, provider: str) -> None:
        """A model gave no answer."""
        self._calls.labels(provider, "failed").inc()

    def model_spared(self, provider: str) -> None:
        """A model was not asked, because its answer to the same question was kept."""
        self._calls.labels(provider, "cached").inc()

    @contextmanager
    def searching(self, kind: str) -> Generator[None, None, None]:
        """Time a search; a search that ends in an error is not timed."""
        begun = time.monotonic()
        yield
        self._searches.labels(kind).observe(time.monotonic() - begun)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """An HTTP request was answered; `route` is the pattern of the address, not the address."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(method, route).observe(seconds)
