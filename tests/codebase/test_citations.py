"""Citations of answers: each right one holds, and each wrong one is struck out."""

from __future__ import annotations

import pytest

from codebase.ask.citations import ShownLines, Struck, judge
from tests.codebase.generated_citations import generated

SHOWN = [
    ShownLines("studio/paint.py", 10, 20, "a"),
    ShownLines("studio/paint.py", 21, 30, "a"),
    ShownLines("@django/db/models.py", 1, 5, "b"),
]
LINES = {"studio/paint.py": 40, "studio/colour.py": 9, "@django/db/models.py": 5, "other/models.py": 50, "Makefile": 3}


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        ("studio/paint.py:10-20", "studio/paint.py:10-20"),
        ("[studio/paint.py:12-28]", "studio/paint.py:12-28"),
        ("`./studio/paint.py:12`", "studio/paint.py:12-12"),
        ("studio\\paint.py:L12\u2013L13", "studio/paint.py:12-13"),
        ("studio/paint.py#L12-L13", "studio/paint.py:12-13"),
        ("(paint.py:12-13)", "studio/paint.py:12-13"),
        ("@django/db/models.py:1-5.", "@django/db/models.py:1-5"),
    ],
)
def test_what_was_shown_holds(written: str, holds: str) -> None:
    judged = judge(f"It is mixed here: {written}", SHOWN, LINES.get)
    assert [str(one) for one in judged.citations] == [holds] and judged.struck == []
    assert holds in judged.text and "~~" not in judged.text


@pytest.mark.parametrize(
    ("written", "citation", "reason"),
    [
        ("studio/paint.py:9-20", "studio/paint.py:9-20", "these lines were not shown"),
        ("[studio/paint.py:10-31]", "studio/paint.py:10-31", "these lines were not shown"),
        ("studio/paint.py:10-41", "studio/paint.py:10-41", "the file has 40 lines"),
        ("studio/paint.py:20-10", "studio/paint.py:20-10", "the lines are no range"),
        ("studio/paint.py:0", "studio/paint.py:0-0", "the lines are no range"),
        ("studio/colour.py:1-2", "studio/colour.py:1-2", "these lines were not shown"),
        ("Makefile:2", "Makefile:2-2", "these lines were not shown"),
        ("studio/brush.py:12-13", "studio/brush.py:12-13", "there is no such file"),
        ("[docs/guide:3]", "docs/guide:3-3", "there is no such file"),
        ("django/db/models.py:1-5", "django/db/models.py:1-5", "there is no such file"),
    ],
)
def test_what_was_not_shown_is_struck_out(written: str, citation: str, reason: str) -> None:
    judged = judge(f"It is mixed here: {written}", SHOWN, LINES.get)
    assert judged.struck == [Struck(citation, reason)] and judged.citations == []
    assert f"~~{citation}~~" in judged.text


@pytest.mark.parametrize(
    "prose",
    [
        "at 10:30",
        "a ratio of 3:1",
        "http://example.org/paint.py:80",
        "localhost:8080",
        "arr[self.n:5]",
        "`{'key':3}`",
        "x",
    ],
)
def test_what_is_no_citation_stays(prose: str) -> None:
    judged = judge(prose, SHOWN, LINES.get)
    assert (judged.text, judged.citations, judged.struck) == (prose, [], [])


def test_paths_with_brackets_and_spaces_are_found() -> None:
    shown = [ShownLines("app/[id]/(own)/my page.tsx", 3, 9, "a")]
    judged = judge(
        "[app/[id]/(own)/my page.tsx:3-4] and app/[id]/(own)/my page.tsx:9-10", shown, {shown[0].path: 12}.get
    )
    assert judged.text == "[app/[id]/(own)/my page.tsx:3-4] and ~~app/[id]/(own)/my page.tsx:9-10~~"


def test_each_of_several_ranges_is_judged() -> None:
    judged = judge("See [studio/paint.py:10-12, 25-35].", SHOWN, LINES.get)
    assert judged.text == "See [studio/paint.py:10-12, ~~studio/paint.py:25-35~~]."


def test_a_thousand_citations_and_none_is_judged_wrong() -> None:
    files = {f"pkg{number}/mod_{number}.py": 40 + 7 * number for number in range(40)}
    cases = list(generated(files, 1000))
    assert len(cases) == 1000 and sum(case.holds for case in cases) == 500
    shown = [one for case in cases for one in case.shown]
    wrong = [case for case in cases if bool(judge(case.answer, case.shown, files.get).citations) != case.holds]
    assert wrong == [] and shown
