"""Edits and ports over HTTP."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.addons import draft as porting
from app.addons.report import GUESSED
from harness.addons import AddonFrame, AddonProblem, Use
from harness.blenders import Blender
from ingest.manifest import Manifest
from tests.addons.registering import INFO as ADDON
from tests.addons.registering import Registers
from tests.api.served_changes import EVIL, begin, ended, served
from tests.codebase.small import repository, run_git
from tests.model_server import Reply
from tests.repositories.shop import SHOP, unit, whole


@pytest.mark.usefixtures("root")
async def test_an_edit_is_a_patch_of_the_files_as_they_are(tmp_path: Path, root: Path) -> None:
    better = Reply(whole(SHOP.replace("2 * count", "3 * count")), when="shop.py")
    async with served(tmp_path, [better, Reply("no file", times=3)]) as (client, _):
        made = await ended(client, await begin(client, kind="edit", place="."))
        assert (made["status"], made["branch"], made["tokens_in"]) == ("proposal", None, 2000)
        assert "-    return 2 * count\n+    return 3 * count\n" in made["patch"]
        assert [(one["path"], one["changed"]) for one in made["edits"]] == [("shop.py", True), ("test_shop.py", False)]
        assert "1 of 2 files were refused" in made["note"]
        assert "no line <<BEGIN_FILE test_shop.py>>" in made["edits"][1]["problem"]
        shown = (await client.get(f"/page/changes/{made['id']}")).text
        assert "return 3 * count" in shown and "no line &lt;&lt;BEGIN_FILE test_shop.py&gt;&gt;" in shown
        for place in ("../other", ".git/config", ".env", "none.py"):
            failed = await ended(client, await begin(client, kind="edit", place=place))
            assert failed["status"] == "failed" and place in failed["note"] and failed["patch"] == ""
    assert (root / "shop.py").read_text() == SHOP and run_git(root, "status", "--porcelain") == ""


async def test_an_add_on_is_ported_on_a_branch(
    tmp_path: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ADDON + "import bgl\n\n\ndef register():\n    pass\n"
    files: dict[str, str | bytes] = {
        "shop.py": broken,
        "odd.py": "# -*- coding: latin-1 -*-\nname = 'caf\xe9'\n".encode("latin-1"),
    }
    root = repository(tmp_path / "allowed" / "shop", files)
    registers = Registers("import bgl")
    why = AddonProblem("TypeError", "<b>no</b>", (AddonFrame("shop.py", 3, "draw", ""),))
    registers.uses = Use("Operator", "SHOP_OT_open", "finished"), Use("Panel", "SHOP_PT_all", "raised", why)
    monkeypatch.setattr(porting, "use_addon", registers)
    async with served(tmp_path) as (client, service):
        tools: Any = service.tools
        tools.blenders = [Blender("module", Path("/none"), "5.0.1", "0", "3.11")]
        tools.manifests = SimpleNamespace(of={tools.blenders[0]: manifest}.get)
        made = await ended(client, await begin(client, kind="port", blenders=["5.0"], request=""))
        assert (made["status"], made["note"], made["model"]) == ("accepted", "", "")
        (addon,) = made["report"]["addons"]
        assert [row["after"]["done"] for row in addon["registrations"]] == [3]
        assert "-import bgl" in made["patch"]
        assert "bgl" not in run_git(root, "show", f"{made['branch']}:shop.py")
        shown = (await client.get(f"/page/changes/{made['id']}")).text
        assert "3 after" in shown and "Port to Blender 5.0" in shown and "1 of 2 raised nothing" in shown
        assert "Panel SHOP_PT_all: <code>shop.py:3</code> TypeError: &lt;b&gt;no&lt;/b&gt;" in shown
        (bgl,) = [why for hunk in addon["files"][0]["hunks"] for why in hunk["reasons"]]
        assert (bgl["rule"], bgl["guess"]) == ("unused-bgl", False)
        none = await ended(client, await begin(client, kind="port", blenders=["5.0"], request="", place="odd.py"))
        assert none["status"] == "failed" and "There is no add-on in shop at odd.py" in none["note"]


async def test_a_model_repairs_what_rules_cannot_if_that_is_asked_for(
    tmp_path: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ADDON + "\n\ndef register():\n    lost(1)\n"
    repository(tmp_path / "allowed" / "shop", {"shop.py": text})
    monkeypatch.setattr(porting, "use_addon", Registers("lost(", kind="NameError"))
    mended = Reply(f"It is not defined. {EVIL}\n" + unit("def register():\n    print(1)\n", "shop.py::register"))
    wanted: dict[str, Any] = {"kind": "port", "blenders": ["5.0"], "request": ""}
    async with served(tmp_path, [mended]) as (client, service):
        tools: Any = service.tools
        tools.blenders = [Blender("module", Path("/none"), "5.0.1", "0", "3.11")]
        tools.manifests = SimpleNamespace(of={tools.blenders[0]: manifest}.get)
        without = await ended(client, await begin(client, **wanted))
        assert (without["status"], without["branch"], without["model"]) == ("failed", None, "")
        made = await ended(client, await begin(client, **wanted, with_model=True))
        assert (made["status"], made["tokens_in"]) == ("accepted", 1000) and made["model"].startswith("custom (")
        shown = (await client.get(f"/page/changes/{made['id']}")).text
        assert f"<p>{GUESSED}</p><ul><li><code>shop.py:" in shown
        assert "</code> It is not defined. &lt;script&gt;" in shown and "<script>alert" not in shown
        tools.models = None
        none = await client.post("/repositories/shop/changes", json={**wanted, "with_model": True})
        assert (none.status_code, none.json()["code"]) == (503, "model_not_available")
