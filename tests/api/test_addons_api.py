"""Checks of add-ons over HTTP: a job of its caller, with a report, a page, and refusals before and after."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.addons import checking
from app.addons.checked import AddonFinding, AddonOnBlender, AddonReport, CheckedAddon, Share, WindowPicture
from app.addons.checking import Checking
from app.addons.discovery import Contents
from app.settings import Settings
from app.verdict.verdict import Severity
from harness.blenders import Blender
from tests.addons.archives import packed
from tests.api.served_changes import served

pytestmark = pytest.mark.usefixtures("root")

GOOD = {"archive": base64.b64encode(packed(("shed.py", 'bl_info = {"name": "Shed"}\n'))).decode(), "name": "shed"}
LEADS_OUT = {"archive": base64.b64encode(packed(("../shed.py", ""))).decode()}
EMPTY = {"archive": base64.b64encode(packed(("notes.txt", ""))).decode()}
TOKENS = {"": "the-token-of-the-service", "studio": "0123456789abcdef", "farm": "fedcba9876543210"}
REPORT = AddonReport(passed=True, addons=[])


def of(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


def with_a_blender(service: Any, settings: Settings | None = None) -> None:
    service.tools.settings = settings or service.tools.settings
    service.tools.blenders = [Blender("module", Path("/none"), "5.0.1", "0", "3.11")]


async def test_a_check_is_a_job_of_its_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[set[str], str, list[str]]] = []

    async def check(contents: Contents, by: Checking, at: str = "") -> AddonReport:
        seen.append((set(contents.files), contents.name, [blender.version for blender in by.blenders]))
        return REPORT

    monkeypatch.setattr(checking, "check_addons", check)
    async with served(tmp_path, [], tokens=TOKENS) as (client, service):
        with_a_blender(service, Settings(data=tmp_path / "data", runs_per_minute=2))
        made = await client.post("/addons", json=GOOD, headers=of("studio"))
        assert made.status_code == 200, made.text
        assert (made.status_code, made.json()["status"], made.json()["report"]["passed"]) == (200, "proven", True)
        assert seen == [({"shed.py"}, "shed", ["5.0.1"])]
        path = f"/addons/{made.json()['id']}"
        assert (await client.get(path, headers=of("studio"))).json() == made.json()
        assert (await client.get(path, headers=of("farm"))).json()["code"] == "addon_not_found"
        listed = (await client.get("/jobs?kind=addon", headers=of("studio"))).json()["jobs"]
        assert [job["id"] for job in listed] == [made.json()["id"]]
        wanting = await client.post("/addons", json=GOOD | {"blenders": ["1.0"]}, headers=of("farm"))
        assert wanting.status_code == 422 and "body.blenders" in wanting.json()["message"]
        both = await client.post("/addons", json=GOOD | {"repository": "shop"}, headers=of("farm"))
        assert both.status_code == 422 and "archive" in both.json()["message"]
        later = await client.post("/addons", json=GOOD, headers=of("studio") | {"Prefer": "respond-async"})
        assert (later.status_code, later.headers["Location"]) == (202, f"/addons/{later.json()['id']}")
        assert (await client.post("/addons", json=GOOD, headers=of("studio"))).json()["code"] == "quota_spent"


@pytest.mark.parametrize(("body", "said"), [(LEADS_OUT, "leads out of its folder"), (EMPTY, "There is no add-on")])
async def test_an_archive_that_cannot_be_checked_is_refused(body: dict[str, str], said: str, tmp_path: Path) -> None:
    async with served(tmp_path, []) as (client, service):
        with_a_blender(service)
        refused = await client.post("/addons", json=body)
        assert (refused.status_code, refused.json()["code"]) == (422, "addons_refused")
        assert said in refused.json()["message"]


async def test_the_page_of_a_check_shows_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none = Share(done=0, all=0)
    row = AddonOnBlender(
        blender="5.0.1",
        passed=False,
        said="does not register",
        seconds=1.0,
        operators=none,
        draws=none,
        others=none,
        settings=none,
        lines=none,
        pictures=[WindowPicture(shows="sidebar, <tab>", address="/addons/k-0123456789abcdef/pictures/1-5.0.1.png")],
        not_used=["Menu A: not for this scene"],
        left_behind=[],
    )
    said = AddonFinding(check="run", code="raises", severity=Severity.ERROR, message="<b>", file="shed.py", line=7)
    menu = WindowPicture(shows="menu", address="/addons/k-0123456789abcdef/pictures/2-4.5.0.png")
    older = row.model_copy(update={"blender": "4.5.0", "pictures": [menu, *row.pictures]})
    rows = [row.model_copy(update={"pictures": [*row.pictures, menu]}), older]
    addon = CheckedAddon(place="shed.py", module="shed", kind="add-on", passed=False, blenders=rows, findings=[said])

    async def check(*_: object) -> AddonReport:
        return AddonReport(passed=False, addons=[addon])

    monkeypatch.setattr(checking, "check_addons", check)
    async with served(tmp_path, []) as (client, service):
        with_a_blender(service)
        made = (await client.post("/addons", json=GOOD)).json()
        assert made["status"] == "not_proven"
        shown = await client.get(f"/page/addons/{made['id']}")
        assert shown.status_code == 200 and "shed.py:7" in shown.text and "&lt;b&gt;" in shown.text
        assert "Menu A: not for this scene" in shown.text and "did not pass" in shown.text
        captions = re.findall("<figcaption>(.*?)</figcaption>", shown.text)
        beside = [f"{what}, Blender {on}" for what in ("sidebar, &lt;tab&gt;", "menu") for on in ("5.0.1", "4.5.0")]
        assert captions == beside
        name = service.tools.pictures.keep_numbered(made["id"], 1, "5.0.1", b"a picture")
        address = f"/addons/{made['id']}/pictures"
        assert (await client.get(f"{address}/{name}.png")).content == b"a picture"
        for other in (f"{address}/2-5.0.1.png", f"{address}/..%2F1.png", "/addons/k-0/pictures/1-5.0.1.png"):
            assert (await client.get(other)).status_code == 404, other
        assert f"/page/addons/{made['id']}" in (await client.get("/page/jobs?kind=addon")).text


async def test_the_add_ons_of_a_repository_are_checked_for_those_who_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[set[str], str]] = []

    async def check(contents: Contents, _by: Checking, at: str = "") -> AddonReport:
        seen.append((set(contents.files), at))
        return REPORT

    monkeypatch.setattr(checking, "check_addons", check)
    async with served(tmp_path, []) as (client, service):
        with_a_blender(service)
        made = await client.post("/addons", json={"repository": "shop", "at": "tools"})
        assert (made.status_code, made.json()["repository"], made.json()["title"]) == (200, "shop", "shop")
        ((files, at),) = seen
        assert "shop.py" in files and at == "tools"
        gone = await client.post("/addons", json={"repository": "gone"})
        assert (gone.status_code, gone.json()["code"]) == (404, "repository_not_found")
        await client.delete("/repositories/shop")
        assert (await client.get(f"/addons/{made.json()['id']}")).status_code == 404


@pytest.mark.parametrize(
    ("code", "status"),
    [("addons_refused", 422), ("job_interrupted", 503), ("run_failed", 500), ("none", 500)],
)
def test_an_error_that_another_service_met_is_told_as_it_was(code: str, status: int) -> None:
    # In an interpreter that has loaded nothing of the work on jobs.
    asks = f"error_of(ErrorBody(code={code!r}, message='m', hint='h', details={{}}))"
    program = f"from app.errors import ErrorBody, error_of\nerror = {asks}\nprint(error.status, error.message)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"{status} m"
