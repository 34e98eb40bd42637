"""Answers that are kept: given again to exactly the same question, and never to another."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.errors import StorageFailed
from app.jobs.shelf import Shelf
from app.llm import kept
from app.llm.kept import AnswerFolder, Keeper, KeptAnswers
from app.llm.message import Message, ModelUnavailable
from app.llm.models import Models
from app.llm.providers import Provider
from app.observing.metrics import Metrics
from tests.llm.asking import QUESTION, provider
from tests.model_server import Reply, model_server


def models_of(keeper: Keeper, *providers: Provider, days: float = 1.0) -> Models:
    return Models(providers, Metrics(), KeptAnswers(keeper, days))


async def test_the_same_question_is_answered_again_at_no_cost(tmp_path: Path) -> None:
    with model_server(Reply("Hello."), Reply("Another.")) as server:
        one = models_of(AnswerFolder(tmp_path, 1), provider(server.url, price_in=1.0))
        first, again = await one.ask(QUESTION, 20), await one.ask(QUESTION, 20)
        await one.close()
    assert (first.cached, first.cost > 0, len(server.asked)) == (False, True, 1)
    assert again == replace(first, cached=True, tokens_in=0, tokens_out=0, cost=0.0, seconds=again.seconds)


@pytest.mark.parametrize(
    "other",
    [
        {"messages": [*QUESTION, Message("user", "Please.")]},
        {"messages": [replace(QUESTION[0], role="user"), QUESTION[1]]},
        {"schema": {"type": "object"}},
        {"room": 100},
        {"exactly": True},
    ],
    ids=lambda other: next(iter(other)),
)
async def test_another_question_is_asked(other: dict[str, Any], tmp_path: Path) -> None:
    with model_server(Reply("Hello."), Reply("Another.")) as server:
        one = models_of(AnswerFolder(tmp_path, 1), provider(server.url))
        await one.ask(QUESTION, 20)
        asked: Any = {"messages": QUESTION, "seconds": 20} | other
        assert (await one.ask(**asked)).text == "Another."
        await one.close()


async def test_the_same_question_on_another_picture_is_asked(tmp_path: Path) -> None:
    picture = tmp_path / "sheet.png"
    looked = [Message("user", "Look.", (picture,))]
    with model_server(Reply("Red."), Reply("Blue.")) as server:
        one = models_of(AnswerFolder(tmp_path, 1), provider(server.url))
        answers: list[str] = []
        for content in (b"red", b"red", b"blue"):
            picture.write_bytes(content)
            answers.append((await one.ask(looked, 20)).text)
        await one.close()
    assert answers == ["Red.", "Red.", "Blue."]


async def test_another_model_is_asked_and_a_replica_is_not(tmp_path: Path) -> None:
    with model_server(Reply("Hello.")) as server, model_server(Reply("Another.")) as second:
        keeper = AnswerFolder(tmp_path, 1)
        here = provider(server.url)
        first = models_of(keeper, replace(here, urls=(server.url, second.url)))
        other = models_of(keeper, replace(provider(second.url), name="vllm"))
        same = models_of(keeper, replace(here, url=second.url, urls=(server.url, second.url)))
        said = [(await one.ask(QUESTION, 20)).text for one in (first, other, same)]
        for one in (first, other, same):
            await one.close()
    assert said == ["Hello.", "Another.", "Hello."]


@pytest.mark.parametrize(("reply", "times"), [(Reply("Hel", finish="length", times=2), 2), (Reply("Hello."), 1)])
async def test_an_answer_that_was_cut_off_is_not_kept(reply: Reply, times: int, tmp_path: Path) -> None:
    with model_server(Reply(**vars(reply))) as server:
        one = models_of(AnswerFolder(tmp_path, 1), provider(server.url))
        for _ in range(2):
            await one.ask(QUESTION, 20)
        await one.close()
    assert len(server.asked) == times


async def test_an_old_answer_is_asked_for_again_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Reply("Hello."), Reply("Newer.")) as server:
        one = models_of(AnswerFolder(tmp_path, 1), provider(server.url))
        await one.ask(QUESTION, 20)
        days_later = time.time() + 1.01 * kept.DAY_S
        monkeypatch.setattr(time, "time", lambda: days_later)
        assert (await one.ask(QUESTION, 20)).text == "Newer."
        monkeypatch.undo()
        await one.close()
    (file,) = (tmp_path / "answers").iterdir()
    AnswerFolder(tmp_path, 1)
    assert file.exists()
    os.utime(file, (0, 0))
    AnswerFolder(tmp_path, 1)
    assert not file.exists()


def test_old_answers_go_while_a_service_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SWEPT_EVERY", 2)
    keeper = AnswerFolder(tmp_path, 1)

    def write(name: str, old: bool) -> Path:
        keeper.put(f"answers/{name}", b"{}")
        if old:
            os.utime(tmp_path / "answers" / name, (0, 0))
        return tmp_path / "answers" / name

    old = write("old", old=True)
    assert keeper.get("answers/old") is None and not old.exists()
    new, older = write("new", old=False), write("older", old=True)
    assert older.exists() and keeper.get("answers/new") == b"{}"
    write("fourth", old=False)
    assert (new.exists(), older.exists()) == (True, False)


async def test_services_over_one_object_store_share_them(tmp_path: Path) -> None:
    with model_server(Reply("Hello.")) as server:
        for _ in range(2):
            one = models_of(Shelf(f"file://{tmp_path}"), provider(server.url))
            assert (await one.ask(QUESTION, 20)).text == "Hello."
            await one.close()
    assert len(server.asked) == 1


def fails(*_: object) -> bytes:
    raise StorageFailed("The object store failed.")


def hangs(*_: object) -> bytes:
    time.sleep(0.3)
    return b"{}"


def answers_no_json(*_: object) -> bytes:
    return b"not JSON"


def answers_something_else(*_: object) -> bytes:
    return b'{"at": 1e12, "odd": 1}'


@pytest.mark.parametrize("answer", [fails, hangs, answers_no_json, answers_something_else])
async def test_a_store_that_fails_costs_nothing_but_the_answer(
    answer: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "WAIT_S", 0.05)
    keeper = AnswerFolder(tmp_path, 1)
    monkeypatch.setattr(keeper, "get", answer)
    monkeypatch.setattr(keeper, "put", answer)
    with model_server(Reply("Hello.")) as server:
        one = models_of(keeper, provider(server.url))
        assert (await one.ask(QUESTION, 20)).text == "Hello."
        await one.close()


class Counted:
    """A store that counts how often it is asked."""

    def __init__(self, answer: Callable[..., bytes]) -> None:
        self.asked = 0
        self.threads = set[str]()
        self._answer = answer

    def get(self, name: str) -> bytes | None:
        self.asked += 1
        self.threads.add(threading.current_thread().name)
        return self._answer(name)

    def put(self, name: str, content: bytes) -> None:
        self.asked += 1
        self._answer(name)


@pytest.mark.parametrize(("answer", "asked"), [(fails, 1), (hangs, 1), (answers_no_json, 4)])
async def test_a_store_that_is_away_is_left_alone_for_a_while(
    answer: Callable[..., bytes], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "WAIT_S", 0.05)
    keeper = Counted(answer)
    with model_server(Reply("Hello.", times=2)) as server:
        one = models_of(keeper, provider(server.url))
        for _ in range(2):
            await one.ask(QUESTION, 20)
        assert keeper.asked == asked
        assert keeper.threads <= {"answers_0", "answers_1"}
        await one.close()


async def test_looking_for_a_kept_answer_takes_none_of_anybody_elses_time() -> None:
    keeper = Counted(hangs)
    with model_server(Reply("Hello.")) as server:
        one = models_of(keeper, provider(server.url))
        with pytest.raises(ModelUnavailable, match="no time was left"):
            await one.ask(QUESTION, 0.05)
        assert (await one.ask(QUESTION, 20)).text == "Hello."
        await one.close()
    assert (len(server.asked), keeper.asked) == (1, 3)
