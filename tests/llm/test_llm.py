"""The client of model servers over real HTTP: what it answers, and what becomes of every fault a server may have."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import HttpUrl, SecretStr

from app.llm import endpoint as llm_endpoint
from app.llm import models as llm_client
from app.llm.message import Message, ModelUnavailable, QuestionTooLong, tokens_of_all
from app.llm.models import Models
from app.llm.providers import ProviderSettings, ready
from tests.llm.asking import QUESTION, ask, provider
from tests.model_server import KEY, MODEL, Reply, model_server

AT_ONCE = {"retry-after-ms": "1"}
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}


def refused_url() -> str:
    """An address at which no server listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


async def test_an_answer_has_its_text_tokens_and_cost() -> None:
    with model_server(Reply("Hello.")) as server:
        answer = await ask(provider(server.url, price_in=1.0, price_out=2.0))
    assert (answer.text, answer.finish, answer.provider, answer.model) == ("Hello.", "stop", "custom", MODEL)
    assert (answer.tokens_in, answer.tokens_out) == (1000, 100)
    assert answer.cost == pytest.approx(0.0012)
    assert server.keys == [f"Bearer {KEY}"]
    assert server.asked[0]["messages"] == [{"role": one.role, "content": one.content} for one in QUESTION]
    assert "response_format" not in server.asked[0]


