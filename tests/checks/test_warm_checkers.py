"""Warm checkers say what cold ones say, live by the rules at the top of `keep.py`, and leave nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from app.checks.failures import CheckerFailed
from app.checks.tool import Workplace, workplace
from app.checks.types import check as type_checks
from app.checks.types.check import check_mypy, check_pyright
from app.checks.types.warm.keep import Phase, ServerLimits, WarmCheckers, WarmServer
from app.checks.types.warm.peer import PeerLost
from app.checks.types.warm.servers import MypyServer, PyrightServer
from app.service.startup import open_service
from app.settings import Settings
from app.verdict.rules import Rules, Weight, load_rules
from app.verdict.verdict import Author, Finding

pytestmark = pytest.mark.slow

FAKE = [sys.executable, str(Path(__file__).parents[1] / "fake_language_server.py")]
WAIT_S = 60.0


@pytest.fixture(autouse=True)
def everything_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every process and folder of a warm checker is below the folder of the test, and gone after it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    yield
    asyncio.run(until(lambda: processes_of(scratch) == []))
    assert list(scratch.iterdir()) == []


def processes_of(folder: Path) -> list[int]:
    """The processes that have their HOME below a folder."""
    mark = os.fsencode(f"HOME={folder}")
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if mark in environment(path)]


def environment(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that takes a moment."""
    async with asyncio.timeout(WAIT_S):
        while not holds():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.01)


# --- the life of a server -----------------------------------------------------------------------------------


class Fake:
    """A server that does nothing."""

    def __init__(self) -> None:
        self.alive = True
        self.memory_bytes = 1

    async def end(self) -> None:
        self.alive = False


class Stage:
    """A kept fake server, with what the world does to it."""

    def __init__(self, *, at_once: int = 1, limits: ServerLimits | None = None) -> None:
        self.now = 0.0
        self.started: list[Fake] = []
        self.cannot = False
        self.may_start = asyncio.Event()
        self.may_start.set()
        self.kept = WarmServer(
            "fake", self.start, at_once=at_once, limits=limits or ServerLimits(), clock=lambda: self.now
        )

    async def start(self) -> Fake:
        await self.may_start.wait()
        if self.cannot:
            raise PeerLost("as told")
        self.started.append(Fake())
        return self.started[-1]

    async def use(self) -> Fake:
        async with self.kept.using() as server:
            assert self.kept.phase is Phase.BUSY
            return server

    def phase(self) -> Phase:
        return self.kept.phase


async def test_a_server_starts_at_the_first_check_and_stays() -> None:
    stage = Stage()
    assert stage.phase() is Phase.ABSENT
    assert await stage.use() is await stage.use()
    assert (stage.phase(), len(stage.started)) == (Phase.READY, 1)


async def test_checks_that_come_during_the_start_share_the_server() -> None:
    stage = Stage(at_once=2)
    stage.may_start.clear()
    uses = [asyncio.create_task(stage.use()) for _ in range(3)]
    await until(lambda: stage.phase() is Phase.STARTING)
    stage.may_start.set()
    assert len(set(await asyncio.gather(*uses))) == 1


async def test_checks_wait_for_a_place() -> None:
    stage = Stage()
    async with stage.kept.using():
        waiting = asyncio.create_task(stage.use())
        await until(lambda: stage.kept.users == 2)
        assert not waiting.done()
    assert (await waiting).alive


async def test_after_a_failed_start_it_rests() -> None:
    stage = Stage()
    stage.cannot = True
    with pytest.raises(PeerLost, match="as told"):
        await stage.use()
    stage.cannot = False
    assert stage.phase() is Phase.RESTING
    with pytest.raises(PeerLost, match="a short while ago"):
        await stage.use()
    stage.now = ServerLimits().rest_s
    assert stage.phase() is Phase.ABSENT
    assert (await stage.use()).alive


