"""The files of a snippet answer the checks that ask for texts in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import answers as answering
from harness import folders as folders_of
from harness.answers import answers
from harness.claims import read_claims
from harness.folders import Folders, begins_with
from harness.launcher import ProcessEnd
from harness.order import Order

NOTHING = {"text": "", "bytes": 0, "cut_bytes": 0}
ENDED = ProcessEnd(0, None, 1.0, 1.0, 1, None, 0, events=[], stdout=NOTHING, stderr=NOTHING, log="")


def test_each_file_is_read_once_for_all_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: Path) -> bytes:
        read.append(path.name)
        return begins_with(path)

    monkeypatch.setattr(answering, "begins_with", noted)
    folders = Folders.make(tmp_path / "job")
    for name in ("a.txt", "b.txt"):
        (folders.work / name).write_text("Ring, Brass")
    (folders.work / "link.txt").symlink_to("a.txt")
    file = {"check": "file", "bytes_at_least": 0, "at_least": 1}
    checks = [
        {**file, "name": "?.txt", "contains": ["Ring"]},
        {**file, "name": "?.txt", "contains": ["Brass", "Gold"]},
        {**file, "name": "link.txt", "contains": ["Ring"]},
    ]
    order = Order("", accept=tuple(checks))
    told = answers(order, [None] * 3, [], read_claims(ENDED, str), folders)
    assert [answer["met"] for answer in told] == [True, False, False]
    assert "does not contain 'Gold'" in told[1]["seen"] and sorted(read) == ["a.txt", "b.txt", "link.txt"]


@pytest.mark.parametrize(("looked_at", "met"), [(10_000, [False, True, True]), (140, [False, False, False])])
def test_all_files_are_looked_at_or_it_is_said(
    looked_at: int, met: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders_of, "FILES_LOOKED_AT", looked_at)
    folders = Folders.make(tmp_path / "job")
    for number in range(140):
        (folders.work / f"{number}.txt").touch()
    (folders.work / "sub").mkdir()
    (folders.work / "sub" / "secret.blend").touch()
    (folders.work / "sub" / "141.txt").touch()
    file = {"check": "file", "bytes_at_least": 0, "at_least": 1}
    checks = [
        {**file, "name": "*.blend", "absent": True},
        {**file, "name": "*.png", "absent": True},
        {**file, "name": "*.txt", "at_least": 141},
    ]
    order = Order("", accept=tuple(checks))
    told = answers(order, [None] * 3, [], read_claims(ENDED, str), folders)
    assert [answer["met"] for answer in told] == met
    said = ["there is a file sub/secret.blend", "", ""] if all(met[1:]) else [answering.NOT_ALL] * 3
    assert [answer["seen"].partition(";")[0] for answer in told] == said
