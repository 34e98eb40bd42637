"""Recorded answers: found again by task, role and attempt, never made up, and replayed through the whole loop."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.jobs.talks import UNUSABLE
from app.llm.prompts import PromptName, prompt
from app.settings import Settings
from bench.recorded.records import FOLDER, Course, Record, RecordsInvalid, append_records, read_records
from bench.recorded.replay import critic_pairs, fate_of, replay, report
from bench.recorded.server import RecordedAnswers, answering, role_in
from bench.task import Task, read_tasks
from harness.blenders import Blender

BENCH = Path(__file__).parents[1]
UNSEEN = FOLDER / "tasks-unseen.jsonl"
EVERY = 5
"""Every fifth of the 64 tasks of that file: a dozen of all kinds."""
LEFT_OUT = {"new-rendering-08", "new-scripting-06"}
"""The first is proven and wrong: "exactly three lights", and the light of the start scene is hidden, not gone. The
second was disputed when it was recorded, so no critic has answered.
"""
REQUESTS = {"one": "Add a cube", "two": "Add a cube called Box"}


def record(task: str = "one", role: str = "drafter", attempt: int = 1, turn: int = 1, answer: str = "...") -> Record:
    facts: dict[str, Any] = {"recorded": "2026-11-26", "source": "a capable model", "prompt": f"{role} 1 (0)"}
    return Record(task, role, attempt, turn, **facts, question="", pictures=0, tokens_in=9, tokens_out=1, answer=answer)


def asked(name: PromptName, request: str, *more: str) -> list[dict[str, str]]:
    """A question as it is sent: the prompt's system message, the question, then answers and further questions."""
    texts = [prompt(name).system, f"Target: Blender 5.0.\n\nRequest:\n{request}\n\nAnswer.", *more]
    return [{"role": "user", "content": text} for text in texts]


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    records = [record(), record(role="critic", answer='{"request": "größer"}')]
    append_records(tmp_path / "new" / "a.jsonl", records[:1])
    append_records(tmp_path / "new" / "a.jsonl", records[1:])
    assert read_records(tmp_path / "new" / "a.jsonl") == records


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"task": "one"}\n', "line 1: no record of an answer"),
        ("[]\nno JSON", "line 1: no record"),
        (json.dumps(dataclasses.asdict(record())) + "\n" + json.dumps(dataclasses.asdict(record())), "two records of"),
    ],
)
def test_a_file_that_holds_no_records_says_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(RecordsInvalid, match=said):
        read_records(tmp_path / "a.jsonl")


def test_questions_are_placed_by_what_the_models_wrote() -> None:
    course, again = Course("one"), UNUSABLE.format("it was empty")
    asked = ["acceptance", "drafter", ("drafter", again), "critic", "healer", ("healer", again), "critic", "healer"]
    places = [course.next(*(one if isinstance(one, tuple) else (one, "A question"))) for one in asked]
    assert [(place.attempt, place.turn) for place in places] == [
        (1, 1), (1, 1), (1, 2), (1, 1), (2, 1), (2, 2), (2, 1), (3, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["acceptance", "drafter", "critic", "healer"])
def test_the_role_is_known_by_the_prompt(name: PromptName) -> None:
    assert role_in(asked(name, "Add a cube")) == name
    assert role_in([{"role": "user", "content": "Who are you?"}]) == "?"


def test_the_task_is_the_one_whose_request_is_a_line_of_the_question() -> None:
    answers = RecordedAnswers([record("one", answer="1"), record("two", answer="2")], REQUESTS)
    assert answers.answer(asked("drafter", "Add a cube called Box")) == "2"
    # A recipe for it in the question of another task does not count.
    assert answers.answer(asked("drafter", "Add a cube\n# Add a cube called Box")) == "1"
    assert answers.missing == {}


def test_what_is_not_recorded_is_never_made_up() -> None:
    answers = RecordedAnswers([record("one", answer="1")], REQUESTS)
    with answering(answers) as url:
        said = [
            httpx2.post(f"{url}/chat/completions", json={"messages": messages})
            for messages in (
                asked("drafter", "Add a cube"),
                asked("healer", "Add a cube"),
                asked("drafter", "Add a lamp"),
            )
        ]
        models = httpx2.get(f"{url}/models").json()
    assert [one.status_code for one in said] == [200, 410, 410]
    assert said[0].json()["choices"][0]["message"]["content"] == "1" and models["data"][0]["id"] == "recorded"
    assert answers.missing["one"] == ["one: healer, attempt 2"]
    assert answers.missing["?"][0].startswith("drafter: 'Target")


def test_an_answer_that_was_asked_again_is_the_next_turn() -> None:
    answers = RecordedAnswers([record(answer="poem"), record(turn=2, answer="code")], REQUESTS)
    assert answers.answer(asked("drafter", "Add a cube")) == "poem"
    assert answers.answer(asked("drafter", "Add a cube", "poem", UNUSABLE.format("no Python"))) == "code"
    answers.begin_again("one")
    assert answers.answer(asked("drafter", "Add a cube")) == "poem"


def test_a_run_is_told_by_its_end_and_by_the_check_of_its_task() -> None:
    fates = [fate_of(status, right) for status in ("proven", "not_proven", "disputed") for right in (True, False)]
    assert fates == [
        "proven and right", "proven and wrong", "right and refused", "wrong and refused",
        "disputed, right", "disputed, wrong",
    ]  # fmt: skip
    assert fate_of("failed", True) == "dead"


def all_tasks() -> dict[str, Task]:
    return {task.id: task for file in sorted(BENCH.glob("tasks*.jsonl")) for task in read_tasks(file)}


def test_every_recorded_answer_belongs_to_a_task_and_no_two_tasks_share_a_request() -> None:
    tasks = all_tasks()
    records = [record for file in sorted(FOLDER.glob("tasks-*.jsonl")) for record in read_records(file)]
    assert {record.task for record in records} <= set(tasks)
    assert len({task.request for task in tasks.values()}) == len(tasks) >= 400
    assert all(task.check for task in tasks.values())


@pytest.mark.slow
@pytest.mark.blender
async def test_a_dozen_tasks_are_proven_and_right_with_recorded_answers(settings: Settings, blender: Blender) -> None:
    records = read_records(UNSEEN)
    some = sorted({record.task for record in records} - LEFT_OUT)[::EVERY]
    tasks = [task for task in all_tasks().values() if task.id in some and task.fits(blender)]
    replayed = await replay(settings, blender, tasks, records, together=3, most_alone=0)
    assert [(one.task.id, one.fate, one.why) for one in replayed.results if one.fate != "proven and right"] == []
    assert replayed.answers.missing == {} and replayed.answers.given >= 3 * len(tasks)
    assert len(critic_pairs(replayed.results)) == len(tasks)
    assert f"{'proven and right':<32}{len(tasks):>6}" in report(replayed)


@pytest.mark.blender
async def test_a_missing_answer_is_said_and_counts_as_nothing(settings: Settings, blender: Blender) -> None:
    records = [one for one in read_records(UNSEEN) if (one.task, one.role) != ("new-rendering-04", "drafter")]
    tasks = [task for task in all_tasks().values() if task.id == "new-rendering-04"]
    replayed = await replay(settings, blender, tasks, records, together=1, most_alone=0)
    [result] = replayed.results
    assert (result.fate, result.run.status) == ("no answer recorded", "failed")
    assert report(replayed)[-1] == "no answer is recorded for new-rendering-04: drafter, attempt 1"
