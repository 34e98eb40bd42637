"""The ladder of sandboxes, its self-test, and a service on each rung."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

import app.service.startup
from app.errors import SandboxBroken
from app.settings import Settings
from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order
from harness.sandbox import landlock, namespaces, selftest
from harness.sandbox.jail import JailSpec
from harness.sandbox.ladder import Rung, Sandbox, strongest
from tests.fixtures import serving
from tests.ordinary_user import said_by_an_ordinary_user
from tests.sandboxes import ISOLATING, linux, on

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = Path(__file__).parents[1] / "snippets"
# --- the ladder and its self-test ----------------------------------------------------------------------------


@linux
@pytest.mark.parametrize(("rung", "has_landlock"), [*((rung, True) for rung in ISOLATING), (Rung.NAMESPACES, False)])
def test_nothing_gets_out_of_a_rung(rung: Rung, has_landlock: bool, tmp_path: Path) -> None:
    sandbox = on(rung)
    found = selftest.examine(sandbox if has_landlock else dataclasses.replace(sandbox, landlock=0), [tmp_path])
    assert found.escapes == ()
    assert found.attempts > 20
    assert found.isolates and found.serves
    assert list(tmp_path.iterdir()) == []


@linux
@pytest.mark.skipif(not os.access(namespaces.LAST_NUMBER, os.W_OK), reason="the kernel numbers processes itself here")
def test_the_number_of_a_process_does_not_tell_that_it_is_in_a_namespace() -> None:
    script = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from harness.sandbox import runtime
from harness.sandbox.jail import SandboxedJob, start
from harness.sandbox.ladder import Rung
from tests.sandboxes import on
jail = on(Rung.NAMESPACES).jail(runtime.of_this_python(), [])
said, says = os.pipe()
os.set_inheritable(says, True)
code = f"import os; os.write({{says}}, str(os.getpid()).encode())"
running = start(SandboxedJob([sys.executable, "-I", "-S", "-c", code], {{}}, "/", [says], {{}}), jail, None)
os.close(says)
print(os.read(said, 20).decode())
os.kill(running.pid, 9)
"""
    on(Rung.NAMESPACES)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert int(done.stdout) >= namespaces.FIRST_NUMBER, done.stderr


@dataclasses.dataclass(frozen=True)
class WeakenedSandbox(Sandbox):
    """A rung that claims more than it holds: one of its mechanisms is left out."""

    without: str = ""

    def jail(self, readable: list[str], writable: list[str], place: str = "") -> JailSpec | None:
        """The jail without that mechanism."""
        whole = super().jail(readable, writable, place)
        assert whole is not None
        return dataclasses.replace(whole, landlock=0) if self.without == "landlock" else self.unfiltered(whole)

    def unfiltered(self, whole: JailSpec) -> JailSpec:
        return dataclasses.replace(whole, seccomp="")


@linux
@pytest.mark.parametrize(
    ("rung", "without", "noticed"),
    [
        (Rung.LANDLOCK, "landlock", {"read_secret", "write_secret", "list_secrets", "signal_others"}),
        (Rung.LANDLOCK, "seccomp", {"make_any_socket", "send_udp", "uncounted_memory", "signal_by_owner"}),
        (Rung.NAMESPACES, "landlock", {"read_environment_of_others"}),
        (Rung.NAMESPACES, "seccomp", {"make_any_socket", "uncounted_memory", "give_own_rights", "pass_descriptors"}),
    ],
)
def test_the_self_test_notices_what_is_missing(rung: Rung, without: str, noticed: set[str], tmp_path: Path) -> None:
    whole = on(rung)
    found = selftest.examine(WeakenedSandbox(rung, whole.landlock, without=without), [tmp_path])
    assert noticed <= set(found.escapes)
    assert found.isolates is not bool(noticed)


def test_what_claims_nothing_is_not_tested_and_serves_only_by_the_operators_word() -> None:
    nothing = selftest.examine(Sandbox(Rung.PROCESS, why_not=("none",)), [])
    assert (nothing.isolates, nothing.serves, nothing.facts()["allowed_by"]) == (False, False, None)
    unsafe = dataclasses.replace(nothing, unsafe=True)
    assert (unsafe.isolates, unsafe.serves) == (False, True)
    assert unsafe.facts()["allowed_by"] == "BLENDPROOF_SANDBOX=unsafe"


IN_A_CONTAINER = """
import base64, errno, json, os, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from harness.sandbox import ladder, landlock, libc, seccomp, selftest
from harness.sandbox.seccomp import *

def container(forbidden, privileged_clone):
    # As a container's default profile: everything but what makes namespaces and mounts.
    def instructions():
        yield Instruction(LOAD, 0)
        known = numbers(libc.MACHINE)
        for name in forbidden:
            yield from (Instruction(EQUAL, known[name], 0, 1), Instruction(RETURN, FAIL | errno.EPERM))
        yield from (Instruction(EQUAL, known["clone3"], 0, 1), Instruction(RETURN, FAIL | errno.ENOSYS))
        rule = first(CLONE_NEW, ANY_BIT, answer(FAIL | errno.EPERM))
        yield from (Instruction(EQUAL, known["clone"], 0, len(rule)), *rule)
        yield from answer(ALLOW)
    return base64.b64encode(b"".join(step.packed() for step in instructions())).decode()

libc.drop_capabilities()
libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
seccomp.load(container({forbidden!r}, False), libc.MACHINE, os.getpid())
found = selftest.examine(ladder.strongest(), [Path({guarded!r})])
print(json.dumps([found.rung, found.escapes, found.serves, found.attempts, found.why_not]))
"""
DOCKER = ["unshare", "setns", "mount", "umount2", "pivot_root", "fsopen", "move_mount", "open_tree", "bpf", "keyctl"]


