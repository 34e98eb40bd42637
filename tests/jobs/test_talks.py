"""What a run says to models: on record, within its budget, and not asked twice after an interruption."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import HttpUrl, SecretStr

from app.jobs.budget import Budget, BudgetSpent
from app.jobs.progress import Progress
from app.jobs.run import Event, ModelCall, SentMessage
from app.jobs.sqlite import SqliteJobs
from app.jobs.talks import Talks, in_window
from app.llm.answers import AnswerUnusable, CodeAnswer, code_answer
from app.llm.kept import AnswerFolder, KeptAnswers
from app.llm.message import Message, fit_chunks, tokens_of
from app.llm.models import Models
from app.llm.prompts import FilledPrompt
from app.llm.providers import ProviderSettings, ready
from app.observing.metrics import Metrics
from harness.readers import Readers
from tests.model_server import KEY, MODEL, ModelServer, Reply, model_server

CODE = "```python\nimport bpy\n```"


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    with model_server(Reply("I would rather not.", when="Refuse"), Reply(CODE, times=9)) as server:
        yield server


@pytest.fixture
async def talks(server: ModelServer, tmp_path: Path, readers: Readers) -> AsyncIterator[Talks]:
    settings = ProviderSettings(model=MODEL, url=HttpUrl(server.url), key=SecretStr(KEY), price_out=10.0)
    runs = await SqliteJobs.open(tmp_path / "runs.sqlite")
    models = Models([ready("custom", settings)])
    run_id = await runs.add("generate", "x", "5.0.1", {"request": "x"})
    yield Talks(run_id, models, runs, Progress(runs), readers, Budget(4000, 60, None))
    await models.close()
    await runs.close()


def asking(user: str) -> FilledPrompt:
    return FilledPrompt("drafter", "drafter 1 (0000)", "Be short.", user)


async def test_a_talk_goes_on_and_is_on_record(talks: Talks, server: ModelServer) -> None:
    await talks.ask_for_code("writer", "draft", asking("Write."), code_answer)
    await talks.ask_for_code("writer", "more", asking("Write more."), code_answer)
    roles = [message["role"] for message in server.asked[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    first, second = (await talks.runs.run(talks.run_id)).model_calls
    assert [message.content for message in first.sent] == ["Be short.", "Write."]
    assert [message.content for message in second.sent] == ["Write more."]
    assert (second.number, second.answer, second.tokens_in) == (2, CODE, 1000)
    assert second.cost == pytest.approx(0.001)
    assert KEY not in first.model_dump_json()


async def test_an_unusable_answer_is_told_to_the_model_once(talks: Talks, server: ModelServer) -> None:
    assert await talks.ask_for_code("writer", "draft", asking("Refuse."), code_answer) == CodeAnswer("import bpy\n")
    assert "cannot be used: the answer held no Python snippet" in server.asked[1]["messages"][-1]["content"]
    with pytest.raises(AnswerUnusable, match="never"):
        await talks.ask_for_code("other", "draft", asking("Write."), never)
    assert len(server.asked) == 4


def never(_answer: str, _finish: str) -> CodeAnswer:
    return CodeAnswer(problem="never")


async def test_an_answer_that_was_given_is_not_asked_for_again(talks: Talks, server: ModelServer) -> None:
    first = await talks.ask_for_code("writer", "draft", asking("Write."), code_answer)
    again = await talks.ask_for_code("writer", "draft", asking("Write."), code_answer)
    assert (first, len(server.asked)) == (again, 1)
    await talks.ask_for_code("writer", "draft", asking("Write something else."), code_answer)
    assert len(server.asked) == 2


async def test_an_answer_that_was_kept_is_on_record_as_that(talks: Talks, server: ModelServer, tmp_path: Path) -> None:
    settings = ProviderSettings(model=MODEL, url=HttpUrl(server.url))
    models = Models([ready("custom", settings)], Metrics(), KeptAnswers(AnswerFolder(tmp_path, 1), 1))
    keeping = replace(talks, models=models)
    await keeping.ask_for_code("writer", "draft", asking("Write."), code_answer)
    await keeping.ask_for_code("writer 2", "draft", asking("Write."), code_answer)
    await models.close()
    run = await talks.runs.run(talks.run_id)
    assert [(call.cached, call.tokens_in, call.answer) for call in run.model_calls] == [
        (False, 1000, CODE),
        (True, 0, CODE),
    ]
    assert (await talks.runs.records(talks.run_id, Event))[-1].facts["cached"] is True
    assert len(server.asked) == 1


async def test_the_budget_ends_the_asking(talks: Talks, server: ModelServer) -> None:
    for number in range(4):
        await talks.ask_for_code("writer", f"step {number}", asking(f"Write {number}."), code_answer)
    with pytest.raises(BudgetSpent, match="4400 of 4000 tokens"):
        await talks.ask_for_code("writer", "the last", asking("Write."), code_answer)
    assert len(server.asked) == 4


def test_each_limit_of_the_budget_counts() -> None:
    call = ModelCall(
        number=1, talk="writer", step="draft", prompt="", sent=[SentMessage(role="user", content="")], answer="",
        finish="stop", provider="custom", model="m", tokens_in=10, tokens_out=5, seconds=4.0, cost=0.5,
    )  # fmt: skip
    assert Budget(16, 10.0, 0.6).seconds_left([call]) == 6.0
    for budget, said in (
        (Budget(15, 10, 1), "tokens"),
        (Budget(16, 4, 1), "4 of 4 s"),
        (Budget(16, 10, 0.5), "dollars"),
    ):
        with pytest.raises(BudgetSpent, match=said):
            budget.seconds_left([call])


def test_the_oldest_turns_give_way_where_the_window_is_full() -> None:
    said = [Message("system", "s"), Message("user", "first")]
    said += [Message("assistant", "a" * 300), Message("user", "b" * 300)] * 3
    window = 2 * (tokens_of("a" * 300) + 8) + 40
    kept = in_window(said, window)
    assert [message.content[:1] for message in kept] == ["s", "b"]
    assert [message.content[:1] for message in in_window(said, window, 3)] == ["s", "b", "a", "b"]
    assert in_window(said, 10_000) == said


def test_chunks_are_dropped_from_the_least_relevant() -> None:
    chunks = ["best " * 20, "good " * 20, "fair " * 20]
    size = tokens_of(chunks[0]) + 1
    assert [fit_chunks(chunks, room) for room in (3 * size, 3 * size - 1, size, size - 1)] == [
        chunks, chunks[:2], chunks[:1], [],
    ]  # fmt: skip
