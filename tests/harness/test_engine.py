"""Where executions take place: the service needs nothing but the protocol, and this machine's engine leaves nothing."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.pipeline.judges import write_files
from app.service import startup
from app.settings import Settings
from harness import execution
from harness.blenders import Blender
from harness.engine import Engine, EngineFacts, ExecutionResult
from harness.engines import local
from harness.engines.local import LocalEngine
from harness.folders import PICTURE_LIMIT_BYTES, Folders
from harness.launcher import HarnessFault, ProcessEnd
from harness.order import Order
from harness.place import ColdPlace
from harness.protocol import RenderSettings
from harness.readers import Readers
from harness.sandbox.ladder import Rung, Sandbox, strongest
from tests.fixtures import serving
from tests.small_artifacts import draw, scene

SNIPPET = "import bpy\n\nbpy.data.objects['Cube'].location.x = 1\n"
PICTURE = "three_quarter.png"
ROOT = Path(__file__).resolve().parents[2]
SMALL = RenderSettings(size_px=64, samples=1)
NO_BLENDER = Blender("module", Path("/nonexistent/python"), "5.0.1", "0", "3.11")


class FakeEngine:
    """Answers every order alike, from memory."""

    def __init__(self, executed: ExecutionResult) -> None:
        self.executed = executed
        self.orders: list[Order] = []
        self.closed = False

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> ExecutionResult:
        self.orders.append(order)
        return self.executed

    def refusal(self, blender: Blender) -> str | None:
        return None

    def keep_warm(self, blender: Blender) -> None:
        pass

    def is_quiet(self) -> bool:
        return True

    def facts(self) -> EngineFacts:
        return EngineFacts(keeps_warm=False, workers=[], cold={})

    async def close(self) -> None:
        self.closed = True


def report(outcome: str) -> dict[str, Any]:
    """The report of a snippet that made a ball, or of one that ended otherwise."""
    passed = outcome == "passed"
    none: dict[str, Any] = {"objects": [], "materials": [], "collections": []}
    render = {
        "nothing_to_render": False,
        "engine_of_scene": "CYCLES",
        "engine_used": "CYCLES",
        "size_px": 64,
        "subject": ["Ball"],
        "subject_is_untouched": False,
        "subject_has_faces": True,
        "pictures": [{"view": "three_quarter", "file": PICTURE, "subject_in_frame": 1.0}],
    }
    return {
        "outcome": outcome,
        "reason": "it ran to its end" if passed else "ValueError: wrong",
        "hint": None,
        "blender": {"version": "5.0.1", "build_hash": "0", "kind": "module", "python": "3.11.2"},
        "claims": {
            "exception": None if passed else {"type": "ValueError", "message": "wrong", "line": 3, "traceback": ""},
            "repeat_exception": None,
            "exit_code": None,
            "registered": [],
            "stdout": None,
            "stderr": None,
        },
        "evidence": {
            "scene": scene() if passed else None,
            "changes": {
                "added": {**none, "objects": ["Ball"]},
                "removed": none,
                "changed": {"objects": {}, "materials": {}, "collections": {}, "scene": []},
                "counts": {"objects": 1},
            },
            "repeat": {"outcome": "passed", "reason": "", "made": [], "added": [], "changed": []} if passed else None,
            "render": render if passed else None,
            "accept": [],
            "files": [],
            "processes": {"run": None, "examine": None},
            "timings": {"total_s": 0.1},
        },
        "isolation": {"rung": "namespaces"},
    }


def png() -> bytes:
    held = io.BytesIO()
    draw("ball", "red", size=64).save(held, "PNG")
    return held.getvalue()


@pytest.mark.blender
@pytest.mark.parametrize(("outcome", "status"), [("passed", "proven"), ("raised", "not_proven")])
async def test_a_run_needs_nothing_of_an_engine_but_the_protocol(
    outcome: str, status: str, settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeEngine(ExecutionResult(report(outcome), {PICTURE: png()} if outcome == "passed" else {}))

    def open_engine(_settings: Settings, _sandbox: Sandbox, _readers: Readers) -> Engine:
        return fake

    monkeypatch.setattr(startup, "open_engine", open_engine)
    async with serving(settings) as client:
        body = {"snippet": SNIPPET, "render": {"size": 64}, "max_attempts": 1}
        run = (await client.post("/validate", json=body)).json()
        assert run["status"] == status, run
        assert fake.orders[0].snippet == SNIPPET
        if outcome == "passed":
            assert (await client.get(run["artifact"]["picture"])).content == png()
        assert (await client.get("/health")).json()["parts"]["workers"]["state"] == "off"
    assert fake.closed
    assert list((settings.data_folder / "work").iterdir()) == []


async def test_nothing_is_left_of_an_execution_that_failed(tmp_path: Path) -> None:
    engine = LocalEngine(Sandbox(Rung.PROCESS), None, tmp_path / "executions")
    executed = await engine.execute(Order(SNIPPET), NO_BLENDER)
    assert (executed.report["outcome"], executed.files) == ("harness_fault", {})
    assert list((tmp_path / "executions").iterdir()) == []
    assert engine.is_quiet()
    assert not engine.facts().keeps_warm


async def test_a_report_is_not_written_on_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def write_report(_done: object) -> dict[str, Any]:
        threads.append(threading.get_ident())
        return {"outcome": "passed"}

    async def lost(*_: object) -> ProcessEnd:
        raise HarnessFault("lost")

    monkeypatch.setattr(execution, "write_report", write_report)
    monkeypatch.setattr(ColdPlace, "launch", lost)
    await execution.execute(NO_BLENDER, Order(SNIPPET), tmp_path / "job", Sandbox(Rung.PROCESS))
    assert threads and threading.get_ident() not in threads


async def test_nothing_is_left_of_an_execution_that_is_cancelled_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def execute(_blender: Blender, _order: Order, folder: Path, *_: Any) -> dict[str, Any]:
        Folders.make(folder)
        await asyncio.Event().wait()
        return {}

    monkeypatch.setattr(local, "execute", execute)
    engine = LocalEngine(Sandbox(Rung.PROCESS), None, tmp_path / "executions")
    task = asyncio.create_task(engine.execute(Order(SNIPPET), NO_BLENDER))
    await asyncio.sleep(0)
    assert len(list((tmp_path / "executions").iterdir())) == 1
    assert not engine.is_quiet()
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    await engine.close()
    assert list((tmp_path / "executions").iterdir()) == []


@pytest.mark.blender
async def test_what_was_rendered_comes_back_and_its_folder_is_gone(tmp_path: Path, blender: Blender) -> None:
    engine = LocalEngine(strongest(), None, tmp_path / "executions")
    executed = await engine.execute(Order(SNIPPET, render=SMALL), blender)
    assert executed.report["outcome"] == "passed", executed.report["reason"]
    assert list(executed.files) == [one["file"] for one in executed.report["evidence"]["render"]["pictures"]]
    with Image.open(io.BytesIO(executed.files[PICTURE])) as picture:
        assert picture.size == (64, 64)
    assert list((tmp_path / "executions").iterdir()) == []


def test_only_plain_pictures_of_some_size_are_read(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    out = folders.examine / "out"
    for age, name in enumerate(("zoe.png", "anne.png", "evidence.json")):
        (out / name).write_bytes(name.encode())
        os.utime(out / name, ns=(age, age))
    (out / "link.png").symlink_to("/etc/passwd")
    (out / "folder.png").mkdir()
    os.mkfifo(out / "pipe.png")
    with (out / "large.png").open("wb") as file:
        file.truncate(PICTURE_LIMIT_BYTES + 1)
    assert list(folders.pictures().items()) == [("zoe.png", b"zoe.png"), ("anne.png", b"anne.png")]
    assert Folders(tmp_path / "nowhere", tmp_path).pictures() == {}


def test_files_of_an_attempt_replace_what_an_interrupted_run_left(tmp_path: Path) -> None:
    folder = tmp_path / "attempt-1"
    write_files(folder, {"old.png": b"old"})
    names = [f"{name}.png" for name in "zyxwabcd"]
    write_files(folder, dict.fromkeys(names, b"new"))
    by_age = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    assert [path.name for path in by_age] == names
    with pytest.raises(HarnessFault, match="no name of a picture"):
        write_files(folder, {"../out.png": b""})


STARTS = """
import sys
import httpx2
from app.cli.client import started
from app.settings import read_settings
with started(read_settings()) as url:
    assert httpx2.get(url + "/health").json()["parts"]["cluster"]["state"] == "off"
print(sorted(name for name in sys.modules if name.partition(".")[0] == "ray" or name.startswith("harness.engines.")))
"""


@pytest.mark.blender
def test_a_service_on_one_machine_loads_nothing_of_a_cluster(bare_home: Path, tmp_path: Path) -> None:
    given = {"HOME": bare_home, "DATA": tmp_path / "data", "WARM_WORKERS": 0, "WARM_CHECKERS": 0, "SANDBOX": "unsafe"}
    environment = {**os.environ, **{f"BLENDPROOF_{name}": str(value) for name, value in given.items()}}
    done = subprocess.run(
        [sys.executable, "-c", STARTS], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout.strip() == "['harness.engines.local']", done.stderr
