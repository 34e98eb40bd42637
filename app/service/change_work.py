"""The work on one change of a repository, each kind by its own way; loaded with the first."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from app.addons.discovery import port_material
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.registering import registering
from app.addons.report import PortReport, json_names, message_of
from app.jobs.budget import BudgetSpent
from app.jobs.spending import Spending
from app.pipeline.state import Tools
from app.repositories.changing.change import Bench, branch, change
from app.repositories.changing.record import Change, FileEdited, Status
from app.repositories.editing import Editor
from app.repositories.repository_service import Desk
from app.repositories.tasks import as_text
from app.repositories.testing import plan_or_why
from harness.blenders import Blender

MOST_BYTES: Final = 32 << 20
"""Of the files of a commit, which come from a worker in one answer."""


@dataclass(frozen=True)
class ChangeWork:
    """One change that is carried out with these tools."""

    tools: Tools
    blenders: list[Blender]
    made: Change
    desk: Desk
    say: Callable[[str], None]
    spending: Spending

    async def carry_out(self) -> None:
        """Take the change to its end, which is written into its record.

        Raises BlendproofError, ModelUnavailable, HarnessFault and ReadingFailed.
        """
        await {"change": self._change, "edit": self._edit, "port": self._port}[self.made.kind]()

    async def _change(self) -> None:
        tools, made, desk = self.tools, self.made, self.desk
        bench = Bench(
            self.spending,
            tools.sandbox,
            tools.blenders,
            registering(made.repository, self.blenders, tools.sandbox),
            tools.readers,
            desk.ask,
            desk.write,
            self.say,
            most_bytes=MOST_BYTES,
        )
        await change(made, desk.project, bench)

    async def _edit(self) -> None:
        made, desk = self.made, self.desk
        editor = Editor(desk.project.root, desk.project.folder, self.spending, desk.ask)
        self.say("editing")
        try:
            async for edited in editor.edit_all(made.place, made.request, write=False):
                made.edits.append(FileEdited(path=edited.path, changed=bool(edited.patch), problem=edited.problem))
                made.patch += edited.patch
                self.say(f"{edited.path}: {edited.problem or 'edited'}")
        except BudgetSpent as spent:
            made.note = f"Ended early: {spent}. "
        refused = sum(bool(one.problem) for one in made.edits)
        made.note += f"{refused} of {len(made.edits)} files were refused. " if refused else ""
        if made.patch:
            made.status = "proposal"
            made.note += (
                "An edit has no evidence, and is a patch of the files as they are: read it before you apply it."
            )
        else:
            made.status = "failed" if refused or not made.edits else "nothing_to_change"

    async def _port(self) -> None:
        tools, blenders, made, desk = self.tools, self.blenders, self.made, self.desk
        found = await desk.ask(port_material, desk.project.root, MOST_BYTES)
        contents, tests = found.contents, plan_or_why(found.wanted, tools.blenders, blenders[0])
        manifest = await asyncio.to_thread(tools.manifests.of, blenders[0])
        models = self.spending if made.with_model else None
        workshop = Workshop(blenders, manifest, tools.sandbox, self.say, tools.readers, tests, desk.ask, models)
        ported = await port(contents, workshop, made.place)
        made.commit, made.patch = contents.commit, as_text(ported.patch)
        made.report = plain(
            dataclasses.asdict(dataclasses.replace(ported, changed={}, patch=""), dict_factory=json_names)
        )
        status = status_of(ported)
        if status == "accepted" and made.on_branch and contents.commit:
            await branch(made, desk.project, desk.write, ported.changed, message_of(ported))
        # Last, because whoever polls takes it for the end.
        made.status = status


def status_of(ported: PortReport) -> Status:
    """The status of a port: accepted if every add-on registers on the Blender to port to, and no test is broken."""
    if not ported.patch:
        return "nothing_to_change" if ported.passed else "failed"
    return "accepted" if ported.passed else "proposal"


def plain(value: Any) -> Any:
    """The same data with texts that JSON can say: a stranger's files may hold what is no UTF-8."""
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in cast("list[Any]", value)]
    return value
