"""The extension for Blender: its archive, its client against a server that misbehaves, and its use in each Blender."""

from __future__ import annotations

import ast
import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from app.cli.client import started
from app.settings import Settings
from harness.blenders import Blender, find_blenders
from harness.display import PROGRAM, SCREEN, Display, display_arguments

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "clients" / "blender"
USE = Path(__file__).with_name("use_extension.py")
USE_IN_WINDOW = USE.with_name("use_in_window.py")
SERIES = ("4.2", "4.5", "5.0")


def module_at(path: Path) -> ModuleType:
    """A module that is no part of a package here."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


extension: Any = module_at(ROOT / "setup" / "extension.py")
client: Any = module_at(SOURCE / "client.py")


# The archive


def test_the_archive_is_complete_and_always_the_same(tmp_path: Path) -> None:
    first, second = extension.build(SOURCE, tmp_path / "a"), extension.build(SOURCE, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        names = set(archive.namelist())
    assert names == {f"blendproof/{path.name}" for path in SOURCE.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('\nversion = "', '\nversion = "9.', "bl_info has"),
        ('name = "Blendproof"', 'name = "Other"', "bl_info has"),
        ('type = "add-on"', "", "type is missing"),
        ("that you set", "that you set.", "permissions.network"),
    ],
)
def test_a_manifest_that_is_wrong_is_not_packed(old: str, new: str, said: str, tmp_path: Path) -> None:
    for path in SOURCE.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    manifest = tmp_path / extension.MANIFEST
    assert extension.problems(tmp_path) == [] and old in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=said):
        extension.build(tmp_path, tmp_path / "out")


def imports_more(source: str) -> list[str]:
    """What a module of the extension imports that Blender does not bring along."""
    tree = ast.walk(ast.parse(source))
    names = [alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names]
    tree = ast.walk(ast.parse(source))
    names += [node.module or "" for node in tree if isinstance(node, ast.ImportFrom) and node.level == 0]
    return [name for name in names if name.partition(".")[0] not in (*sys.stdlib_module_names, "bpy")]


def test_the_extension_imports_nothing_that_must_be_installed() -> None:
    assert [found for path in SOURCE.glob("*.py") for found in imports_more(path.read_text())] == []
    assert imports_more("from . import texts\nimport bpy, json") == []
    assert imports_more("import httpx2\nfrom harness.order import Order") == ["httpx2", "harness.order"]
    assert "import bpy" not in (SOURCE / "client.py").read_text(), "what runs in a thread never touches bpy"


# The client


class Misbehaving(http.server.BaseHTTPRequestHandler):
    """Answers as each path says; notes the requests in `seen`."""

    seen: ClassVar[list[tuple[str, str, str | None]]] = []

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.seen.append((self.command, self.path, self.headers.get("Authorization")))
        status, body = 200, b"{}"
        if self.path == "/html":
            status, body = 404, b"<html>not here</html>"
        elif self.path == "/refused":
            status, body = 422, json.dumps({"code": "x", "message": "Too vague.", "hint": "Say more."}).encode()
        elif self.path == "/moved":
            status = 302
        elif self.path == "/list":
            body = b"[]"
        elif self.path == "/slow":
            time.sleep(1)
        elif "/generate" in self.path or "/runs/" in self.path:
            body = json.dumps({"id": "r-1", "status": "running", "stage": "draft"}).encode()
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:9/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = answer  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def misbehaving() -> Iterator[str]:
    """The address of a server that misbehaves."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/html", "answers 404, and not as Blendproof does"),
        ("/refused", "Too vague."),
        ("/moved", "answers 302"),
        ("/list", "not that of a Blendproof service"),
        ("/slow", "no answer in time"),
    ],
)
def test_whatever_a_server_answers_is_a_problem_in_words(misbehaving: str, path: str, said: str) -> None:
    service = client.ServiceClient(misbehaving, "secret", 0.3, 5)
    with pytest.raises(client.ExtensionProblem) as caught:
        service.read(path)
    assert said in caught.value.message
    assert service.read("/fine") == {}


def test_the_token_is_sent_and_a_path_before_the_service_is_kept(misbehaving: str) -> None:
    client.ServiceClient(f"{misbehaving}/tools/", "secret", 5, 5).read("/fine")
    client.ServiceClient(misbehaving, "", 5, 5).read("/fine")
    assert Misbehaving.seen[-2:] == [("GET", "/tools/fine", "Bearer secret"), ("GET", "/fine", None)]


