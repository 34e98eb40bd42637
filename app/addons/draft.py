"""The draft of a port: the texts of an add-on, the progress of its registration with them, and the line that raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, TypeVarTuple

from app.addons.discovery import Contents, EncodedText, FoundAddon
from app.addons.report import ChangeReason
from app.healing.package import AddonPackage
from app.healing.trouble import Trouble
from app.jobs.spending import Spending
from app.repositories.hands import Hands, here
from app.repositories.testing import TestPlan
from harness.addons import AddonFrame, AddonProblem, Registration, use_addon
from harness.blenders import Blender
from harness.folders import passing_place
from harness.readers import Readers, read_by
from harness.sandbox.ladder import Sandbox
from ingest.manifest import Manifest

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Workshop:
    """Tools for porting. `blenders` are those to register on, the target first; `manifest` is the target's API.

    Texts are read by `readers`, or here if there are none; `ask` has git apply the patch. Without `models`, only rules
    heal.
    """

    blenders: Sequence[Blender]
    manifest: Manifest
    sandbox: Sandbox
    say: Say
    readers: Readers | None = None
    tests: TestPlan | str = "the repository has no tests"
    """The plan for the repository's own tests, or the reason why they are not run."""
    ask: Hands = here
    models: Spending | None = None

    @property
    def target(self) -> Blender:
        return self.blenders[0]


@dataclass
class PortDraft:
    """An add-on while it is ported. `texts` are its Python files as they are now, `reasons` those of the changes."""

    addon: FoundAddon
    sources: dict[str, EncodedText]
    texts: dict[str, str]
    reasons: dict[str, list[ChangeReason]]
    problems: dict[str, str]
    taken_back: dict[str, list[ChangeReason]] = field(default_factory=dict[str, list[ChangeReason]])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    packages: dict[str, AddonPackage] = field(default_factory=dict[str, AddonPackage])
    notes: list[str] = field(default_factory=list[str])
    """Failed questions to a model, and answers that were not kept."""


async def register(
    draft: PortDraft, contents: Contents, workshop: Workshop, blender: Blender | None = None
) -> Registration:
    """Register the add-on as it is now, on the Blender to port to unless another is given."""
    blender = blender or workshop.target
    workshop.say(f"{draft.addon.place or draft.addon.module}: registering on Blender {blender.version}")
    files = {**contents.files, **new_bytes(draft)}
    async with passing_place() as place:
        return await use_addon(blender, draft.addon.build(files), workshop.sandbox, place)


def new_bytes(draft: PortDraft) -> dict[str, bytes]:
    """The bytes of the files that were changed until now."""
    return {
        path: draft.sources[path].encode(text) for path, text in draft.texts.items() if text != draft.sources[path].text
    }


async def read(workshop: Workshop, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run a function on a text of the add-on, in a reader."""
    return await read_by(workshop.readers, function, *arguments)


def is_encodable(source: EncodedText, text: str) -> bool:
    try:
        source.encode(text)
    except UnicodeEncodeError:
        return False
    return True


def further(new: Registration, old: Registration) -> bool:
    """True if an add-on got further: it did more steps, or another problem ends the same step."""
    if new.done != old.done:
        return new.done > old.done
    if new.problem is None or old.problem is None:
        return new.problem is None
    return differs(new.problem, old.problem)


def differs(problem: AddonProblem, other: AddonProblem) -> bool:
    return (problem.type, problem.message) != (other.type, other.message)


def raised_at(draft: PortDraft, problem: AddonProblem | None) -> tuple[str, Trouble] | None:
    """The file that raised, with the line and the message, if it is a healable file of the add-on."""
    for frame in reversed(problem.frames if problem else ()):
        path = path_of(draft, frame)
        if problem and path in draft.texts:
            return path, Trouble(frame.line, f"{problem.type}: {problem.message}")
        break
    return None


def path_of(draft: PortDraft, frame: AddonFrame) -> str:
    return draft.addon.path_of(frame.file)
