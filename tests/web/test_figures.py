"""The figures of the overview: sums, shares, and times that are never made up."""

from __future__ import annotations

from app.observing.metrics import Metrics
from app.web.figures import Figures


def test_counts_are_summed_over_the_other_labels_and_have_shares() -> None:
    metrics = Metrics()
    for status, blender in (("proven", "5.0.1"), ("proven", "4.5.3"), ("proven", "5.0.1"), ("refused", "5.0.1")):
        metrics.job_ended("generate", status, blender, 1.0)
    bars = Figures(metrics.registry).bars("blendproof_jobs_total", "status")
    assert [(bar.name, bar.count, bar.share) for bar in bars] == [("proven", 3, 0.75), ("refused", 1, 0.25)]
    assert Figures(metrics.registry).total("blendproof_jobs_total", blender="5.0.1", status="proven") == 2
    assert Figures(Metrics().registry).bars("blendproof_jobs_total", "status") == []


def test_times_are_bounds_of_the_histogram_and_none_beyond_them() -> None:
    metrics = Metrics()
    for seconds in (0.3, 0.3, 0.3, 4.0, 9000.0):
        metrics.job_ended("validate", "proven", "5.0.1", seconds)
    (times,) = Figures(metrics.registry).times("blendproof_job_seconds", "kind")
    assert (times.name, times.count, times.half, times.most) == ("validate", 5, 0.5, None)
    assert Figures(metrics.registry).times("blendproof_job_seconds", "kind", ["generate"]) == []