async def test_a_picture_travels_within_its_message(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG")
    with model_server(Reply("I see.")) as server:
        await ask(provider(server.url), messages=[Message("user", "Look.", (picture,))])
    text, image = server.asked[0]["messages"][0]["content"]
    assert (text["text"], image["image_url"]["url"]) == ("Look.", "data:image/png;base64,iVBORw==")


@pytest.mark.parametrize(("size", "tokens"), [((800, 580), 619), ((256, 256), 88), ((4000, 4000), 1600)])
def test_a_picture_costs_by_its_size(tmp_path: Path, size: tuple[int, int], tokens: int) -> None:
    Image.new("RGB", size).save(tmp_path / "picture.png")
    seen = tokens_of_all([Message("user", "Look.", (tmp_path / "picture.png",))])
    assert seen - tokens_of_all([Message("user", "Look.")]) == tokens


PASSING: list[tuple[str, Reply]] = [
    ("429", Reply(status=429, raw=b'{"error": {"message": "slow down"}}', headers={"Retry-After": "0.01"})),
    ("500", Reply(status=500, raw=b"oops", headers=AT_ONCE)),
    ("503", Reply(status=503, raw=b"", headers=AT_ONCE)),
    ("half an answer", Reply("Hel" * 100, half=True)),
]


@pytest.mark.parametrize("fault", [fault for _, fault in PASSING], ids=[name for name, _ in PASSING])
async def test_a_fault_that_passes_is_tried_again(fault: Reply) -> None:
    with model_server(Reply(**vars(fault)), Reply("Hello.")) as server:
        answer = await ask(provider(server.url))
    assert (answer.text, len(server.asked)) == ("Hello.", 2)


LASTING: list[tuple[str, Reply, str]] = [
    (
        "429",
        Reply(status=429, raw=b'{"error": {"message": "slow down"}}', headers=AT_ONCE, times=9),
        "429: .*slow down",
    ),
    ("500", Reply(status=500, raw=b"oops", headers=AT_ONCE, times=9), "answered 500"),
    ("slow", Reply("Hello.", delay_s=1.0, times=9), "no answer within 0.2 s"),
    ("garbage", Reply(raw=b"<html>It works!</html>"), "not a completion: <html>It works!</html>"),
    ("nothing", Reply(raw=b""), r"not a completion: \(empty\)"),
    ("an error with status 200", Reply(raw=b'{"error": {"message": "out of credit"}}'), "out of credit"),
    ("no choices", Reply(raw=b'{"choices": []}'), "no choices"),
    (
        "401",
        Reply(status=401, raw=b'{"error": {"message": "Incorrect API key: ' + KEY.encode() + b'"}}'),
        r"key: \*\*\*",
    ),
]


@pytest.mark.parametrize(("fault", "said"), [case[1:] for case in LASTING], ids=[case[0] for case in LASTING])
async def test_a_fault_that_lasts_is_told_and_the_next_provider_is_asked(
    fault: Reply, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_endpoint, "RETRIES", 1)
    with model_server(Reply(**vars(fault))) as broken, model_server(Reply("Hello.")) as sound:
        first = provider(broken.url, "vllm", timeout_s=0.2)
        with pytest.raises(ModelUnavailable, match=said) as caught:
            await ask(first)
        assert KEY not in str(caught.value)
        answer = await ask(first, provider(sound.url, "ollama"))
    assert (answer.text, answer.provider) == ("Hello.", "ollama")


async def test_a_wrong_model_name_is_told() -> None:
    no_such = pytest.raises(ModelUnavailable, match=r"404: .*The model `llama` does not exist")
    with model_server(Reply("Hello.")) as server, no_such:
        await ask(provider(server.url, model="llama"))
    assert len(server.asked) == 1


async def test_a_provider_that_is_down_is_asked_after_the_others() -> None:
    with model_server(Reply("Hello.", times=3)) as server:
        models = Models([provider(refused_url(), "vllm"), provider(server.url, "ollama")])
        first = await models.ask(QUESTION, 20)
        states = dict(models.states())
        second = await models.ask(QUESTION, 20)
        await models.close()
    assert [first.provider, second.provider] == ["ollama", "ollama"]
    assert "cannot be reached" in (states[f"vllm ({MODEL})"] or "")
    assert states[f"ollama ({MODEL})"] is None


async def test_the_time_that_is_left_is_kept() -> None:
    with model_server(Reply("Hello.", delay_s=1.0, times=9)) as server:
        models = Models([provider(server.url)])
        with pytest.raises(ModelUnavailable, match=r"did not answer within the 0 s"):
            await models.ask(QUESTION, 0.1)
        await models.close()


async def test_a_slow_server_is_not_asked_again_beyond_the_time_for_one_answer() -> None:
    with model_server(Reply("Hello.", delay_s=2.0, times=9)) as server:
        with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
            await ask(provider(server.url, timeout_s=0.2))
        assert len(server.asked) == 1
    with model_server(Reply("Hello.", times=9)) as server:
        assert (await ask(provider(server.url, timeout_s=20))).text == "Hello."


async def test_a_password_in_an_address_is_not_shown() -> None:
    hidden = refused_url().replace("http://", "http://me:pass%40word@") + "?key=abc"
    with pytest.raises(ModelUnavailable) as down:
        await ask(provider(hidden))
    assert "cannot be reached" in str(down.value)
    assert not any(secret in str(down.value) for secret in ("me:", "pass", "abc"))
    assert provider(hidden).scrub("no pass@word, nor pass%40word") == "no ***, nor ***"
    assert provider("http://127.0.0.1:9/v1").shown_url == "http://127.0.0.1:9/v1"


def test_a_key_is_not_shown_and_a_placeholder_for_one_is_a_word_like_others() -> None:
    code = f"style.display = 'none'  # {KEY}"
    assert provider("http://127.0.0.1:9/v1").scrub(code) == "style.display = 'none'  # ***"
    assert provider("http://127.0.0.1:9/v1", key=SecretStr("none")).scrub(code) == code


@pytest.mark.parametrize("takes_schema", [True, False])
async def test_json_is_asked_for_where_the_server_can_be_asked(takes_schema: bool) -> None:
    with model_server(Reply('{"a": 1}', times=9), takes_schema=takes_schema) as server:
        models = Models([provider(server.url)])
        answers = [await models.ask(QUESTION, 20, SCHEMA) for _ in range(2)]
        await models.close()
    assert [answer.text for answer in answers] == ['{"a": 1}'] * 2
    # A server that cannot is asked without from then on.
    asked = ["response_format" in body for body in server.asked]
    assert asked == ([True, True] if takes_schema else [True, False, False])


async def test_a_question_must_fit_the_window() -> None:
    long = [Message("user", "word " * 4000)]
    with model_server(Reply("Hello.", times=9)) as server:
        with pytest.raises(QuestionTooLong, match="there is room for 3072"):
            await ask(provider(server.url, context=4096), messages=long)
        assert (await ask(provider(server.url, context=16384), messages=long)).text == "Hello."
    assert len(server.asked) == 1


async def test_a_key_that_a_server_repeats_is_taken_out() -> None:
    with model_server(Reply(f"Your key is {KEY}.")) as server:
        answer = await ask(provider(server.url))
    assert answer.text == "Your key is ***."


async def test_requests_wait_for_their_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    with model_server(Reply("Hello.", times=3)) as server:
        models = Models([provider(server.url, requests_per_minute=2)])
        monkeypatch.setattr("app.llm.endpoint.asyncio.sleep", sleep)
        for _ in range(3):
            await models.ask(QUESTION, 20)
        monkeypatch.undo()
        await models.close()
    minute = [seconds for seconds in waited if seconds > 1]
    assert len(minute) == 1 and 50 < minute[0] <= 60


@pytest.mark.parametrize(("most", "peak"), [(2, 2), (None, 5)])
async def test_no_more_questions_are_under_way_than_may_be(
    most: int | None, peak: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: list[int] = []

    async def send(*_: Any) -> str:
        under_way.append(under_way[-1] + 1 if under_way else 1)
        await asyncio.sleep(0)
        under_way.append(under_way[-1] - 1)
        return json.dumps({"choices": [{"message": {"content": "Hello."}}]})

    monkeypatch.setattr(llm_endpoint.Endpoint, "_send", send)
    models = Models([provider(refused_url(), requests_at_once=most)])
    answers = await asyncio.gather(*(models.ask(QUESTION, 20) for _ in range(5)))
    await models.close()
    assert ([answer.text for answer in answers], max(under_way)) == (["Hello."] * 5, peak)


@pytest.mark.parametrize(
    ("most", "waits"),
    [
        ({"requests_at_once": 1}, True),
        ({"requests_at_once": 2}, False),
        ({"requests_per_minute": 1}, True),
        ({"requests_per_minute": 2}, False),
    ],
)
async def test_waiting_for_a_place_is_no_failure_of_the_provider(
    most: dict[str, Any], waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send(*_: Any) -> str:
        await asyncio.sleep(20)
        return ""

    monkeypatch.setattr(llm_endpoint.Endpoint, "_send", send)
    models = Models([provider(refused_url(), **most)])
    first = asyncio.create_task(models.ask(QUESTION, 20))
    await asyncio.sleep(0)
    with pytest.raises(ModelUnavailable, match="no place was free" if waits else "did not answer"):
        await models.ask(QUESTION, 0.05)
    ((_, problem),) = models.states()
    assert (problem is None) == waits
    first.cancel()
    await models.close()


async def test_questions_go_to_the_replica_with_the_least_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(endpoint: llm_endpoint.Endpoint, *_: Any) -> str:
        await asyncio.sleep(0)
        return json.dumps({"choices": [{"message": {"content": endpoint.provider.url}}]})

    monkeypatch.setattr(llm_endpoint.Endpoint, "_send", send)
    one, two = "http://one.local/v1", "http://two.local/v1"
    models = Models([provider(one, replicas=[HttpUrl(two)]), provider("http://other.local/v1", "openai")])
    answers = await asyncio.gather(*(models.ask(QUESTION, 20) for _ in range(4)))
    await models.close()
    assert sorted(answer.text for answer in answers) == [one, one, two, two]


async def test_a_replica_that_is_down_is_named_and_the_other_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_endpoint, "RETRIES", 0)
    down = refused_url()
    with model_server(Reply("Hello.", times=2)) as server:
        models = Models([provider(down, replicas=[HttpUrl(server.url)])])
        answers = [await models.ask(QUESTION, 20) for _ in range(2)]
        ((name, problem),) = models.states()
        await models.close()
    assert [answer.text for answer in answers] == ["Hello."] * 2
    assert name == f"custom ({MODEL})" and str(problem).startswith(f"{down}: ") and server.url not in str(problem)


@pytest.mark.parametrize(("after", "answers"), [(0.05, "quick"), (None, "slow"), (5.0, "slow")])
async def test_a_question_that_takes_long_goes_to_another_replica_if_that_is_set(
    after: float | None, answers: str
) -> None:
    with model_server(Reply("slow", delay_s=0.5)) as slow, model_server(Reply("quick")) as quick:
        models = Models([provider(slow.url, replicas=[HttpUrl(quick.url)], hedge_after_s=after)])
        answer = await models.ask(QUESTION, 20)
        ((_, problem),) = models.states()
        await models.close()
    assert (answer.text, problem, len(slow.asked), len(quick.asked)) == (answers, None, 1, int(answers == "quick"))


async def test_a_slow_answer_counts_if_the_other_replica_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_endpoint, "RETRIES", 0)
    with model_server(Reply("slow", delay_s=0.5)) as slow, model_server(Reply(status=500, times=3)) as broken:
        models = Models([provider(slow.url, replicas=[HttpUrl(broken.url)], hedge_after_s=0.05)])
        assert (await models.ask(QUESTION, 20)).text == "slow"
        await models.close()
    assert len(broken.asked) == 1


async def test_a_replica_that_has_no_place_or_is_down_gets_no_second_question(monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(endpoint: llm_endpoint.Endpoint, *_: Any) -> str:
        await asyncio.sleep(0.2 if endpoint.provider.url == one else 2)
        return json.dumps({"choices": [{"message": {"content": endpoint.provider.url}}]})

    monkeypatch.setattr(llm_endpoint.Endpoint, "_send", send)
    one, two = "http://one.local/v1", "http://two.local/v1"
    models = Models([provider(one, replicas=[HttpUrl(two)], hedge_after_s=0.05, requests_at_once=1)])
    first, second = models._endpoints  # pyright: ignore[reportPrivateUsage]
    async with second.place():
        assert (await models.ask(QUESTION, 20)).text == one
    second.fail("it is down")
    assert (await models.ask(QUESTION, 20)).text == one
    assert (first.under_way, second.under_way) == (0, 0)
    await models.close()


async def test_a_provider_is_looked_at_without_asking_its_model() -> None:
    with model_server() as server:
        sound, other = provider(server.url), provider(server.url, model="llama")
        assert await llm_client.problem_of(sound) is None
        assert await llm_client.problem_of(other) == f"it has no model llama, but {MODEL}"
    assert "cannot be reached" in (await llm_client.problem_of(provider(refused_url())) or "")
    assert server.asked == []


async def test_the_script_is_replayed_over_the_same_path(tmp_path: Path) -> None:
    script = tmp_path / "answers.toml"
    script.write_text('[[answer]]\ntext = "later"\nwhen = "bye"\n[[answer]]\ntext = "cut"\nfinish = "length"\n')
    models = Models([ready("scripted", ProviderSettings(script=script))])
    cut = await models.ask(QUESTION, 20)
    later = await models.ask([Message("user", "Say bye.")], 20)
    with pytest.raises(ModelUnavailable, match=r"410: .*no answer left"):
        await models.ask(QUESTION, 20)
    await models.close()
    assert [(cut.text, cut.finish), (later.text, later.finish)] == [("cut", "length"), ("later", "stop")]


async def test_many_questions_at_once_get_their_own_answers() -> None:
    replies = [Reply(f"answer {number}", when=f"question {number}.") for number in range(8)]
    with model_server(*replies) as server:
        models = Models([provider(server.url)])
        asked = [models.ask([Message("user", f"question {number}.")], 20) for number in range(8)]
        answers = await asyncio.gather(*asked)
        await models.close()
    assert [answer.text for answer in answers] == [f"answer {number}" for number in range(8)]


def test_the_server_of_the_tests_says_what_openai_says() -> None:
    """Its answers are read with the types of the package, so the tests do not only agree with themselves."""
    from openai.types.chat import ChatCompletion

    from tests.model_server import completion

    said = ChatCompletion.model_validate_json(json.dumps(completion(MODEL, Reply("Hello."))))
    assert said.choices[0].message.content == "Hello."
