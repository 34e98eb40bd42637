"""Keys and quotas: nothing is run twice because it was sent twice, and no caller has more than his share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from app.errors import KeyReused, QuotaSpent, ServiceBusy
from app.jobs.kinds import GROUPS, QUESTIONS, JobKind
from app.jobs.run import JobStatus, ModelCall
from app.jobs.schema import jobs
from app.jobs.sending import CallerLimits, Sending, SentBefore
from app.jobs.tables import JobStore
from app.setting_values import callers_in
from app.settings import Settings

FIRST = Sending("studio", "key-1", "digest 1")


async def add(runs: JobStore, sent: Sending) -> str:
    return await runs.add("validate", "x", "5.0.1", {}, sent)


def call(number: int, cost: float) -> ModelCall:
    return ModelCall(
        number=number, talk="writer", step="draft", prompt="", sent=[], answer="", finish="stop", provider="p",
        model="m", tokens_in=1, tokens_out=1, seconds=1, cost=cost,
    )  # fmt: skip


async def test_a_key_names_one_request_of_one_caller(runs: JobStore) -> None:
    assert await runs.sent_before(FIRST) is None
    run_id = await add(runs, FIRST)
    assert await runs.sent_before(FIRST) == run_id
    with pytest.raises(SentBefore) as before:
        await add(runs, FIRST)
    assert before.value.run_id == run_id
    other = replace(FIRST, digest="digest 2")
    for asked in (runs.sent_before(other), add(runs, other)):
        with pytest.raises(KeyReused, match=f"'key-1'.*{run_id}"):
            await asked
    others = [
        await add(runs, replace(FIRST, caller="other")),
        await add(runs, Sending("studio")),
        await add(runs, Sending()),
    ]
    assert await runs.ids() == [run_id, *others]


async def test_a_run_keeps_the_trace_of_its_request(runs: JobStore) -> None:
    traced, other = await add(runs, Sending(trace="00-aa-bb-01")), await add(runs, Sending())
    assert (await runs.trace(traced), await runs.trace(other)) == ("00-aa-bb-01", None)


async def test_runs_per_minute_are_counted_per_caller(runs: JobStore) -> None:
    sent = Sending("studio", limits=CallerLimits(runs_per_minute=2))
    for _ in range(2):
        await add(runs, sent)
    with pytest.raises(QuotaSpent, match="2 jobs") as refused:
        await add(runs, sent)
    assert refused.value.headers["Retry-After"] == "60"
    await add(runs, replace(sent, caller="other"))
    old = update(jobs).values(created_at="2020-01-01T00:00:00.000+00:00")
    await runs._do(lambda db: db.execute(old))  # pyright: ignore[reportPrivateUsage]
    await add(runs, sent)


@pytest.mark.parametrize("kind", [kind for group in GROUPS for kind in group.kinds])
async def test_jobs_of_each_kind_count_for_all(runs: JobStore, kind: JobKind) -> None:
    async def begin(limits: CallerLimits, kind: JobKind = kind) -> str:
        return await runs.add(kind, "x", "", {}, Sending("studio", limits=limits))

    begun = await begin(CallerLimits(runs_per_minute=1))
    for other in (kind, "generate"):
        with pytest.raises(QuotaSpent):
            await begin(CallerLimits(runs_per_minute=1), other)
    await runs.add_call(begun, call(1, 0.5))
    with pytest.raises(QuotaSpent):
        await begin(CallerLimits(cost_per_day=0.5))
    # Each group has places of its own.
    with pytest.raises(ServiceBusy):
        await begin(CallerLimits(unfinished=1))
    await begin(CallerLimits(unfinished=1), "ask" if kind not in QUESTIONS.kinds else "change")


async def test_what_models_cost_is_counted_once_and_per_caller(runs: JobStore) -> None:
    sent = Sending("studio", limits=CallerLimits(cost_per_day=0.5))
    run_id = await add(runs, sent)
    await runs.add_call(run_id, call(1, 0.4))
    # What is written again after an interruption cost nothing more.
    await runs.add_call(run_id, call(1, 0.4))
    await add(runs, sent)
    await runs.add_call(run_id, call(2, 0.1))
    with pytest.raises(QuotaSpent, match=r"0\.5000 US dollars"):
        await add(runs, sent)
    await add(runs, replace(sent, caller="other"))


async def test_runs_that_have_ended_leave_room(runs: JobStore) -> None:
    sent = Sending("studio", limits=CallerLimits(unfinished=1))
    run_id = await add(runs, sent)
    with pytest.raises(ServiceBusy):
        await add(runs, sent)
    await add(runs, replace(sent, caller="other"))
    await runs.finish(run_id, JobStatus.CANCELLED)
    await add(runs, sent)


GOOD = "studio 0123456789abcdef\n  # a comment\n\nfarm fedcba9876543210\n"


def test_a_file_of_tokens_is_read(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(GOOD)
    settings = Settings.model_validate({"home": tmp_path, "token": "t", "tokens": file})
    assert settings.all_tokens() == {"": "t", "studio": "0123456789abcdef", "farm": "fedcba9876543210"}
    assert Settings(home=tmp_path).all_tokens() == {}
    with pytest.raises(ValueError, match="BLENDPROOF_TOKEN"):
        Settings(home=tmp_path, tokens=file)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("studio2 short", "line 5: write"),
        ("0123456789abcdefgh", "line 5: write"),
        ("stu/dio 0123456789abcdefgh", "line 5: write"),
        ("farm 0123456789abcdefgh", "line 5: .* already"),
        ("farm2 fedcba9876543210", "line 5: .* already"),
    ],
)
def test_a_wrong_line_is_named_and_not_shown(line: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(GOOD + line + "\n")
    with pytest.raises(ValueError, match=problem) as told:
        callers_in(file)
    assert "0123456789" not in str(told.value) and "fedcba" not in str(told.value)
