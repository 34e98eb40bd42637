"""The door for chat clients, asked by the client of OpenAI over real HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai import OpenAI
from pydantic import SecretStr

from app.api import turns as reading
from app.api.turns import LONGEST_READ, ChatMessage, read_turns
from app.errors import InvalidRequest
from app.jobs.earlier import LONGEST_SNIPPET
from harness.blenders import Blender
from tests.quick_service import quick_service

pytestmark = pytest.mark.slow

TOKEN = "s3cret"
LET_IN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def url(bare_home: Path, blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("chat") / "data"
    with quick_service(bare_home, data, token=SecretStr(TOKEN)) as url:
        yield url


@pytest.fixture
def client(url: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{url}/v1", api_key=TOKEN, max_retries=0) as client:
        yield client


def turn(role: str, text: str) -> Any:
    return {"role": role, "content": text}


def runs(url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx2.get(f"{url}/runs", headers=LET_IN).json()["runs"]
    return found


def until_cancelled(url: str) -> None:
    give_up = time.monotonic() + 60
    while runs(url)[0]["status"] != "cancelled":
        assert time.monotonic() < give_up, runs(url)[0]
        time.sleep(0.02)


def test_an_answer_is_a_proven_snippet_with_its_verdict_and_picture(client: OpenAI, url: str) -> None:
    talk = [turn("system", "You write Blender scripts."), turn("user", "a red tower")]
    said = client.chat.completions.create(model="blendproof", messages=talk, temperature=0.2)
    text = said.choices[0].message.content or ""
    assert text.startswith("```python\n# a red tower\nimport bpy\n```\n\nProven on Blender ")
    picture = text.partition("![Picture](")[2].partition(")")[0]
    assert picture.startswith(f"{url}/artifacts/a-") and picture.endswith(".png")
    shown = httpx2.get(picture, headers=LET_IN)
    assert shown.headers["Content-Type"] == "image/png"
    assert (said.id, said.choices[0].finish_reason) == (f"chatcmpl-{runs(url)[0]['id']}", "stop")
    assert said.usage and said.usage.total_tokens == 0


def test_a_further_turn_changes_the_snippet_of_the_one_before(client: OpenAI) -> None:
    talk = [turn("user", "a red tower")]
    for words in ("make it taller", "and blue"):
        said = client.chat.completions.create(model="blendproof", messages=talk)
        talk += [turn("assistant", said.choices[0].message.content or ""), turn("user", words)]
    said = client.chat.completions.create(model="blendproof", messages=talk)
    text = said.choices[0].message.content or ""
    assert "# 'a red tower.\\nmake it taller.\\nand blue.'\n# 'a red tower.\\nmake it taller.'\n# a red tower\n" in text


def test_a_stream_tells_the_progress_and_then_the_answer(client: OpenAI) -> None:
    options: Any = {"include_usage": True}
    stream = client.chat.completions.create(
        model="blendproof", messages=[turn("user", "a red tower")], stream=True, stream_options=options
    )
    parts = list(stream)
    texts = [part.choices[0].delta.content or "" for part in parts if part.choices]
    assert texts[:3] == ["", "> draft\n", "> attempt 1: check and execute\n"]
    assert texts[-2].startswith("\n```python\n# a red tower\n") and "![Picture](http" in texts[-2]
    assert [part.choices[0].finish_reason for part in parts if part.choices][-1] == "stop"
    assert parts[-1].usage and parts[-1].usage.total_tokens == 0


def test_what_is_not_proven_says_why(client: OpenAI) -> None:
    said = client.chat.completions.create(model="blendproof", messages=[turn("user", "a wrong tower")])
    text = said.choices[0].message.content or ""
    assert "Not proven on Blender" in text and "line 2: there is no bpy" in text and "Picture" not in text


@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_is_an_answer_with_its_reason(stream: bool, client: OpenAI) -> None:
    text = content(client, "an unknown tower", stream)
    assert "This is not understood." in text and "not understood: unknown" in text and "docs/models.md" in text
    assert "BLENDPROOF_" not in text and "```python" not in text


@pytest.mark.parametrize("stream", [False, True])
def test_a_greeting_is_answered_in_words_and_begins_no_run(stream: bool, client: OpenAI, url: str) -> None:
    before = len(runs(url))
    for words in ("Hi!", "Hello, what can you do?", "help", "Thank you very much"):
        assert "Blender" in content(client, words, stream), words
    assert len(runs(url)) == before
    assert "```python" in content(client, "help the tower to stand", stream)


def content(client: OpenAI, words: str, stream: bool) -> str:
    """The text of the answer to one message."""
    talk = [turn("user", words)]
    if not stream:
        return client.chat.completions.create(model="blendproof", messages=talk).choices[0].message.content or ""
    parts = client.chat.completions.create(model="blendproof", messages=talk, stream=True)
    return "".join(part.choices[0].delta.content or "" for part in parts if part.choices)


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_goes_away_cancels_the_run(stream: bool, client: OpenAI, url: str) -> None:
    talk = [turn("user", "an endless tower")]
    if stream:
        with client.chat.completions.create(model="blendproof", messages=talk, stream=True) as parts:
            next(iter(parts))
    else:
        with pytest.raises(openai.APITimeoutError):
            client.with_options(timeout=1.0).chat.completions.create(model="blendproof", messages=talk)
    until_cancelled(url)


def test_models_name_the_blenders(client: OpenAI, blender: Blender) -> None:
    names = [one.id for one in client.models.list()]
    assert names[0] == "blendproof" and f"blendproof-{blender.name}" in names
    on_it = client.chat.completions.create(model=f"blendproof-{blender.series}", messages=[turn("user", "a tower")])
    other = client.chat.completions.create(model="gpt-9", messages=[turn("user", "a tower")])
    assert (on_it.model, other.model) == (f"blendproof-{blender.series}", "gpt-9")
    with pytest.raises(openai.NotFoundError, match=r"no Blender 1\.0") as unknown:
        client.chat.completions.create(model="blendproof-1.0", messages=[turn("user", "a tower")])
    assert (unknown.value.code, unknown.value.type) == ("model_not_found", "invalid_request_error")


def test_a_model_is_had_by_its_name(client: OpenAI, blender: Blender) -> None:
    assert client.models.retrieve(f"blendproof-{blender.name}").id == f"blendproof-{blender.name}"
    with pytest.raises(openai.NotFoundError, match="no model 'gpt-9'"):
        client.models.retrieve("gpt-9")


def test_a_response_is_the_same_answer_and_is_gone_on_from(client: OpenAI) -> None:
    first = client.responses.create(model="blendproof", input="a red tower", instructions="Be brief.")
    assert first.output_text.startswith("```python\n# a red tower\nimport bpy\n```") and first.usage
    assert "![Picture](http" in first.output_text and (first.status, first.error) == ("completed", None)
    said: Any = [{"role": "user", "content": [{"type": "input_text", "text": "taller"}]}]
    second = client.responses.create(model="blendproof", input=said, previous_response_id=first.id)
    assert "# 'a red tower.\\ntaller.'\n# a red tower" in second.output_text
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model="blendproof", input="a tower", previous_response_id="resp_r-none")
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model="blendproof-1.0", input="a tower")
    with pytest.raises(openai.UnprocessableEntityError):
        client.responses.create(model="blendproof", input=[])


def test_a_response_is_gone_on_from_through_greetings_refusals_and_many_turns(client: OpenAI) -> None:
    last: str | None = None
    answers: list[str] = []
    for words in ("Hi!", f"a {'very ' * 50}red tower", "taller", "an unknown thing", "and blue"):
        said = client.responses.create(model="blendproof", input=words, previous_response_id=last)
        last = said.id
        answers.append(said.output_text)
    assert "This is not understood." in answers[3]
    assert f"# 'a {'very ' * 50}red tower.\\ntaller.\\nand blue.'\n" in answers[4]


def test_bad_and_long_inputs_of_a_response_are_no_fault_of_ours(client: OpenAI) -> None:
    first = client.responses.create(model="blendproof", input="a red tower")
    many: Any = [{"role": "user", "content": "taller"}] * 1000
    said = client.responses.create(model="blendproof", input=many, previous_response_id=first.id)
    assert "# a red tower" in said.output_text
    wrong: Any = [{"role": "robot", "content": "taller"}]
    for bad in (wrong, [*many, *many[:1]]):
        with pytest.raises(openai.UnprocessableEntityError, match=r"input"):
            client.responses.create(model="blendproof", input=bad, previous_response_id=first.id)


def test_a_response_comes_in_parts(client: OpenAI) -> None:
    parts: list[Any] = list(client.responses.create(model="blendproof", input="a red tower", stream=True))
    kinds = [part.type for part in parts]
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")
    assert [part.sequence_number for part in parts] == list(range(len(parts)))
    text = "".join(part.delta for part in parts if part.type == "response.output_text.delta")
    assert text.startswith("> draft\n") and parts[-1].response.output_text == text


def test_the_token_is_asked_for(url: str) -> None:
    with (
        OpenAI(base_url=f"{url}/v1", api_key="wrong", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError) as refused,
    ):
        client.chat.completions.create(model="blendproof", messages=[turn("user", "a tower")])
    assert (refused.value.code, refused.value.type) == ("unauthorized", "authentication_error")


@pytest.mark.parametrize(
    ("body", "status", "param"),
    [
        ({"messages": []}, 422, "messages"),
        ({}, 422, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}]}, 422, "messages.0.role"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, 422, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, 422, "messages.0.content"),
        ({"messages": [{"role": "user", "content": "x" * 4001}]}, 422, "messages.0.content"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 422, "messages.0.content"),
        ({"messages": [{"role": "user", "content": "x"}], "n": 2}, 422, "n"),
    ],
)
def test_bad_input_is_named(body: dict[str, Any], status: int, param: str, url: str) -> None:
    answer = httpx2.post(f"{url}/v1/chat/completions", json=body, headers=LET_IN, timeout=120)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert (error["param"], error["type"]) == (param, "invalid_request_error")
    assert error["message"] and error["code"]


def turns(*said: tuple[str, str]) -> list[ChatMessage]:
    return [ChatMessage.model_validate(turn(role, text)) for role, text in said]


CODE = "```python\none = 1\n```"


def test_only_answered_requests_are_gone_on_from() -> None:
    talk = turns(
        ("user", "a tower"), ("user", "a red tower"), ("assistant", f"Here:\n{CODE}"), ("user", "thanks"),
        ("assistant", "You are welcome."), ("user", "taller"),
    )  # fmt: skip
    words, earlier = read_turns(talk)
    assert earlier and (words, earlier.requests, earlier.snippet) == ("taller", ["a red tower"], "one = 1\n")
    assert read_turns(turns(("user", "a tower"), ("assistant", "Why?"), ("user", "a red one"))) == ("a red one", None)


def test_code_that_the_user_brings_is_gone_on_from() -> None:
    words, earlier = read_turns(turns(("user", "a tower"), ("assistant", CODE), ("user", f"Repair:\n{CODE}\nplease")))
    assert earlier and (words, earlier.requests, earlier.snippet) == ("Repair:\nplease", [], "one = 1\n")


@pytest.mark.parametrize("block", ["```python\n\n```", "```js\none = 1\n```", "```python\none = 1", "``python\n1\n``"])
def test_what_is_no_block_of_python_is_text(block: str) -> None:
    assert read_turns(turns(("user", "a tower"), ("assistant", block), ("user", "taller"))) == ("taller", None)


def test_a_block_ends_with_the_fence_that_it_began_with() -> None:
    code = "````python\nfence = '''\n```\n'''\n````"
    _, earlier = read_turns(turns(("user", "a tower"), ("assistant", code), ("user", "taller")))
    assert earlier and earlier.snippet == "fence = '''\n```\n'''\n"


def test_code_that_is_too_long_is_refused() -> None:
    long, fits = "x" * LONGEST_SNIPPET, "x" * (LONGEST_SNIPPET - 1)
    with pytest.raises(InvalidRequest, match="65537 characters"):
        read_turns(turns(("user", f"Repair:\n```python\n{long}\n```")))
    assert read_turns(turns(("user", f"Repair:\n```python\n{fits}\n```")))[1]


def test_half_a_pair_is_read_as_a_question_mark() -> None:
    talk = turns(("user", "a \ud800 tower"), ("assistant", f"\udfff\n{CODE}"), ("user", "taller \ud800"))
    words, earlier = read_turns(talk)
    assert earlier and (words, earlier.requests) == ("taller ?", ["a ? tower"])
    part = ChatMessage.model_validate({"role": "user", "content": [{"type": "text", "text": "a \ud800 🗼"}]})
    assert read_turns([part]) == ("a ? 🗼", None)


def test_half_a_pair_is_no_fault_of_ours(client: OpenAI, url: str) -> None:
    body = b'{"messages": [{"role": "user", "content": "a red tower \\ud800"}]}'
    kind = {"Content-Type": "application/json", **LET_IN}
    said = httpx2.post(f"{url}/v1/chat/completions", content=body, headers=kind, timeout=120)
    assert said.status_code == 200 and "# a red tower ?" in said.json()["choices"][0]["message"]["content"]
    body = b'{"input": "a red tower \\ud800"}'
    assert httpx2.post(f"{url}/v1/responses", content=body, headers=kind, timeout=120).status_code == 200


def test_lines_without_end_are_refused_before_they_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    split: list[int] = []

    def without_code(text: str) -> tuple[str, str | None]:
        split.append(len(text))
        return whole(text)

    whole = reading.without_code
    monkeypatch.setattr(reading, "without_code", without_code)
    fits = f"{CODE}{chr(10) * (LONGEST_READ - len(CODE) - len('taller'))}taller"
    with pytest.raises(InvalidRequest, match=r"messages.0.content: it has 1048577 characters"):
        read_turns(turns(("user", f"{fits}!")))
    assert split == []
    assert read_turns(turns(("user", fits)))[0].strip() == "taller" and split == [LONGEST_READ]


def test_the_latest_turns_of_a_long_talk_are_gone_on_from() -> None:
    lines, old, new = "\n" * (LONGEST_READ // 2), ("user", "a tower"), ("user", "a ball")
    fits = turns(old, ("assistant", CODE), new, ("assistant", f"{lines}{CODE}"), ("user", "taller"))
    _, earlier = read_turns(fits)
    assert earlier and earlier.requests == ["a tower", "a ball"]
    long = turns(old, ("assistant", f"{lines}{CODE}"), new, ("assistant", f"{lines}{CODE}"), ("user", "taller"))
    _, earlier = read_turns(long)
    assert earlier and earlier.requests == ["a ball"]
