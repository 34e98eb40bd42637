"""The language server, asked by the client of pygls on standard input and output, with a real service."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from clients.lsp.documents import EditedFiles
from clients.lsp.fixes import fixes_of
from clients.lsp.remote import ServiceConnection
from clients.lsp.targets import targets_of
from harness.blenders import Blender
from tests.quick_service import quick_service

pytestmark = [pytest.mark.slow, pytest.mark.blender]

OLD = """import bpy
obj = bpy.context.object
obj.select = True
bpy.context.scene.objects.link(obj)
"""
EDITS, PAUSE_S, MOST_GROWTH_KIB = 100, 0.05, 8192


@pytest.fixture(scope="module")
def url(home: Path, blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with quick_service(home, tmp_path_factory.mktemp("lsp") / "data") as url:
        yield url


class Editor:
    """An editor with one file open."""

    def __init__(self, file: Path) -> None:
        self.client = LanguageClient("editor", "1")
        self.file = lsp.TextDocumentIdentifier(file.as_uri())
        self.shown: asyncio.Queue[list[lsp.Diagnostic]] = asyncio.Queue()
        self.said: list[str] = []
        self._version = 1

        def show(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown.put_nowait([*params.diagnostics])

        def say(params: lsp.ShowMessageParams) -> None:
            self.said.append(params.message)

        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(show)
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(say)

    async def start(self, url: str) -> None:
        start: Callable[..., Awaitable[None]] = self.client.start_io  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        await start(sys.executable, "-m", "app.cli.main", "lsp", "--url", url)
        abilities = lsp.ClientCapabilities()
        await self.client.initialize_async(lsp.InitializeParams(abilities, process_id=os.getpid()))
        self.client.initialized(lsp.InitializedParams())

    def open(self, text: str) -> None:
        opened = lsp.TextDocumentItem(self.file.uri, "python", self._version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(opened))

    def write(self, text: str) -> None:
        self._version += 1
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        now = lsp.VersionedTextDocumentIdentifier(self._version, self.file.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(now, [whole]))

    async def diagnostics(self) -> list[str]:
        """The codes of the next diagnostics, each with its line from 1."""
        found = await asyncio.wait_for(self.shown.get(), 120)
        return [f"{one.range.start.line + 1} {one.code}" for one in found]

    async def titles(self, line: int) -> list[str]:
        """The titles of what is offered to do in a line, from 1."""
        at = lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line - 1, 1))
        params = lsp.CodeActionParams(self.file, at, lsp.CodeActionContext([]))
        return [one.title for one in await self.client.text_document_code_action_async(params) or []]

    async def hover(self, line: int, column: int) -> str:
        params = lsp.HoverParams(self.file, lsp.Position(line - 1, column - 1))
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found and isinstance(found.contents, lsp.MarkupContent) else ""

    async def offers(self, line: int, column: int) -> list[str]:
        params = lsp.CompletionParams(self.file, lsp.Position(line - 1, column - 1))
        found = await self.client.text_document_completion_async(params)
        return [one.label for one in found] if isinstance(found, list) else []

    def memory_kib(self) -> int:
        """The memory of the server."""
        process = self.client._server  # pyright: ignore[reportPrivateUsage]
        assert process
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


@pytest.fixture
async def editor(url: str, tmp_path: Path) -> AsyncGenerator[Editor]:
    made = Editor(tmp_path / "script.py")
    await made.start(url)
    yield made
    await made.client.shutdown_async(None)
    made.client.exit(None)
    await made.client.stop()  # type: ignore[no-untyped-call]


async def test_old_code_is_shown_explained_and_fixed(editor: Editor) -> None:
    editor.open(OLD)
    assert await editor.diagnostics() == ["3 api/removed", "4 api/removed"]
    one, *rest = await editor.titles(3)
    assert "select_set" in one and any("Fix all" in title for title in rest) and "Prove this file in Blender" in rest
    assert [title for title in await editor.titles(1) if "select_set" in title] == []
    assert "is gone since Blender 2.80" in await editor.hover(3, 6)
    assert "bpy.context.object" in await editor.hover(2, 20) and await editor.hover(1, 1) == ""


async def test_what_was_found_stays_while_a_line_is_written(editor: Editor) -> None:
    editor.open(OLD)
    await editor.diagnostics()
    editor.write(f"{OLD}obj.display_type = '")
    assert "WIRE" in await editor.offers(5, 21) and await editor.offers(1, 1) == []
    kept = await editor.diagnostics()
    assert kept[:2] == ["3 api/removed", "4 api/removed"] and kept[2].startswith("5 parse/")
    editor.write("import bpy\n")
    assert await editor.diagnostics() == []


async def test_a_file_is_proven_as_a_command(editor: Editor) -> None:
    editor.open("import bpy\n")
    asked = lsp.ExecuteCommandParams("blendproof.prove", [editor.file.uri])
    proof: Any = await editor.client.workspace_execute_command_async(asked)
    assert proof["status"] == "proven" and proof["picture"].endswith(".png")
    assert any("proven on Blender" in said for said in editor.said)
    # The extension for VS Code says it by itself.
    editor.said.clear()
    asked = lsp.ExecuteCommandParams("blendproof.prove", [editor.file.uri, True])
    proof = await editor.client.workspace_execute_command_async(asked)
    assert proof["status"] == "proven" and editor.said == []


async def test_fast_edits_are_checked_once_and_make_nothing_grow(editor: Editor) -> None:
    editor.open(OLD)
    await editor.diagnostics()
    before = editor.memory_kib()
    for number in range(EDITS):
        editor.write(f"{OLD}x = {number}\n")
        await asyncio.sleep(PAUSE_S)
    assert len(await editor.diagnostics()) == 2
    assert editor.shown.qsize() <= 2 and editor.memory_kib() - before < MOST_GROWTH_KIB


async def test_a_series_of_a_manifest_that_is_not_installed_is_left_out_and_said_once(
    editor: Editor, tmp_path: Path
) -> None:
    (tmp_path / "blender_manifest.toml").write_text('blender_version_min = "2.10.0"\n')
    editor.open(OLD)
    assert await editor.diagnostics() == ["3 api/removed", "4 api/removed"]
    assert "is gone since Blender 2.80" in await editor.hover(3, 6)
    assert ["Blender 2.10 of the manifest is left out." in said for said in editor.said] == [True]


async def test_a_blender_that_a_project_names_and_is_not_installed_is_said(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.blendproof]\non = ["2.10"]\n')
    editor.open(OLD)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(editor.shown.get(), 10)
    assert editor.said and "2.10" in editor.said[0] and "left out" not in editor.said[0]


def test_the_targets_of_a_file_are_those_of_the_nearest_folder_that_says_so(tmp_path: Path) -> None:
    inner = tmp_path / "addon" / "deep"
    inner.mkdir(parents=True)
    assert targets_of(inner / "a.py") == {}
    (tmp_path / "pyproject.toml").write_text('[tool.blendproof]\non = ["4.5", "5.0"]\n')
    assert targets_of(inner / "a.py") == {"blender": "4.5", "verify_on": ["5.0"]}
    (tmp_path / "addon" / "blender_manifest.toml").write_text('blender_version_min = "4.2.0"\n')
    assert targets_of(inner / "a.py") == {"verify_on": ["4.2"]}
    for wrong in ("[tool.blendproof\n", '[tool]\nblendproof = "5.0"\n', "tool = 1\n", "[tool.blendproof]\non = 5.0\n"):
        (inner / "pyproject.toml").write_text(wrong)
        assert targets_of(inner / "a.py") == {"verify_on": ["4.2"]}, wrong
    (tmp_path / "addon" / "blender_manifest.toml").write_text("blender_version_min = [4, 2]\n")
    assert targets_of(inner / "a.py") == {"blender": "4.5", "verify_on": ["5.0"]}


async def test_a_check_that_fails_is_said_and_the_next_edit_is_checked() -> None:
    """By a server that is no Blendproof service, then a fault, then a service."""
    sound: dict[str, Any] = {"blenders": [{"blender": "5.0", "stages": [], "fixed": None, "fixes": []}]}
    answers: list[dict[str, Any]] = [{"text": "<html>"}, {"json": {}}, {"json": sound}]
    shown, said = asyncio.Queue[list[lsp.Diagnostic]](), asyncio.Queue[str]()

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, **answers.pop(0))

    def reach() -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url="http://service")

    def text_of(_: str) -> str:
        return "import bpy\n"

    def publish(_: str, diagnostics: list[lsp.Diagnostic]) -> None:
        shown.put_nowait(diagnostics)

    files = EditedFiles(ServiceConnection(reach), text_of, publish, said.put_nowait)
    files.edited("file:///a.py")
    assert "is not a Blendproof service: it answers 200" in await asyncio.wait_for(said.get(), 10)
    files.edited("file:///a.py")
    assert "KeyError" in await asyncio.wait_for(said.get(), 10) and shown.empty()
    files.edited("file:///a.py")
    assert await asyncio.wait_for(shown.get(), 10) == []
    files.close("file:///a.py")


@pytest.mark.parametrize("odd", ["\f", "\u2028", "\x85", "\x1c"])
def test_a_fix_is_at_the_line_that_editors_and_python_count(odd: str) -> None:
    text, fixed = (f"a = '{odd}'\r\nb = 2\rc = {number}\nd = 4" for number in (1, 3))
    report = {"blenders": [{"fixed": fixed, "fixes": [{"line": 3, "reason": "three"}]}]}
    assert [(fix.first, fix.end, fix.text) for fix in fixes_of(report, text)] == [(2, 3, "c = 3\n")]


async def test_a_file_with_a_form_feed_is_shown_and_fixed_in_its_lines(editor: Editor) -> None:
    editor.open(f"\f\n# \u2028\n{OLD}")
    assert await editor.diagnostics() == ["5 api/removed", "6 api/removed"]
    assert "select_set" in (await editor.titles(5))[0] and "select_set" not in (await editor.titles(4))[0]
    assert "is gone since Blender 2.80" in await editor.hover(5, 6)


def test_a_fix_goes_with_the_import_that_it_needs() -> None:
    fixed = "import bpy\nimport math\nx = math.pi\ny = 2\n"
    reasons = [{"line": 2, "reason": "pi"}, {"line": 3, "reason": "two"}]
    report = {"blenders": [{"fixed": fixed, "fixes": reasons}]}
    found = fixes_of(report, "import bpy\nx = pi\ny = 1\n")
    assert [(fix.first, fix.end, fix.reasons) for fix in found] == [(1, 3, ("pi", "two"))]
    assert fixes_of({"blenders": [{"fixed": None, "fixes": []}]}, "x\n") == []
