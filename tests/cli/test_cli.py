"""The command line: exit codes, data on standard output, talk on standard error."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from PIL import Image
from typer.testing import CliRunner, Result

from app.artifacts.store.artifact import imported_id
from app.artifacts.store.store import ArtifactStore
from app.cli import main as cli
from app.cli.client import started
from app.settings import Settings
from harness.blenders import Blender
from tests.fixtures import serving
from tests.small_artifacts import draw, proof

pytestmark = pytest.mark.slow

BINARY = Path(sys.executable).with_name("blendproof")


def environment_of(settings: Settings) -> dict[str, str]:
    return {
        "BLENDPROOF_HOME": str(settings.home),
        "BLENDPROOF_DATA": str(settings.data_folder),
        "BLENDPROOF_PORT": "1",
    }


def blendproof(*arguments: str, settings: Settings, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [BINARY, *arguments],
        env={**os.environ, **environment_of(settings), **environment},
        capture_output=True,
        text=True,
        check=False,
        cwd=settings.data_folder.parent,
    )


def blendproof_here(*arguments: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, **environment: str) -> Result:
    """The command in this process, which has its modules already."""
    monkeypatch.chdir(settings.data_folder.parent)
    handlers = list(logging.root.handlers)
    try:
        return CliRunner().invoke(cli.app, arguments, env={**environment_of(settings), **environment})
    finally:
        # A command logs to its standard error, which ends with the call.
        structlog.reset_defaults()
        logging.root.handlers[:] = handlers


@pytest.fixture(scope="module")
def served(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that many calls are sent to."""
    data = tmp_path_factory.mktemp("served") / "data"
    with started(Settings(home=home, data=data, sandbox="unsafe", warm_workers=1)) as url:
        yield url


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ((), {}, "Usage"),
        (("validate", "nowhere.py"), {}, "nowhere.py cannot be read"),
        (("validate", "."), {}, "There is no script that uses Blender to take in: ."),
        (("heal", "a.py", "b.py"), {}, "With several files, use --write"),
        (("heal", "-", "--write"), {}, "--write goes with files"),
        (("generate",), {}, "Missing argument"),
        (("search", ""), {}, "There is nothing to look for"),
        (("replay",), {}, "Missing argument"),
        (("artifacts", "import", "nowhere.tar"), {}, "nowhere.tar cannot be read"),
        (("artifacts", "list"), {"BLENDPROOF_WITHHELD": "/nowhere"}, "BLENDPROOF_WITHHELD"),
        (("ingest", "pages"), {}, "No such command"),
        (("generate", "add a cube", "--blendr", "5.0"), {}, "No such option"),
        (("blenders",), {"BLENDPROOF_PORT": "many"}, "BLENDPROOF_PORT='many'"),
        (("blenders",), {"BLENDPROOF_BLENDER": "/nowhere/blender"}, "BLENDPROOF_BLENDER"),
    ],
)
def test_wrong_usage_is_2(
    arguments: tuple[str, ...],
    environment: dict[str, str],
    said: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = blendproof_here(*arguments, settings=settings, monkeypatch=monkeypatch, **environment)
    assert done.exit_code == 2, done.stderr
    assert said in " ".join((done.stderr + done.stdout).split())
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_text_that_is_not_utf8_is_wrong_usage(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# caf\xe9\n")
    done = blendproof("validate", str(tmp_path / "latin.py"), settings=settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert "not UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (("blenders",), {"BLENDPROOF_HOME": "/nowhere"}, "blendproof blenders install"),
        (("search", "cube"), {"BLENDPROOF_HOME": "/nowhere"}, "blendproof ingest blender"),
        (("ingest", "docs", "/nowhere"), {}, "not a folder or archive"),
        (("ingest", "docs", "~no-such-user/pages"), {}, "not a folder or archive"),
        (("blenders", "add", "~no-such-user/blender"), {}, "~no-such-user/blender"),
        (("blenders",), {"BLENDPROOF_BLENDER": "/bin/false"}, "does not answer as a Blender"),
        (("generate", "add a cube", "--url", "http://127.0.0.1:1"), {}, "No service answers"),
        (("blenders", "install", "1.0"), {}, "no `bpy` wheel of Blender 1.0"),
    ],
)
def test_what_is_not_available_is_3(
    arguments: tuple[str, ...],
    environment: dict[str, str],
    said: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = blendproof_here(*arguments, settings=settings, monkeypatch=monkeypatch, **environment)
    assert (done.exit_code, done.stdout) == (3, ""), done.stderr
    assert said in " ".join(done.stderr.split())
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_the_blenders_are_listed(settings: Settings, blender: Blender) -> None:
    done = blendproof("blenders", settings=settings)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].split("\t") == [
        blender.version, blender.kind, "wheel", "-", blender.build_hash,
        str(settings.home / "blenders" / blender.series / "bin" / "python"),
    ]  # fmt: skip


@pytest.mark.blender
def test_generate_prints_the_code_and_nothing_else(settings: Settings, blender: Blender, tmp_path: Path) -> None:
    picture = tmp_path / "cube.png"
    done = blendproof("generate", "Add a red cube", "--size", "64", "--picture", str(picture), settings=settings)
    assert done.returncode == 0, done.stderr
    compile(done.stdout, "snippet.py", "exec")
    assert done.stderr.splitlines()[-1].startswith(f"proven on Blender {blender.version}, 1 attempt, artifact a-")
    with Image.open(picture) as image:
        assert image.size == (64, 64)


@pytest.mark.blender
def test_validate_prints_the_verdict_and_1_when_not_proven(
    settings: Settings, served: str, blender: Blender, tmp_path: Path
) -> None:
    script = tmp_path / "old.py"
    script.write_text("import bpy\nbpy.context.scene.objects.link(bpy.data.objects['Cube'])\n")
    done = blendproof("validate", str(script), settings=settings, BLENDPROOF_URL=served)
    assert done.returncode == 1
    stages = dict(line.split()[:2] for line in done.stdout.splitlines() if not line.startswith(" "))
    assert (stages["parse"], stages["execute"], stages["render"]) == ("passed", "failed", "skipped")
    assert "line 2" in done.stdout
    assert done.stderr.splitlines()[-1] == f"not proven on Blender {blender.version}, 1 attempt"

    whole = blendproof("validate", str(script), "--json", "--url", served, settings=settings)
    assert json.loads(whole.stdout)["status"] == "not_proven"


def test_an_option_that_the_service_refuses_is_wrong_usage(settings: Settings, served: str) -> None:
    done = blendproof("generate", "Add a cube", "--view", "below", "--url", served, settings=settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert "body.render.views" in done.stderr


def test_a_refused_request_is_1_and_names_the_words(settings: Settings, served: str, blender: Blender) -> None:
    done = blendproof("generate", "Add a cube and knit it a sweater", "--url", served, settings=settings)
    assert (done.returncode, done.stdout) == (1, "")
    assert "knit" in done.stderr
    assert "docs/models.md" in done.stderr and "proven and near it" in done.stderr


@pytest.mark.blender
def test_doctor_says_how_each_part_is(settings: Settings, blender: Blender) -> None:
    done = blendproof("doctor", settings=settings)
    assert done.returncode == 0, done.stdout
    parts = {line.split()[1] for line in done.stdout.splitlines() if not line.startswith(" ")}
    assert parts >= {"python", "interpreter", "libraries", "blender", "stubs", "index", "checker", "disk", "sandbox"}


def test_doctor_is_3_where_something_is_broken(settings: Settings) -> None:
    done = blendproof("doctor", settings=settings, BLENDPROOF_HOME="/nowhere")
    assert done.returncode == 3
    assert "blendproof blenders install" in done.stdout


def test_artifacts_are_listed_taken_elsewhere_and_mended(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.data_folder.mkdir(parents=True)
    store = ArtifactStore(settings.data_folder / "artifacts")
    ball = store.publish(proof(tmp_path, "a golden ball", draw("ball", "gold")))
    bars = store.publish(proof(tmp_path, "blue bars", draw("bars", "blue"), version="4.5.0", run="r-2"))
    assert ball and bars
    listed = blendproof("artifacts", "list", "--blender", "4.5", settings=settings)
    assert (listed.returncode, listed.stdout.split("\t")[0]) == (0, bars.id)
    assert "starting one for this call" in listed.stderr
    packed = tmp_path / "all.tar"
    with started(settings, runs=False) as url:

        def call(*arguments: str) -> Result:
            return blendproof_here("artifacts", *arguments, "--url", url, settings=settings, monkeypatch=monkeypatch)

        assert call("export", str(packed)).exit_code == 0
        assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
        gone = call("delete", ball.id)
        assert (gone.exit_code, store.ids()) == (0, {bars.id})
        assert call("delete", ball.id).exit_code == 2
        brought = call("import", str(packed))
        assert (brought.stdout, "1 new, 1 were here already" in brought.stderr) == (f"{imported_id(ball.id)}\n", True)
        packed.write_bytes(b"no archive")
        assert call("import", str(packed)).exit_code == 2
    (store.folder / imported_id(ball.id) / "picture.png").unlink()
    (store.folder / bars.id / "artifact.json").write_text("{")
    mended = blendproof("doctor", "--repair", settings=settings)
    assert mended.returncode == 0, mended.stderr
    assert "picture.png is missing" in mended.stdout and "computed again" in mended.stdout
    assert (store.ids(), store.read(bars.id)) == ({bars.id}, bars)
    whole = blendproof("doctor", "--repair", settings=settings)
    assert "1 artifacts, all whole" in whole.stdout


async def test_doctor_leaves_the_artifacts_of_a_running_service_alone(settings: Settings) -> None:
    async with serving(settings):
        refused = await asyncio.to_thread(blendproof, "doctor", "--repair", settings=settings)
    assert refused.returncode == 3
    assert "Another Blendproof service" in refused.stdout


@pytest.mark.blender
def test_several_files_are_judged_in_the_forms_of_other_tools(
    settings: Settings, served: str, blender: Blender, tmp_path: Path
) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "good.py").write_text("import bpy\n\nbpy.data.objects['Cube'].location.x = 1.0\n")
    (scripts / "bad.py").write_text("import bpy\n\nbpy.data.objects['Nobody'].location.x = 1.0\n")
    files = ("scripts/good.py", "scripts/bad.py")
    done = blendproof(
        "validate", *files, "--format", "github", "--output", "evidence", settings=settings, BLENDPROOF_URL=served
    )
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("scripts/good.py: proven on Blender ")
    assert any(line.startswith("::error file=scripts/bad.py,line=3,") and "Nobody" in line for line in lines)
    evidence = tmp_path / "evidence"
    sarif = json.loads((evidence / "blendproof.sarif").read_text())
    assert {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in sarif["runs"][0]["results"]
    } == {"scripts/bad.py"}
    with Image.open(evidence / "scripts" / "good.py" / "picture.png") as picture:
        assert picture.size == (96, 96)
    assert json.loads((evidence / "scripts" / "bad.py" / "report.json").read_text())["outcome"] == "needs_scene"
    assert "**1 of 2 scripts are proven.**" in (evidence / "summary.md").read_text()
    usage = blendproof("validate", "scripts", "--json", settings=settings)
    assert (usage.returncode, "--format json" in " ".join(usage.stderr.split())) == (2, True)
