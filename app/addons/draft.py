"""An add-on while it is ported: its texts, how far it comes with them, and where it raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, TypeVarTuple

from app.addons.discovery import Contents, FoundAddon, Source
from app.addons.report import Reason
from app.healing.package import AddonPackage
from app.healing.trouble import Trouble
from app.repositories.changing.spending import Spending
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
    """What porting needs. `blenders` are those to register on, the one to port to first; `manifest` is its API.

    Texts are read by `readers`, or here if there are none; `ask` has git apply the patch. Without `models`, rules alone
    repair.
    """

    blenders: Sequence[Blender]
    manifest: Manifest
    sandbox: Sandbox
    say: Say
    readers: Readers | None = None
    tests: TestPlan | str = "the repository has no tests"
    """How the repository's own tests are run, or why they are not."""
    ask: Hands = here
    models: Spending | None = None

    @property
    def target(self) -> Blender:
        return self.blenders[0]


@dataclass
class Draft:
    """An add-on while it is ported. `texts` are its Python files as they are now, `reasons` why they changed."""

    addon: FoundAddon
    sources: dict[str, Source]
    texts: dict[str, str]
    reasons: dict[str, list[Reason]]
    problems: dict[str, str]
    taken_back: dict[str, list[Reason]] = field(default_factory=dict[str, list[Reason]])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    packages: dict[str, AddonPackage] = field(default_factory=dict[str, AddonPackage])
    notes: list[str] = field(default_factory=list[str])
    """What came of asking a model."""


async def registered(
    draft: Draft, contents: Contents, workshop: Workshop, blender: Blender | None = None
) -> Registration:
    """How the add-on registers as it is now, on the Blender to port to unless another is given."""
    blender = blender or workshop.target
    workshop.say(f"{draft.addon.place or draft.addon.module}: registering on Blender {blender.version}")
    files = {**contents.files, **new_bytes(draft)}
    async with passing_place() as place:
        return await use_addon(blender, draft.addon.built(files), workshop.sandbox, place)


def new_bytes(draft: Draft) -> dict[str, bytes]:
    """The bytes of the files that were changed so far."""
    return {
        path: draft.sources[path].encoded(text)
        for path, text in draft.texts.items()
        if text != draft.sources[path].text
    }


async def read(workshop: Workshop, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """What a function says of a text of the add-on."""
    return await read_by(workshop.readers, function, *arguments)


def is_encodable(source: Source, text: str) -> bool:
    try:
        source.encoded(text)
    except UnicodeEncodeError:
        return False
    return True


def further(new: Registration, old: Registration) -> bool:
    """Whether an add-on got further: it did more steps, or another problem ends the same step."""
    if new.done != old.done:
        return new.done > old.done
    if new.problem is None or old.problem is None:
        return new.problem is None
    return differs(new.problem, old.problem)


def differs(one: AddonProblem, other: AddonProblem) -> bool:
    return (one.type, one.message) != (other.type, other.message)


def raised_at(draft: Draft, problem: AddonProblem | None) -> tuple[str, Trouble] | None:
    """The file that raised, with the line and the message, if it is a file of the add-on that is read."""
    for frame in reversed(problem.frames if problem else ()):
        path = path_of(draft, frame)
        if problem and path in draft.texts:
            return path, Trouble(frame.line, f"{problem.type}: {problem.message}")
        break
    return None


def path_of(draft: Draft, frame: AddonFrame) -> str:
    return draft.addon.path_of(frame.file)
