"""Diagnoses over HTTP: a model's explanation with checked citations, what is confirmed, and solved issues."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from app.cli.main import app
from app.llm.answers import without_reasoning
from app.repositories.explaining import places_of
from tests.api.served_repositories import add, served
from tests.codebase.small import repository, run_git, write
from tests.model_server import MODEL, Reply, model_server, models_at, off_the_loop

TILL = "def weigh(ware):\n    return ware.mass\n\n\ndef ring(wares):\n    return weigh(wares.get('tea'))\n"
LOG = """\
Traceback (most recent call last):
  File "/home/a/till.py", line 6, in ring
    return weigh(wares.get('tea'))
  File "/home/a/till.py", line 2, in weigh
    return ware.mass
AttributeError: 'NoneType' object has no attribute 'mass'
"""
SAID = "`wares` has no tea [till.py:5-6], so that None is weighed [till.py:1-2]; see [other.py:1-9].\n"
MEND = "<<BEGIN_UNIT till.py::ring>>\ndef ring(wares):\n    return weigh(wares['tea'])\n<<END>>\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "allowed" / "shop", {"till.py": TILL, ".env": "KEY=hush\n"})


async def diagnosed(client: httpx2.AsyncClient, **more: Any) -> dict[str, Any]:
    answer = await client.post("/repositories/shop/diagnose", json={"log": LOG, **more})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_the_best_places_are_shown_first() -> None:
    used = SimpleNamespace(citation="till.py:5-6")
    crash = SimpleNamespace(around_citation="till.py:1-4", definitions=[used], values=[])
    suspects = [SimpleNamespace(citation=citation, reasons=["a", "b"]) for citation in ("till.py:5-6", "shop.py:1-2")]
    diagnosis: Any = SimpleNamespace(crashes=[crash], suspects=suspects)
    assert places_of(diagnosis) == [("till.py:1-4", "it broke here"), ("till.py:5-6", "a; b"), ("shop.py:1-2", "a; b")]


async def test_a_model_explains_and_proposes_and_both_are_checked(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.repositories.explaining.without_reasoning", off_the_loop(without_reasoning))
    wrong = MEND.replace("till.py::ring", "../till.py::ring")
    replies = [Reply(SAID + MEND), Reply("It is so.\n" + wrong)]
    with model_server(*replies) as server:
        models = models_at(server.url)
        async with served(tmp_path, models) as client:
            await add(client, root)
            assert (await diagnosed(client))["explanation"] is None and server.asked == []
            said = (await diagnosed(client, explain=True))["explanation"]
            assert said["status"] == "explained" and said["tokens_in"] == 1000
            assert [one["citation"] for one in said["citations"]] == ["till.py:5-6", "till.py:1-2"]
            assert "~~other.py:1-9~~" in said["text"] and [one["citation"] for one in said["struck"]] == [
                "other.py:1-9"
            ]
            assert "BEGIN_UNIT" not in said["text"]
            assert "-    return weigh(wares.get('tea'))\n+    return weigh(wares['tea'])\n" in said["patch"]
            bad = (await diagnosed(client, explain=True))["explanation"]
            assert (bad["status"], bad["patch"]) == ("unfounded", "") and "leads out of the repository" in bad["note"]
            none = (await diagnosed(client, explain=True))["explanation"]
            assert none["status"] == "unavailable" and "No model answered" in none["note"]
            other = await client.post("/repositories/shop/diagnose", json={"log": "all is well", "explain": True})
            assert "Nothing was found" in other.json()["explanation"]["note"]
        await models.close()
        assert "    2|     return ware.mass".strip() in server.questions[0] and "hush" not in server.questions[0]
    assert (root / "till.py").read_text() == TILL and run_git(root, "status", "--porcelain") == ""


async def test_a_confirmed_diagnosis_and_solved_issues_are_known_next_time(tmp_path: Path, root: Path) -> None:
    issues = [
        {"number": 7, "error": "AttributeError: 'NoneType' object has no attribute 'mass'", "fix": "Ask for tea."}
    ]
    write(tmp_path / "allowed", {"issues.json": json.dumps(issues)})
    async with served(tmp_path) as client:
        await add(client, root)
        first = await diagnosed(client)
        assert first["known"] == []
        confirm = f"/repositories/shop/diagnoses/{first['id']}"
        done = await client.post(confirm, json={"fault": "till.py:6", "note": "No tea."})
        assert done.status_code == 200 and done.json()["fault"] == "till.py:6"
        for address, fault in (
            (confirm, "till.py:99"),
            (confirm, "../x.py:1"),
            (confirm, ".env:1"),
            (confirm, "till.py"),
            ("/repositories/shop/diagnoses/d-0", "till.py:6"),
        ):
            refused = await client.post(address, json={"fault": fault})
            assert (refused.status_code, refused.json()["code"]) == (422, "diagnosis_refused"), fault
        source = {"path": str(tmp_path / "allowed" / "issues.json")}
        assert (await client.post("/repositories/shop/sources", json=source)).status_code == 201
        known = (await diagnosed(client))["known"]
        assert [(one["fault"], one["solution"]) for one in known] == [("till.py:6", "No tea."), ("", "Ask for tea.")]
        assert known[1]["source"] == "solved issue: 7"


def test_the_command_prints_explanation_and_patch(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))
    assert CliRunner().invoke(app, ["repo", "add", str(root)]).exit_code == 0
    command = ["repo", "diagnose", "shop", "--explain"]
    missing = CliRunner().invoke(app, command, input=LOG)
    assert missing.exit_code == 3 and "Explaining needs a model" in missing.stderr
    with model_server(Reply(SAID + MEND, times=2)) as server:
        for name, value in {"PROVIDER": "custom", "NAME": MODEL, "URL": server.url, "CONTEXT": "16384"}.items():
            monkeypatch.setenv(f"BLENDPROOF_MODEL_{name}", value)
        done = CliRunner().invoke(app, command, input=LOG)
        as_json = CliRunner().invoke(app, [*command, "--json"], input=LOG)
    assert done.exit_code == 0 and "explanation (custom (written-answers))" in done.stdout
    assert "other.py:1-9 is struck out: there is no such file" in done.stdout
    assert done.stdout.rstrip().endswith("+    return weigh(wares['tea'])")
    assert json.loads(as_json.stdout)["explanation"]["status"] == "explained"
