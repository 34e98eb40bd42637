"""The open files: each is checked a moment after the last edit, one check at a time, and its last good one is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls import uris

from clients.lsp.diagnostics import diagnostics_of, does_not_parse
from clients.lsp.fixes import LineFix, fixes_of, lines_of
from clients.lsp.remote import NotAnswered, ServiceConnection
from clients.lsp.targets import targets_of

PAUSE_S: Final = 0.4
"""The time without an edit after which a file is checked."""
LONGEST: Final = 1 << 19
"""The most characters of a file that is checked while one types."""


@dataclass
class OpenFile:
    """An open file and its checks. `checked` is the text of the last check that parsed, with its fixes."""

    edited: asyncio.Event = field(default_factory=asyncio.Event)
    work: asyncio.Task[None] | None = None
    checked: str = ""
    good: list[lsp.Diagnostic] = field(default_factory=list[lsp.Diagnostic])
    fixes: list[LineFix] = field(default_factory=list[LineFix])


class EditedFiles:
    """All open files. `text_of` answers the text of one as it is now, `publish` shows its diagnostics."""

    def __init__(
        self,
        service: ServiceConnection,
        text_of: Callable[[str], str],
        publish: Callable[[str, list[lsp.Diagnostic]], None],
        say: Callable[[str], None],
    ) -> None:
        self._service, self._text_of, self._publish, self._say = service, text_of, publish, say
        self._files: dict[str, OpenFile] = {}
        self._said = ""
        self._left_out: set[str] = set()

    def edited(self, uri: str) -> None:
        """Check a file when it is not edited any more."""
        file = self._files.setdefault(uri, OpenFile())
        file.edited.set()
        if file.work is None:
            file.work = asyncio.create_task(self._keep(uri, file))

    def close(self, uri: str) -> None:
        """Forget a file."""
        file = self._files.pop(uri, None)
        if file and file.work:
            file.work.cancel()
        self._publish(uri, [])

    def fixes(self, uri: str) -> Sequence[LineFix]:
        """The fixes of a file, if it is as it was checked."""
        file = self._files.get(uri)
        return file.fixes if file and file.checked == self._text_of(uri) else ()

    async def ask(self, uri: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer of the service about a file for its Blenders; raises NotAnswered.

        The series of a manifest that the service does not have is left out, which is said once.
        """
        wanted = targets(uri)
        try:
            return await self._service.post(path, {**body, **wanted})
        except NotAnswered as why:
            if "blender" in wanted or not str(why).startswith("body.verify_on: "):
                raise
            answer = await self._service.post(path, body)
            if (series := wanted["verify_on"][0]) not in self._left_out:
                self._left_out.add(series)
                self._say(f"Blender {series} of the manifest is left out. {why}")
            return answer

    async def _keep(self, uri: str, file: OpenFile) -> None:
        """Check a file whenever it was edited, until it is closed."""
        while True:
            await file.edited.wait()
            while file.edited.is_set():
                file.edited.clear()
                await asyncio.sleep(PAUSE_S)
            try:
                await self._check(uri, file)
                self._said = ""
            except NotAnswered as why:
                self._tell(str(why))
            except Exception as why:
                # The file is checked again after the next edit, whatever happened.
                self._tell(f"The check failed: {type(why).__name__}: {why}")

    async def _check(self, uri: str, file: OpenFile) -> None:
        text = self._text_of(uri)
        if not text or len(text) > LONGEST:
            self._publish(uri, [])
            return
        report = await self.ask(uri, "/check", {"snippet": text, "fixes": True})
        if file.edited.is_set():
            return
        lines = lines_of(text)
        if does_not_parse(report):
            # While a line is being written, what was found before stays.
            self._publish(uri, [*file.good, *diagnostics_of(report, lines)])
            return
        file.checked, file.good, file.fixes = text, diagnostics_of(report, lines), fixes_of(report, text)
        self._publish(uri, file.good)

    def _tell(self, problem: str) -> None:
        """Say a problem once, not at each edit."""
        if problem != self._said:
            self._said = problem
            self._say(problem)


def targets(uri: str) -> dict[str, Any]:
    """The Blenders of a file by its address."""

    path = uris.to_fs_path(uri)
    return targets_of(Path(path)) if path else {}
