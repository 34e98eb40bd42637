"""Changes over HTTP: accepted, followed, cancelled, told of after a restart; and nothing of a repository gets out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.api.examples import example
from app.jobs.kinds import CHANGES
from app.jobs.sqlite import SqliteJobs
from app.repositories.allowed import AllowedPlaces
from app.repositories.changing.change_files import ChangeFiles
from app.repositories.changing.record import Change
from app.repositories.register import Repositories
from harness.readers.workers import Workers
from harness.sandbox.ladder import strongest
from tests.api.served_changes import EVIL, WANTED, accepted, begin, ended, ending, endless, served
from tests.codebase.small import commit, repository, run_git
from tests.repositories.shop import NEW_TEST, RIGHT, SHOP, file, replies, unit

MOST = 1 + (CHANGES.waiting or 0)


@pytest.mark.usefixtures("root")
async def test_a_change_is_followed_listed_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ending(monkeypatch, accepted)
    async with served(tmp_path) as (client, _):
        first = await begin(client)
        made = await ended(client, first)
        assert (made["status"], made["patch"]) == ("accepted", "+ a line\n")
        assert [one["text"] for one in made["events"]] == ["planning", "accepted"]
        later = await client.get(f"/changes/{first}/events", headers={"Last-Event-ID": "1"})
        assert "planning" not in later.text and "accepted" in later.text
        assert (await client.get(f"/changes/{first}/events", headers={"Last-Event-ID": "2"})).status_code == 204
        second = await begin(client, request="another")
        await ended(client, second)
        page = (await client.get("/changes?limit=1")).json()
        assert [one["title"] for one in page["changes"]] == ["another"] and page["next"] == second
        rest = (await client.get(f"/changes?before={second}")).json()
        assert [one["id"] for one in rest["changes"]] == [first] and rest["next"] is None
        finished = await client.delete(f"/changes/{first}")
        assert (finished.status_code, finished.json()["code"]) == (409, "change_finished")
    async with served(tmp_path) as (client, _):
        assert (await client.get(f"/changes/{first}")).json() == made
        await client.delete("/repositories/shop")
        gone = await client.get(f"/changes/{first}")
        assert (gone.status_code, gone.json()["code"]) == (404, "change_not_found")


@pytest.mark.usefixtures("root")
async def test_a_change_is_cancelled_and_the_next_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ending(monkeypatch, endless)
    async with served(tmp_path) as (client, _):
        working, waiting = await begin(client), await begin(client)
        await asyncio.sleep(0)
        assert (await client.get(f"/changes/{waiting}")).json()["status"] == "queued"
        ending(monkeypatch, accepted)
        assert (await client.delete(f"/changes/{working}")).json()["status"] == "cancelled"
        assert (await ended(client, waiting))["status"] == "accepted"
        assert (await client.get(f"/changes/{working}")).json()["events"][-1]["text"] == "cancelled"


@pytest.mark.usefixtures("root")
async def test_changes_are_worked_on_one_after_another_and_a_seventeenth_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[str] = []

    async def counted(made: Change, say: Callable[[str], None]) -> None:
        began.append(made.id)
        await (endless if len(began) == 1 else accepted)(made, say)

    ending(monkeypatch, counted)
    async with served(tmp_path) as (client, _):
        ids = [await begin(client, request=f"{number}: " + "word " * 100) for number in range(MOST)]
        refused = await client.post("/repositories/shop/changes", json=WANTED)
        assert (refused.status_code, refused.json()["code"]) == (503, "service_busy")
        assert (await client.delete(f"/changes/{ids[1]}")).json()["status"] == "cancelled"
        await begin(client, request="there is room again")
        assert began == ids[:1]
        await client.delete(f"/changes/{ids[0]}")
        await ended(client, ids[-1])
        assert began[:MOST] == [ids[0], *ids[2:], began[-1]]
        titles = [one["title"] for one in (await client.get("/changes")).json()["changes"]]
        assert titles[-1].startswith("0: word word") and titles[-1].endswith("…") and len(titles[-1]) == 200


@pytest.mark.usefixtures("root")
async def test_a_change_of_the_command_line_is_taken_in_and_a_damaged_file_left(tmp_path: Path) -> None:
    place = tmp_path / "data" / "repositories"
    async with served(tmp_path) as (client, _):
        made = Change(id="c-0000000000000001", repository="shop", created_at="2026-01-01T00:00:00", request="x")
        made.status, made.patch, made.branch = "accepted", "+ a line\n", "blendproof/c-1"
        for id, text in ((made.id, made.model_dump_json()), ("c-0000000000000002", made.model_dump_json()[:-9])):
            ChangeFiles(place).keep(made.model_copy(update={"id": id}))
            if id != made.id:
                (place / "shop" / "changes" / f"{id}.json").write_text(text)
        for _ in range(2):
            (listed,) = (await client.get("/changes")).json()["changes"]
            assert (listed["id"], listed["branch"], listed["title"]) == (made.id, "blendproof/c-1", "x")
            assert Change.model_validate((await client.get(f"/changes/{made.id}")).json()) == made
            assert (await client.get("/changes/c-0000000000000002")).status_code == 404
        assert [file.name for file in place.glob("shop/changes/*")] == ["c-0000000000000002.json"]


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("killed", [True, False])
async def test_what_the_service_ended_in_is_taken_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    async def nothing(*_given: object) -> None:
        """A service that is killed writes nothing any more."""

    def until_killed() -> None:
        ending(monkeypatch, endless)
        if killed:
            monkeypatch.setattr(SqliteJobs, "wait_again", nothing)

    until_killed()
    async with served(tmp_path) as (client, service):
        working, waiting = await begin(client), await begin(client)
        assert await anext(service.follow(working, 0))
    monkeypatch.undo()
    until_killed()
    async with served(tmp_path) as (client, service):
        assert await anext(service.follow(working, 1))
        assert (await client.get(f"/changes/{waiting}")).json()["status"] == "queued"
    monkeypatch.undo()
    ending(monkeypatch, accepted)
    async with served(tmp_path) as (client, _):
        assert (await ended(client, waiting))["status"] == "accepted"
        made = await ended(client, working)
        # It may be it that kills the service, if that is killed twice.
        assert made["status"] == ("interrupted" if killed else "accepted")
        assert ("ask for it again" in made["note"]) == killed


@pytest.mark.usefixtures("root")
async def test_a_fault_ends_one_change_and_says_nothing_of_its_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def faulty(_made: Change, _say: Callable[[str], None]) -> None:
        raise RuntimeError("/secret/path")

    ending(monkeypatch, faulty)
    async with served(tmp_path) as (client, _):
        made = await ended(client, await begin(client))
        assert made["status"] == "failed" and "RuntimeError" in made["note"] and "secret" not in made["note"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"request": " "}, "`request` says what is to be changed"),
    ({"kind": "edit", "request": "shorter"}, "an edit needs the `place`"),
    ({"kind": "port"}, "a port needs `blenders`"),
    ({"kind": "port", "blenders": ["9.9"]}, "No Blender is installed"),
    ({"request": "x", "with_model": True}, "`with_model` is of a port"),
    ({"request": "x", "command": "rm -rf /"}, "command"),
    ({"request": "x" * 20_001}, "request"),
]


@pytest.mark.usefixtures("root")
async def test_what_cannot_be_asked_is_said(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, _):
        for body, told in REFUSED:
            refused = await client.post("/repositories/shop/changes", json=body)
            assert refused.status_code == 422 and told in refused.text, body
        assert (await client.post("/repositories/none/changes", json=WANTED)).status_code == 404
        assert (await client.get("/changes")).json() == {"changes": [], "next": None}


async def test_a_change_of_a_folder_that_is_not_allowed_is_not_shown(tmp_path: Path) -> None:
    repository(tmp_path / "elsewhere", {"a.py": "x = 1\n"})
    own = Repositories(tmp_path / "data", AllowedPlaces(None))
    own.keep(own.at(tmp_path / "elsewhere"))
    made = Change(id=f"c-{0:016x}", repository="elsewhere", created_at="2026-01-01T00:00:00", request="x", patch="hush")
    ChangeFiles(own.place).keep(made)
    async with served(tmp_path) as (client, _):
        for address in (f"/changes/{made.id}", f"/changes/{made.id}/events", "/changes?repository=elsewhere"):
            assert (await client.get(address)).status_code == 404
        assert (await client.get("/changes")).json()["changes"] == []
        assert (await client.get("/changes/..%2Felsewhere")).status_code == 404


@pytest.mark.usefixtures("root")
async def test_the_page_shows_plan_patch_tests_and_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def proposed(made: Change, _say: Callable[[str], None]) -> None:
        whole = {**example("CHANGE"), "id": made.id, "repository": made.repository, "note": EVIL, "request": EVIL}
        shown = Change.model_validate(whole)
        shown.attempts[0].patch += f"+{EVIL}\n"
        for name in Change.model_fields:
            setattr(made, name, getattr(shown, name))

    ending(monkeypatch, endless)
    async with served(tmp_path) as (client, _):
        assert "No changes yet" in (await client.get("/page/changes")).text
        id = await begin(client)
        assert 'content="3"' in (await client.get(f"/page/changes/{id}")).text
        assert (await client.post(f"/page/changes/{id}/cancel")).status_code == 303
        ending(monkeypatch, proposed)
        id = await begin(client, request=EVIL)
        await ended(client, id)
        shown = (await client.get(f"/page/changes/{id}")).text
        for said in ("Refuse counts below zero", "shop.py:1-2", "raise ValueError(count)", "test_negative", "accepted"):
            assert said in shown
        for text in (shown, (await client.get("/page/changes")).text):
            assert "&lt;script&gt;" in text and "<script>" not in text and "<img src=x" not in text
        assert "There is no change" in (await client.get("/page/changes/c-0")).text


LINKED = file("link.py", "x = 1\n")
BELOW = file("sub/new.py", "x = 1\n")
OUT = file("../out.py", "x = 1\n")
HOOK = file(".git/hooks/pre-commit", "#!/bin/sh\n")
DIFF_HOOK = "```diff\n--- a/.git/config\n+++ b/.git/config\n@@ -0,0 +1 @@\n+[core]\n```\n"


async def test_a_patch_of_what_is_no_plain_file_of_the_repository_is_refused(tmp_path: Path, root: Path) -> None:
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "sub").mkdir()
    run_git(root, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    commit(root, {"shop.py": SHOP})
    before = files_below(tmp_path)
    refused = {
        OUT: "leads out of the repository",
        HOOK: "belongs to version control",
        DIFF_HOOK: "belongs to version control",
        LINKED: "link.py cannot be changed: it is a link",
        BELOW: "sub/new.py cannot be changed: it is a link, a submodule, below one",
        file(".env", "KEY=1\n"): "hold secrets",
    }
    first, second = list(refused)[:3], list(refused)[3:]
    async with served(tmp_path, [*replies(*first), *replies(*second)]) as (client, _):
        for answers in (first, second):
            made = await ended(client, await begin(client))
            assert (made["status"], made["patch"], made["branch"]) == ("failed", "", None)
            for attempt, answer in zip(made["attempts"], answers, strict=True):
                assert refused[answer] in attempt["problem"]
    assert files_below(tmp_path) == before and run_git(root, "branch", "--list", "blendproof/*") == ""


def files_below(folder: Path) -> list[Path]:
    """All files but those of the service and the objects of git."""
    return sorted(path for path in folder.rglob("*") if not {"data", "objects"} & set(path.parts))


ATTACK = """
import os, pathlib, socket, unittest


