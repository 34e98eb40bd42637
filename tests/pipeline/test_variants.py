"""Several first snippets for one request: all are judged, the critic's scores choose, and the others stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app.jobs.request import GenerateRequest
from app.jobs.run import Attempt
from app.pipeline.variants import best_variant, notes_on_choice
from app.settings import Settings
from tests.fixtures import serving
from tests.model_server import Reply, model_server
from tests.pipeline.asking import POEM, SMALL, asking
from tests.verdicts import PASSED, failing

FIRST, SECOND = (f"import bpy\n\nbpy.data.objects['Cube'].{what} = 3.0\n" for what in ("location.x", "scale.z"))
BROKEN = FIRST + "raise ValueError\n"
NOTHING = Reply('{"checks": []}', when="You turn a request", times=9)


def scored(score: float) -> Reply:
    axes = ("api", "context", "repeat", "effects", "request")
    said = {axis: {"score": score, "reason": "It could be better."} for axis in axes}
    return Reply(json.dumps(said), when="You judge")


def drafts(*snippets: str) -> list[Reply]:
    return [Reply(f"```python\n{snippet}```", when="You write Python") for snippet in snippets]


async def run_of(settings: Settings, replies: list[Reply], **more: Any) -> tuple[dict[str, Any], list[str]]:
    with model_server(NOTHING, *replies) as server:
        async with serving(asking(settings, server.url)) as client:
            body = {"request": POEM, "drafter": "model", "render": SMALL, **more}
            run = (await client.post("/generate", json=body)).json()
            pictures = [one["picture"] for one in run["attempts"] if one["picture"]]
            shown = [(await client.get(picture)).status_code for picture in pictures]
            page = (await client.get(f"/page/runs/{run['id']}")).text
        assert shown == [200] * len(pictures)
        assert all(picture in page for picture in pictures)
    return run, server.questions


@pytest.mark.blender
async def test_the_critic_chooses_among_the_variants_and_the_others_stay(settings: Settings) -> None:
    run, questions = await run_of(
        settings, [*drafts(FIRST, "# Otherwise.\n" + FIRST, SECOND), scored(0.8), scored(0.95)], variants=3
    )
    assert run["status"] == "proven" and run["snippet"] == SECOND, run
    # The second one is the first again, so it was not proven once more.
    assert [one["variant"] for one in run["attempts"]] == [1, 3]
    assert [call["talk"] for call in run["model_calls"] if "writer" in call["talk"]] == [
        "writer", "writer 2", "writer 3",
    ]  # fmt: skip
    second = next(question for question in questions if "variant 2 of 3" in question)
    assert "another approach" in second and FIRST.strip() in second


@pytest.mark.blender
async def test_an_earlier_variant_that_is_better_is_the_last_attempt_again(settings: Settings) -> None:
    run, _ = await run_of(settings, [*drafts(FIRST, BROKEN), scored(0.9)], variants=2, max_attempts=2)
    assert (run["status"], run["snippet"]) == ("proven", FIRST), run
    assert [one["verdict"]["passed"] for one in run["attempts"]] == [True, False, True]
    assert "chosen with the score 0.90, against 0.00 for variant 2" in run["attempts"][-1]["notes"]


@pytest.mark.blender
async def test_variants_count_as_attempts_and_a_model_that_is_gone_ends_them(settings: Settings) -> None:
    other = BROKEN.replace("3.0", "4.0")
    run, _ = await run_of(settings, drafts(BROKEN, other), variants=3, max_attempts=3)
    assert run["status"] == "not_proven" and len(run["attempts"]) >= 2
    assert [call["talk"] for call in run["model_calls"]] == ["acceptance", "writer", "writer 2"]
    run, _ = await run_of(settings, drafts(BROKEN, other), variants=2, max_attempts=2)
    assert run["ended_because"] == "no rule heals it, and models wrote 2 of 2 attempts"


def test_more_variants_than_attempts_are_refused() -> None:
    assert GenerateRequest(request="a tree", variants=3, max_attempts=3).variants == 3
    with pytest.raises(ValidationError, match="4 variants need `max_attempts` of at least 4"):
        GenerateRequest(request="a tree", variants=4, max_attempts=3)
    # Without a model there is one way, and none is refused for it.
    assert GenerateRequest(request="a tree", max_attempts=0).variants == 1


def attempt(number: int, score: float | None, variant: int | None, passed: bool = True) -> Attempt:
    verdict = (PASSED if passed else failing("execute", line=1, message="no")).model_copy(
        update={"measured": {} if score is None else {"scores": {"accepted": score}}}
    )
    facts: dict[str, Any] = {"author": "model", "notes": [], "snippet": "", "symbols": [], "report": None}
    return Attempt(number=number, variant=variant, verdict=verdict, **facts)


def test_the_best_variant_is_the_first_with_the_highest_score_that_passed() -> None:
    attempts = [attempt(1, 0.8, 1), attempt(2, 0.9, 2), attempt(3, 0.9, 3), attempt(4, 1.0, 4, passed=False)]
    best = best_variant(attempts)
    assert best is attempts[1]
    assert notes_on_choice(attempts[1], attempts[:2]) == ["chosen with the score 0.90, against 0.80 for variant 1"]
    assert best_variant([attempt(1, None, 1), attempt(2, None, 2)]) and best_variant([attempt(1, 1.0, None)]) is None


def test_records_of_runs_without_variants_are_read(tmp_path: Path) -> None:
    before = attempt(1, None, None).model_dump(mode="json", exclude={"variant", "picture"})
    assert Attempt.model_validate(before).variant is None
