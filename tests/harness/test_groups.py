"""Control groups: found only where they were delegated, made per worker, and gone with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox import groups
from harness.sandbox.groups import GroupFolder, group_below, look, prepare

MOUNTS = "35 24 0:30 / {root} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"


def tree(folder: Path, controllers: str = "cpuset cpu io memory pids", path: str = "/") -> tuple[Path, Path, Path]:
    """A folder like a control group, and what the kernel says of mounts and of the own group."""
    own = folder / "cgroup" / path.strip("/")
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text(controllers)
    (own / "cgroup.procs").write_text("")
    (own / "cgroup.subtree_control").write_text("")
    mounts, said = folder / "mountinfo", folder / "own"
    mounts.write_text(MOUNTS.format(root=folder / "cgroup"))
    said.write_text(f"0::{path}\n")
    return own, mounts, said


def test_the_root_of_a_container_is_its_own(tmp_path: Path) -> None:
    own, mounts, said = tree(tmp_path)
    assert look(mounts, said) == GroupFolder(own)


@pytest.mark.parametrize(
    ("controllers", "path", "why"),
    [
        ("cpu io", "/", "no controllers memory and pids"),
        ("", "/", "no controllers memory and pids"),
        ("memory pids", "/user.slice/session-2.scope", "not delegated"),
    ],
)
def test_where_groups_cannot_be_made_is_said(controllers: str, path: str, why: str, tmp_path: Path) -> None:
    _, mounts, said = tree(tmp_path, controllers, path)
    found = look(mounts, said)
    assert found.folder is None and why in found.why_not


def test_a_machine_without_the_second_version_has_none(tmp_path: Path) -> None:
    _, mounts, said = tree(tmp_path)
    mounts.write_text("35 24 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
    assert look(mounts, said).why_not == "there is no cgroup v2"
    assert look(tmp_path / "missing", said).folder is None


def test_what_is_marked_by_systemd_is_delegated(tmp_path: Path) -> None:
    own, mounts, said = tree(tmp_path, path="/system.slice/blendproof.service")
    try:
        os.setxattr(own, "user.delegate", b"1")
    except OSError:
        pytest.skip("this file system has no attributes of users")
    assert look(mounts, said) == GroupFolder(own)


@pytest.mark.parametrize(("path", "why"), [("/service", ""), ("/user.slice/service", "not delegated")])
def test_a_service_that_is_started_again_finds_its_group(path: str, why: str, tmp_path: Path) -> None:
    """Its parent was moved below by the one before."""
    own, mounts, said = tree(tmp_path, path=path.removesuffix("/service"))
    (own / "service").mkdir()
    said.write_text(f"0::{path}\n")
    found = look(mounts, said)
    assert (found.folder, why in found.why_not) == (None if why else own, True)


def test_processes_move_below_before_controllers_are_passed_on(tmp_path: Path) -> None:
    own, mounts, said = tree(tmp_path)
    (own / "cgroup.procs").write_text("4711\n")
    (own / "worker-left").mkdir()
    assert prepare(look(mounts, said)) == GroupFolder(own)
    assert (own / "service" / "cgroup.procs").read_text() == "4711"
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert not list(own.glob("worker-*"))
    assert prepare(GroupFolder(None, "why")) == GroupFolder(None, "why")
    assert prepare(GroupFolder(own / "missing")).folder is None


def test_a_worker_has_a_group_of_its_own_with_limits(tmp_path: Path) -> None:
    with group_below(str(tmp_path)) as group:
        assert group is not None
        group.limit(1 << 30)
        told = {path.name: path.read_text() for path in group.folder.iterdir()}
        assert told["memory.max"] == str((1 << 30) + groups.MARGIN_BYTES)
        assert told["pids.max"] == str(groups.TASKS)
        (group.folder / "memory.events").write_text("low 0\noom_kill 2\n")
        assert group.kills() == 2
        for path in group.folder.iterdir():
            # A real group has files that go with it.
            path.unlink()
    assert not list(tmp_path.iterdir())


def test_without_a_folder_there_is_no_group(tmp_path: Path) -> None:
    with group_below("") as none, group_below(str(tmp_path / "missing")) as missing:
        assert (none, missing) == (None, None)


def test_what_is_started_enters_its_group_first(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("")
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
from harness.sandbox.groups import ControlGroup
from harness.sandbox.jail import SandboxedJob, start
job = SandboxedJob(["/bin/true"], {{}}, "/", [], {{}})
running = start(job, None, ControlGroup(Path({str(tmp_path)!r})))
assert os.waitpid(running.pid, 0)[1] == 0
running = start(job, None, ControlGroup(Path("/missing")))
assert os.waitpid(running.pid, 0)[1] == 0
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "cgroup.procs").read_text() == "0"


SLEEPING = "import threading, time; [threading.Thread(target=time.sleep, args=(3,), daemon=True).start()"


@pytest.mark.skipif(look().folder is None, reason="control groups cannot be made here")
@pytest.mark.parametrize(
    ("work", "status", "kills"),
    [
        ("b = bytearray(900 << 20)", -9, 1),
        ("b = bytearray(100 << 20)", 0, 0),
        (f"{SLEEPING} for _ in range({groups.TASKS})]", 1, 0),
        (f"{SLEEPING} for _ in range({groups.TASKS // 2})]", 0, 0),
    ],
    ids=["memory over", "memory within", "tasks over", "tasks within"],
)
def test_the_kernel_itself_bounds_what_is_in_a_group(work: str, status: int, kills: int) -> None:
    # In a process of its own, because `prepare` moves whatever is in the group.
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from harness.sandbox.groups import group_below, look, prepare
from harness.sandbox.jail import SandboxedJob, start
with group_below(str(prepare(look()).folder)) as group:
    group.limit(1 << 20)
    job = SandboxedJob([sys.executable, "-c", {work!r}], {{}}, "/", [], {{}})
    status = os.waitstatus_to_exitcode(os.waitpid(start(job, None, group).pid, 0)[1])
    print(status, group.kills())
assert not group.folder.exists()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(status), str(kills)], done.stderr
