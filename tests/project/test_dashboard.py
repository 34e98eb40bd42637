"""The dashboard asks for figures that there are, by labels that they have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import ProcessCollector
from prometheus_client.core import CollectorRegistry

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "deploy" / "grafana" / "blendproof.json"
METRIC = re.compile(r"\b(blendproof|process)_\w+")
GIVEN = {"instance", "job"}
"""Labels that Prometheus adds."""


def known() -> dict[str, set[str]]:
    """Each series with its labels, by docs/operating.md, which `test_operating.py` holds to a running service."""
    page = (ROOT / "docs" / "operating.md").read_text()
    process = ProcessCollector(registry=CollectorRegistry()).collect()
    found = {sample.name: set[str]() for family in process for sample in family.samples}
    for name, labels, meaning in re.findall(r"^\| `(blendproof_\w+)` \| (.*?) \| (.*)", page, re.MULTILINE):
        names = {label for label in labels.split(", ") if label}
        if meaning.startswith("histogram"):
            found |= {f"{name}_count": names, f"{name}_sum": names, f"{name}_bucket": names | {"le"}}
        else:
            found[name] = names
    return found


def wrong(dashboard: dict[str, Any]) -> Iterator[str]:
    """What a dashboard asks for that there is not."""
    series = known()
    queries = [(str(one["query"]), "") for one in dashboard["templating"]["list"] if one["type"] == "query"]
    for panel in dashboard["panels"]:
        queries += [(target["expr"], target["legendFormat"]) for target in panel["targets"]]
    for query, legend in queries:
        names = [found[0] for found in METRIC.finditer(query)]
        if not names:
            yield f"{query}: no metric of ours"
        asked = re.findall(r"[{,]\s*(\w+)\s*[=!]", query) + re.findall(r"\{\{(\w+)\}\}", legend)
        asked += [one.strip() for group in re.findall(r"\bby \(([^)]*)\)", query) for one in group.split(",")]
        for name in names:
            yield from (f"{name}: no such metric" for _ in [0] if name not in series)
            there = series.get(name, set()) | GIVEN
            yield from (f"{name}: no label {label}" for label in asked if name in series and label not in there)


def test_every_figure_of_the_dashboard_is_there() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    assert list(wrong(dashboard)) == []
    text = DASHBOARD.read_text()
    # And none of ours is missing.
    shown = {re.sub(r"_(bucket|count|sum)$", "", name) for name in known() if name.startswith("blendproof")}
    assert [name for name in sorted(shown) if name not in text] == []
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(blendproof_jobs_working{", "(blendproof_jobs_at_work{", "blendproof_jobs_at_work: no such metric"),
        ("rate(blendproof_job_seconds_bucket", "rate(blendproof_job_seconds", "blendproof_job_seconds: no such metric"),
        ("sum by (outcome)", "sum by (kind)", "blendproof_executions_total: no label kind"),
        ("{{stage}}", "{{step}}", "blendproof_stage_seconds_bucket: no label step"),
        ("blendproof_artifacts{instance=~", "blendproof_artifacts{blender=~", "blendproof_artifacts: no label blender"),
    ],
)
def test_a_figure_or_label_that_is_not_there_is_found(old: str, new: str, said: str) -> None:
    text = DASHBOARD.read_text()
    assert old in text
    assert said in list(wrong(json.loads(text.replace(old, new))))
