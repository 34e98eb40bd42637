"""Reads the patch of a model: whole files, whole functions or classes, or a diff. Applying it to files is ours.

<<BEGIN_FILE path>>           a file, whole; it may be new
<<BEGIN_UNIT path::name>>     a function, class or method, whole, such as shop.py::Till.pay
<<END>>
```diff                       a unified diff
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from app.llm.answers import CUT, AnswerUnusable, blocks_of, without_reasoning
from app.repositories.changing.diffs import by_diff
from app.repositories.edited import fault_of, like, without_fence
from codebase.index.secrets import is_secret
from codebase.tree.writing import refusal
from codebase.units.read import read_units

BEGIN: Final = re.compile(r"^<<BEGIN_(FILE|UNIT) +(.+?)>>[ \t]*$", re.MULTILINE)
END: Final = re.compile(r"^<<END(?:_FILE|_UNIT)?>>[ \t]*$", re.MULTILINE)
MOST_FILES: Final = 20


def changed_by(answer: str, finish: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files that an answer changes or adds, whole. `files` are the texts that may be changed, by path.

    Raises AnswerUnusable with the message for the model.
    """
    text = without_reasoning(answer)
    if finish == CUT:
        raise AnswerUnusable("the answer was cut off; change less at a time, by functions and not by whole files")
    new: dict[str, str] = {}
    for kind, place, body in parts_of(text):
        path, _, name = place.partition("::")
        check_path(path)
        now = new.get(path, files.get(path))
        new[path] = (
            without_fence(now, body) if kind == "FILE" else with_unit(path, name, without_fence(None, body), now)
        )
    if not new:
        diff = "".join(block.text for block in blocks_of(text) if block.language in ("diff", "patch"))
        new = by_diff(diff, files, check_path)
    changed = {path: like(files.get(path), body) for path, body in new.items()}
    changed = {path: body for path, body in changed.items() if body != files.get(path)}
    if not changed:
        raise AnswerUnusable("the answer changes nothing: write files or functions between the markers")
    if len(changed) > MOST_FILES:
        raise AnswerUnusable(f"the answer changes {len(changed)} files; change at most {MOST_FILES}")
    for path, body in changed.items():
        check_python(path, body, files.get(path))
    return changed


def parts_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind, place and text of each part between markers. Raises AnswerUnusable."""
    seen: set[str] = set()
    position = 0
    while begin := BEGIN.search(text, position):
        end = END.search(text, begin.end())
        following = BEGIN.search(text, begin.end())
        place = begin[2].strip()
        if end is None or (following and following.start() < end.start()):
            raise AnswerUnusable(f"{begin[0]} has no <<END>>, so it may not be whole")
        if place in seen:
            raise AnswerUnusable(f"{place} is written twice, so it is not clear what it is to be")
        seen.add(place)
        body = text[begin.end() + 1 : end.start()]
        yield begin[1], place, body
        position = end.end()
        following = BEGIN.search(text, position)
        if END.search(text, position, following.start() if following else len(text)):
            raise AnswerUnusable(f"{begin[0]} has more than one <<END>>, so it is not clear where it ends")


def check_path(path: str) -> None:
    """Raise AnswerUnusable if a change may not write a path."""
    reason = refusal(path) or ("files of this name hold secrets" if is_secret(path) else None)
    if reason:
        raise AnswerUnusable(f"{path} cannot be changed: {reason}")


def with_unit(path: str, name: str, body: str, text: str | None) -> str:
    """A file with one of its functions, classes or methods replaced. Raises AnswerUnusable."""
    if text is None:
        raise AnswerUnusable(f"there is no file {path} to replace {name} in")
    fitting = [unit for unit in read_units(path, text).units if unit.name == name and name]
    if len(fitting) != 1:
        raise AnswerUnusable(f"{path} has {len(fitting)} units called {name}; write the whole file")
    lines = text.split("\n")
    first, last = fitting[0].first, fitting[0].last
    margin = re.match(r"[ \t]*", lines[first - 1])
    written = textwrap.indent(textwrap.dedent(body).strip("\n"), margin[0] if margin else "")
    return "\n".join([*lines[: first - 1], *written.split("\n"), *lines[last:]])


def check_python(path: str, new: str, old: str | None) -> None:
    """Raise AnswerUnusable if a Python file does not parse that is new or parsed before."""
    if path.endswith(".py") and (old is None or not fault_of(old)):
        fault = fault_of(new)
        if fault:
            raise AnswerUnusable(f"{path} would not be Python: {fault}")