class Attack(unittest.TestCase):
    def test_the_data_of_the_service_is_out_of_reach(self):
        with self.assertRaises(OSError):
            pathlib.Path(DATA, "shop", "repository.json").read_text()

    def test_nothing_is_written_outside(self):
        with self.assertRaises(OSError):
            pathlib.Path(OUT).write_text("out")
        self.assertFalse(any("BLENDPROOF" in name for name in os.environ))

    def test_there_is_no_network(self):
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", PORT), timeout=1)
"""


def hooked(root: Path, mark: Path) -> None:
    """Have every hook of git, a filter and a monitor leave a mark if one is run."""
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-checkout", "post-index-change"):
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
        hook.chmod(0o755)
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "core.sshCommand", "gpg.program"):
        run_git(root, "config", key, f"touch {mark}; cat")
    run_git(root, "config", "commit.gpgsign", "true")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("*.py filter=evil\n")


@pytest.mark.slow
async def test_a_change_is_made_by_workers_and_committed_on_a_branch(tmp_path: Path, root: Path) -> None:
    if not strongest().isolates:
        pytest.skip("this machine isolates nothing, so the attack works")
    answers = replies(unit(RIGHT) + file("test_negative.py", NEW_TEST))
    data, out = tmp_path / "data" / "repositories", tmp_path / "allowed" / "out"
    with socket.create_server(("127.0.0.1", 0)) as server:
        values = f"DATA, OUT, PORT = {str(data)!r}, {str(out)!r}, {server.getsockname()[1]}\n"
        commit(root, {"test_attack.py": values + ATTACK})
    before = run_git(root, "status", "--porcelain")
    hooked(root, tmp_path / "mark")
    config = (root / ".git" / "config").read_bytes(), (root / ".git" / "index").read_bytes()
    async with served(tmp_path, answers, Workers(strongest())) as (client, _):
        made = await ended(client, await begin(client))
        assert (made["status"], made["note"]) == ("accepted", "")
        evidence = made["attempts"][0]["evidence"]
        assert evidence["mended"] == ["test_negative.N.test_negative"] and evidence["types"] == []
        assert evidence["runs"][0]["said"] == "4 passed"
        assert made["branch"] == f"blendproof/{made['id']}" and made["tokens_in"] == 3000
        assert run_git(root, "show", f"{made['branch']}:shop.py").startswith(RIGHT)
    assert not (tmp_path / "mark").exists() and not out.exists()
    assert config == ((root / ".git" / "config").read_bytes(), (root / ".git" / "index").read_bytes())
    (root / ".git" / "info" / "attributes").unlink()
    run_git(root, "config", "core.fsmonitor", "false")
    assert run_git(root, "status", "--porcelain") == before
    assert sorted(path.name for path in (tmp_path / "data" / "repositories" / "shop").iterdir()) == [
        "index",
        "repository.json",
    ]
