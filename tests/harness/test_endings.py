"""How an execution ended, told from what was measured and what was said."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from harness.claims import read_claims
from harness.endings import end_of_examination, end_of_run, read_json
from harness.folders import Folders
from harness.launcher import ProcessEnd
from harness.order import Order
from harness.protocol import AFTER, EVIDENCE, START, Event, Outcome

NOTHING = {"text": "", "bytes": 0, "cut_bytes": 0}
ENDED = ProcessEnd(0, None, 1.0, 1.0, 1, None, 0, events=[], stdout=NOTHING, stderr=NOTHING, log="")


def said(*events: dict[str, str]) -> ProcessEnd:
    return dataclasses.replace(ENDED, events=[(float(moment), event) for moment, event in enumerate(events)])


BEGUN = ({"event": Event.BOOTED}, {"event": Event.SAVED, "name": START})
FORGED = {"event": Event.SETUP_FAILED, "type": "Error", "message": "forged"}


@pytest.mark.parametrize("order", [Order("x"), Order("x", setup_snippet="y")])
def test_a_setup_does_not_fail_once_the_start_is_saved(order: Order, tmp_path: Path) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    run = said(*BEGUN, FORGED)
    assert end_of_run(run, read_claims(run, str), order, folders).outcome is Outcome.NO_RESULT
    (folders.kept / AFTER).touch()
    run = said(*BEGUN, {"event": Event.SNIPPET_ENDED}, {"event": Event.SAVED, "name": AFTER})
    assert end_of_run(run, read_claims(run, str), order, folders).outcome is Outcome.PASSED


def test_a_setup_that_fails_before_is_believed(tmp_path: Path) -> None:
    run = said(BEGUN[0], FORGED)
    ending = end_of_run(run, read_claims(run, str), Order("x", setup_snippet="y"), Folders.make(tmp_path))
    assert ending.outcome is Outcome.SETUP_FAILED


def test_a_scene_that_breaks_the_examination_is_not_our_fault(tmp_path: Path) -> None:
    examined = said({"event": Event.BOOTED}, {"event": Event.NOT_EXAMINED, "message": "KeyError: 'Color'"})
    ending, evidence = end_of_examination(examined, Order("x"), Folders.make(tmp_path))
    assert (ending.outcome, evidence) == (Outcome.EXAMINATION_FAILED, {})
    assert "KeyError" in ending.reason


def test_names_that_are_no_text_are_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / EVIDENCE
    path.write_text(r'{"a\udc80b": ["c\udcffd", "\u00e9"]}')
    read = read_json(path, 1000)
    assert read == {"a\\udc80b": ["c\\udcffd", "é"]}
    str(read).encode()