def test_a_run_that_is_stopped_is_cancelled_in_the_service(misbehaving: str) -> None:
    stopped, said = threading.Event(), list[str]()

    def say(what: str) -> None:
        said.append(what)
        if what == "draft":
            stopped.set()

    with pytest.raises(client.Stopped):
        client.ServiceClient(misbehaving, "", 5, 5).run("/generate", {}, say, stopped)
    assert said == ["sending", "draft"] and Misbehaving.seen[-1][:2] == ("DELETE", "/runs/r-1")
    with pytest.raises(client.ExtensionProblem, match="longer than 0 s"):
        client.ServiceClient(misbehaving, "", 5, 0).run("/generate", {}, said.append, threading.Event())
    assert Misbehaving.seen[-1][0] != "DELETE"


@pytest.mark.parametrize("address", ["", "localhost:8484", "ftp://here", "http://", "http://a:b", "http://[::1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(client.ExtensionProblem, match="no address"):
        client.place_of(address)
    assert client.place_of(" https://proof.example/tools ").hostname == "proof.example"


def test_only_this_machine_is_local() -> None:
    local = {address: client.ServiceClient(address, "", 1, 1).is_local for address in (
        "http://localhost:8484", "http://127.0.0.1", "https://[::1]:1", "http://127.0.0.1.example.com", "http://10.0.0.1",
    )}  # fmt: skip
    assert list(local.values()) == [True, True, True, False, False]


# In Blender


@pytest.fixture(scope="module")
def uses(
    home: Path, home_without_stubs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """A process per Blender that uses the extension, all of one service, and all at the same time."""
    folder = tmp_path_factory.mktemp("extension")
    archive = extension.build(SOURCE, folder)
    settings = Settings(
        home=home_without_stubs, data=folder / "data", sandbox="unsafe", warm_workers=1, warm_checkers=0
    )
    blenders = [one for one in find_blenders(home, None, search=False) if one.kind == "module"]
    with started(settings) as address:
        running = {
            blender.series: subprocess.Popen(
                [blender.path, USE, archive, address],
                env={**os.environ, "BLENDER_USER_RESOURCES": str(folder / blender.series)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for blender in blenders
            if blender.series in SERIES
        }
        yield running
        for process in running.values():
            process.kill()
            process.communicate()


@pytest.mark.blender
@pytest.mark.parametrize("series", SERIES)
def test_the_extension_is_used_in_blender(series: str, uses: dict[str, subprocess.Popen[str]]) -> None:
    if series not in uses:
        pytest.skip(f"Blender {series} is not installed as a wheel")
    said, _ = uses[series].communicate(timeout=180)
    assert uses[series].returncode == 0, said


@pytest.mark.blender
def test_blender_itself_finds_no_fault_in_the_archive(home: Path, tmp_path: Path) -> None:
    archive = extension.build(SOURCE, tmp_path)
    assert "finds no fault" in extension.check(archive, home)
    worse = tmp_path / "worse.zip"
    with zipfile.ZipFile(archive) as good, zipfile.ZipFile(worse, "w") as bad:
        for name in good.namelist():
            bad.writestr(name, good.read(name).replace(b'id = "blendproof"', b'id = "not an id"'))
    with pytest.raises(ValueError, match="id"):
        extension.check(worse, home)


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[tuple[Display, str]]:
    """A display that is in no jail, with its name: Blender talks to a service beside it."""
    arguments = ["-displayfd", "1", *display_arguments(str(tmp_path))]
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        assert running.stdout
        yield Display(tmp_path, tmp_path / SCREEN), f":{running.stdout.readline().decode().strip()}"
        running.kill()


@pytest.mark.blender
@pytest.mark.slow
@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason=f"{PROGRAM} is not installed")
def test_the_extension_is_used_in_a_window(
    executable: Blender, home: Path, tmp_path: Path, open_to_all: tuple[Display, str]
) -> None:
    archive = extension.build(SOURCE, tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    settings = Settings(
        home=home, data=tmp_path / "data", blender=executable.path, sandbox="unsafe", warm_workers=1, warm_checkers=0
    )
    display, name = open_to_all
    user = {"BLENDER_USER_RESOURCES": str(tmp_path / "user"), "BLENDER_USER_SCRIPTS": str(tmp_path / "user")}
    with started(settings) as address:
        command = [executable.path, *display.arguments(), "--factory-startup", "-noaudio", "--python", USE_IN_WINDOW]
        with subprocess.Popen(
            [*map(str, command), "--", archive, address, folder],
            env={**os.environ, **display.environment(tmp_path / "shaders"), **user, "DISPLAY": name},
        ) as process:
            while not (folder / "ended").exists() and process.poll() is None:
                for wanted in folder.glob("*.wanted"):
                    wanted.with_suffix(".png").write_bytes(display.picture())
                    wanted.unlink()
                time.sleep(0.1)
            process.kill()
    assert (folder / "ended").read_text() == ""
    pictures = {path.stem: path.read_bytes() for path in folder.glob("*.png")}
    assert len(set(pictures.values())) == len(pictures) == 3, "each shows something else"