def found_in_a_container(forbidden: list[str], guarded: Path) -> tuple[str, list[str], bool, int, list[str]]:
    """What a service in a container with these calls forbidden, and without any capability, would find."""
    source = IN_A_CONTAINER.format(root=str(ROOT), forbidden=forbidden, guarded=str(guarded))
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", source], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found: tuple[str, list[str], bool, int, list[str]] = tuple(json.loads(done.stdout))  # pyright: ignore[reportAssignmentType]
    return found


@linux
def test_a_container_without_namespaces_gets_the_rung_below(tmp_path: Path) -> None:
    on(Rung.LANDLOCK)
    rung, escapes, serves, attempts, why_not = found_in_a_container(DOCKER, tmp_path)
    assert (rung, escapes, serves) == ("landlock", [], True)
    assert attempts > 20
    assert "namespaces" in why_not[0]


@linux
def test_where_nothing_is_allowed_nothing_is_claimed(tmp_path: Path) -> None:
    rung, _, serves, _, why_not = found_in_a_container([*DOCKER, "landlock_create_ruleset"], tmp_path)
    assert (rung, serves, len(why_not)) == ("process", False, 2)


@linux
def test_an_ordinary_user_gets_the_same() -> None:
    said = said_by_an_ordinary_user("""
import json
import os
from harness.sandbox import ladder, selftest
found = selftest.examine(ladder.strongest(), [])
print(json.dumps([found.rung, found.escapes]))
""")
    assert json.loads(said) == [strongest().rung, []]


# --- the service ---------------------------------------------------------------------------------------------


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The settings of the other tests, with the sandbox as an operator gets it who says nothing."""
    return settings.model_copy(update={"sandbox": "auto"})


NOTHING = Sandbox(Rung.PROCESS, why_not=("namespaces: not allowed", "landlock: not there"))


async def health_and_answer(settings: Settings) -> tuple[dict[str, Any], httpx2.Response]:
    async with serving(settings) as client:
        health = (await client.get("/health")).json()["parts"]["sandbox"]
        answer = await client.post("/validate", json={"snippet": "1 +"}, headers={"Prefer": "respond-async"})
        return health, answer


async def test_without_a_sandbox_snippets_are_refused(
    settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.service.startup, "strongest", lambda: NOTHING)
    health, answer = await health_and_answer(settings)
    assert health["state"] == "down"
    assert "not allowed" in health["message"]
    assert (answer.status_code, answer.json()["code"]) == (503, "sandbox_missing")
    assert "BLENDPROOF_SANDBOX" in answer.json()["hint"]


async def test_the_operator_can_accept_it(
    settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.service.startup, "strongest", lambda: NOTHING)
    health, answer = await health_and_answer(settings.model_copy(update={"sandbox": "unsafe"}))
    assert (health["state"], answer.status_code) == ("degraded", 202)


async def test_a_sandbox_that_leaks_is_not_served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    leaking = Sandbox(Rung.LANDLOCK, 7, escapes=("read_secret",))

    def examine(_sandbox: Sandbox, _guarded: list[Path]) -> Sandbox:
        return leaking

    monkeypatch.setattr(selftest, "examine", examine)
    with pytest.raises(SandboxBroken, match="read_secret"):
        async with serving(settings):
            pass


async def test_the_data_folder_is_closed_to_other_users(settings: Settings) -> None:
    folders = [settings.data_folder, *(settings.data_folder / name for name in ("work", "warm", "executions"))]
    for folder in folders:
        folder.mkdir(parents=True)
    async with serving(settings):
        assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 4
        databases = list(settings.data_folder.glob("*.sqlite*"))
        assert databases and {file.stat().st_mode & 0o777 for file in databases} == {0o600}


async def test_with_a_sandbox_health_names_the_rung(settings: Settings, blender: Blender) -> None:
    if not strongest().isolates:
        pytest.skip("this machine isolates nothing")
    health, _ = await health_and_answer(settings)
    assert (health["state"], f"rung `{strongest().rung}`" in health["message"]) == ("ok", True)


@pytest.mark.blender
async def test_without_isolation_a_snippet_reaches_its_keeper_and_the_report_says_so(
    blender: Blender, tmp_path: Path, no_leftovers: None
) -> None:
    unsafe = dataclasses.replace(NOTHING, unsafe=True)
    source = (SNIPPETS / "kills_its_keeper.py").read_text()
    report = await execute(blender, Order(source), tmp_path / "job", unsafe)
    assert report["outcome"] == "crashed"
    assert report["isolation"]["isolates_files_and_network"] is False
    assert report["isolation"]["allowed_by"] == "BLENDPROOF_SANDBOX=unsafe"


@pytest.mark.blender
@pytest.mark.parametrize("rung", ISOLATING)
async def test_both_doors_work_on_a_rung(rung: Rung, executable: Blender, blender: Blender, tmp_path: Path) -> None:
    for door in (executable, blender):
        report = await execute(
            door, Order("import bpy\nbpy.data.objects['Cube'].location.x = 1\n"), tmp_path / door.kind, on(rung)
        )
        assert (report["outcome"], report["isolation"]["rung"]) == ("passed", rung.value), report["reason"]
        assert report["isolation"]["mechanisms"]["landlock"] == (landlock.version() or None)


def test_a_folder_that_the_service_cannot_write_gets_no_canary(tmp_path: Path) -> None:
    own, work = tmp_path / "own", tmp_path / "work"
    own.mkdir()
    work.mkdir()
    with selftest.bait(work, [Path("/sys"), own, tmp_path / "missing"]) as canary:
        assert [file.parents[1] for file in canary.files] == [work / "outside", own]