async def test_a_cancelled_start_leaves_it_absent() -> None:
    stage = Stage()
    stage.may_start.clear()
    use = asyncio.create_task(stage.use())
    await until(lambda: stage.phase() is Phase.STARTING)
    use.cancel()
    await asyncio.wait([use])
    assert stage.phase() is Phase.ABSENT


async def test_a_dead_server_is_replaced() -> None:
    stage = Stage()
    (await stage.use()).alive = False
    assert stage.phase() is Phase.ABSENT
    assert (await stage.use()).alive
    assert len(stage.started) == 2


@pytest.mark.parametrize("limits", [ServerLimits(checks=2), ServerLimits(memory_bytes=100)])
async def test_a_server_that_worked_or_grew_enough_is_ended_when_it_is_free(limits: ServerLimits) -> None:
    stage = Stage(at_once=2, limits=limits)
    async with stage.kept.using() as first:
        await stage.use()
        first.memory_bytes = 101
        assert stage.phase() is Phase.BUSY
    assert stage.phase() is Phase.ABSENT
    assert not first.alive


async def test_a_closed_one_never_starts_again() -> None:
    stage = Stage()
    server = await stage.use()
    await stage.kept.close()
    assert (stage.phase(), server.alive) == (Phase.CLOSED, False)
    with pytest.raises(PeerLost, match="closed"):
        await stage.use()


# --- pyright's process, with a fake in its place --------------------------------------------------------------


async def ask(warm: WarmCheckers, snippet: str, stubs: Path, settings: str = "{}") -> list[str] | None:
    answer = await warm.pyright(FAKE, settings, stubs, snippet)
    return answer and [item["message"] for item in answer[1]]


