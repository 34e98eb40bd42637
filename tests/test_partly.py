"""What is understood of a request that is not covered as a whole, sentence by sentence."""

from __future__ import annotations

import pytest

from app.drafting.composer import Composer
from app.drafting.composer.partly import planned, sentences
from app.drafting.draft import NotUnderstood
from ingest.manifest import Manifest

KNIT = "Knit it a sweater."


def test_a_plan_does_what_was_understood_and_nothing_else(manifest: Manifest) -> None:
    request = f'Add a cube called "Crate" and move it up by 2. Make it red. {KNIT} Set the end frame to 120.'
    composer = Composer()
    plan = composer.plan(request, manifest)
    assert plan.understood == [
        'Add a cube called "Crate" and move it up by 2.',
        "Make it red.",
        "Set the end frame to 120.",
    ]
    assert plan.missing == [KNIT]
    assert plan.snippet == composer.draft(" ".join(plan.understood), manifest).snippet


@pytest.mark.parametrize(
    ("later", "twin"),
    [
        ("Move it up by 2.", 'Move "Crate" up by 2.'),  # which of the two is it?
        ("Give the copies a red material.", 'Give "Crate" a red material.'),
        ("Shade smooth.", 'Shade "Crate" smooth.'),  # what was active
        ("levels 3", "Set the end frame to 120."),  # of what?
    ],
)
def test_behind_what_was_not_understood_nothing_is_guessed(later: str, twin: str, manifest: Manifest) -> None:
    composer = Composer()
    assert composer.plan(f"Add a cube. {KNIT} {later}", manifest).understood == ["Add a cube."]
    assert composer.plan(f"Add a cube. {KNIT} {twin}", manifest).understood == ["Add a cube.", twin]


def test_nothing_is_understood_of_a_poem(manifest: Manifest) -> None:
    plan = Composer().plan("Shall I compare thee. To a summer's day", manifest)
    assert (plan.snippet, plan.understood, len(plan.missing)) == ("", [], 2)


def test_sentences_end_with_marks_and_with_then() -> None:
    said = 'Add a cube at (1, 2.5, 0), called "A. B", then rotate it; save to //a.blend and then stop!'
    assert list(sentences(said)) == [
        'Add a cube at (1, 2.5, 0), called "A. B".',
        "rotate it.",
        "save to //a.blend.",
        "stop.",
    ]


def test_each_sentence_is_read_with_those_that_were_understood() -> None:
    seen: list[str] = []

    def draft(part: str) -> str:
        seen.append(part)
        if "b" in part:
            raise NotUnderstood([], "")
        return part

    plan = planned("a. a b. c", draft)
    assert (plan.snippet, plan.understood, plan.missing) == ("a. c.", ["a.", "c."], ["a b."])
    assert seen == ["a.", "a. a b.", "c.", "a. c."]
