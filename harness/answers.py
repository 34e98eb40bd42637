"""The answers to the acceptance checks of one execution, collected from the processes that can give them.

order.accept ─┬─ most kinds ──> process two, with the evidence    (harness/inside/witness/accept.py)
              ├─ python ──────> a process for each, afterwards    (harness/assertions.py)
                           ├─ file ────────> the folder of the snippet         (here)
              └─ registered, and values of properties that are registered at run time, which no saved file holds
                     └────────> a process of the snippet: its word is a claim (harness/inside/untrusted/claimed.py)
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, Final

from harness.claims import ClaimedAnswer, ExecutionClaims
from harness.folders import FILES_LOOKED_AT, Folders, begins_with
from harness.order import Order

SEEN_LIMIT: Final = 600
NOT_ALL: Final = f"there are more than {FILES_LOOKED_AT:,} files and folders, and no more are looked at"
NOT_SAVED: Final = (
    "; what a snippet registers is not in the saved scene: check it with `registered`, or its values with `scene`, "
    "`object` or `data`"
)
WITH_VALUES: Final = ("object", "scene", "data")
"""The kinds of checks whose values may be of properties that the snippet registers."""


def asked_of_the_first(order: Order) -> list[tuple[int, dict[str, Any]]]:
    """The checks that the process that runs the snippet may have to answer for, by their number from 0."""
    return [
        (number, check)
        for number, check in enumerate(order.accept)
        if check["check"] == "registered"
        or (check["check"] in WITH_VALUES and check["values"] and "frame" not in check and not check.get("absent"))
    ]


def with_claims(order: Order, claims: ExecutionClaims) -> list[dict[str, Any]]:
    """The checks, each with the paths of the values that process one has answered for."""
    paths: dict[int, list[str]] = {}
    for number, path in claims.answers:
        paths.setdefault(number, []).append(path)
    return [
        {**check, "claimed": paths[number]} if number in paths else check for number, check in enumerate(order.accept)
    ]


def answers(
    order: Order,
    seen: list[dict[str, Any] | None],
    asserted: list[dict[str, Any]],
    claims: ExecutionClaims,
    folders: Folders,
) -> list[dict[str, Any]]:
    """The answer to every check, in the order of the request: `met`, `seen`, and `claimed` if it rests on a claim.

    The snippet has ended. Its files are read here, which may take a while.
    """
    files, whole = folders.left_files(order.brought_files())
    texts = {text for check in order.accept if check["check"] == "file" for text in check.get("contains") or ()}
    paths = folders.paths_by_name() if texts else {}

    @functools.cache
    def held(name: str) -> set[str]:
        begun = begins_with(paths[name]) if name in paths else b""
        return {text for text in texts if text.encode() in begun}

    waiting = iter(asserted)
    told: list[dict[str, Any]] = []
    for number, (check, found) in enumerate(zip(order.accept, seen, strict=True)):
        if check["check"] == "file":
            told.append(answer_file(check, files, held, whole))
        elif check["check"] == "registered":
            told.append(answer_registered(check, claims.answers.get((number, ""))))
        elif found is None:
            told.append(with_advice(next(waiting), claims))
        else:
            told.append(with_claimed_values(number, found, claims))
    return told


def with_advice(asserted: dict[str, Any], claims: ExecutionClaims) -> dict[str, Any]:
    """The answer to an assertion; with advice if it may have missed a registration."""
    if asserted["met"] or not claims.registered or not asserted["seen"].startswith("AttributeError"):
        return asserted
    return {**asserted, "seen": f"{asserted['seen'][:SEEN_LIMIT]}{NOT_SAVED}"}


def answer_file(
    check: dict[str, Any], files: list[dict[str, Any]], held: Callable[[str], set[str]], whole: bool
) -> dict[str, Any]:
    """The answer to a check of the snippet's files; a name without a folder means a file in any folder.

    `held` gives those of the texts of all checks that the beginning of a file contains. The files are all if `whole`.
    """
    # The names of the files are escaped in the same way.
    pattern: str = check["name"].replace("\\", "\\\\")
    called = [file for file in files if is_called(file["name"], pattern)]
    if check.get("absent"):
        return {
            "met": whole and not called,
            "seen": f"there is a file {called[0]['name']}" if called else "" if whole else NOT_ALL,
            "met_at_start": True,
        }
    large = [file for file in called if file["bytes"] >= check["bytes_at_least"]]
    if lacking := next(texts_missing(check, large, held), ""):
        return {"met": False, "seen": lacking, "met_at_start": False}
    met = len(large) >= check["at_least"]
    there = ", ".join(f"{file['name']} ({file['bytes']} bytes)" for file in files[:10]) or "none"
    missing = f"{len(large)} files {pattern} of at least {check['bytes_at_least']} bytes were left, not"
    return {
        "met": met,
        "seen": "" if met else f"{'' if whole else NOT_ALL + '; '}{missing} {check['at_least']}: {there}"[:SEEN_LIMIT],
        "met_at_start": False,
    }


def texts_missing(check: dict[str, Any], files: list[dict[str, Any]], held: Callable[[str], set[str]]) -> Iterator[str]:
    """The texts that are missing in files, in words."""
    for file in files if check.get("contains") else ():
        there = held(file["name"])
        yield from (f"{file['name']} does not contain {text!r}" for text in check["contains"] if text not in there)


def is_called(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern) or (
        "/" not in pattern and fnmatch.fnmatchcase(PurePosixPath(name).name, pattern)
    )


def answer_registered(check: dict[str, Any], claim: ClaimedAnswer | None) -> dict[str, Any]:
    """The claim of process one about a registration."""
    if claim is None:
        return {
            "met": False,
            "seen": f"nothing was said of the {check['kind']} {check.get('name', '')}".rstrip(),
            "met_at_start": False,
        }
    return {"met": claim.met, "seen": claim.seen, "met_at_start": claim.met_at_start, "claimed": True}


def with_claimed_values(number: int, answer: dict[str, Any], claims: ExecutionClaims) -> dict[str, Any]:
    """The answer of process two, with the claim of process one about values that the saved file does not hold."""
    paths: list[str] = answer.get("claimed", [])
    if not paths:
        return answer
    wrong = [claims.answers[number, path].seen for path in paths if not claims.answers[number, path].met]
    seen = "; ".join(filter(None, [answer["seen"], *wrong]))[:SEEN_LIMIT]
    return {**answer, "met": answer["met"] and not wrong, "seen": seen, "claimed": True}