async def test_what_editors_grey_out_is_left_out(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    assert await ask(warm, "hello", tmp_path) == ["hello"]
    await warm.close()
    assert await ask(warm, "hello", tmp_path) is None


@pytest.mark.parametrize("snippet", ["die", "error", "flood"])
async def test_a_check_that_breaks_its_server_is_left_to_a_cold_one(snippet: str, tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    assert await ask(warm, snippet, tmp_path) is None
    assert await ask(warm, "hello", tmp_path) == ["hello"]
    await warm.close()


async def test_a_server_that_does_not_start_is_left_alone_for_a_while(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    for _ in range(2):
        assert await warm.pyright([*FAKE, "refuse"], "{}", tmp_path, "") is None
    assert await warm.pyright(["/nowhere"], "other settings", tmp_path, "") is None
    await warm.close()


async def test_no_more_servers_live_than_may(tmp_path: Path) -> None:
    warm = WarmCheckers(2)
    for settings in ("1", "2", "1", "3"):
        assert await ask(warm, "hello", tmp_path, settings) == ["hello"]
    assert len(processes_of(tmp_path)) == 2
    hanging = [asyncio.create_task(ask(warm, "hang", tmp_path, settings)) for settings in ("1", "3")]
    await asyncio.sleep(0)
    assert await ask(warm, "hello", tmp_path, "4") is None
    for task in hanging:
        task.cancel()
    await asyncio.wait(hanging)
    assert await ask(warm, "hello", tmp_path, "4") == ["hello"]
    await warm.close()


async def test_stubs_built_anew_are_read_by_a_new_server(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    stubs = tmp_path / "stubs"
    stubs.mkdir()
    await ask(warm, "hello", stubs)
    [old] = processes_of(tmp_path)
    (stubs / "more").mkdir()
    await ask(warm, "hello", stubs)
    assert processes_of(tmp_path) not in ([], [old])
    await warm.close()


async def test_a_server_that_hangs_is_killed(tmp_path: Path) -> None:
    server = await PyrightServer.start(FAKE, "{}", time_limit_s=0.2)
    with pytest.raises(CheckerFailed, match=r"no answer within 0\.2 s"):
        await server.check("hang")
    assert not server.alive
    assert processes_of(tmp_path) == []


async def test_a_cancelled_check_frees_its_place(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    hanging = asyncio.create_task(ask(warm, "hang", tmp_path))
    await until(lambda: processes_of(tmp_path) != [])
    waiting = asyncio.create_task(ask(warm, "hello", tmp_path))
    hanging.cancel()
    assert await waiting == ["hello"]
    await warm.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a busy server ends when it reads its input again")
def test_a_busy_server_ends_with_a_killed_service(tmp_path: Path) -> None:
    program = (
        "import asyncio, tempfile\n"
        "from app.checks.types.warm.servers import PyrightServer\n"
        f"tempfile.tempdir = {str(tmp_path / 'lost')!r}\n"
        "async def main():\n"
        f"    server = await PyrightServer.start({FAKE!r}, '{{}}')\n"
        "    print(flush=True)\n"
        "    await server.check('hang')\n"
        "asyncio.run(main())\n"
    )
    (tmp_path / "lost").mkdir()
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        service.stdout.readline()
        assert processes_of(tmp_path / "lost") != []
        service.kill()
    asyncio.run(until(lambda: processes_of(tmp_path / "lost") == []))


# --- mypy's process -------------------------------------------------------------------------------------------


def blocked(place: Workplace) -> list[str]:
    """Arguments with which mypy waits for ever in this place."""
    os.mkfifo(place.folder / "gate.ini")
    return ["--config-file=gate.ini", "snippet.py"]


async def test_a_child_that_hangs_is_killed_alone(tmp_path: Path) -> None:
    # The limit is also that of the check which is not to reach it, on a busy machine.
    server = await MypyServer.start(time_limit_s=3)
    [forker] = processes_of(tmp_path)
    with workplace("") as place, pytest.raises(CheckerFailed, match="no answer within 3 s"):
        await server.check(place, blocked(place), {})
    await until(lambda: processes_of(tmp_path) == [forker])
    with workplace("") as place:
        assert (await server.check(place, ["--unheard-of"], {})).status == 2
    await server.end()


async def test_one_cancelled_check_leaves_the_others(tmp_path: Path) -> None:
    server = await MypyServer.start()
    [forker] = processes_of(tmp_path)
    with workplace("") as one, workplace("") as other:
        first = asyncio.create_task(server.check(one, blocked(one), {}))
        await until((one.folder / "stderr").exists)
        assert (await server.check(other, ["--unheard-of"], {})).status == 2
        first.cancel()
        await asyncio.wait([first])
        await until(lambda: processes_of(tmp_path) == [forker])
    assert server.alive
    await server.end()


async def test_the_forker_ends_its_children_when_its_input_ends(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    with workplace("") as place:
        check = asyncio.create_task(warm.mypy(place, blocked(place), {}))
        await until((place.folder / "stderr").exists)
        await warm.close()
        assert await check is None
    # The forker is gone, and its children are being killed.
    await until(lambda: processes_of(tmp_path) == [])


async def test_a_killed_forker_is_replaced(tmp_path: Path) -> None:
    warm = WarmCheckers(1)
    with workplace("") as place:
        assert await warm.mypy(place, ["--unheard-of"], {})
    [forker] = processes_of(tmp_path)
    os.kill(forker, signal.SIGKILL)
    await until(lambda: processes_of(tmp_path) == [])
    with workplace("") as place:
        # One check may still find the dead one.
        output = await warm.mypy(place, ["--unheard-of"], {}) or await warm.mypy(place, ["--unheard-of"], {})
    assert output is not None
    assert (output.status, "unrecognized arguments" in output.stderr) == (2, True)
    await warm.close()


# --- cold and warm say the same -------------------------------------------------------------------------------

SNIPPETS: list[tuple[Author, str]] = [
    ("commands", "import bpy\n\nbpy.context.scene.frame_set(3)\ndef f(x):\n    print('😀😀', x.y)\n'😀'.zest(f)\n"),
    ("commands", "# mypy: ignore-errors\n# pyright: basic\nimport bpy\nbpy.context.scene.frame_set(3)\n"),
    ("commands", "import os\nimport snippet\nimport gate_missing\nfrom . import beside\n\nsnippet.nothing(beside)\n"),
    ("commands", "\ufeffimport sys\r\nif sys.version_info < (3, 8):\r\n    x: int = ''\r\nreveal_type(sys)\r\n"),
    ("commands", "import bpy\nbpy.types.Scene.zest = 1\nclass Zest:\n    pass\nx: int = 1\n"),
    ("commands", "import bpy\nbpy.types.Scene().zest\nZest()\nx: str = 1\n"
     "size = 1  # type: ignore[assignment]\nwidth = 1  # pyright: ignore[reportCallIssue]\n"),
    ("caller", ""),
    ("caller", "import bpy\nfrom math import *\nif True:\n\tx = cos(1)\n        y = 2\nx = (\n"),
    ("caller", "import bpy\nbpy.data.meshes[0].verticess\n'😀', bpy.ops.mesh.none(), bpy.context.object.selec\n"),
]  # fmt: skip


def keep_all() -> Rules:
    """The rules with every finding kept."""
    kept: dict[str, Weight] = {"ours": "advice", "theirs": "advice"}
    rules = load_rules()
    every = {name: check.model_copy(update=kept) for name, check in rules.check.items()}
    return rules.model_copy(update={"check": every, "rule": []})


async def findings(check: Callable[[str, Author], Awaitable[list[Finding]]]) -> list[list[Finding]]:
    """What a check finds in every snippet, two at a time."""
    places = asyncio.Semaphore(2)

    async def one(author: Author, snippet: str) -> list[Finding]:
        async with places:
            return await check(snippet, author)

    return await asyncio.gather(*(one(author, snippet) for author, snippet in SNIPPETS))


async def test_mypy_says_the_same(stubs: Path, mypy_cache: Path) -> None:
    rules, warm = keep_all(), WarmCheckers(1)
    hot = await findings(lambda text, author: check_mypy(text, author, rules, stubs, mypy_cache, warm=warm))
    await warm.close()
    assert hot == await findings(lambda text, author: check_mypy(text, author, rules, stubs, mypy_cache))
    assert sum(bool(found) for found in hot) > len(SNIPPETS) // 2


async def test_pyright_says_the_same(stubs: Path) -> None:
    rules, warm = keep_all(), WarmCheckers(2)
    hot = await findings(lambda text, author: check_pyright(text, author, rules, stubs, warm=warm))
    assert hot == await findings(lambda text, author: check_pyright(text, author, rules, stubs, warm=warm))
    await warm.close()
    assert hot == await findings(lambda text, author: check_pyright(text, author, rules, stubs))
    assert sum(bool(found) for found in hot) > len(SNIPPETS) // 2


async def test_without_a_language_server_pyright_is_run_cold(stubs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_checks, "_language_server", lambda: [*FAKE, "refuse"])
    warm = WarmCheckers(1)
    snippet = "import bpy\n\nbpy.context.scene.frame_set(3)\n"
    [found] = await check_pyright(snippet, "cookbook", load_rules(), stubs, warm=warm)
    assert found.code == "reportOptionalMemberAccess"
    await warm.close()


@pytest.mark.blender
async def test_the_service_ends_its_checkers(settings_with_stubs: Settings, stubs: Path, tmp_path: Path) -> None:
    async with open_service(settings_with_stubs) as service:
        began = time.monotonic()
        await service.warmup.start_checkers()
        warm = time.monotonic()
        await service.warmup.start_checkers()
        assert time.monotonic() - warm < (warm - began) / 2
        assert len(processes_of(tmp_path / "scratch")) == 3
    assert processes_of(tmp_path / "scratch") == []
